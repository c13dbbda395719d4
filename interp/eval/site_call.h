// One execution of a site: the arguments of its density, what its elements are, and the density of some of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interp/eval/site_node.h"

namespace fermiac::interp {

/// Names of the numbers that one element is about, as numbers of their own (kConstantName, kComputedName, or at least 0).
using NumberName = std::int64_t;

class SiteCall {
 public:
  /// Finds the names, and evaluates nothing: arguments of a site that does not count may fail.
  SiteCall(const SiteNode& node, Frame& f);
  /// Evaluates left side, arguments and bounds of a density, and finds its elements. What follows needs it.
  void evaluate();

  const mir::Site& site() const { return *node_.parts.site; }
  const SiteNode& node() const { return node_; }
  /// Names of all numbers that the site is about, those of its elements one after the other; known before `evaluate`.
  std::span<const NumberName> all_names() const { return names_; }
  std::size_t size() const { return size_; }
  /// What element i names; of a term all that the densities in it name. One kComputedName where the left side is computed.
  std::span<const NumberName> names(std::size_t i) const;

  /// Log density of the elements (of all, where none are given), summed: with factor and truncation. Elements outside of a
  /// truncation have -inf. `propto`: constants may be dropped where the statement and the run drop them.
  Value density(std::span<const std::uint32_t> elements, bool propto);
  /// The same, added to target. Target of a plain run is Machine::lp.
  void add_to_target(std::span<const std::uint32_t> elements, double weight);
  /// Of one element with all constants, as a number at this point.
  double log_density(std::size_t i);
  /// The same of all elements [size()].
  void log_densities(std::span<double> out);
  /// Argument k of the density for element i, without derivatives; the left side is argument 0.
  Value argument(std::size_t k, std::size_t i);
  std::size_t arguments() const { return args_.size(); }
  /// Bounds of the truncation, without derivatives; None where there are none.
  Value lower() const { return plain(lower_); }
  Value upper() const { return plain(upper_); }

 private:
  void name_density();
  void name_term();
  void split_density();
  void split_names();
  Value part(const Value& argument, std::size_t k, std::span<const std::uint32_t> elements) const;
  std::vector<Value> parts(std::span<const std::uint32_t> elements) const;
  Value term(std::span<const std::uint32_t> elements);
  Value log_mass(std::span<const std::uint32_t> elements, const std::vector<Value>& args);
  Value mass(std::vector<Value> args, const Value* lower, const Value* upper);
  bool outside(const Value& left) const;
  Value plain(const Value& v) const;
  Value apply(std::string_view function, std::initializer_list<Value> args) const;
  bool truncated() const { return !lower_.is_none() || !upper_.is_none(); }

  const SiteNode& node_;
  Frame& f_;
  std::vector<Value> args_;
  Value factor_, lower_, upper_, mass_count_;
  std::size_t size_ = 1;
  std::vector<NumberName> names_;
  std::vector<std::size_t> begin_;          // of element i in names_; one more than there are elements
};

}  // namespace fermiac::interp
