#include "autodiff/tape/opencl/matrix_plan.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "autodiff/tape/opencl/find_chains.h"
#include "autodiff/tape/opencl/matrix_formula.h"
#include "autodiff/tape/opencl/matrix_functions.h"

namespace fermiac::ad::device {
namespace {

constexpr std::size_t kMostSteps = 32;  // of a formula

class Planner {
 public:
  Planner(const TapeView& tape, const std::vector<bool>& taken) : t_(tape) {
    for (std::uint32_t i = 0; i < t_.ops.size(); ++i) {
      if (taken[i]) continue;
      if (t_.ops[i].kind == OpKind::Vector) vectors_[t_.ops[i].d] = i;
      if (is_call(t_.ops[i].kind)) consider(i);
    }
    if (placed_.empty()) return;
    std::ranges::sort(placed_, {}, [](const Candidate& c) { return c.placed.op; });
  }

  std::vector<PlacedCall> chosen(DeviceUse& use) && {
    if (placed_.empty()) return {};
    number_anew();
    connect();
    if (use.placing() == Placing::Worth) keep_what_pays(use.matrix_profile());
    find_inner();
    std::vector<PlacedCall> out;
    auto formulas = static_cast<std::uint32_t>(t_.calls.size());
    for (Candidate& c : placed_) {
      if (c.placed.formula) c.placed.call = formulas++;
      out.push_back(std::move(c.placed));
    }
    return out;
  }

 private:
  /// A PlacedCall whose sources go by the place of what they make.
  struct Candidate {
    PlacedCall placed;
    std::vector<std::optional<std::uint32_t>> from;  // by operand: place of the result, of the host's none
    std::vector<std::uint32_t> steps;                // of a formula: all its ops
  };
  const TapeCallOperand& operand(const TapeCall& c, std::uint32_t j) const { return t_.call_operands[c.first + j]; }
  std::span<const TapeCallOperand> operands(const Candidate& c) const {
    if (c.placed.formula) return c.placed.formula->operands;
    const TapeCall& call = t_.calls[c.placed.call];
    return t_.call_operands.subspan(call.first, call.count);
  }
  const Shape& shape(const Candidate& c) const { return c.placed.formula ? c.placed.formula->out : t_.calls[c.placed.call].out; }
  std::uint32_t place(const Candidate& c) const { return c.placed.formula ? c.placed.formula->out_place : t_.calls[c.placed.call].out_place; }

  void consider(std::uint32_t i) {
    const TapeOp& op = t_.ops[i];
    const TapeCall& c = t_.calls[op.table()];
    if (c.kernel->density != (op.kind == OpKind::CallSink)) return;
    for (const MatrixFunction* f : matrix_functions_of(t_, c))
      if (add_call(i, *f)) return;
  }
  bool add_call(std::uint32_t i, const MatrixFunction& f) {
    const TapeOp& op = t_.ops[i];
    const TapeCall& c = t_.calls[op.table()];
    Candidate made{{.op = i, .call = op.table(), .function = &f}, {}, {}};
    for (std::uint32_t j = 0; j < c.count; ++j) {
      const bool may_lie_there = (f.matrices >> j & 1u) && !operand(c, j).ints;
      made.from.push_back(may_lie_there && made_as(operand(c, j).place, operand(c, j).shape) ? std::optional(operand(c, j).place) : std::nullopt);
    }
    if (f.needs_source && std::ranges::none_of(made.from, [](const auto& from) { return from.has_value(); })) return false;
    add(std::move(made), op.kind == OpKind::Call);
    return true;
  }
  void add(Candidate made, bool has_result) {
    if (has_result) made_[place(made)] = shape(made);
    placed_.push_back(std::move(made));
  }
  /// Whether a candidate makes that matrix, by now.
  bool made_as(std::uint32_t at, const Shape& as) {
    const auto known = made_.find(at);
    return known != made_.end() ? known->second == as : add_formula(at, as);
  }

  // ---- formulas

