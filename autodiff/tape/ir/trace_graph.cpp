#include "autodiff/tape/ir/trace_graph.h"

#include <algorithm>
#include <numeric>

#include "autodiff/tape/ir/operands.h"

namespace fermiac::ad {

void TraceGraph::changed() {
  name_.clear();
  producer_.clear();
  readers_.clear();
  depth_.clear();
  height_.clear();
  for (auto* table : {&producer_, &depth_, &height_}) table->shrink_to_fit();
  name_.shrink_to_fit();
  readers_.shrink_to_fit();
}

void TraceGraph::set_sole_reader(Ref r, std::uint32_t op) {
  if (!r.is_constant() && !readers_.empty()) readers_[name(r).index()].last = op;
}

bool TraceGraph::all_used(Ref first, std::uint32_t n, std::uint8_t uses) const {
  for (std::uint32_t k = 0; k < n; ++k)
    if (reader(first + k).uses != uses) return false;
  return true;
}

void TraceGraph::make_names() const {
  name_.resize(t_.values.size());
  std::iota(name_.begin(), name_.end(), Ref::slot(0));
  for (const Op& op : t_.ops) {
    if (op.kind != OpKind::Gather) continue;
    for (std::uint32_t k = 0; k < op.n; ++k) {
      const Ref from = t_.index[op.table() + k];
      name_[(op.d + k).index()] = from.is_constant() ? from : name_[from.index()];
    }
  }
}

void TraceGraph::make_producers() const {
  producer_.assign(t_.values.size(), kNone);
  for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
    const Op& op = t_.ops[i];
    if (has_result(op.kind) && !is_alias(op)) std::fill_n(producer_.begin() + op.d.index(), op.n_results(), i);
  }
}

void TraceGraph::make_readers() const {
  readers_.resize(t_.values.size());
  for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
    if (is_alias(t_.ops[i])) continue;
    for_each_operand(t_, t_.ops[i], [&](Ref first, std::uint32_t n) {
      if (first.is_constant()) return;
      for (std::uint32_t k = 0; k < n; ++k) {
        const Ref named = name(first + k);
        if (named.is_constant()) continue;
        Readers& of = readers_[named.index()];
        of.uses = static_cast<std::uint8_t>(std::min(of.uses + 1u, kMany));
        of.last = i;
        of.pinned |= n > 1;
      }
    });
  }
}

const std::vector<std::uint32_t>& TraceGraph::depths() const {
  if (!depth_.empty() || t_.ops.empty()) return depth_;
  std::vector<std::uint32_t> depth(t_.ops.size(), 0);
  for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
    if (is_alias(t_.ops[i])) continue;
    std::uint32_t deepest = 0;
    for_each_operand(t_, t_.ops[i], [&](Ref first, std::uint32_t n) {
      if (first.is_constant()) return;
      for (std::uint32_t k = 0; k < n; ++k)
        if (const std::uint32_t p = producer(first + k); p != kNone) deepest = std::max(deepest, depth[p]);
    });
    depth[i] = deepest + 1;
  }
  depth_ = std::move(depth);
  return depth_;
}

const std::vector<std::uint32_t>& TraceGraph::heights() const {
  if (!height_.empty() || t_.ops.empty()) return height_;
  std::vector<std::uint32_t> height(t_.ops.size(), 0);
  for (std::uint32_t i = static_cast<std::uint32_t>(t_.ops.size()); i-- > 0;) {
    if (is_alias(t_.ops[i])) continue;
    for_each_operand(t_, t_.ops[i], [&](Ref first, std::uint32_t n) {
      if (first.is_constant()) return;
      for (std::uint32_t k = 0; k < n; ++k)
        if (const std::uint32_t p = producer(first + k); p != kNone) height[p] = std::max(height[p], height[i] + 1);
    });
  }
  height_ = std::move(height);
  return height_;
}

}  // namespace fermiac::ad
