#include "frontend/check/resolve.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "frontend/check/conversions.h"
#include "support/base/text.h"

namespace fermiac::check {
namespace {

constexpr std::size_t kShownCandidates = 5;

/// Prints types, and function types as <F1>, <F2>, … with a legend.
class TypePrinter {
 public:
  std::string operator()(const Formal& formal) {
    return (formal.data_only ? "data " : "") +
           (is_function(formal.type) ? abbreviated(formal.type) : formal.type.str());
  }
  std::string legend() const {
    std::string out;
    for (std::size_t i = 0; i < functions_.size(); ++i)
      out += "\n  where <F" + std::to_string(i + 1) + "> = " + functions_[i];
    return out;
  }

 private:
  std::string abbreviated(const Type& type) {
    const auto text = type.str();
    auto found = std::ranges::find(functions_, text);
    if (found == functions_.end()) found = functions_.insert(functions_.end(), text);
    return "<F" + std::to_string(found - functions_.begin() + 1) + ">";
  }
  std::vector<std::string> functions_;
};

std::string line(TypePrinter& print, std::span<const Formal> formals, const Type& result) {
  std::string out = "(";
  for (std::size_t i = 0; i < formals.size(); ++i) out += (i > 0 ? ", " : "") + print(formals[i]);
  return out + ") => " + result.str();
}

/// Nearest first: fewer errors, wrong types before a wrong number, a later position before an earlier one, like shapes.
bool nearer(const Mismatch& a, const Mismatch& b) {
  if (a.errors != b.errors) return a.errors < b.errors;
  if (a.arity != b.arity) return b.arity;
  if (a.position != b.position) return a.position > b.position;
  return a.distance < b.distance;
}

/// A step for every index too many or too few, and one for reals that become complex.
int distance(const Type& from, const Type& to) {
  return 2 * std::abs(from.depth() - to.depth()) + (is_complex(to.base()) && !is_complex(from.base()) ? 1 : 0);
}

std::string joined(const std::set<std::size_t>& numbers) {
  std::string out;
  std::size_t left = numbers.size();
  for (const std::size_t n : numbers) out += (out.empty() ? "" : left == 1 ? " or " : ", ") + std::to_string(n), --left;
  return out;
}

}  // namespace

const ast::Variable* function_name(const ast::Expr& expr) {
  const auto* variable = std::get_if<ast::Variable>(&expr.node);
  return variable && variable->is_function ? variable : nullptr;
}

namespace {

/// to_int takes data alone: what would follow a parameter cannot become an int.
bool follows_parameters(const ast::Expr& from, std::string_view conversion) {
  return conversion == "to_int" && from.ad.any();
}

}  // namespace

std::string conversion_hint(const ast::Expr& from, const Type& to) {
  const std::string_view name = explicit_conversion(from.type, to);
  if (follows_parameters(from, name))
    return "\nAn int cannot follow parameters, which are continuous. Sum a discrete unknown out of the density (log_sum_exp, "
           "log_mix), or draw it in generated quantities.";
  return name.empty() ? "" : "\nWrite " + std::string(name) + "(...) to convert it.";
}

std::string types_text(Arguments arguments) {
  std::string out = "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* function = function_name(*arguments[i]);
    out += (i > 0 ? ", " : "") + (function ? "function " + function->name.text : arguments[i]->type.str());
  }
  return out + ")";
}

std::string signature_line(std::span<const Formal> formals, const Type& result) {
  TypePrinter print;
  const auto text = line(print, formals, result);
  return text + print.legend();
}

std::string candidate_lines(const std::vector<Candidate>& candidates) {
  std::string out;
  for (const auto& candidate : candidates)
    out += (out.empty() ? "" : "\n") + signature_line(candidate.formals, *candidate.result);
  return out;
}

std::vector<Candidate> Resolver::overloads(std::string_view name) const {
  std::vector<Candidate> out;
  for (const auto& function : functions_.find(name))
    out.push_back({function.formals, &function.result, function.index});
  for (const auto& signature : builtins(name)) out.push_back({signature.formals, &signature.result, -1});
  return out;
}

