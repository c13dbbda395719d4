// Built-in functions inside functions of programs, as machine code: for every list of argument types in the file of known
// values one call that gives a value and one that fails, with data and with parameters, against what nodes say. That
// nodes are right is oracle_functions_test's concern.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "interp/model/interp_model.h"
#include "support/base/json_build.h"
#include "support/base/render.h"
#include "support/base/rng.h"
#include "tests/conformance/oracle.h"
#include "tests/conformance/oracle_values.h"
#include "tests/differential/engine_cases.h"
#include "tests/shared/unzipped.h"

namespace fermiac::interp {
namespace {

using selfcheck::oracle::flag;
using selfcheck::oracle::member;
using selfcheck::oracle::text_of;
using Json = JsonValue;

bool is_density(const std::string& name) {
  for (const char* suffix : {"_lpdf", "_lpmf", "_lcdf", "_lccdf", "_cdf"})
    if (name.ends_with(suffix)) return true;
  return false;
}
bool is_int(const Json& arg) {
  const std::string type = text_of(arg, "type");
  return type == "int" || type.ends_with("] int");
}

/// `cos(0) * r[1] + …`; both parts of complex numbers.
std::string weighted_sum(const Json& result) {
  const bool complex = text_of(result, "type").find("complex") != std::string::npos;
  std::string out = "0";
  int i = 0;
  const auto leaf = [&](const std::string& at) {
    const auto term = [&](const std::string& x) { out += fmt::format(" + {:.17g} * {}", std::cos(i++), x); };
    if (!complex) return term("r" + at);
    term("get_real(r" + at + ")");
    term("get_imag(r" + at + ")");
  };
  const auto visit = [&](const auto& self, const Json& j, const std::string& index) -> void {
    const bool is_leaf = j.kind != Json::Kind::Array || (complex && !j.items.empty() && j.items[0].kind != Json::Kind::Array);
    if (is_leaf) return leaf(index.empty() ? "" : "[" + index + "]");
    for (std::size_t k = 0; k < j.items.size(); ++k) self(self, j.items[k], index + (index.empty() ? "" : ",") + std::to_string(k + 1));
  };
  visit(visit, member(result, "value"), "");
  return out;
}

std::string names(const std::string& prefix, std::size_t n, const char* first_separator) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += (i == 0 ? "" : i == 1 ? first_separator : ", ") + prefix + std::to_string(i);
  return out;
}

/// One call as a function of a program, f<k>, with its arguments among data and parameters.
struct Call {
  std::string functions, data, values, parameters, by_data, by_parameters;
  std::vector<double> theta;

  Call(const Json& c, std::size_t k) {
    const std::vector<Json>& args = member(c, "args").items;
    std::string formal;
    for (std::size_t i = 0; i < args.size(); ++i) {
      formal += fmt::format("{}{} x{}", i ? ", " : "", text_of(args[i], "type"), i);
      argument(args[i], fmt::format("d{}_{}", k, i), fmt::format("p{}_{}", k, i), i ? ", " : "");
    }
    const std::string name = text_of(c, "fn");
    const std::string call = fmt::format("{}({})", name, names("x", args.size(), is_density(name) ? " | " : ", "));
    const Json* result = c.find("result");
    const std::string body = result ? fmt::format("{} = {}; return {};", selfcheck::declaration(*result, "r"), call, weighted_sum(*result))
                                    : fmt::format("print({}); return 0;", call);
    functions = fmt::format("  real f{}({}) {{ {} }}\n", k, formal, body);
    by_data = fmt::format("f{}({})", k, by_data);
    by_parameters = fmt::format("f{}({})", k, by_parameters);
  }

