#include "autodiff/solvers/tangents.h"

#include <algorithm>
#include <iterator>

#include "autodiff/kernels/isa.h"
#include "autodiff/tape/ir/hot_ops.h"

namespace fermiac::ad {
namespace {

constexpr std::size_t kMaxOps = 1u << 15;  // beyond, sweeps over vectors win

}  // namespace

/// Numbers slots anew: gathers become aliases, vector ops one op per element.
class TangentBuilder {
 public:
  explicit TangentBuilder(const Tape& tape)
      : tape_(tape), value_(tape.end_, kNone), tangent_(tape.end_, kNone), out_(std::make_unique<TangentProgram>()) {
    out_->jit_ = tape.jit_;
    out_->inputs_ = tape.parameters();
    for (std::uint32_t i = 0; i < tape.parameters(); ++i) {
      const std::uint32_t slot = tape.parameters_begin_ + i;
      value_[slot] = out_->values_++;
      tangent_[slot] = out_->tangents_++;
    }
  }

  std::unique_ptr<const TangentProgram> run() {
    for (const TapeOp& op : tape_.ops())
      if (!add(op) || out_->ops_.size() > kMaxOps) return nullptr;
    for (std::uint32_t k = 0; k < tape_.outputs_; ++k) {
      const std::uint32_t slot = tape_.outputs_begin_ + k;
      out_->results_.push_back({value_of(slot), tangent_[slot], tangent_[slot] != kNone});
    }
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  std::uint32_t value_of(std::uint32_t slot) {
    if (value_[slot] == kNone) {
      value_[slot] = out_->values_++;
      out_->constants_.push_back({value_[slot], tape_.constants_[slot]});
    }
    return value_[slot];
  }

  bool add(const TapeOp& op) {
    switch (op.kind) {
      case OpKind::Target:
        return true;
      case OpKind::Gather:
        return alias(op);
      case OpKind::Guard:
        out_->ops_.push_back({.kind = op.kind, .test = op.test, .x = {value_of(op.x[0]), value_of(op.x[1])}});
        return true;
      case OpKind::Vector:
        for (std::uint32_t i = 0; i < op.n; ++i) add_element(op, i, op.d + i);
        return out_->ops_.size() <= kMaxOps;
      case OpKind::VectorReduce:
        return add_sum(op);
      case OpKind::MapSink:
      case OpKind::VectorSink:
      case OpKind::Call:
      case OpKind::CallSink:
      case OpKind::Tiles:
      case OpKind::WeighedSink:
      case OpKind::WeighedTarget:
        return false;
      default:
        add_element(op, 0, op.d);
        return true;
    }
  }

  bool alias(const TapeOp& op) {
    for (std::uint32_t i = 0; i < op.n; ++i) {
      const std::uint32_t source = tape_.index_[op.table() + i];
      value_[op.d + i] = value_of(source);
      tangent_[op.d + i] = tangent_[source];
    }
    return true;
  }

  TangentOp element(const TapeOp& op, std::uint32_t i) {
    TangentOp e{.kind = is_hot(op.map) ? hot_kind(op.map) : OpKind::Map,
                .arity = map_arity(op.map),
                .map = op.map,
                .keep = op.keep};
    for (std::uint8_t j = 0; j < e.arity; ++j) {
      const std::uint32_t slot = op.x[j] + (op.vector_mask >> j & 1u ? i : 0);
      e.x[j] = value_of(slot);
      if (!(op.ad_mask >> j & 1u) || tangent_[slot] == kNone) continue;
      e.which[e.active] = j;
      e.tx[e.active++] = tangent_[slot];
    }
    return e;
  }

  void add_element(const TapeOp& op, std::uint32_t i, std::uint32_t slot) {
    TangentOp e = element(op, i);
    e.d = value_[slot] = out_->values_++;
    tangent_[slot] = kNone;
    if (e.active > 0) e.td = tangent_[slot] = out_->tangents_++;
    out_->ops_.push_back(e);
  }

  /// The first term, then each added to what there is.
  bool add_sum(const TapeOp& op) {
    if (map_op(op.map).product || op.n == 0) return false;
    add_element(op, 0, op.d);
    for (std::uint32_t i = 1; i < op.n && out_->ops_.size() <= kMaxOps; ++i) {
      const std::uint32_t sum = value_[op.d], sum_tangent = tangent_[op.d];
      add_element(op, i, op.d);
      TangentOp add{.kind = OpKind::Add, .arity = 2, .map = map_of(Hot::Add), .d = out_->values_++, .x = {sum, value_[op.d]}};
      for (const std::uint32_t t : {sum_tangent, tangent_[op.d]})
        if (t != kNone) add.tx[add.active++] = t;  // both partials are 1
      add.which[1] = 1;
      value_[op.d] = add.d;
      if (add.active > 0) add.td = tangent_[op.d] = out_->tangents_++;
      out_->ops_.push_back(add);
    }
    return true;
  }

  const Tape& tape_;
  std::vector<std::uint32_t> value_, tangent_;
  std::unique_ptr<TangentProgram> out_;
};

std::unique_ptr<const TangentProgram> TangentProgram::make(const Tape& tape) {
  return TangentBuilder(tape).run();
}

void TangentProgram::prepare(double* v) const {
  for (const Constant& c : constants_) v[c.slot] = c.value;
}

bool TangentProgram::run(double* v, double* t, std::size_t lanes) const {
  const TangentSweep s{.ops = ops_.data(),
                       .count = static_cast<std::uint32_t>(ops_.size()),
                       .v = v,
                       .t = t,
                       .lanes = lanes,
                       .maps = all_maps().data()};
  return FERMIAC_FOR_ACTIVE_ISA(sweep_tangents)(s) == s.count;
}

void TangentProgram::results(const double* v, double* out) const {
  for (const Result& r : results_) *out++ = v[r.value];
}

void TangentProgram::result_tangents(const double* t, std::size_t lanes, double* rows) const {
  for (const Result& r : results_) {
    if (r.active)
      std::copy_n(t + r.tangent * lanes, lanes, rows);
    else
      std::fill_n(rows, lanes, 0.0);
    rows += lanes;
  }
}

}  // namespace fermiac::ad
