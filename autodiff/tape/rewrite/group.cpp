// Grouping: isomorphic scalar ops become one vector op. Loops over observations are recorded as scalar ops; this pass
// finds the loops' data parallelism again without knowing the loops (dynamic batching by depth, as in G. Neubig,
// Y. Goldberg and C. Dyer, "On-the-fly operation batching in dynamic computation graphs", 2017).
//
// Two scalar ops may share a vector op when they have the same function, the same pattern of constant operands and the
// same source site, and neither depends on the other. The schedule decides the latter: ops run level by level, and a
// group lies within one level. Most ops are scheduled as soon as possible (level = depth). Ops that hang off a
// recurrence have all different depths but the same distance to target; their kind is scheduled as late as possible.
// Sinks depend on nothing else, so all sinks of one site and weight join; those of many weights become a vector that is multiplied
// with that of the weights.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "autodiff/tape/ir/op_class.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kSmallestGroup = 8;  // below this a vector op costs more than the scalar ops

bool is_groupable(const Op& op) {
  if (op.kind == OpKind::Target) return op.n == 1;
  if (op.kind != OpKind::Map && op.kind != OpKind::MapSink) return false;
  return !map_op(op.map).product;
}

/// Levels at which the ops run.
class Schedule {
 public:
  Schedule(const Trace& t, const TraceGraph& graph) : t_(t), depth_(graph.depths()), height_(graph.heights()) {
    for (const std::uint32_t d : depth_) levels_ = std::max(levels_, d + 1);
    choose();
  }
  std::uint32_t level(std::size_t op) const { return level_[op]; }

 private:
  /// As late as possible where that makes at most half as many groups.
  void choose() {
    std::unordered_map<std::uint64_t, std::uint32_t> by_depth, by_height;  // class -> number of groups
    count(depth_, by_depth);
    count(height_, by_height);
    level_.resize(t_.ops.size());
    std::vector<bool> late_slot(t_.values.size(), false);
    for (std::size_t i = 0; i < t_.ops.size(); ++i) {
      const Op& op = t_.ops[i];
      bool late = !has_result(op.kind) && op.kind != OpKind::Guard;
      if (is_groupable(op) && !late) {
        const std::uint64_t c = class_of(op, t_.sites[i]);
        late = by_height[c] * 2 <= by_depth[c];
      }
      for_each_operand(t_, op, [&](Ref r, std::uint32_t n) {
        if (r.is_constant()) return;
        for (std::uint32_t k = 0; k < n && !late; ++k) late = late_slot[(r + k).index()];
      });
      level_[i] = late ? levels_ - height_[i] : depth_[i];
      if (late && has_result(op.kind)) std::fill_n(late_slot.begin() + op.d.index(), op.n_results(), true);
    }
    ++levels_;
  }
  void count(const std::vector<std::uint32_t>& key, std::unordered_map<std::uint64_t, std::uint32_t>& groups) {
    std::unordered_map<std::uint64_t, bool> seen;
    for (std::size_t i = 0; i < t_.ops.size(); ++i) {
      if (!is_groupable(t_.ops[i])) continue;
      const std::uint64_t c = class_of(t_.ops[i], t_.sites[i]);
      if (seen.try_emplace(mix(c, key[i]), true).second) ++groups[c];
    }
  }

  const Trace& t_;
  const std::vector<std::uint32_t>&depth_, &height_;
  std::vector<std::uint32_t> level_;
  std::uint32_t levels_ = 1;
};

struct Group {
  std::uint32_t level = 0;
  std::vector<std::uint32_t> ops;
  bool many_weights = false;
};

/// What becomes of results: the way from an op through the operands that its only readers take it for. The two densities
/// of a mixture are alike but for this.
class Roles {
 public:
  explicit Roles(const Trace& t) : role_(t.ops.size()), readers_(t.values.size()) {
    for (std::uint32_t i = static_cast<std::uint32_t>(t.ops.size()); i-- > 0;) {
      const Op& op = t.ops[i];
      if (op.kind == OpKind::Map) role_[i] = readers_[op.d.index()].role;
      const std::uint64_t reader = is_groupable(op) ? mix(class_of(op, t.sites[i]), role_[i]) : i;
      std::uint64_t operand = 0;
      for_each_operand(t, op, [&](Ref r, std::uint32_t n) {
        ++operand;
        if (r.is_constant()) return;
        for (std::uint32_t k = 0; k < n; ++k) note(readers_[(r + k).index()], mix(reader, is_groupable(op) ? operand : 0));
      });
    }
  }
  std::uint64_t of(std::uint32_t op) const { return role_[op]; }

