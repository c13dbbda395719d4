#include "autodiff/tape/opencl/find_chains.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "autodiff/tape/ir/chain_finder.h"

namespace fermiac::ad::device {
namespace {

using symbols::find_formula;

class Finder {
 public:
  explicit Finder(const TapeView& tape) : t_(tape), finder_(tape.ops.size()) {
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
      const TapeOp& op = t_.ops[i];
      if (!is_candidate(op)) continue;
      if (has_result(op.kind)) finder_.add(i, op.d, is_call(op.kind) ? t_.calls[op.table()].out.size() : op.n);
      else finder_.add(i);
    }
    finder_.order_results();
  }

  std::vector<Chain> run() {
    if (!finder_.has_members()) return {};
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i)
      for_each_read(t_, t_.ops[i], [&](std::uint32_t from, std::uint32_t n, bool elements) { finder_.read(i, from, n, elements); });
    finder_.settle();
    return chains();
  }

 private:
  // ---- which operations may take part

  static bool has_formula(const TapeOp& op) { return op.map == kNoMap || find_formula(map_op(op.map).name) != nullptr; }
  bool is_candidate(const TapeOp& op) const {
    if (op.n < 2 && !is_call(op.kind)) return false;
    switch (op.kind) {
      case OpKind::Vector:
      case OpKind::VectorSink: return has_formula(op);
      case OpKind::Target:
      case OpKind::WeighedTarget: return op.ad_mask == 1;  // else results of a function
      case OpKind::Gather: return true;
      case OpKind::Tiles: {
        const TiledOps tiles = op.tiles();
        return std::ranges::all_of(t_.tiled.subspan(tiles.first, tiles.count), has_formula);
      }
      case OpKind::Call: return is_product(t_.calls[op.table()]);
      case OpKind::CallSink: return has_steps(t_, t_.calls[op.table()]);
      default: return false;
    }
  }
  const TapeCallOperand& operand(const TapeCall& call, std::uint32_t j) const { return t_.call_operands[call.first + j]; }
  /// A constant matrix times a vector.
  bool is_product(const TapeCall& call) const {
    if (call.kernel->name != "multiply" || call.count != 2 || !is_constant_matrix(t_, operand(call, 0))) return false;
    const TapeCallOperand& v = operand(call, 1);
    return v.shape.inner == Inner::Vector && v.shape.rank == 0 && v.autodiff && !v.shape.complex && v.shape.rows > 0 && call.out.size() > 1;
  }

  // ---- chains

