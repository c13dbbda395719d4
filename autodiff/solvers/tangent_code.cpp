#include "autodiff/solvers/tangent_code.h"

#if defined(FERMIAC_JIT)

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "autodiff/solvers/tangent_registers.h"
#include "autodiff/tape/replay/replay.h"
#include "autodiff/tape/replay/scalar_values.h"
#include "support/platform/asmjit_code.h"
#include "support/platform/code_pages.h"

namespace fermiac::ad {
namespace {

/// What a tangent is multiplied with: one of these numbers, or what stands at a place of the values.
struct Partial {
  enum class Kind : std::uint8_t { One, MinusOne, Number } kind = Kind::One;
  std::uint32_t slot = 0;
};

constexpr std::uint32_t kNever = RowRegisters::kNever;

/// What is read of tangents, and when. Rows that are copies of others go by these.
class Reads {
 public:
  Reads(const TangentProgram& program, const std::vector<Partial>& partials)
      : same_(program.tangent_rows()), wanted_(program.tangent_rows(), false), next_(program.tangent_rows(), kNever),
        first_result_(program.tangent_rows(), kNever) {
    for (std::uint32_t r = 0; r < same_.size(); ++r) same_[r] = r;
    const auto ops = program.ops();
    for (std::size_t i = 0; i < ops.size(); ++i)
      if (ops[i].active == 1 && partials[4 * i].kind == Partial::Kind::One) same_[ops[i].td] = same_[ops[i].tx[0]];
    after_.assign(5 * ops.size(), kNever);
    for (std::uint32_t k = 0; k < program.results().size(); ++k) note(program.results()[k], k);
    for (std::size_t i = ops.size(); i-- > 0;) note(ops[i], static_cast<std::uint32_t>(i));
  }
  std::uint32_t row(std::uint32_t tangent) const { return same_[tangent]; }
  /// Something comes of the tangent of this op, and it is no copy.
  bool computed(const TangentOp& op) const { return op.active > 0 && same_[op.td] == op.td && wanted_[op.td]; }
  /// The op that reads operand k of op i next, or (k = 4) its result.
  std::uint32_t after(std::size_t i, std::size_t k) const { return after_[5 * i + k]; }
  bool is_result(std::uint32_t r) const { return first_result_[r] != kNever; }
  /// Calls `what` with every result that is this row.
  template <class What>
  void each_result(std::uint32_t r, What what) const {
    for (std::uint32_t k = first_result_[r]; k != kNever; k = next_result_[k]) what(k);
  }

 private:
  void note(const TangentProgram::Result& result, std::uint32_t k) {
    next_result_.push_back(kNever);
    if (!result.active) return;
    const std::uint32_t r = row(result.tangent);
    wanted_[r] = true;
    next_result_[k] = std::exchange(first_result_[r], k);
  }
  void note(const TangentOp& op, std::uint32_t i) {
    if (!computed(op)) return;
    after_[5 * i + 4] = next_[op.td];
    for (std::uint8_t k = 0; k < op.active; ++k) {
      wanted_[row(op.tx[k])] = true;
      after_[5 * i + k] = next_[row(op.tx[k])];
    }
    for (std::uint8_t k = 0; k < op.active; ++k) next_[row(op.tx[k])] = i;
  }

  std::vector<std::uint32_t> same_;
  std::vector<bool> wanted_;
  std::vector<std::uint32_t> next_, after_;
  std::vector<std::uint32_t> first_result_, next_result_;
};

using Real = ScalarMachine::Real;
using Vec = LaneArithmetic::Vec;
using Place = ScalarMachine::Place;
using LanePlace = LaneArithmetic::Place;

class TangentEmitter {
 public:
  TangentEmitter(ScalarMachine::Assembler& assembler, const TangentProgram& program, std::size_t lanes)
      : a_(assembler), program_(program), lanes_(lanes), scalar_(assembler), at_(scalar_, kValues, kTangents),
        values_(scalar_, at_, *active_sweeps().scalars), lane_(scalar_), partials_(4 * program.ops().size()),
        next_partial_(static_cast<std::uint32_t>(program.value_slots())) {
    fails_ = a_.newLabel(), end_ = a_.newLabel();
  }

  void emit() {
    enter();
    for (std::size_t i = 0; i < program_.ops().size(); ++i) at_.next_op(), value(i);
    result_values();
    if (lanes_ > 0) tangents();
    scalar_.result(1);
    a_.bind(end_);
    scalar_.leave(kKept);
    a_.bind(fails_);
    scalar_.result(0);
    scalar_.jump(end_);
    scalar_.constants();
    lane_.constants();
  }
  /// How many numbers there are behind the values.
  std::size_t partials() const { return next_partial_ - program_.value_slots(); }

 private:
  static constexpr std::size_t kKept = 5;
  /// Where results go: their values, their tangents.
  static constexpr ScalarMachine::Pointer kValues = ScalarMachine::kKept[0], kTangents = ScalarMachine::kKept[1], kOut = ScalarMachine::kKept[2],
                                          kRows = ScalarMachine::kKept[3];