 private:
  struct Readers {
    std::uint64_t role = 0;
    bool some = false;
  };
  static void note(Readers& of_slot, std::uint64_t role) {
    of_slot.role = of_slot.some && of_slot.role != role ? 0 : role;
    of_slot.some = true;
  }
  std::vector<std::uint64_t> role_;
  std::vector<Readers> readers_;
};

constexpr std::size_t kLongOnAverage = 64;

/// By role, where that leaves long groups: what reads them then finds their results side by side.
std::vector<Group> split_by_role(const Group& g, const Roles& roles) {
  std::vector<Group> parts;
  std::unordered_map<std::uint64_t, std::size_t> index;
  for (const std::uint32_t i : g.ops) {
    const auto [it, inserted] = index.try_emplace(roles.of(i), parts.size());
    if (inserted) parts.push_back({g.level, {}, false});
    parts[it->second].ops.push_back(i);
    if (parts.size() * kLongOnAverage > g.ops.size()) return {g};
  }
  return parts;
}

/// What goes to target with a weight that stays what it is, and counts: what does not is not evaluated.
bool has_constant_weight(const Trace& t, const Op& op) {
  return is_weighed(op.kind) && (op.weight() == kOne || index_of(op.weight()) > t.settable_weights) && value_of(t, op.weight()) != 0;
}

std::uint64_t class_without_weight(Op op, Site site) {
  op.set_weight(kOne);
  return class_of(op, site);
}

/// Groups that are small because each weight has few members, as one.
std::vector<Group> join_weights(const Trace& t, std::vector<Group> groups) {
  std::vector<Group> out;
  std::unordered_map<std::uint64_t, Group> joined;
  for (Group& g : groups) {
    const Op& op = t.ops[g.ops[0]];
    if (g.ops.size() >= kSmallestGroup || !is_groupable(op) || !has_constant_weight(t, op)) {
      out.push_back(std::move(g));
      continue;
    }
    Group& all = joined[mix(class_without_weight(op, t.sites[g.ops[0]]), g.level)];
    all.level = g.level;
    all.ops.insert(all.ops.end(), g.ops.begin(), g.ops.end());
  }
  for (auto& [key, g] : joined) {
    std::ranges::sort(g.ops);
    g.many_weights = g.ops.size() >= kSmallestGroup;
    if (g.many_weights) out.push_back(std::move(g));
    else
      for (const std::uint32_t i : g.ops) out.push_back({g.level, {i}, false});
  }
  std::ranges::sort(out, {}, [](const Group& g) { return g.ops[0]; });  // not in the order of hashes
  return out;
}

std::vector<Group> find_groups(const Trace& t, const Schedule& schedule) {
  std::vector<Group> groups;
  std::unordered_map<std::uint64_t, std::uint32_t> index;
  for (std::uint32_t i = 0; i < t.ops.size(); ++i) {
    if (!is_groupable(t.ops[i])) {
      groups.push_back({schedule.level(i), {i}, false});
      continue;
    }
    const std::uint64_t key = mix(class_of(t.ops[i], t.sites[i]), schedule.level(i));
    const auto [it, inserted] = index.try_emplace(key, static_cast<std::uint32_t>(groups.size()));
    if (inserted) groups.push_back({schedule.level(i), {}, false});
    groups[it->second].ops.push_back(i);
  }
  if (t.weights.size() >= kSmallestGroup) groups = join_weights(t, std::move(groups));
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.level < b.level; });
  const auto is_long = [&](const Group& g) { return g.ops.size() >= 2 * kLongOnAverage && t.ops[g.ops[0]].kind == OpKind::Map; };
  if (std::none_of(groups.begin(), groups.end(), is_long)) return groups;
  const Roles roles(t);
  std::vector<Group> parts;
  for (Group& g : groups) {
    if (!is_long(g)) {
      parts.push_back(std::move(g));
      continue;
    }
    std::ranges::move(split_by_role(g, roles), std::back_inserter(parts));
  }
  return parts;
}

/// The refs that operand j takes over the group.
std::vector<Ref> operand_refs(const Trace& t, const Group& g, int j) {
  std::vector<Ref> refs(g.ops.size());
  for (std::size_t k = 0; k < refs.size(); ++k) refs[k] = t.ops[g.ops[k]].x[j];
  return refs;
}

/// target += Σ weight · x, x a block of new numbers.
void emit_weights(const Trace& t, const Group& g, Ref block, Emitter& out) {
  static const MapCode kMultiply = find_map("multiply");
  std::vector<double> weights;
  for (const std::uint32_t i : g.ops) weights.push_back(value_of(t, t.ops[i].weight()));
  Op op{.kind = OpKind::VectorSink, .vector_mask = 0b11, .ad_mask = 0b01, .map = kMultiply, .keep = {.ad = 0b01},
        .n = static_cast<std::uint32_t>(weights.size()), .x = {block, out.constant_block(weights)}};
  out.push(op, t.sites[g.ops[0]]);
}