bool Resolver::exists(std::string_view name) const {
  return !functions_.find(name).empty() || !builtins(name).empty();
}

std::span<const Signature> Resolver::builtins(std::string_view name) const {
  const auto known = builtins_.find(name);
  if (known != builtins_.end()) return known->second;
  return builtins_.emplace(name, signatures(name)).first->second;
}

std::optional<Candidate> Resolver::callback(const FunctionType& wanted, const ast::Expr& argument) const {
  const auto* name = function_name(argument);
  if (!name || suffix_of(name->name.text) != Suffix::Plain) return std::nullopt;
  for (const auto& candidate : overloads(name->name.text)) {
    if (*candidate.result != wanted.result || !same_types(candidate.formals, wanted.formals)) continue;
    const bool too_strict =
        !std::ranges::equal(candidate.formals, wanted.formals,
                            [](const Formal& own, const Formal& passed) { return !own.data_only || passed.data_only; });
    if (!too_strict) return candidate;
  }
  return std::nullopt;
}

std::optional<int> Resolver::cost(const Formal& formal, const ast::Expr& argument) const {
  if (is_function(formal.type))
    return callback(formal.type.signature(), argument) ? std::optional<int>(0) : std::nullopt;
  if (formal.data_only && argument.ad.any()) return std::nullopt;
  return conversion_cost(argument.type, formal.type);
}

std::optional<int> Resolver::cost(std::span<const Formal> formals, Arguments arguments) const {
  if (formals.size() != arguments.size()) return std::nullopt;
  int sum = 0;
  for (std::size_t i = 0; i < formals.size(); ++i) {
    const auto one = cost(formals[i], *arguments[i]);
    if (!one) return std::nullopt;
    sum += *one;
  }
  return sum;
}

namespace {

/// Takes a further candidate into account.
void offer(Match& match, const Candidate& candidate, int cost) {
  if (match.kind != Match::Kind::None && cost > match.cost) return;
  if (match.kind == Match::Kind::None || cost < match.cost) {
    match = {Match::Kind::Unique, candidate, cost, {}};
    return;
  }
  if (match.kind == Match::Kind::Unique) match.tied.push_back(match.best);
  match.kind = Match::Kind::Ambiguous;
  match.tied.push_back(candidate);
}

}  // namespace

Match Resolver::match(std::span<const Candidate> candidates, Arguments arguments) const {
  Match out;
  for (const auto& candidate : candidates)
    if (const auto found = cost(candidate.formals, arguments)) offer(out, candidate, *found);
  return out;
}

Match Resolver::match(std::string_view name, Arguments arguments) const {
  if (!functions_.find(name).empty()) return match(overloads(name), arguments);
  return remembered(builtins(name), true, arguments);
}

std::optional<Match> Resolver::cheapest_builtin(std::string_view name, Arguments arguments) const {
  Match found = remembered(builtins(name), false, arguments);
  if (found.kind == Match::Kind::None) return std::nullopt;
  return found;
}

Match Resolver::match_signatures(std::span<const Signature> signatures, bool ties, Arguments arguments) const {
  Match out;
  for (const auto& signature : signatures) {
    const auto found = cost(signature.formals, arguments);
    const bool tie = found && out.kind != Match::Kind::None && *found == out.cost;
    if (found && (ties || !tie)) offer(out, {signature.formals, &signature.result, -1}, *found);
  }
  return out;
}

Match Resolver::remembered(std::span<const Signature> signatures, bool ties, Arguments arguments) const {
  if (signatures.empty()) return {};
  const auto asked = question(signatures, ties, arguments);
  if (!asked) return match_signatures(signatures, ties, arguments);
  const auto known = answers_.find(*asked);
  if (known != answers_.end()) return known->second;
  return answers_.emplace(*asked, match_signatures(signatures, ties, arguments)).first->second;
}

