// Which process of a run draws which chains, and whom it has for jobs of map_rect.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inference/model/options.h"

namespace fermiac::inference {

/// Chains are dealt out in one piece after the other: with K processes and M chains, process k draws those from kM/K on. Of more
/// processes than chains each chain has some in a row, of which the first draws it and the others serve.
class ChainPlan {
 public:
  /// `ids`: numbers of the chains, at least one.
  ChainPlan(int processes, std::vector<unsigned> ids);
  /// Processes that draw; they are numbered, too.
  int drawers() const { return drawers_; }
  int drawer_of(int process) const { return static_cast<int>(static_cast<long long>(process) * drawers_ / processes_); }
  bool draws(int process) const { return process == 0 || drawer_of(process) != drawer_of(process - 1); }
  /// The process that draws, and those behind it that serve it.
  std::vector<int> group_of(int drawer) const;
  std::vector<unsigned> ids_of(int drawer) const;

 private:
  int processes_, drawers_;
  std::vector<unsigned> ids_;
};

// Which chains of a run this process draws: all, or those of a list (`--chain-ids 5,9`), so that many processes share a run.

/// `5,9`, in increasing order. Errors: what is no list of whole numbers, a number that is there twice.
Status read_chain_ids(std::string_view text, std::vector<unsigned>* out);
std::string chain_ids_text(const std::vector<unsigned>& ids);

/// A number that the run does not have, or options by which its chains look at each other.
Status check_chain_ids(const SampleOptions& options);

/// The numbers of the chains that are drawn here, in increasing order.
std::vector<unsigned> drawn_chains(const SampleOptions& options);

}  // namespace fermiac::inference
