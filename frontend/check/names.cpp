// Which names may be used, and what a misspelt one may have meant.
#include <algorithm>
#include <array>

#include "frontend/builtins/builtins.h"
#include "frontend/check/checker.h"
#include "frontend/check/foreign_names.h"
#include "support/base/text.h"

namespace fermiac::check {
namespace {

constexpr std::array<std::string_view, 15> kReserved = {"generated", "quantities", "transformed", "repeat",  "until",
                                                        "then",      "true",       "false",       "typedef", "struct",
                                                        "var",       "export",     "extern",      "static",  "auto"};

/// Keeps the nearest name seen, if it is near enough.
class Nearest {
 public:
  explicit Nearest(std::string_view wanted)
      : wanted_(wanted), best_(std::min<std::size_t>(stem_of(wanted).size() / 2, 5) + 1) {}
  void offer(std::string_view name) {
    if (differs_in_case(name)) return take(name, 0);  // even short names
    const std::size_t gap = name.size() > wanted_.size() ? name.size() - wanted_.size() : wanted_.size() - name.size();
    if (gap >= best_ || name == wanted_) return;
    const std::size_t distance = edit_distance(wanted_, name);
    if (distance >= best_) return;
    take(name, distance);
  }
  const std::string& name() const { return name_; }

 private:
  bool differs_in_case(std::string_view name) const {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return name != wanted_ && std::ranges::equal(name, wanted_, {}, lower, lower);
  }
  void take(std::string_view name, std::size_t distance) {
    best_ = distance;
    name_ = name;
  }

  std::string_view wanted_;
  std::size_t best_;
  std::string name_;
};

}  // namespace

bool Checker::usable_name(const ast::Name& name) {
  if (name.text.ends_with("__")) {
    const char* hint = name.text == "lp__" ? " The log density is read with target() and added to with target +=." : "";
    return error(name.span, kReservedEnding, name.text, hint), false;
  }
  if (std::ranges::count(kReserved, name.text)) {
    const bool truth = name.text == "true" || name.text == "false";
    return error(name.span, kReservedWord, name.text, truth ? " Truth values are the ints 1 and 0." : ""), false;
  }
  if (!options_.model_name.empty() && name.text == options_.model_name)
    return error(name.span, kModelName, name.text), false;
  return true;
}

bool Checker::fresh_name(const ast::Name& name) {
  if (!usable_name(name)) return false;
  if (is_unnormalised(name.text))
    return error(name.span, kUnnormalisedName, name.text, name.text.substr(name.text.size() - 6)), false;
  const VariableInfo* known = scope_.find(name.text);
  if (!known) return true;
  ReportNotes notes;
  if (known->span != Span{}) notes.related.push_back({known->span, "'" + name.text + "' is declared here."});
  return error_with(std::move(notes), name.span, kNameInUse, name.text), false;
}

/// Reports a name that means nothing here; each name once.
void Checker::undeclared(const ast::Name& name, bool assigned) {
  if (!unknown_names_.insert(name.text).second) return void(++errors_);
  ReportNotes notes;
  std::string hint = undeclared_hint(name, notes);
  if (hint.empty() && assigned)
    hint = " A variable is declared with its type before it is assigned, as in 'real " + name.text + ";'.";
  error_with(std::move(notes), name.span, kUndeclared, name.text, hint);
}

std::string Checker::undeclared_hint(const ast::Name& name, ReportNotes& notes) const {
  const auto later = top_level_names_.find(name.text);
  if (later == top_level_names_.end()) {
    const ForeignName* foreign = foreign_constant(name.text);
    if (!foreign) return did_you_mean(name, false, notes);
    if (!foreign->now.empty()) notes.fixes.push_back({"Write '" + std::string(foreign->now) + "'", name.span, std::string(foreign->now)});
    return " " + std::string(foreign->hint);
  }
  notes.related.push_back({later->second.span, "'" + name.text + "' is declared here."});
  if (context_.in_function()) return " Functions do not see the variables of the program: make it an argument.";
  return " It is declared later, in the " + std::string(later->second.block) +
         " block; a variable must be declared before it is used.";
}

std::string Checker::nearest_name(std::string_view name, bool functions_only) const {
  Nearest nearest(name);
  if (!functions_only)
    for (const auto& variable : scope_.variables()) nearest.offer(variable.name);
  for (auto other : functions_.names()) nearest.offer(other);
  for (const auto& other : builtin_names()) nearest.offer(other);
  for (auto other : special_form_names()) nearest.offer(other);
  if (!nearest.name().empty()) return nearest.name();
  for (auto suffix : {"_lpmf", "_lpdf", "_lcdf", "_lccdf", "_cdf", "_rng"})
    if (const auto full = std::string(name) + suffix; resolver_.exists(full)) return full;
  return "";
}

std::string Checker::did_you_mean(const ast::Name& name, bool functions_only, ReportNotes& notes) const {
  const std::string nearest = nearest_name(name.text, functions_only);
  if (nearest.empty()) return "";
  notes.fixes.push_back({"Write '" + nearest + "'", name.span, nearest});
  return " Did you mean '" + nearest + "'?";
}

}  // namespace fermiac::check