  bool add_formula(std::uint32_t at, const Shape& as) {
    if (as.rank != 0 || as.inner != Inner::Matrix || as.rows != as.cols || as.rows < 2 || vectors_.find(at) == vectors_.end()) return false;
    auto formula = std::make_shared<MatrixFormula>(MatrixFormula{{}, {}, as, at});
    Candidate made{{.op = vectors_[at], .function = &formula_function()}, {}, {}};
    if (!add_step(*formula, made, vectors_[at]) || formula->steps.size() > kMostSteps || !has_text(*formula)) return false;
    made.placed.formula = std::move(formula);
    add(std::move(made), true);
    return true;
  }
  static bool has_text(const MatrixFormula& formula) {
    try {
      write_formula(formula);
      return true;
    } catch (const symbols::NoFormula&) {
      return false;
    }
  }
  /// Behind the steps that it needs. A step that two others need is there twice: the text has it once.
  bool add_step(MatrixFormula& f, Candidate& made, std::uint32_t i) {
    const TapeOp& op = t_.ops[i];
    const symbols::MapFormula* const map = op.map == kNoMap ? nullptr : symbols::find_formula(map_op(op.map).name);
    if (!map || op.n != f.out.size() || f.steps.size() > kMostSteps) return false;
    Step step{.kind = Step::Kind::Value, .map = map, .x = {}, .vector_mask = op.vector_mask, .ad_mask = op.ad_mask, .keep = op.keep};
    for (int j = 0; j < place_operands(op); ++j) {
      const std::optional<Source> x = source(f, made, op.x[j], op.vector_mask >> j & 1u, op.ad_mask >> j & 1u);
      if (!x) return false;
      step.x.push_back(*x);
    }
    made.steps.push_back(i);
    f.steps.push_back(std::move(step));
    return true;
  }
  std::optional<Source> source(MatrixFormula& f, Candidate& made, std::uint32_t at, bool matrix, bool autodiff) {
    if (!matrix) return number(f, made, {.shape = Shape::scalar(), .place = at, .autodiff = autodiff}, std::nullopt, Source::Kind::Scalar);
    const TapeCallOperand whole{.shape = f.out, .place = at, .autodiff = autodiff};
    if (at + f.out.size() <= t_.scalars_begin) return number(f, made, whole, std::nullopt, Source::Kind::Vector);
    if (const auto known = made_.find(at); known != made_.end() && known->second == f.out) return number(f, made, whole, at, Source::Kind::Vector);
    const auto inner = vectors_.find(at);
    if (inner == vectors_.end() || !add_step(f, made, inner->second)) return std::nullopt;
    return Source{Source::Kind::Local, static_cast<std::uint32_t>(f.steps.size() - 1)};
  }
  /// The operand, as many steps as need it.
  static Source number(MatrixFormula& f, Candidate& made, const TapeCallOperand& o, std::optional<std::uint32_t> from, Source::Kind kind) {
    const auto same = [&](const TapeCallOperand& known) { return known.place == o.place && known.shape == o.shape && known.autodiff == o.autodiff; };
    const auto known = std::ranges::find_if(f.operands, same);
    const auto k = static_cast<std::uint32_t>(known - f.operands.begin());
    if (known == f.operands.end()) f.operands.push_back(o), made.from.push_back(from);
    return {kind, k};
  }

  // ---- who reads what