/// None if there are too many arguments, or one whose type is no plain number or container.
std::optional<Resolver::Question> Resolver::question(std::span<const Signature> signatures, bool ties,
                                                     Arguments arguments) {
  Question out{signatures.data(), ties, {}};
  if (arguments.size() > out.arguments.size()) return std::nullopt;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Type& type = arguments[i]->type;
    if (type.base() >= BaseType::Tuple) return std::nullopt;
    const int dims_and_level = type.array_dims() * 2 + (arguments[i]->ad.any() ? 1 : 0);
    out.arguments[i] = static_cast<std::uint16_t>((dims_and_level << 4) + static_cast<int>(type.base()) + 1);
  }
  return out;
}

std::size_t Resolver::QuestionHash::operator()(const Question& question) const {
  constexpr std::size_t kMultiplier = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
  std::size_t hash = reinterpret_cast<std::uintptr_t>(question.signatures) + (question.ties ? 1 : 0);
  for (const std::uint16_t argument : question.arguments) hash = (hash ^ argument) * kMultiplier;
  return hash ^ (hash >> 32);
}

std::string Resolver::reason(const Formal& formal, const ast::Expr& argument) const {
  if (is_function(formal.type)) return "must be the name of a function of type " + formal.type.str();
  if (is_function(argument.type))
    return "has type " + formal.type.str() + ", found the function " + argument.type.str();
  if (!converts(argument.type, formal.type)) {
    std::string_view by = explicit_conversion(argument.type, formal.type);
    if (follows_parameters(argument, by)) by = {};
    const bool reals_for_ints = contains_int(formal.type) && !contains_int(argument.type) && argument.type.depth() > 0;
    return "has type " + formal.type.str() + ", found type " + argument.type.str() +
           (!by.empty()      ? "; " + std::string(by) + " converts it"
            : reals_for_ints ? "; ints are declared as int or array[...] int"
                             : "");
  }
  return "is data-only, found an expression that depends on parameters or local variables";
}

std::optional<Mismatch> Resolver::explain(std::span<const Formal> formals, Arguments arguments) const {
  if (formals.size() != arguments.size())
    return Mismatch{
        .arity = true,
        .reason = "Expected " + counted(formals.size(), "argument") + ", found " + std::to_string(arguments.size())};
  Mismatch out{.errors = 0};
  for (std::size_t i = formals.size(); i-- > 0;) {
    if (cost(formals[i], *arguments[i])) continue;
    ++out.errors;
    out.position = i;
    out.distance += distance(arguments[i]->type, formals[i].type);
  }
  if (out.errors == 0) return std::nullopt;
  out.reason =
      "Argument " + std::to_string(out.position + 1) + " " + reason(formals[out.position], *arguments[out.position]);
  return out;
}

std::string Resolver::explain_all(std::span<const Candidate> candidates, Arguments arguments,
                                  std::string_view note) const {
  std::vector<std::pair<Mismatch, const Candidate*>> found;
  for (const auto& candidate : candidates)
    if (auto mismatch = explain(candidate.formals, arguments)) found.emplace_back(std::move(*mismatch), &candidate);
  std::ranges::stable_sort(found, nearer, [](const auto& item) { return item.first; });
  TypePrinter print;
  std::string out = "Available signatures:";
  std::set<std::size_t> counts;
  for (const auto& [mismatch, candidate] : found) counts.insert(candidate->formals.size());
  const bool only_arity = !found.empty() && found.front().first.arity && !counts.contains(arguments.size());
  if (counts.contains(arguments.size()))  // then the number is right, however wrong the types
    std::stable_partition(found.begin(), found.end(), [](const auto& item) { return !item.first.arity; });
  if (only_arity)
    out = "Expected " + joined(counts) + (*counts.rbegin() == 1 ? " argument" : " arguments") + ", found " +
          std::to_string(arguments.size()) + std::string(note) + ". " + out;
  for (std::size_t i = 0; i < std::min(found.size(), kShownCandidates); ++i) {
    const auto& [mismatch, candidate] = found[i];
    out += "\n" + line(print, candidate->formals, *candidate->result);
    if (!only_arity) out += "\n  " + mismatch.reason + ".";
  }
  if (found.size() > kShownCandidates)
    out += "\n(" + std::to_string(found.size() - kShownCandidates) + " further signatures are not shown)";
  return out + print.legend();
}

}  // namespace fermiac::check