  void enter() {
    scalar_.enter(kKept);
    for (std::size_t k = 0; k < 4; ++k) scalar_.copy(ScalarMachine::kKept[k], ScalarMachine::kArgument[k]);
  }

  // ---------------------------------------------------------------- values and partials

  bool with_tangent(const TangentOp& op) const { return lanes_ > 0 && op.active > 0; }

  void value(std::size_t i) {
    const TangentOp& op = program_.ops()[i];
    if (op.kind == OpKind::Guard) return values_.guard(op.test, op.x[0], op.x[1], fails_);
    if (op.kind == OpKind::Map) return general_map(i);
    values_.value(op.kind, op.d, op.x);
    if (with_tangent(op)) slopes(i);
  }
  void general_map(std::size_t i) {
    const TangentOp& op = program_.ops()[i];
    scalar_.set(ScalarMachine::kArgument[0], &map_op(op.map));
    scalar_.set(ScalarMachine::kArgument[1], &op);
    scalar_.copy(ScalarMachine::kArgument[2], kValues);
    if (with_tangent(op)) scalar_.address(ScalarMachine::kArgument[3], at_.value_place(next_partial_));
    else scalar_.set(ScalarMachine::kArgument[3], nullptr);
    if (with_tangent(op))
      for (std::uint8_t k = 0; k < op.active; ++k) partial(i, k) = {Partial::Kind::Number, next_partial_++};
    values_.call(&FERMIAC_FOR_ACTIVE_ISA(tangent_map));
    scalar_.jump_if_false(fails_);
  }
  Partial& partial(std::size_t i, std::uint8_t k) { return partials_[4 * i + k]; }

  /// Partials of the active operands as sweep_tangents() has them.
  void slopes(std::size_t i) {
    const TangentOp& op = program_.ops()[i];
    std::uint32_t inverse = 0;
    for (std::uint8_t k = 0; k < op.active; ++k) partial(i, k) = slope(op, op.which[k], inverse);
  }
  Partial slope(const TangentOp& op, std::uint8_t operand, std::uint32_t& inverse) {
    using enum Partial::Kind;
    switch (op.kind) {
      case OpKind::Add: return {One};
      case OpKind::Subtract: return {operand == 0 ? One : MinusOne};
      case OpKind::Minus: return {MinusOne};
      case OpKind::Multiply: return {Number, op.x[1 - operand]};
      case OpKind::Fma: return operand == 2 ? Partial{One} : Partial{Number, op.x[1 - operand]};
      case OpKind::Exp: return {Number, op.d};
      case OpKind::Divide: return {Number, quotient(op, operand, inverse)};
      default: return {Number, computed_slope(op)};
    }
  }
  /// 1 / y, and -(x / y) times this.
  std::uint32_t quotient(const TangentOp& op, std::uint8_t operand, std::uint32_t& inverse) {
    const auto one_over_y = [&](const Real& to) { scalar_.load(to, scalar_.one()), scalar_.divide(to, to, at_.value(op.x[1])); };
    if (inverse == 0) inverse = kept(one_over_y);
    if (operand == 0) return inverse;
    return kept([&](const Real& to) { minus(to, op.d), scalar_.multiply(to, to, at_.value_place(inverse)); });
  }
  std::uint32_t computed_slope(const TangentOp& op) {
    return kept([&](const Real& to) {
      switch (op.kind) {
        case OpKind::Log: return scalar_.load(to, scalar_.one()), scalar_.divide(to, to, at_.value(op.x[0]));
        case OpKind::Sqrt: return scalar_.load(to, scalar_.half()), scalar_.divide(to, to, at_.value(op.d)), scalar_.zero_at(at_.value(op.d), to);
        case OpKind::Square: return scalar_.load(to, scalar_.two()), scalar_.multiply(to, to, at_.value(op.x[0]));
        default: return minus(to, op.d), scalar_.multiply(to, to, at_.value(op.d));  // Inv
      }
    });
  }
  void minus(const Real& to, std::uint32_t slot) { scalar_.flip_sign(to, at_.value(slot)); }
  template <class Compute>
  std::uint32_t kept(Compute compute) {
    compute(ScalarMachine::kOther);
    scalar_.store(at_.value_place(next_partial_), ScalarMachine::kOther);
    return next_partial_++;
  }

  void result_values() {
    const auto results = program_.results();
    for (std::size_t i = 0; i < results.size(); ++i) {
      at_.next_op();
      scalar_.store(ScalarMachine::place(kOut, i * sizeof(double)), at_.value(results[i].value));
    }
  }

  // ---------------------------------------------------------------- tangents

  /// Row `row` of those that begin at `base`.
  LanePlace place(const ScalarMachine::Pointer& base, std::size_t row) const { return LaneArithmetic::place(base, row * lanes_ * sizeof(double)); }

