// Function values, gradients and errors against known ones.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/base/errors.h"
#include "tests/conformance/oracle.h"
#include "tests/conformance/oracle_case.h"
#include "tests/conformance/oracle_ways.h"

namespace fermiac::selfcheck::oracle {
namespace {

bool same_numbers(const Json& a, const Json& b) {
  return a.kind == b.kind && a.number == b.number &&
         std::ranges::equal(a.items, b.items, [](const Json& x, const Json& y) { return same_numbers(x, y); });
}

/// The language has no arrays of matrices of different sizes; what a function does to the order of elements it also
/// does to their numbers 1, 2, …, and the gradient is that order again.
std::string order_difference(const FunctionCase& c) {
  const std::vector<Json>& before = member(member(c.json(), "args").items[0], "value").items;
  const std::vector<Json>& after = member(member(c.json(), "result"), "value").items;
  RealBuffer numbers(before.size());
  std::iota(numbers.data(), numbers.data() + numbers.size(), 0.0);
  CallContext context;
  const Shape shape = Shape::array(static_cast<std::uint32_t>(numbers.size()), Shape::scalar());
  const Value list[] = {Value::reals(shape, std::move(numbers))};
  const std::vector<double> order = flatten(c.builtin().apply(context, list));
  if (order.size() != after.size()) return fmt::format("{} elements, expected {}", order.size(), after.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    if (!same_numbers(before.at(static_cast<std::size_t>(order[k])), after[k]))
      return fmt::format("element {} is element {} of the argument", k + 1, order[k] + 1);
  return {};
}

std::string difference(const FunctionCase& c, Rules& rules) {
  if (c.content() == FunctionCase::Content::Order) return order_difference(c);
  Ways ways(c, rules);
  if (!c.throws()) return ways.first_difference();
  const std::string instead = ways.first_without_error();
  return instead.empty() ? instead
                         : fmt::format("{} where an error ({}) was expected", instead, text_of(c.json(), "exception"));
}

OracleOutcome check(const Json& c, Rules& rules) {
  const FunctionCase function(c, rules);
  if (!function.exists()) return unsupported(c, "there is no function of this name");
  if (function.content() == FunctionCase::Content::Nothing) {
    if (!function.throws()) return unsupported(c, "arrays of different sizes");
    OracleOutcome outcome = passed(c);
    outcome.message = "the language has no arrays of different sizes, so the call is an error before it is made";
    return outcome;
  }
  const std::string wrong = difference(function, rules);
  return wrong.empty() ? passed(c) : failed(c, wrong);
}

/// Functions that the language now writes as an expression: the case with that, and names for its arguments.
Json as_source(const Json& c, const char* expression) {
  Json out = c;
  std::size_t k = 0;
  for (JsonMember& m : out.members)
    if (m.key == "args")
      for (Json& a : m.value.items)
        a.members.push_back({"name", Json{.kind = Json::Kind::String, .string = fmt::format("x{}", ++k)}});
  out.members.push_back({"functions", Json{.kind = Json::Kind::String}});
  out.members.push_back({"call", Json{.kind = Json::Kind::String, .string = expression}});
  return out;
}

}  // namespace

OracleOutcome check_function(const Json& c) {
  Rules rules;
  OracleOutcome outcome;
  try {
    outcome = text_of(c, "fn") == "if_else" ? check_source_case(as_source(c, "(x1 ? x2 : x3)")) : check(c, rules);
  } catch (const NotImplemented& e) {
    outcome = unsupported(c, e.what());
  } catch (const std::exception& e) {
    outcome = failed(c, fmt::format("raised an error: {}", e.what()));
  }
  outcome.rules = rules;
  return outcome;
}

Raised raised_error(const Json& c) {
  Rules rules;
  const FunctionCase function(c, rules);
  if (function.content() != FunctionCase::Content::Values) return {};
  CallContext context{.propto = function.propto()};
  try {
    function.builtin().apply(context, function.args());
    return {};
  } catch (const ad::SizeError& e) {
    return {"invalid_argument", e.what()};
  } catch (const ad::IndexError& e) {
    return {"out_of_range", e.what()};
  } catch (const ad::EvalError& e) {
    return {"domain_error", e.what()};
  }
}

}  // namespace fermiac::selfcheck::oracle
