// Oracle cases that consist of Stan source: a functions block, arguments, and an expression to evaluate.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "interp/model/interp_model.h"
#include "support/base/json.h"
#include "support/base/json_build.h"
#include "support/base/render.h"
#include "support/base/rng.h"
#include "tests/conformance/oracle.h"
#include "tests/conformance/oracle_values.h"

namespace fermiac::selfcheck {
namespace {

using oracle::Json;

class SourceCaseCheck {
 public:
  SourceCaseCheck(const Json& c, Rules& rules) : c_(c), args_(oracle::member(c, "args").items), rules_(rules) {}

  OracleOutcome check() {
    if (oracle::flag(c_, "throws")) {
      std::vector<double> result;
      const std::string error = evaluate("print(" + call() + ");", result);
      return error.empty() ? oracle::failed(c_, "gave a value where an error was expected") : expected_error(error);
    }
    std::vector<double> ours;
    const Json& result = oracle::member(c_, "result");
    const std::string error = evaluate(declaration(result, "oracle_result") + " = " + call() + ";", ours);
    if (!error.empty()) return oracle::failed(c_, error);
    const std::vector<double> theirs = oracle::flatten(oracle::to_value(result));
    const double m = oracle::largest(theirs), tol = oracle::number_of(c_, "tol", 1e-8);
    for (std::size_t i = 0; i < theirs.size(); ++i)
      if (!oracle::close(ours[i], theirs[i], tol, m, 0))
        return oracle::failed(c_, fmt::format("value {}, expected {}", oracle::list_text(ours), oracle::list_text(theirs)));
    return check_gradient(theirs.size());
  }

 private:
  std::string call() const { return oracle::text_of(c_, "call"); }
  std::string functions() const { return "functions {\n" + oracle::text_of(c_, "functions") + "\n}\n"; }
  const Json* gradient(std::size_t arg) const {
    const Json* all = c_.find("grad");
    return all && all->items[arg].kind == Json::Kind::Array ? &all->items[arg] : nullptr;
  }
  /// Program errors are failures of ours; only errors of the evaluation count.
  OracleOutcome expected_error(const std::string& error) const {
    return error.starts_with("program: ") ? oracle::failed(c_, error) : oracle::passed(c_);
  }

  /// Data declarations and the data, or parameter declarations and their values.
  void arguments(bool parameters, std::string& declarations, std::string& data, std::vector<double>& theta) const {
    std::string params;
    JsonGroup values(data, JsonGroup::Kind::Object);
    for (std::size_t i = 0; i < args_.size(); ++i) {
      const std::string name = oracle::text_of(args_[i], "name");
      const std::string text = "  " + declaration(args_[i], name) + ";\n";
      if (parameters && gradient(i)) {
        params += text;
        const std::vector<double> x = oracle::flatten(oracle::to_value(args_[i]));
        theta.insert(theta.end(), x.begin(), x.end());
      } else {
        declarations += text;
        values.member(name) += json_text(oracle::member(args_[i], "value"));
      }
    }
    declarations = "data {\n" + declarations + "}\n";
    if (parameters) declarations += "parameters {\n" + params + "}\n";
    values.end();
  }

  /// Runs `use` on a model; the message of what went wrong, or nothing.
  std::string with_model(const std::string& program, const std::string& data,
                         const std::function<std::string(const InterpModel&)>& use) const {
    const auto compiled = compile_model({.text = program, .path = "case.stan", .name = "oracle_case"});
    if (!*compiled) return "program: " + render_errors(compiled->sources(), compiled->diagnostics);
    try {
      return use(InterpModel(compiled, DataSource::parse(data, "case"), 1, [](std::string_view) {}));
    } catch (const InputError& e) {
      return e.what();
    }
  }

  std::string evaluate(const std::string& statement, std::vector<double>& result) const {
    std::string declarations, data;
    std::vector<double> none;
    arguments(false, declarations, data, none);
    const std::string program = functions() + declarations + "generated quantities {\n  " + statement + "\n}\n";
    return with_model(program, data, [&](const InterpModel& model) -> std::string {
      result.resize(model.names(true, true).size());
      Rng rng(1);
      const EvalStatus status = model.workspace()->write_array({}, true, true, rng, result);
      if (status && !model.outputs().empty()) result = in_storage_order(model.outputs()[0].type.shape(), result);
      return status ? "" : status.message;
    });
  }