bool all_equal(const std::vector<Ref>& refs) {
  return std::ranges::all_of(refs, [&](Ref r) { return r == refs[0]; });
}

/// target += n · x for the n ops of the group, which all add x.
void emit_multiple(const Trace& t, const Group& g, Ref x, Emitter& out) {
  static const MapCode kMultiply = find_map("multiply");
  const Ref n = out.constant(static_cast<double>(g.ops.size()));
  Op sink{.kind = OpKind::MapSink, .ad_mask = 0b01, .map = kMultiply, .keep = {.ad = 0b01}, .n = 1, .x = {x, n}};
  sink.set_weight(t.ops[g.ops[0]].weight());
  out.push(sink, t.sites[g.ops[0]]);
}
/// The same of f(x) for sinks f; x are operands of `out`.
void emit_multiple_of(const Trace& t, const Group& g, Op f, Emitter& out) {
  f.kind = OpKind::Map;
  f.n = 1;
  emit_multiple(t, g, out.push_result(f, t.sites[g.ops[0]]), out);
}

void emit_group(const Trace& t, const Group& g, Emitter& out) {
  const Op& first = t.ops[g.ops[0]];
  const auto n = static_cast<std::uint32_t>(g.ops.size());
  Op op = first;
  op.n = n;
  if (op.kind == OpKind::Target) {
    const std::vector<Ref> refs = operand_refs(t, g, 0);
    if (all_equal(refs) && !g.many_weights) return emit_multiple(t, g, out.scalar(refs[0]), out);
    op.x[0] = out.block_with_adjoints(refs);
    if (g.many_weights) return emit_weights(t, g, op.x[0], out);
    out.push(op, t.sites[g.ops[0]]);
    return;
  }
  op.kind = op.kind == OpKind::Map ? OpKind::Vector : OpKind::VectorSink;
  for (int j = 0; j < map_arity(op.map); ++j) {
    const std::vector<Ref> refs = operand_refs(t, g, j);
    if (all_equal(refs)) {
      op.x[j] = out.mapped(refs[0]);
    } else {
      op.x[j] = out.block(refs);
      op.vector_mask |= static_cast<std::uint8_t>(1u << j);
    }
  }
  if (op.kind == OpKind::VectorSink && g.many_weights) {
    if (op.vector_mask == 0) op.x[0] = out.block(operand_refs(t, g, 0)), op.vector_mask = 1;  // all the same but for weights
    op.kind = OpKind::Vector;
    op.d = out.allocate(n);
    out.push(op, t.sites[g.ops[0]]);
    double x[kMaxMapArity] = {};
    for (std::uint32_t k = 0; k < n; ++k) {
      for (int j = 0; j < map_arity(op.map); ++j) x[j] = *numbers_at(t, t.ops[g.ops[k]].x[j]);
      out.set_value(op.d + k, map_op(op.map).value(x, op.keep));
    }
    return emit_weights(t, g, op.d, out);
  }
  if (op.kind == OpKind::VectorSink && op.vector_mask == 0) return emit_multiple_of(t, g, op, out);
  if (op.kind == OpKind::VectorSink) {
    out.push(op, t.sites[g.ops[0]]);
    return;
  }
  if (op.vector_mask == 0) {  // all the same: one scalar op serves them all
    op.kind = OpKind::Map;
    op.n = 1;
    op.d = out.allocate(1);
    for (const std::uint32_t i : g.ops) out.map_slot(t.ops[i].d, op.d);
  } else {
    op.d = out.allocate(n);
    for (std::uint32_t k = 0; k < n; ++k) out.map_slot(t.ops[g.ops[k]].d, op.d + k);
  }
  out.push(op, t.sites[g.ops[0]]);
}

/// Of long loops recorded by columns there are often none, and a new trace of them takes room.
bool has_groups(const Trace& t) {
  std::unordered_map<std::uint64_t, std::uint32_t> members;
  for (std::size_t i = 0; i < t.ops.size(); ++i)
    if (is_groupable(t.ops[i]) && ++members[class_without_weight(t.ops[i], t.sites[i])] == kSmallestGroup) return true;
  return false;
}

}  // namespace

Change group_scalar_ops(Trace& t, TraceGraph& graph) {
  if (!has_groups(t)) return Change::None;
  const Schedule schedule(t, graph);
  const std::vector<Group> groups = find_groups(t, schedule);
  Emitter out(t);
  for (const Group& g : groups) {
    if (g.ops.size() >= kSmallestGroup) emit_group(t, g, out);
    else
      for (const std::uint32_t i : g.ops) out.copy(i);
  }
  t = std::move(out).finish();
  return Change::Edited;
}

}  // namespace fermiac::ad
