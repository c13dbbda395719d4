// `y ~ distribution(…)` and truncation.
#include <algorithm>
#include <array>

#include "frontend/builtins/builtins.h"
#include "frontend/check/checker.h"
#include "frontend/check/conversions.h"
#include "frontend/check/foreign_names.h"

namespace fermiac::check {
namespace {

using namespace ast;

constexpr std::array<std::string_view, 4> kDensityEndings = {"_lpdf", "_lpmf", "_lupdf", "_lupmf"};

/// Variate and arguments in one list, taken from the statement and given back.
class JoinedArguments {
 public:
  explicit JoinedArguments(Tilde& node) : node_(node) {
    all_.push_back(std::move(node.variate));
    for (auto& arg : node.args) all_.push_back(std::move(arg));
  }
  ~JoinedArguments() {
    node_.variate = std::move(all_.front());
    for (std::size_t i = 0; i < node_.args.size(); ++i) node_.args[i] = std::move(all_[i + 1]);
  }
  JoinedArguments(const JoinedArguments&) = delete;
  JoinedArguments& operator=(const JoinedArguments&) = delete;
  std::vector<ExprPtr>& all() { return all_; }

 private:
  Tilde& node_;
  std::vector<ExprPtr> all_;
};

bool any_error(const std::vector<ExprPtr>& args) {
  return std::ranges::any_of(args, [](const ExprPtr& arg) { return arg->type.is_error(); });
}

/// `half_cauchy`: the distribution that the rest of the name names.
std::string_view whole_of_half(std::string_view name) {
  if (!name.starts_with("half")) return {};
  name.remove_prefix(name.starts_with("half_") ? 5 : 4);
  return find_distribution(name) ? name : std::string_view();
}

/// ` It is written 'normal(mu, sigma)'.` where there are too few of them, or too many.
std::string arguments_hint(const std::string& name, std::size_t given) {
  const BuiltinRow* row = find_distribution(name);
  const std::vector<ArgumentDoc> all = row ? argument_docs(*row) : std::vector<ArgumentDoc>();
  if (all.size() < 2 || all.size() == given) return "";
  std::string names, roles;
  for (std::size_t i = 1; i < all.size(); ++i) {
    names += (i > 1 ? ", " : "") + std::string(all[i].name);
    if (!all[i].role.empty()) roles += (roles.empty() ? ": " : ", ") + std::string(all[i].name) + " is " + std::string(all[i].role);
  }
  return "\nIt is written '" + name + "(" + names + ")'" + roles + ".";
}

bool is_int_based(const Type& type) {
  return type.base() == BaseType::Int;
}

}  // namespace

void Checker::suffixed(const Name& name, const std::string& plain) {
  error_with({{}, {{"Write '" + plain + "'", name.span, plain}}}, name.span, kTildeSuffix, plain, name.text);
}

bool Checker::tilde_name(const Stmt& stmt, const Tilde& node) {
  const Name& name = node.distribution;
  if (!usable_name(name)) return false;
  for (auto ending : kDensityEndings)
    if (name.text.ends_with(ending))
      return suffixed(name, name.text.substr(0, name.text.size() - ending.size())), false;
  // lcdf and lccdf are not told apart from any other unknown name
  const bool cdf = name.text.ends_with("_cdf") || name.text.ends_with("_ccdf");
  if (cdf) return error(stmt.span, kTildeCdf, name.text), false;
  return true;
}

std::string Checker::distribution_hint(const Name& name, ReportNotes& notes) const {
  const auto replace_by = [&](std::string_view plain) {
    notes.fixes.push_back({"Write '" + std::string(plain) + "'", name.span, std::string(plain)});
  };
  if (const ForeignName* foreign = foreign_distribution(name.text)) {
    if (!foreign->now.empty()) replace_by(foreign->now);
    return " " + std::string(foreign->hint);
  }
  if (const std::string_view whole = whole_of_half(name.text); !whole.empty()) {
    replace_by(whole);
    return " Write '" + std::string(whole) + "', and declare the variable with <lower=0>.";
  }
  return near_distribution(name, notes);
}

/// A distribution whose name is like this one.
std::string Checker::near_distribution(const Name& name, ReportNotes& notes) const {
  std::string density = nearest_name(name.text + "_lpdf", true);
  if (density.empty()) density = nearest_name(name.text + "_lpmf", true);
  const std::string stem(stem_of(density));
  if (density.empty() || stem == density) return "";
  notes.fixes.push_back({"Write '" + stem + "'", name.span, stem});
  return " Did you mean '" + stem + "'?";
}

/// The better of the lpmf and the lpdf of that name.
void Checker::tilde_density(const Stmt& stmt, Tilde& node) {
  const std::string& name = node.distribution.text;
  JoinedArguments arguments(node);
  const std::array<std::string, 2> names = {name + "_lpmf", name + "_lpdf"};
  const Match* best = nullptr;
  std::array<Match, 2> matches;
  for (std::size_t i = 0; i < 2; ++i) {
    matches[i] = resolver_.match(names[i], arguments.all());
    if (matches[i].kind != Match::Kind::None && (!best || matches[i].cost < best->cost)) best = &matches[i];
  }
  if (!resolver_.exists(names[0]) && !resolver_.exists(names[1])) {
    ReportNotes notes;
    const std::string hint = distribution_hint(node.distribution, notes);
    return error_with(std::move(notes), node.distribution.span, kTildeUnknown, name, name, name, hint);
  }
  if (any_error(arguments.all())) return;
  if (!best) {
    std::vector<Candidate> candidates = resolver_.overloads(names[0]);
    std::ranges::copy(resolver_.overloads(names[1]), std::back_inserter(candidates));
    return error(stmt.span, kTildeTypes, name, types_text(arguments.all()),
                 resolver_.explain_all(candidates, arguments.all(), ", the one before ~ included") + arguments_hint(name, arguments.all().size()));
  }
  if (best->kind == Match::Kind::Ambiguous)
    return error(stmt.span, kAmbiguousCall, name, types_text(arguments.all()), candidate_lines(best->tied));
  accept(*best, names[static_cast<std::size_t>(best - matches.data())], arguments.all(), node.resolution);
  node.resolution.propto = true;
}

/// Where nothing is added to the target, `~` may be meant to draw.
std::string Checker::draw_hint(const std::string& name) const {
  if (context_.in_function() || !resolver_.exists(name + "_rng")) return "";
  const bool draws = context_.block == BlockKind::GeneratedQuantities || context_.block == BlockKind::TransformedData;
  return draws ? " A random value is drawn with '= " + name + "_rng(...)'." : "";
}

Flow Checker::run(Stmt& stmt, Tilde& node) {
  expression(*node.variate);
  expressions(node.args);
  if (!tilde_name(stmt, node)) return Flow::Incomplete;
  const bool allowed = context_.in_function() ? context_.suffix == Suffix::Target : context_.block == BlockKind::Model;
  if (!allowed) {
    error(stmt.span, kTargetPlace, "~", draw_hint(node.distribution.text));
    return Flow::Incomplete;
  }
  const Name& name = node.distribution;
  if (is_laplace(name.text + "_lpmf")) {
    JoinedArguments arguments(node);
    if (any_error(arguments.all())) return Flow::Incomplete;
    laplace(stmt.span, {name.text + "_lpmf", name.span}, arguments.all(), node.resolution);
    node.resolution.propto = true;
    if (node.truncation) error(stmt.span, kTruncationMissing, name.text, name.text);
    return Flow::Incomplete;
  }
  tilde_density(stmt, node);
  if (name.text == "lkj_cov") deprecated_function(name);
  if (node.truncation && !node.resolution.name.empty()) truncation(stmt, node);
  return Flow::Incomplete;
}

bool Checker::truncation_bounds(Truncation& truncation) {
  bool good = true;
  for (auto* bound : {truncation.lower.get(), truncation.upper.get()}) {
    if (!bound) continue;
    expression(*bound);
    const bool scalar = bound->type.is_number();
    if (!scalar && !bound->type.is_error()) error(bound->span, kTruncationBound, bound->type.str());
    good = good && scalar;
  }
  return good;
}

bool Checker::truncation_function(const Stmt& stmt, Tilde& node, Expr& bound, const std::string& name,
                                  Resolution& out) {
  JoinedArguments arguments(node);
  // the bound stands in for the variate
  auto stand_in = std::make_unique<Expr>();
  stand_in->span = bound.span;
  stand_in->type = bound.type;
  stand_in->ad = bound.ad;
  std::swap(arguments.all().front(), stand_in);
  const Match match = resolver_.match(name, arguments.all());
  if (match.kind == Match::Kind::Unique)
    accept(match, name, arguments.all(), out);
  else
    error(stmt.span, kTruncationMissing, node.distribution.text, node.distribution.text);
  std::swap(arguments.all().front(), stand_in);
  return match.kind == Match::Kind::Unique;
}

void Checker::truncation(const Stmt& stmt, Tilde& node) {
  Truncation& bounds = *node.truncation;
  if (!truncation_bounds(bounds)) return;
  if (!bounds.lower && !bounds.upper) return;
  const std::string& name = node.distribution.text;
  for (auto* bound : {bounds.lower.get(), bounds.upper.get()}) {
    if (!bound) continue;
    if (!truncation_function(stmt, node, *bound, name + "_lcdf", node.lcdf)) return;
    if (!truncation_function(stmt, node, *bound, name + "_lccdf", node.lccdf)) return;
  }
  const auto own = functions_.find(name + "_lcdf");
  node.discrete_for_truncation = own.empty()
                                     ? is_builtin(name + "_lpmf")
                                     : !own.front().formals.empty() && is_int_based(own.front().formals.front().type);
}

}  // namespace fermiac::check
