// One execution of a site: the arguments of its density, what its elements are, and the density of some of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interp/exec/runs/site_node.h"

namespace fermiac::interp {

/// Names of the numbers that one element is about, as numbers of their own (kConstantName, kComputedName, or at least 0).
using NumberName = std::int64_t;

/// A number that an element reads as a row of the data does: one element of a variable, chosen by an index.
struct RowRead {
  enum class Index : std::uint8_t {
    Innermost,  // by the variable of the innermost loop, perhaps among others
    Variable,   // by other variables alone
    Computed    // by something that is computed
  };
  NumberName number;
  Index index;
};

/// How the names of a number that is read (SiteRead) choose one element of a variable; none where they stand for several numbers, or for a
/// variable that is a number itself.
std::optional<RowRead::Index> row_index(const mir::Expr& names, const std::string& innermost);

/// Which element of which site, whenever and however often the program runs.
struct ElementKey {
  std::size_t site = 0, element = 0;
  std::vector<std::int64_t> round;  // of the loops around it
  auto operator<=>(const ElementKey&) const = default;
};

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
  /// The same with a weight for each element, on a recording; false where the elements cannot be computed as one vector.
  bool add_to_target(std::span<const std::uint32_t> elements, std::span<const double> weights);
  /// Densities of all elements with all constants, recorded as one vector; none where that cannot be.
  std::optional<Value> recorded_densities();
  /// Of one element with all constants, as a number at this point.
  double log_density(std::size_t i);
  /// The same with another int on the left side.
  double log_density_at(std::size_t i, std::int32_t left);
  /// The same of all elements [size()].
  void log_densities(std::span<double> out);
  /// What elements read besides their left sides: in arguments, bounds and the control flow around them. Calls visit(number, direct),
  /// `direct` unless a local was computed from it before: for what each element reads, perhaps millions of numbers;
  template <class Visit>
  void each_shared_read(Visit visit) {
    find_reads();
    for (std::size_t k = 0; k < read_.size(); ++k)
      if (!along_[k]) visit_all(k, visit);
  }
  /// for what element i alone reads;
  template <class Visit>
  void each_own_read(std::size_t i, Visit visit) {
    find_reads();
    for (std::size_t k = 0; k < read_.size(); ++k)
      if (along_[k] && read_[k][i] >= 0) visit(read_[k][i], node_.parts.reads[k].direct);
  }
  /// for what any element reads.
  template <class Visit>
  void each_read(Visit visit) {
    find_reads();
    for (std::size_t k = 0; k < read_.size(); ++k) visit_all(k, visit);
  }
  /// Values of the variables of the loops around it, outermost first.
  std::vector<std::int64_t> round() const;
  ElementKey key(std::size_t i) const;
  /// What element i reads of rows of the data; numbers may be there more than once.
  std::vector<RowRead> row_reads(std::size_t i) const;
  /// Evaluated arguments, left side first; those of one element; all of them with those of some elements.
  const std::vector<Value>& whole_arguments() const { return args_; }
  std::vector<Value> element_arguments(std::size_t i) const;
  /// The log mass between the bounds of element i, and the lcdf at x.
  double log_mass_of(std::size_t i);
  double lcdf_of(std::size_t i, const Value& x);
  /// The log mass of its distribution between two bounds of which one may be null; the truncation does not count.
  double log_mass_between(std::size_t i, const Value* lower, const Value* upper);
  /// Argument k of the density for element i, without derivatives; the left side is argument 0.
  Value argument(std::size_t k, std::size_t i);
  std::size_t arguments() const { return args_.size(); }
  /// Bounds of the truncation, without derivatives; None where there are none.
  Value lower() const { return plain(lower_); }
  Value upper() const { return plain(upper_); }

 private:
  void find_reads();
  template <class Visit>
  void visit_all(std::size_t read, Visit& visit) const {
    for (const NumberName n : read_[read])
      if (n >= 0) visit(n, node_.parts.reads[read].direct);
  }
  bool goes_along_with(std::size_t read) const;
  void name_density();
  void name_term();
  void split_density();
  void split_names();
  Value part(const Value& argument, std::size_t k, std::span<const std::uint32_t> elements) const;
  std::vector<Value> parts(std::span<const std::uint32_t> elements) const;
  bool is_bare() const;
  Value term(std::span<const std::uint32_t> elements);
  Value log_mass(std::span<const std::uint32_t> elements, const std::vector<Value>& args);
  Value mass(std::vector<Value> args, const Value* lower, const Value* upper);
  bool outside(const Value& left) const;
  Value plain(const Value& v) const;
  Value apply(Builtin function, std::initializer_list<Value> args) const;
  bool truncated() const { return !lower_.is_none() || !upper_.is_none(); }

  const SiteNode& node_;
  Frame& f_;
  std::vector<Value> args_;
  Value factor_, lower_, upper_, mass_count_;
  std::size_t size_ = 1;
  std::vector<NumberName> names_;
  std::vector<std::vector<NumberName>> read_;  // by SiteParts::reads, once somebody asks
  std::vector<bool> along_;                    // by read_: whether element i reads the i-th of them alone
  std::size_t along_size_ = 0;                 // size_ then
  std::vector<std::size_t> begin_;          // of element i in names_; one more than there are elements
};

/// The statement as it is written, but what it adds to target counts `weight` times.
void run_weighed(const SiteNode& node, Frame& f, double weight);

}  // namespace fermiac::interp