  void tangents() {
    const Reads reads(program_, partials_);
    const asmjit::Label next = a_.newLabel();
    lane_.begin_directions(next);
    directions(reads);
    lane_.end_directions(kTangents, kRows, lanes_, next);
  }
  void directions(const Reads& reads) {
    RowRegisters rows(lane_, static_cast<std::uint32_t>(program_.tangent_rows()), static_cast<std::uint32_t>(program_.inputs()),
                      [&](std::uint32_t r) { return place(kTangents, r); });
    const auto ops = program_.ops();
    for (std::size_t i = 0; i < ops.size(); ++i)
      if (reads.computed(ops[i])) tangent(i, reads, rows), rows.next_op();
    results_of_inputs(reads, rows);
    results_without_tangents();
  }
  void tangent(std::size_t i, const Reads& reads, RowRegisters& rows) {
    const TangentOp& op = program_.ops()[i];
    Vec x[4];
    for (std::uint8_t k = 0; k < op.active; ++k) x[k] = rows.read(reads.row(op.tx[k]), reads.after(i, k));
    const Vec sum = rows.write(op.td, reads.after(i, 4));
    for (std::uint8_t k = first_terms(i, sum, x); k < op.active; ++k) add(partial(i, k), sum, x[k]);
    store_results(op.td, reads, sum);
  }
  /// How many operands are dealt with.
  std::uint8_t first_terms(std::size_t i, const Vec& sum, const Vec* x) {
    using enum Partial::Kind;
    const Partial p = partial(i, 0);
    if (p.kind == MinusOne) return lane_.times_minus_one(sum, x[0]), 1;
    if (p.kind == Number) return lane_.times(sum, x[0], number(p)), 1;
    const Partial second = partial(i, 1);  // an op whose only partial is 1 has its operand's row
    if (second.kind == Number) return lane_.copy(sum, x[0]), 1;
    second.kind == One ? lane_.add(sum, x[0], x[1]) : lane_.subtract(sum, x[0], x[1]);
    return 2;
  }
  void add(const Partial& p, const Vec& sum, const Vec& x) {
    switch (p.kind) {
      case Partial::Kind::One: return lane_.add(sum, sum, x);
      case Partial::Kind::MinusOne: return lane_.subtract(sum, sum, x);
      case Partial::Kind::Number: return lane_.add_times(sum, x, number(p));
    }
  }
  Place number(const Partial& p) const { return at_.value_place(p.slot); }
  void store_results(std::uint32_t row, const Reads& reads, const Vec& x) {
    reads.each_result(row, [&](std::uint32_t k) { lane_.store(place(kRows, k), x); });
  }
  void results_of_inputs(const Reads& reads, RowRegisters& rows) {
    for (std::uint32_t r = 0; r < program_.inputs(); ++r) {
      if (!reads.is_result(r)) continue;
      store_results(r, reads, rows.read(r, kNever));
      rows.next_op();
    }
  }
  void results_without_tangents() {
    const auto results = program_.results();
    if (std::ranges::all_of(results, &TangentProgram::Result::active)) return;
    const Vec zeros = lane_.zeros();
    for (std::size_t k = 0; k < results.size(); ++k)
      if (!results[k].active) lane_.store(place(kRows, k), zeros);
  }

  ScalarMachine::Assembler& a_;
  const TangentProgram& program_;
  std::size_t lanes_;
  ScalarMachine scalar_;
  ScalarRegisters at_;
  ScalarValues values_;
  LaneArithmetic lane_;
  std::vector<Partial> partials_;  // four an op
  std::uint32_t next_partial_;
  asmjit::Label fails_, end_;
};

/// Every place is within reach of an address.
bool has_room(const TangentProgram& program, std::size_t lanes) {
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max() / sizeof(double);
  const std::size_t rows = program.tangent_rows() + program.results().size();
  return program.value_slots() + 4 * program.ops().size() < kMost && rows < kMost / (lanes + 1);
}

}  // namespace

std::unique_ptr<const TangentCode> make_tangent_code(const TangentProgram& program, std::size_t lanes) {
  if (!has_room(program, lanes)) return nullptr;
  jit::AsmjitErrors errors;
  asmjit::CodeHolder holder;
  if (holder.init(asmjit::Environment::host()) != asmjit::kErrorOk) return nullptr;
  holder.setErrorHandler(&errors);
  ScalarMachine::Assembler assembler(&holder);
  TangentEmitter emitter(assembler, program, lanes);
  emitter.emit();
  if (errors.any) return nullptr;
  auto out = std::make_unique<TangentCode>();
  out->pages_ = jit::placed(holder);
  if (!out->pages_) return nullptr;
  out->entry_ = reinterpret_cast<decltype(out->entry_)>(out->pages_.bytes().data());
  out->lanes_ = lanes;
  out->partials_ = emitter.partials();
  jit::name_for_perf(out->pages_.bytes().data(), holder.codeSize(), "a function and its tangents");
  return out;
}

}  // namespace fermiac::ad

#else

namespace fermiac::ad {

std::unique_ptr<const TangentCode> make_tangent_code(const TangentProgram&, std::size_t) {
  return nullptr;
}

}  // namespace fermiac::ad

#endif
