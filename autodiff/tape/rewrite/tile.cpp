// Finds the chains of vector ops that can run in tiles (tiles.h): ops of one length whose results are read nowhere but
// element by element within the chain.
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "autodiff/tape/ir/chain_finder.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kBytes = 24 * 1024;  // of the local vectors of a tile: most of a first-level cache

class Tiling {
 public:
  Tiling(Trace& t, const TileLimits& limits) : t_(t), limits_(limits), finder_(t.ops.size()) {
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
      const Op& op = t_.ops[i];
      if (!is_candidate(op)) continue;
      if (op.kind == OpKind::Vector) finder_.add(i, op.d, op.n);
      else finder_.add(i);
    }
    finder_.order_results();
  }

  void run() {
    if (!finder_.has_results()) return;
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i)
      for_each_operand(t_, t_.ops[i], [&](Ref r, std::uint32_t n) {
        if (!r.is_constant()) finder_.read(i, r, n, true);
      });
    finder_.settle();
    collect_chains();
    emit();
  }

 private:
  struct Chain {
    std::vector<std::uint32_t> ops;
    std::uint32_t locals = 0;
    bool worth = false;
  };

  /// Elements of a tile with so many local vectors, whose adjoints it holds too.
  std::uint32_t tile_size(std::size_t locals) const {
    const auto most = static_cast<std::uint32_t>(kBytes / (2 * sizeof(double) * std::max<std::size_t>(locals, 1)));
    return std::clamp(most / 64 * 64, limits_.shortest, limits_.longest);
  }
  bool is_candidate(const Op& op) const {
    if (op.n < limits_.fewest * limits_.shortest) return false;
    if (op.kind == OpKind::Target) return op.ad_mask == 1;  // else results of a function
    return (op.kind == OpKind::Vector || op.kind == OpKind::VectorSink) && !map_op(op.map).product;
  }

  void collect_chains() {
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
      if (!finder_.is_member(i)) continue;
      Chain& chain = chains_[finder_.root(i)];
      chain.ops.push_back(i);
      chain.locals += t_.ops[i].kind == OpKind::Vector;
    }
    for (auto& [root, chain] : chains_)
      chain.worth = chain.locals > 0 && t_.ops[chain.ops[0]].n >= limits_.fewest * tile_size(chain.locals);
  }

  void emit() {
    std::vector<Op> ops;
    std::vector<Site> sites;
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
      const Chain* const chain = finder_.is_member(i) ? &chains_[finder_.root(i)] : nullptr;
      const bool tiled = chain != nullptr && chain->worth;
      if (tiled && chain->ops.back() != i) continue;  // all run where the last one stands
      ops.push_back(tiled ? tiles(*chain) : t_.ops[i]);
      sites.push_back(t_.sites[i]);
    }
    t_.ops = std::move(ops);
    t_.sites = std::move(sites);
  }
  Op tiles(const Chain& chain) {
    Op op{.kind = OpKind::Tiles, .n = t_.ops[chain.ops[0]].n};
    op.set_tiles({static_cast<std::uint32_t>(t_.tiled.size()), static_cast<std::uint32_t>(chain.ops.size()), chain.locals,
                  tile_size(chain.locals)});
    std::uint32_t locals = 0;
    for (const std::uint32_t i : chain.ops) {
      Op tiled = t_.ops[i];
      for (int j = 0; j < place_operands(tiled); ++j) make_local(tiled, j);
      if (tiled.kind == OpKind::Vector) {
        local_.push_back({tiled.d, locals});
        tiled.set_local_result(locals++);
      }
      t_.tiled.push_back(tiled);
      t_.tiled_sites.push_back(t_.sites[i]);
    }
    local_.clear();
    return op;
  }
  void make_local(Op& tiled, int j) {
    const auto known = std::ranges::find(local_, tiled.x[j], &Local::block);
    if (known != local_.end()) tiled.set_local_operand(j, known->number);
  }

  struct Local {
    Ref block;
    std::uint32_t number = 0;
  };

  Trace& t_;
  TileLimits limits_;
  ChainFinder<Ref> finder_;
  std::unordered_map<std::uint32_t, Chain> chains_;  // by root
  std::vector<Local> local_;          // of the chain that is emitted
};

}  // namespace

Change tile_long_vectors(Trace& t, TraceGraph&) {
  tile_vectors(t, {});
  return Change::Edited;
}

void tile_vectors(Trace& t, const TileLimits& limits) {
  Tiling(t, limits).run();
}

}  // namespace fermiac::ad