  /// Outputs have the first index fastest, storage the last array index.
  static std::vector<double> in_storage_order(const Shape& shape, const std::vector<double>& output) {
    std::vector<double> storage;
    const std::size_t arrays = shape.count(), inner = shape.inner_size();
    for (std::size_t a = 0; a < arrays; ++a) {
      std::size_t rest = a, offset = 0;
      for (int k = shape.rank; k-- > 0;) {  // digits of a, last dimension first
        std::size_t weight = 1;
        for (int j = 0; j < k; ++j) weight *= shape.array_dims[static_cast<std::size_t>(j)];
        offset += rest % shape.array_dims[static_cast<std::size_t>(k)] * weight;
        rest /= shape.array_dims[static_cast<std::size_t>(k)];
      }
      for (std::size_t i = 0; i < inner; ++i) storage.push_back(output[offset + i * arrays]);
    }
    return storage;
  }

  std::string weighted_sum(const Json& result) const {
    std::string text;
    std::size_t i = 0;
    const std::function<void(const Json&, std::string)> visit = [&](const Json& j, const std::string& index) {
      if (j.kind != Json::Kind::Array) {
        const std::string at = index.empty() ? "" : "[" + index + "]";
        text += fmt::format("  target += {:.17g} * oracle_result{};\n", std::cos(static_cast<double>(i++)), at);
        return;
      }
      for (std::size_t k = 0; k < j.items.size(); ++k)
        visit(j.items[k], index.empty() ? fmt::format("{}", k + 1) : fmt::format("{},{}", index, k + 1));
    };
    visit(oracle::member(result, "value"), "");
    return text;
  }

  OracleOutcome check_gradient(std::size_t results) const {
    std::string declarations, data;
    std::vector<double> theta;
    arguments(true, declarations, data, theta);
    if (theta.empty() || results == 0) return oracle::passed(c_);
    const Json& result = oracle::member(c_, "result");
    const std::string program = functions() + declarations + "model {\n  " + declaration(result, "oracle_result") + " = " +
                                call() + ";\n" + weighted_sum(result) + "}\n";
    std::string difference;
    const std::string error = with_model(program, data, [&](const InterpModel& model) -> std::string {
      std::vector<double> ours(theta.size());
      double lp = 0;
      const auto workspace = model.workspace();
      for (int run = 0; run < 2; ++run) {  // recording, replay
        const EvalStatus status = workspace->log_density_gradient(theta, {.propto = false, .jacobian = false}, &lp, ours);
        if (!status) return status.message;
      }
      difference = compare(ours);
      return "";
    });
    if (!error.empty()) return oracle::failed(c_, "gradient: " + error);
    return difference.empty() ? oracle::passed(c_) : oracle::failed(c_, difference);
  }

  std::string compare(const std::vector<double>& ours) const {
    std::vector<double> theirs;
    for (std::size_t a = 0; a < args_.size(); ++a)
      if (const Json* entries = gradient(a))
        for (std::size_t k = 0; k < entries->items.size(); ++k) {
          const Json* suspects = c_.find("suspect_grad");
          const Json* truth = suspects ? suspects->find(fmt::format("{}:{}", a, k)) : nullptr;
          if (truth) rules_.note(Rule::SuspectGradient);
          theirs.push_back(oracle::to_double(truth ? *truth : entries->items[k]));
        }
    const double m = oracle::largest(theirs), tol = oracle::number_of(c_, "grad_tol", 1e-6);
    for (std::size_t k = 0; k < theirs.size(); ++k)
      if (!agrees(ours[k], theirs[k], tol, m))
        return fmt::format("gradient {}, expected {}", oracle::list_text(ours), oracle::list_text(theirs));
    return {};
  }

  bool agrees(double ours, double theirs, double tol, double m) const {
    if (oracle::close(ours, theirs, tol, m, 0)) return true;
    const bool finite = std::isfinite(theirs);
    if (finite && !oracle::close(ours, theirs, tol, m, 1e-14)) return false;
    rules_.note(finite ? Rule::Cancellation : Rule::InfiniteInFile);
    return true;
  }

  const Json& c_;
  const std::vector<Json>& args_;
  Rules& rules_;
};

}  // namespace

OracleOutcome check_source_case(const Json& c) {
  Rules rules;
  OracleOutcome outcome = SourceCaseCheck(c, rules).check();
  outcome.rules = rules;
  return outcome;
}

}  // namespace fermiac::selfcheck