  void number_anew() {
    std::unordered_map<std::uint32_t, std::uint32_t> number;
    for (std::uint32_t k = 0; k < placed_.size(); ++k) {
      Candidate& c = placed_[k];
      c.placed.sources.clear();
      for (const auto& from : c.from) c.placed.sources.push_back(from ? number.at(*from) : PlacedCall::kHost);
      if (has_result(c)) number[place(c)] = k;
    }
  }
  bool has_result(const Candidate& c) const { return ad::has_result(t_.ops[c.placed.op].kind); }
  void connect() {
    parent_.resize(placed_.size());
    std::iota(parent_.begin(), parent_.end(), 0u);
    for (std::uint32_t k = 0; k < placed_.size(); ++k)
      for (const std::uint32_t from : placed_[k].placed.sources)
        if (from != PlacedCall::kHost) parent_[root(from)] = root(k);
  }
  std::uint32_t root(std::uint32_t k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }
  /// Which results the host reads, and which ops it need not do for that. From the end, so that readers come before what they read.
  void find_inner() {
    std::map<std::uint32_t, Candidate*> result;                      // by place
    std::map<std::uint32_t, std::pair<Candidate*, bool>> inner;      // place of an inner op of a formula: still wanted by the host
    std::unordered_map<std::uint32_t, Candidate*> by_op;
    for (Candidate& c : placed_) {
      by_op[c.placed.op] = &c;
      if (has_result(c)) result[place(c)] = &c;
      for (const std::uint32_t i : c.steps)
        if (i != c.placed.op) inner[t_.ops[i].d] = {&c, false};
    }
    const auto read = [&](std::uint32_t from, std::uint32_t n, bool) {
      each_overlapping(result, from, n, [&](Candidate* c) { return shape(*c).size(); }, [](Candidate*& c) { c->placed.host_reads = true; });
      each_overlapping(inner, from, n, [&](const auto& i) { return shape(*i.first).size(); }, [](auto& i) { i.second = true; });
    };
    for (auto i = static_cast<std::uint32_t>(t_.ops.size()); i-- > 0;) {
      const auto placed = by_op.find(i);
      const auto step = inner.find(t_.ops[i].d);
      const bool is_inner = placed == by_op.end() && t_.ops[i].kind == OpKind::Vector && step != inner.end();
      if (placed != by_op.end()) read_operands(*placed->second, read);
      else if (is_inner && !step->second.second) step->second.first->placed.inner.push_back(i);
      else for_each_read(t_, t_.ops[i], read);
    }
  }
  template <class Read>
  void read_operands(const Candidate& c, Read read) const {
    for (std::size_t j = 0; j < operands(c).size(); ++j)
      if (const TapeCallOperand& o = operands(c)[j]; c.placed.sources[j] == PlacedCall::kHost && !o.ints) read(o.place, o.shape.size(), false);
  }
  template <class Things, class Size, class Visit>
  static void each_overlapping(Things& things, std::uint32_t from, std::uint32_t n, Size size, Visit visit) {
    for (auto at = things.lower_bound(from + n); at != things.begin();) {
      --at;
      if (at->first + size(at->second) <= from) return;
      visit(at->second);
    }
  }

  // ---- what pays

  void keep_what_pays(const Profile& profile) {
    find_inner();  // for what has to be brought back
    std::map<std::uint32_t, Work> work;
    std::map<std::uint32_t, bool> asked;
    for (std::uint32_t k = 0; k < placed_.size(); ++k) {
      add(work[root(k)], work_of(placed_[k]));
      asked[root(k)] |= is_asked(placed_[k]);
    }
    std::vector<Candidate> kept;
    for (std::uint32_t k = 0; k < placed_.size(); ++k)
      if (asked[root(k)] || work[root(k)].host_ns > nanoseconds(profile, work[root(k)])) kept.push_back(std::move(placed_[k]));
    placed_ = std::move(kept);
    for (Candidate& c : placed_) c.placed.inner.clear(), c.placed.host_reads = false;
    number_anew();
  }
  bool is_asked(const Candidate& c) const {
    return t_.is_asked(t_.sites[c.placed.op]) || std::ranges::any_of(c.steps, [&](std::uint32_t i) { return t_.is_asked(t_.sites[i]); });
  }
  static void add(Work& to, const Work& w) {
    to.host_ns += w.host_ns;
    to.functions += w.functions;
    to.multiplied += w.multiplied;
    to.read += w.read;
    to.copied += w.copied;
    to.launches += w.launches;
    to.waits += w.waits;
  }
  /// With what has to be brought there and back, and the wait for it.
  Work work_of(const Candidate& c) const {
    Work w = c.placed.formula ? device::work_of(*c.placed.formula) : c.placed.function->work(t_, t_.calls[c.placed.call]);
    for (std::size_t j = 0; j < operands(c).size(); ++j)
      if (c.placed.sources[j] == PlacedCall::kHost && operands(c)[j].autodiff) w.copied += 2.0 * sizeof(double) * operands(c)[j].shape.size();
    if (c.placed.host_reads) w.copied += 2.0 * sizeof(double) * shape(c).size();
    w.waits += 2;
    return w;
  }

  const TapeView& t_;
  std::vector<Candidate> placed_;
  std::unordered_map<std::uint32_t, std::uint32_t> vectors_;  // ops of vectors, by place of their results
  std::unordered_map<std::uint32_t, Shape> made_;             // matrices that candidates make, by place
  std::vector<std::uint32_t> parent_;                         // of groups whose members read one another's results
};

}  // namespace

std::vector<PlacedCall> plan_matrices(const TapeView& tape, const std::vector<bool>& taken, DeviceUse& use) { return Planner(tape, taken).chosen(use); }

}  // namespace fermiac::ad::device
