// Ints that are not known, summed out: the density runs again and again with other values of them, until the log density of every
// element is known for every combination of the unknown ints that it reads. Elements that read the same ones share a table.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "interp/conditioning/conditioned.h"
#include "interp/conditioning/elimination.h"
#include "interp/exec/runs/code.h"

namespace fermiac::interp {

/// What one component of unknown ints adds to target. No number: nothing in it is possible.
struct ComponentSum {
  std::vector<std::size_t> unknowns;  // of Conditioned::unknowns
  std::vector<NumberName> observed;   // what its elements name besides, if they are of role likelihood or asked for; ascending
  std::optional<Value> joint, prior;  // log sums of all elements, and of those of role prior
  bool nameless = false;              // elements of the likelihood that name no observed number are among them
};

class Enumeration {
 public:
  /// What elements count, and which sums are made.
  struct Options {
    bool weighted = true;   // else all elements count once
    bool parts = false;     // `prior` is asked for too
    std::function<bool(std::span<const NumberName> names)> counts = {};  // which elements; all, if there is none
  };
  Enumeration(const Conditioned& conditioned, Options options);

  /// Whether elements of the site may read unknown ints.
  bool involves(const mir::Site& site) const { return involved_.contains(&site); }
  /// Evaluates the call, keeps the densities of the elements that read unknown ints, and returns the others. Calls of one run come
  /// in any order.
  std::vector<std::uint32_t> take(SiteCall& call, Frame& f);
  /// What the control flow in front of a choice reads.
  void choose(const SiteNode& node, Frame& f);

  /// Variables with the values of this run in the place of unknown ints, by position.
  const std::vector<const HeldNumbers*>& held() const { return held_; }
  bool is_first_run() const { return runs_ == 0; }
  /// After a run: whether another is needed. Its values are in place then.
  bool next();

  /// Throws FatalError: the program failed with the values of this run, although it runs with others.
  [[noreturn]] void refuse_failure(std::string_view why) const;
  /// After a first run that failed: the same, if `run` succeeds with other values.
  void refuse_if_others_run(std::string_view why, const std::function<void()>& run);

  /// After the last run. Throws TableTooLarge's message as FatalError.
  std::vector<ComponentSum> sums(Frame& f) const;
  /// What they add to target in the context of the conditioning. Throws DomainError where nothing is possible.
  Value target(Frame& f) const;
  /// After the last run, of numbers alone. Unknown ints without bounds are not among them (Leaves).
  std::shared_ptr<const Eliminated> numbers(Frame& f) const;
  const EliminationOrder& order() const;
  /// Position of an unknown among those that are summed out.
  const std::vector<std::size_t>& summed() const { return summed_; }

  /// Unknown ints that some element has on its left side.
  const std::set<std::size_t>& distributed() const { return distributed_; }

 private:
  struct Entry {
    Value sum;              // none: nothing yet
    bool possible = true;
  };
  struct Group {
    std::vector<Entry> joint, prior;
    std::vector<std::uint8_t> known;      // by combination: some run had it
    std::size_t open = 0;                 // the first that none had
    std::set<NumberName> observed;
    bool nameless = false;
  };
  using Groups = std::map<Scope, Group>;

  Scope shared_scope(SiteCall& call) const;
  Scope scope_of(SiteCall& call, std::size_t i, const Scope& shared) const;
  Group& group(const Scope& scope);
  std::size_t combination(const Scope& scope) const;
  void add(SiteCall& call, std::size_t i, const Scope& scope, Frame& f);
  bool leaves_out(SiteCall& call, std::size_t i);
  void refuse_unbounded(NumberName n) const;
  void put_values();
  void require(Group& group, const Scope& scope, std::vector<std::int64_t>& wanted);
  [[noreturn]] void refuse(const TableTooLarge& e, const char* where) const;
  std::vector<Scope> scopes() const;
  std::vector<LogTable<Value>> tables(Frame& f, std::vector<Entry> Group::* part) const;

  const Conditioned& conditioned_;
  Options options_;
  std::set<const mir::Site*> involved_;
  std::vector<std::uint32_t> counts_;            // by summed unknown
  std::vector<std::size_t> summed_;              // into Conditioned::unknowns
  std::map<NumberName, std::uint32_t> by_number_;
  std::set<NumberName> unbounded_;
  std::vector<std::uint32_t> values_;            // of this run, counted from 0, by summed unknown
  std::map<std::size_t, HeldNumbers> own_held_;  // by position
  std::vector<const HeldNumbers*> held_;
  Groups groups_;
  std::size_t runs_ = 0;
  std::set<std::size_t> distributed_;
  std::map<NumberName, const mir::Site*> leaves_;  // unknown without bounds: the site that it belongs to
  std::set<NumberName> leaves_of_run_;
  mutable std::unique_ptr<EliminationOrder> order_;
};

/// Gives the enumeration what reads unknown ints, and leaves all else out.
class UnknownsAlone final : public SiteHandler {
 public:
  explicit UnknownsAlone(Enumeration& enumeration) : enumeration_(enumeration) {}
  void visit(const SiteNode& node, Frame& f) override;
  void choose(const SiteNode& node, Frame& f) override;

 private:
  Enumeration& enumeration_;
};

/// Runs a section of a program with unknown ints: the first time `first` visits its sites, which gives elements to the enumeration.
/// The machine's own settings are put back.
void run_enumerated(const Section& section, Frame& f, SiteHandler& first, Enumeration& enumeration);

}  // namespace fermiac::interp