  std::vector<Chain> chains() {
    std::unordered_map<std::uint32_t, Chain> by_root;
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i)
      if (finder_.is_member(i)) by_root[finder_.root(i)].ops.push_back(i);
    std::vector<Chain> out;
    for (auto& [unused, chain] : by_root)
      if (std::ranges::any_of(chain.ops, [&](std::uint32_t i) { return !has_result(t_.ops[i].kind); })) out.push_back(std::move(chain));
    std::ranges::sort(out, {}, [](const Chain& c) { return c.ops.back(); });
    for (Chain& chain : out) fill(chain);
    return out;
  }

  void fill(Chain& chain) {
    known_.clear();
    for (const std::uint32_t i : chain.ops) {
      add(chain, t_.ops[i]);
      chain.asked |= is_asked(i);
    }
  }
  bool is_asked(std::uint32_t i) const {
    if (t_.ops[i].kind != OpKind::Tiles) return t_.is_asked(t_.sites[i]);
    const TiledOps tiles = t_.ops[i].tiles();
    return std::ranges::any_of(t_.tiled_sites.subspan(tiles.first, tiles.count), [&](Site site) { return t_.is_asked(site); });
  }
  void add(Chain& chain, const TapeOp& op) {
    if (!is_call(op.kind)) chain.n = op.n;
    if (op.kind == OpKind::Gather) {
      known_[op.d] = {Source::Kind::Gathered, static_cast<std::uint32_t>(chain.gathers.size())};
      chain.gathers.push_back({op.table(), {}});
    } else if (op.kind == OpKind::Tiles) {
      add_tiles(chain, op);
    } else if (op.kind == OpKind::Call) {
      const TapeCall& c = t_.calls[op.table()];
      chain.n = c.out.size();
      known_[c.out_place] = add_product(operand(c, 0), operand(c, 1), 0, &chain);
    } else if (op.kind == OpKind::CallSink) {
      add_steps(t_, t_.calls[op.table()], [&](std::uint32_t at) { return source(at, true); }, &chain);
    } else {
      add_step(chain, op, [](int) { return std::optional<Source>(); });
    }
  }
  void add_tiles(Chain& chain, const TapeOp& op) {
    std::vector<Source> locals(op.tiles().locals);
    for (const TapeOp& tiled : t_.tiled.subspan(op.tiles().first, op.tiles().count)) {
      const Source result{Source::Kind::Local, static_cast<std::uint32_t>(chain.steps.size())};
      add_step(chain, tiled, [&](int j) { return is_local(tiled, j) ? std::optional(locals[tiled.local_operand(j)]) : std::nullopt; });
      if (tiled.local.has_result()) locals[tiled.local_result()] = result;
    }
  }
  Source source(std::uint32_t at, bool vector) const {
    if (!vector) return {Source::Kind::Scalar, at};
    const auto known = known_.find(at);
    return known != known_.end() ? known->second : Source{Source::Kind::Vector, at};
  }
  template <class Local>
  void add_step(Chain& chain, const TapeOp& op, Local local) {
    Step step{.map = op.map == kNoMap ? nullptr : find_formula(map_op(op.map).name), .vector_mask = op.vector_mask, .ad_mask = op.ad_mask, .keep = op.keep};
    const bool target = op.kind == OpKind::Target || op.kind == OpKind::WeighedTarget;
    step.kind = target ? Step::Kind::Target : op.kind == OpKind::Vector ? Step::Kind::Value : Step::Kind::Sink;
    if (target) step.vector_mask = 1;
    for (int j = 0; j < place_operands(op); ++j) {
      const std::optional<Source> inner = local(j);
      step.x.push_back(inner ? *inner : source(op.x[j], step.vector_mask >> j & 1u));
    }
    if (step.kind != Step::Kind::Value && t_.is_weight(op.d)) step.weight = op.d;
    if (op.kind == OpKind::Vector && !op.local.has_result()) known_[op.d] = {Source::Kind::Local, static_cast<std::uint32_t>(chain.steps.size())};
    chain.steps.push_back(std::move(step));
  }

  const TapeView& t_;
  ChainFinder<std::uint32_t> finder_;
  std::unordered_map<std::uint32_t, Source> known_;  // blocks of the chain that is filled, by place
};

}  // namespace

std::vector<Chain> find_chains(const TapeView& tape) { return Finder(tape).run(); }

namespace {

template <class Things>
void append(Things& to, const Things& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// What lies behind the numbers of the other chain is counted on.
Source moved(Source s, const Chain& behind) {
  switch (s.kind) {
    case Source::Kind::Extra: s.at += static_cast<std::uint32_t>(behind.extra.size()); break;
    case Source::Kind::Local: s.at += static_cast<std::uint32_t>(behind.steps.size()); break;
    case Source::Kind::Gathered: s.at += static_cast<std::uint32_t>(behind.gathers.size()); break;
    case Source::Kind::Product: s.at += static_cast<std::uint32_t>(behind.products.size()); break;
    case Source::Kind::Chosen: s.at += static_cast<std::uint32_t>(behind.choices.size()); break;
    case Source::Kind::Scalar:
    case Source::Kind::Vector: break;
  }
  return s;
}

void join(Chain& to, Chain other) {
  for (Step& step : other.steps)
    for (Source& x : step.x) x = moved(x, to);
  for (Choice& c : other.choices) c.index = moved(c.index, to);
  append(to.steps, other.steps);
  append(to.gathers, other.gathers);
  append(to.choices, other.choices);
  append(to.products, other.products);
  append(to.extra, other.extra);
  append(to.ascents, other.ascents);
  append(to.constants, other.constants);
  append(to.ops, other.ops);
  to.asked |= other.asked;
}

}  // namespace

std::vector<Chain> join_chains(std::vector<Chain> chains, std::size_t most_steps) {
  std::vector<Chain> out;
  for (Chain& chain : chains) {
    const auto fits = [&](const Chain& c) { return c.n == chain.n && c.steps.size() + chain.steps.size() <= most_steps; };
    const auto at = std::ranges::find_if(out, fits);
    if (at != out.end()) join(*at, std::move(chain));
    else out.push_back(std::move(chain));
  }
  return out;
}

}  // namespace fermiac::ad::device
