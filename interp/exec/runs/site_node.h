// Sites of a conditioned program as nodes: the statement as it is, and its parts for those who ask about elements.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interp/exec/runs/code.h"
#include "interp/exec/runs/dropping.h"
#include "interp/exec/runs/node.h"
#include "interp/functions/functions.h"
#include "mir/sites/site.h"

namespace fermiac::interp {

struct SiteNode;

/// Who decides what becomes of the sites of a run. Without one every site runs as written.
class SiteHandler {
 public:
  virtual ~SiteHandler() = default;
  virtual void visit(const SiteNode& node, Frame& f) = 0;
  /// A statement that is no site, but may run or not by what unknown ints are.
  virtual void choose(const SiteNode& node, Frame& f);
};

/// A density or a cdf, of the library or of the program.
struct DensityFunction {
  const LibraryFunction* builtin = nullptr;
  const FunctionCode* user = nullptr;
  explicit operator bool() const { return builtin || user; }
  /// Summed.
  Value apply(Frame& f, std::vector<Value> args, const Dropping& dropping) const;
  void add_to_target(Frame& f, std::vector<Value> args, const Dropping& dropping) const;
};

/// Expressions are over the frame in which the site runs.
struct SiteParts {
  std::shared_ptr<const mir::Site> site;
  std::vector<ExprPtr> args;            // of the density, left side first
  DensityFunction density, lcdf, lccdf;
  Dropping dropping;                    // what the statement leaves out
  ExprPtr factor, lower, upper, mass_count, term;
  std::vector<ExprPtr> names;           // by Site::left: the names of its numbers in their place; null: computed
  struct Read {
    ExprPtr names;
    bool each, direct;
    int argument;
  };
  std::vector<Read> reads;              // names of the numbers that it reads besides the left side
  ExprPtr part, parts, part_row;
  std::size_t part_slot = kNoSlot;
  std::vector<ExprPtr> loops;           // variables of the loops around it
};

struct SiteNode final : StmtNode {
  SiteNode(Site s, SiteParts p, StmtPtr b) : StmtNode(s), parts(std::move(p)), body(std::move(b)) {}
  Flow run(Frame& f) const override {
    if (!f.m.sites) return body->run(f);
    f.at(site);
    if (parts.site->kind == mir::SiteKind::Choice) f.m.sites->choose(*this, f);
    else f.m.sites->visit(*this, f);
    return Flow::Next;
  }
  void run_as_written(Frame& f) const { body->run(f); }
  SiteParts parts;
  StmtPtr body;
};

inline void SiteHandler::choose(const SiteNode& node, Frame& f) {
  node.run_as_written(f);
}

/// What the names of numbers are while they take the place of numbers: at least 0 of one that has a name.
inline constexpr std::int32_t kConstantName = -1, kComputedName = -2;

}  // namespace fermiac::interp
