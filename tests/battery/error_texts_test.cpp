// What functions say about bad arguments: over every case of the files of known values that must raise an error, and over every
// rule of the maps' domains.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "autodiff/kernels/map_op.h"
#include "autodiff/kernels/scalar_driver.h"
#include "support/base/errors.h"
#include "tests/conformance/oracle_case.h"
#include "tests/shared/unzipped.h"

namespace fermiac::selfcheck::oracle {
namespace {

std::vector<Json> cases_that_throw() {
  const std::string text = unzipped(std::string(FERMIAC_SOURCE_DIR) + "/tests/battery/data/functions.jsonl.gz");
  std::vector<Json> out;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    Json c;
    if (parse_json(rest.substr(0, end), &c) && flag(c, "throws")) out.push_back(std::move(c));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

/// Ragged arrays are no values of the language; where a value exists it may be given.
bool may_give_a_value(const Json& c) {
  return c.find("suspect") || known_difference(text_of(c, "id")) || text_of(c, "fn").find("cov") != std::string::npos;
}

/// The language has three classes; the reference has a few more for values.
std::string expected_class(const Json& c) {
  const std::string name = text_of(c, "exception");
  return name == "invalid_argument" || name == "out_of_range" ? name : "domain_error";
}

TEST(ErrorTexts, ClassFunctionAndValue) {
  std::size_t raised = 0;
  for (const Json& c : cases_that_throw()) {
    const std::string id = text_of(c, "id");
    const Raised r = raised_error(c);
    if (r.kind.empty()) {
      EXPECT_TRUE(may_give_a_value(c)) << id;
      continue;
    }
    ++raised;
    EXPECT_EQ(r.kind, expected_class(c)) << id << ": " << r.message;
    EXPECT_TRUE(r.message.starts_with(current_name(c) + ": ")) << id << ": " << r.message;
    EXPECT_TRUE(r.message.find(" is ") != std::string::npos || r.message.find(" are ") != std::string::npos ||
                r.message.find(" must ") != std::string::npos || r.message.find(" = ") != std::string::npos)
        << id << ": " << r.message;
  }
  EXPECT_GT(raised, 1900u);
}

using ad::DomainRule;
using ad::MapOp;
using ad::Rule;

/// A point inside the domain, by trial.
std::optional<std::vector<double>> inside(const MapOp& op) {
  constexpr std::array kTrials = {0.5, 1.0, 2.0, 0.25, 4.0, 0.75, 3.0, -1.0, -0.25};
  std::vector<std::size_t> at(op.arity, 0);
  for (;;) {
    std::vector<double> x;
    for (const std::size_t k : at) x.push_back(kTrials[k]);
    if (ad::rules_hold(op.rules, x.data())) return x;
    std::size_t j = 0;
    while (j < at.size() && ++at[j] == kTrials.size()) at[j++] = 0;
    if (j == at.size()) return std::nullopt;
  }
}

double outside(const DomainRule& rule, const std::vector<double>& x) {
  switch (rule.rule) {
    case Rule::GreaterOrEqual:
    case Rule::Greater: return x[rule.other] - 1;
    case Rule::LessOrEqual:
    case Rule::Less: return x[rule.other] + 1;
    case Rule::NotBelow: return rule.bound - 1;
    case Rule::NotAbove: return rule.bound + 1;
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

/// The third of four elements is bad.
std::string message_of(const MapOp& op, const DomainRule& rule, const std::vector<double>& good, double bad) {
  std::vector<std::array<double, 4>> columns;
  for (const double v : good) columns.push_back({v, v, v, v});
  columns[rule.operand][2] = bad;
  ad::MapArgs args{.n = 4};
  for (std::size_t j = 0; j < good.size(); ++j) args.x[j] = columns[j].data();
  args.vector_mask = static_cast<decltype(args.vector_mask)>((1u << good.size()) - 1);
  try {
    ad::explain_domain(op, args);
  } catch (const ad::DomainError& e) {
    return e.what();
  }
  return "";
}

TEST(ErrorTexts, EveryRuleOfEveryMap) {
  std::size_t rules = 0;
  for (const MapOp& op : ad::all_maps()) {
    const auto good = inside(op);
    if (op.rules.empty()) continue;
    ASSERT_TRUE(good) << op.name;
    for (const DomainRule& rule : op.rules) {
      const double bad = outside(rule, *good);
      const std::string message = message_of(op, rule, *good, bad);
      const std::size_t element = op.by_elements ? rule.operand + 1u : 3u;
      EXPECT_TRUE(message.starts_with(fmt::format("{}: ", op.function()))) << message;
      // A comparison may be broken first by what the bad number is compared with; both are named.
      EXPECT_NE(message.find(fmt::format(" is {}", bad)), std::string::npos) << op.name << ": " << message;
      EXPECT_NE(message.find(fmt::format("[{}] is ", element)), std::string::npos) << op.name << ": " << message;
      EXPECT_NE(message.find(", but must be "), std::string::npos) << message;
      ++rules;
    }
  }
  EXPECT_GT(rules, 300u);
}

}  // namespace
}  // namespace fermiac::selfcheck::oracle
