#include "autodiff/tape/device/chains.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "autodiff/kernels/special_scalar.h"
#include "autodiff/tape/device/reads.h"
#include "autodiff/tape/trace/chain_finder.h"
#include "autodiff/tape/trace/operands.h"
#include "autodiff/tape/trace/storage.h"

namespace fermiac::ad::device {
namespace {

using symbols::find_formula;
using symbols::MapFormula;

/// A generalised linear model as a density of its linear predictor. Operands of the call: the outcomes, maybe the number of trials,
/// then matrix, intercept and weights, maybe another parameter.
struct LinearModel {
  std::string_view call, density;
  std::uint32_t matrix;   // the place of the matrix among the operands
  bool parameter;         // one more behind the weights
};
constexpr LinearModel kLinearModels[] = {
    {"bernoulli_logit_glm_lpmf", "bernoulli_logit_lpmf", 1, false},
    {"poisson_log_glm_lpmf", "poisson_log_lpmf", 1, false},
    {"binomial_logit_glm_lpmf", "binomial_logit_lpmf", 2, false},
    {"neg_binomial_2_log_glm_lpmf", "neg_binomial_2_log_lpmf", 1, true},
    {"normal_id_glm_lpdf", "normal_lpdf", 1, true},
};

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
      case OpKind::CallSink: return linear_model(t_.calls[op.table()]) != nullptr;
      default: return false;
    }
  }
  const TapeCallOperand& operand(const TapeCall& call, std::uint32_t j) const { return t_.call_operands[call.first + j]; }
  bool is_constant_matrix(const TapeCallOperand& o) const {
    return o.shape.inner == Inner::Matrix && o.shape.rank == 0 && !o.ints && !o.autodiff && !o.shape.complex && o.place < t_.scalars_begin;
  }
  /// A constant matrix times a vector.
  bool is_product(const TapeCall& call) const {
    if (call.kernel->name != "multiply" || call.count != 2 || !is_constant_matrix(operand(call, 0))) return false;
    const TapeCallOperand& v = operand(call, 1);
    return v.shape.inner == Inner::Vector && v.shape.rank == 0 && v.autodiff && !v.shape.complex && v.shape.rows > 0 && call.out.size() > 1;
  }
  /// Null for those that are no chain here.
  const LinearModel* linear_model(const TapeCall& call) const {
    const auto* const m = std::ranges::find(kLinearModels, call.kernel->name, &LinearModel::call);
    if (m == std::end(kLinearModels) || counts_numbers(call)) return nullptr;
    const TapeCallOperand& matrix = operand(call, m->matrix);
    if (!is_constant_matrix(matrix) || matrix.shape.rows < 2 || matrix.shape.cols < 1) return nullptr;
    for (std::uint32_t j = 0; j < m->matrix; ++j)  // the reference counts one outcome for all rows otherwise
      if (operand(call, j).shape.size() != matrix.shape.rows) return nullptr;
    const TapeCallOperand& weights = operand(call, m->matrix + 2);
    const bool predicts = weights.autodiff || operand(call, m->matrix + 1).autodiff;
    return predicts && counts_are_right(call, *m) ? m : nullptr;
  }
  /// An operand counts though it has no derivatives: what is dropped is not what the density drops.
  bool counts_numbers(const TapeCall& call) const {
    for (std::uint32_t j = 0; j < call.count; ++j)
      if ((call.propto.counted() >> j & 1u) && !operand(call, j).autodiff) return true;
    return false;
  }
  /// None is below 0; what else there may be wrong the density says.
  bool counts_are_right(const TapeCall& call, const LinearModel& m) const {
    for (std::uint32_t j = 0; j < m.matrix; ++j) {
      const TapeCallOperand& o = operand(call, j);
      for (std::uint32_t i = 0; o.ints && i < o.shape.size(); ++i)
        if (t_.ints[o.int_offset + i] < 0) return false;
    }
    return true;
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
      chain.gathers.push_back({op.table()});
    } else if (op.kind == OpKind::Tiles) {
      add_tiles(chain, op);
    } else if (op.kind == OpKind::Call) {
      const TapeCall& c = t_.calls[op.table()];
      chain.n = c.out.size();
      known_[c.out_place] = product(chain, operand(c, 0), operand(c, 1));
    } else if (op.kind == OpKind::CallSink) {
      add_linear_model(chain, t_.calls[op.table()]);
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
  Source product(Chain& chain, const TapeCallOperand& matrix, const TapeCallOperand& vector) {
    chain.products.push_back({{Source::Kind::Vector, matrix.place}, vector.place, matrix.shape.cols, vector.autodiff});
    return {Source::Kind::Product, static_cast<std::uint32_t>(chain.products.size() - 1)};
  }

  // ---- generalised linear models

  /// The numbers of an operand of a call.
  Source numbers(Chain& chain, const TapeCallOperand& o) const {
    if (!o.ints) return {o.shape.is_scalar() ? Source::Kind::Scalar : Source::Kind::Vector, o.place};
    const auto at = static_cast<std::uint32_t>(chain.extra.size());
    const auto from = t_.ints.subspan(o.int_offset, o.shape.size());
    chain.extra.insert(chain.extra.end(), from.begin(), from.end());
    chain.extra.resize(padded(chain.extra.size()) + kPad);
    return {Source::Kind::Extra, at};
  }
  void add_operand(Step& step, Source x, bool autodiff) const {
    const auto bit = static_cast<std::uint8_t>(1u << step.x.size());
    if (x.kind != Source::Kind::Scalar) step.vector_mask = static_cast<std::uint8_t>(step.vector_mask | bit);
    if (autodiff) step.ad_mask = static_cast<std::uint8_t>(step.ad_mask | bit);
    step.x.push_back(x);
  }
  /// eta = alpha + X beta, and the density of the outcomes given eta.
  void add_linear_model(Chain& chain, const TapeCall& call) {
    const LinearModel& m = *linear_model(call);
    const TapeCallOperand &matrix = operand(call, m.matrix), &alpha = operand(call, m.matrix + 1);
    chain.n = matrix.shape.rows;
    Step sum{.kind = Step::Kind::Value, .map = find_formula("add")};
    add_operand(sum, product(chain, matrix, operand(call, m.matrix + 2)), operand(call, m.matrix + 2).autodiff);
    add_operand(sum, numbers(chain, alpha), alpha.autodiff);
    Step density{.kind = Step::Kind::Sink, .map = find_formula(m.density)};
    for (std::uint32_t j = 0; j < m.matrix; ++j) add_operand(density, numbers(chain, operand(call, j)), operand(call, j).autodiff);
    add_operand(density, {Source::Kind::Local, static_cast<std::uint32_t>(chain.steps.size())}, true);
    if (m.parameter) add_operand(density, numbers(chain, operand(call, m.matrix + 3)), operand(call, m.matrix + 3).autodiff);
    density.keep = Keep::of(Propto(static_cast<bool>(call.propto)), density.ad_mask);
    if (call.weight != kOne) density.weight = t_.weights_begin + index_of(call.weight) - 1;
    if (const double c = constant(call, m); c != 0) chain.constants.push_back({density.weight, c});
    chain.steps.push_back(std::move(sum));
    chain.steps.push_back(std::move(density));
  }
  /// By how much the model's value is above the density's: of the negative binomial other summands are dropped.
  double constant(const TapeCall& call, const LinearModel& m) const {
    if (m.call != "neg_binomial_2_log_glm_lpmf" || !call.propto) return 0;
    const TapeCallOperand &y = operand(call, 0), &phi = operand(call, m.matrix + 3);
    double sum = 0;
    if (phi.autodiff)
      for (std::uint32_t i = 0; i < y.shape.size(); ++i) sum += scalar::log_factorial(t_.ints[y.int_offset + i]);
    else sum = -static_cast<double>(y.shape.size()) * t_.constants[phi.place] * std::log(t_.constants[phi.place]);
    return sum;
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
    case Source::Kind::Scalar:
    case Source::Kind::Vector: break;
  }
  return s;
}

void join(Chain& to, Chain other) {
  for (Step& step : other.steps)
    for (Source& x : step.x) x = moved(x, to);
  append(to.steps, other.steps);
  append(to.gathers, other.gathers);
  append(to.products, other.products);
  append(to.extra, other.extra);
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