 private:
  void argument(const Json& typed, const std::string& datum, const std::string& parameter, const char* separator) {
    data += "  " + selfcheck::declaration(typed, datum) + ";\n";
    values += fmt::format(", \"{}\": {}", datum, json_text(member(typed, "value")));
    by_data += separator + datum;
    by_parameters += separator + (is_int(typed) ? datum : parameter);
    if (is_int(typed)) return;
    parameters += "  " + selfcheck::declaration(typed, parameter) + ";\n";
    for (const double x : selfcheck::oracle::flatten(selfcheck::oracle::to_value(typed))) theta.push_back(x);
  }
};

struct Program {
  std::string text, data;
  std::vector<double> theta;
  std::size_t calls = 0;
};

Program program_of(const std::vector<Json>& cases) {
  std::string functions, declared = "  int which;\n", parameters, model, quantities;
  Program out;
  for (const Json& c : cases) {
    const Call call(c, out.calls);
    functions += call.functions;
    declared += call.data;
    parameters += call.parameters;
    out.data += call.values;
    out.theta.insert(out.theta.end(), call.theta.begin(), call.theta.end());
    model += fmt::format("  if (which == {}) target += {};\n", out.calls, call.by_parameters);
    quantities += fmt::format("  if (which == {}) value = {};\n", out.calls++, call.by_data);
  }
  out.text = "functions {\n" + functions + "}\ndata {\n" + declared + "}\nparameters {\n" + parameters + "}\nmodel {\n" + model +
             "}\ngenerated quantities {\n  real value = 0;\n" + quantities + "}\n";
  return out;
}

std::shared_ptr<const CompiledModel> compiled(const std::string& text, Jit jit) {
  return compile_model({.text = text, .path = "m.stan", .name = "m_model"}, {.jit = jit});
}

/// What call `which` of the program gives.
struct Said {
  std::string text;               // printed text, messages, and bit for bit the value with data and the density with parameters
  std::vector<double> gradient;   // with parameters
};

Said said(const std::shared_ptr<const CompiledModel>& model, const Program& p, std::size_t which) {
  Said out;
  const auto number = [&](double x) { out.text += fmt::format(" {:x}", std::isnan(x) ? 0x7ff8u : std::bit_cast<std::uint64_t>(x)); };
  const std::string data = fmt::format("{{\"which\": {}{}}}", which, p.data);
  InterpModel bound(model, DataSource::parse(data, "data"), 7, [&](std::string_view text) { out.text += text; }, nullptr, {.tapes = false});
  const auto workspace = bound.workspace();
  std::vector<double> draw(bound.names(true, true).size());
  Rng rng(11);
  const EvalStatus written = workspace->write_array(p.theta, true, true, rng, draw);
  out.text += written.message;
  if (written) number(draw.back());
  double lp = 0;
  out.gradient.resize(p.theta.size());
  const EvalStatus status = workspace->log_density_gradient(p.theta, {.propto = false, .jacobian = false}, &lp, out.gradient);
  out.text += "\n" + status.message;
  if (status) number(lp);
  else out.gradient.clear();
  return out;
}

void expect_same(const Said& code, const Said& nodes) {
  EXPECT_EQ(code.text, nodes.text);
  expect_near(Evaluated{.numbers = {nodes.gradient}}, Evaluated{.numbers = {code.gradient}});
}

/// Whether a program can hold it: some are of ragged arrays, some of functions that programs do not have.
bool can_be_written(const Json& c) {
  try {
    return static_cast<bool>(*compiled(program_of({c}).text, Jit::Never));
  } catch (const std::exception&) {
    return false;
  }
}

/// For each list of argument types the first case that gives a value and the first that throws, and how many lists there are.
std::vector<Json> sample(std::size_t* kinds) {
  const std::string text = unzipped(std::string(FERMIAC_SOURCE_DIR) + "/tests/battery/data/functions.jsonl.gz");
  std::set<std::string> taken, types;
  std::vector<Json> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    Json c;
    EXPECT_TRUE(parse_json(text.substr(at, end - at), &c));
    at = end + 1;
    std::string key;
    for (const Json& arg : member(c, "args").items) key += text_of(arg, "type") + ";";
    types.insert(key);
    key += flag(c, "throws") ? "throws" : "";
    if (text_of(c, "kind") == "propto" || taken.contains(key) || !can_be_written(c)) continue;
    taken.insert(key);
    out.push_back(std::move(c));
  }
  *kinds = types.size();
  return out;
}

void expect_same(const std::vector<Json>& cases) {
  const Program p = program_of(cases);
  const auto nodes = compiled(p.text, Jit::Never), jit = compiled(p.text, Jit::Always);
  ASSERT_TRUE(*nodes) << render_errors(nodes->sources(), nodes->diagnostics);
  for (std::size_t k = 0; k < cases.size(); ++k) {
    SCOPED_TRACE(text_of(cases[k], "id"));
    expect_same(said(jit, p, k), said(nodes, p, k));
  }
}

TEST(OracleEngines, EveryKindOfArgumentsInMachineCode) {
  std::size_t kinds = 0;
  const std::vector<Json> cases = sample(&kinds);
  EXPECT_GE(kinds, 200u);
  EXPECT_GE(cases.size(), kinds);
  constexpr std::size_t kInOne = 60;
  for (std::size_t at = 0; at < cases.size(); at += kInOne)
    expect_same({cases.begin() + static_cast<std::ptrdiff_t>(at), cases.begin() + static_cast<std::ptrdiff_t>(std::min(cases.size(), at + kInOne))});
}

}  // namespace
}  // namespace fermiac::interp
