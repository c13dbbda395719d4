// What a prediction draws, and how far it has come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "interp/model/conditioned_model.h"
#include "interp/value/numbers.h"
#include "mir/sites/sites.h"
#include "support/base/rng.h"

namespace fermiac::interp {

using Numbers = std::vector<NumberName>;
using NumberSet = std::set<NumberName>;

inline bool is_ordered(mir::TransformKind kind) {
  return kind == mir::TransformKind::Ordered || kind == mir::TransformKind::PositiveOrdered;
}
inline bool sums_to_zero(mir::TransformKind kind) {
  return kind == mir::TransformKind::SumToZeroVector || kind == mir::TransformKind::SumToZeroMatrix;
}

/// A parameter, or data that are drawn.
struct DrawnVariable {
  const NumberTable::Variable* named = nullptr;
  HeldNumbers held;
  bool has_limits = false;              // constant bounds of its numbers
  bool written = false;                 // some number of it is wanted
  std::vector<std::uint32_t> columns;   // in output order, of its numbers that are written; empty: all
  std::vector<double> lower, upper;     // by offset, or one for all
  mir::TransformKind transform = mir::TransformKind::None;
  void fill_unknown();                  // with something plausible
  double low(std::size_t k) const { return lower.size() == 1 ? lower[0] : lower[k]; }
  double high(std::size_t k) const { return upper.size() == 1 ? upper[0] : upper[k]; }
};

/// After so many draws in a row that break a constraint there is an end.
inline constexpr std::size_t kMostAttempts = 100000;

inline std::string no_draw_kept(const std::string& constraint) {
  return "none of " + std::to_string(kMostAttempts) + " draws kept to the constraints; the last failed at " + constraint;
}

struct DrawPlan {
  const ConditionedModel& model;
  const Conditioned& c;
  std::vector<DrawnVariable> variables;                   // by position
  std::vector<const HeldNumbers*> held;              // what a run sees
  std::vector<std::uint8_t> wanted;                  // by number: drawn
  std::vector<std::uint32_t> drawn_in;               // by number: the pass in which it was, 0: not yet
  std::map<std::string, std::size_t> position;       // by variable
  std::vector<std::size_t> position_of;              // by number; of those that are drawn, or may be
  std::vector<std::size_t> without_site;             // positions that are drawn without a distribution, whole
  Numbers lone;                                      // numbers without a distribution between constant bounds
  std::size_t count = 0;                             // of numbers wanted
  std::uint32_t pass = 0;
  std::size_t missing = 0;                           // numbers wanted that are not drawn yet
  Rng* rng = nullptr;

  /// How a bound of a parameter depends on others that are drawn.
  struct Dependence {
    bool depends = false;
    std::string which, on;         // upper; a
  };
  Dependence bound_dependence(const std::string& variable) const;
  /// `lower=m`, as the variable is declared; what it is called of constraints that are not bounds.
  std::string bound_text(const std::string& variable, bool upper) const;
  /// The same of what a check says that failed; the text itself if it is not that of a declared constraint.
  std::string constraint_failed(const std::string& message) const;
  Span declared(const std::string& variable) const;

  bool wants(NumberName n) const { return n >= 0 && wanted[static_cast<std::size_t>(n)] != 0; }
  bool waits(NumberName n) const { return wants(n) && drawn_in[static_cast<std::size_t>(n)] == 0; }
  DrawnVariable& variable(NumberName n) { return variables[position_of[static_cast<std::size_t>(n)]]; }

  /// Puts a number into its variable, and into the frame of a run.
  void set(NumberName n, double x, Frame* f) {
    const std::size_t at = position_of[static_cast<std::size_t>(n)];
    DrawnVariable& v = variables[at];
    const auto offset = static_cast<std::uint32_t>(n - v.named->first);
    put_number(v.held.value, offset, x);
    if (f) put_number(f->slots[model.compiled().code->log_prob_slots[at]], offset, x);
    auto& in = drawn_in[static_cast<std::size_t>(n)];
    missing -= in == 0;
    in = pass;
  }
  /// Reals of one variable that follow each other, all of which wait.
  void set_block(NumberName first, std::span<const double> x, Frame& f) {
    const std::size_t at = position_of[static_cast<std::size_t>(first)];
    DrawnVariable& v = variables[at];
    const auto offset = static_cast<std::ptrdiff_t>(first - v.named->first);
    for (Value* value : {&v.held.value, &f.slots[model.compiled().code->log_prob_slots[at]]})
      std::ranges::copy(x, value->mutable_reals().data() + offset);
    std::fill_n(drawn_in.begin() + static_cast<std::ptrdiff_t>(first), x.size(), pass);
    missing -= x.size();
  }
};

/// One element as a first run met it. What it reads of the numbers that may be drawn: by itself, and with the other elements of the site.
struct DrawnElement {
  std::shared_ptr<const mir::Site> site;
  Numbers names, own_reads;
  std::shared_ptr<const Numbers> shared_reads;
  SiteRole role = SiteRole::Prior;
  bool computed = false;     // the left side is

  template <class Test>
  bool reads_any(Test test) const {
    return std::ranges::any_of(own_reads, test) || std::ranges::any_of(*shared_reads, test);
  }
};

struct Reason;
/// Reasons why variables cannot be drawn, in the order of the document; `prior`: parameters are drawn too.
std::vector<Reason> reasons_against(DrawPlan& plan, const std::vector<DrawnElement>& met, bool prior);

}  // namespace fermiac::interp
