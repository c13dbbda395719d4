// Data-flow analysis over the flow graph of a statement list (Kildall, "A unified approach to global program
// optimization", POPL 1973): a fact before and after every node, the largest that agrees with all of its neighbours. An
// analysis is a direction, a meet of the facts that arrive and a transfer through a node; both must be monotone.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "mir/analysis/flow_graph.h"

namespace fermiac::mir {

enum class Direction : std::uint8_t { Forward, Backward };

template <class Fact, class Meet, class Transfer>
struct Analysis {
  Direction direction = Direction::Forward;
  Fact top;           // neutral to meet: what is assumed where nothing is known yet
  Fact boundary;      // at the entry; backward: where nothing follows
  Meet meet;          // (Fact& into, const Fact& other)
  Transfer transfer;  // (std::size_t node, const Fact& arriving) -> Fact
};
template <class Fact, class Meet, class Transfer>
Analysis(Direction, Fact, Fact, Meet, Transfer) -> Analysis<Fact, Meet, Transfer>;

/// By node. In the analysis's own direction: backward, what arrives comes from the nodes behind.
template <class Fact>
struct Flow {
  std::vector<Fact> arriving, leaving;
};

template <class Fact, class Meet, class Transfer>
Flow<Fact> solve(const FlowGraph& graph, const Analysis<Fact, Meet, Transfer>& analysis) {
  const std::size_t count = graph.nodes.size();
  const bool forward = analysis.direction == Direction::Forward;
  const auto node = [&](std::size_t rank) { return forward ? rank : count - 1 - rank; };  // and back
  Flow<Fact> flow{std::vector<Fact>(count, analysis.top), std::vector<Fact>(count, analysis.top)};
  std::set<std::size_t> open;  // ranks: facts travel far in few steps when nodes are taken in the order of control
  for (std::size_t rank = 0; rank < count; ++rank) open.insert(rank);
  while (!open.empty()) {
    const std::size_t n = node(*open.begin());
    open.erase(open.begin());
    const FlowNode& at = graph.nodes[n];
    const std::vector<int>& sources = forward ? at.before : at.after;
    Fact arriving = sources.empty() ? analysis.boundary : analysis.top;
    for (const int source : sources) analysis.meet(arriving, flow.leaving[static_cast<std::size_t>(source)]);
    Fact leaving = analysis.transfer(n, arriving);
    flow.arriving[n] = std::move(arriving);
    if (leaving == flow.leaving[n]) continue;
    flow.leaving[n] = std::move(leaving);
    for (const int next : forward ? at.after : at.before) open.insert(node(static_cast<std::size_t>(next)));
  }
  return flow;
}

}  // namespace fermiac::mir
