// How much each element of a site counts: patterns, of which the more special one wins.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "interp/conditioning/conditioning.h"
#include "interp/conditioning/number_table.h"
#include "support/base/source.h"

namespace fermiac::interp {

enum class SiteRole : std::uint8_t { Prior, Likelihood, Unclear };
std::string_view role_name(SiteRole role);

/// Where the statement of a site stands: line from 1, column from 0.
using SitePlace = LineColumn;

class Weights {
 public:
  /// Looks the patterns up. Throws InputError: a pattern that matches nothing, a list that is too long.
  Weights(const Conditioning& conditioning, const NumberTable& numbers, const mir::SiteTable& sites, const SourceMap& sources);

  /// Of a number, in an element of this role at this place; kComputedName and kConstantName have no patterns of their own.
  /// `whole`: in the joint context instead of that of the run.
  double of(NumberName number, SiteRole role, SitePlace place, bool whole = false) const;
  ContextKind context() const { return context_; }
  /// Whether any weight depends on the role.
  bool needs_roles() const { return context_ != ContextKind::Joint || role_[0].set || role_[1].set; }
  /// Whether all that counts is as the program says.
  bool trivial() const { return trivial_; }
  /// Sets the weight of a number, above all patterns.
  void set(NumberName number, double weight);

 private:
  struct Rule {
    double weight = 1;
    bool set = false;
  };
  struct PlaceRule {
    Pattern pattern;
    double weight;
  };
  void add(const Conditioning::Weight& weight, const NumberTable& numbers, const mir::SiteTable& sites, const SourceMap& sources);
  double general(SiteRole role, SitePlace place, ContextKind context) const;

  ContextKind context_;
  Rule all_, role_[2];
  std::vector<PlaceRule> places_;
  std::vector<double> named_;            // by number; NaN: none
  std::vector<std::uint8_t> special_;    // by number: 1 by name, 2 by index, 3 set
  bool trivial_ = true;
};

}  // namespace fermiac::interp
