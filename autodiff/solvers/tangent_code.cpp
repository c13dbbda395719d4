#include "autodiff/solvers/tangent_code.h"

#if defined(FERMIAC_JIT)

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "autodiff/kernels/map_op.h"
#include "autodiff/tape/replay/scalar_values.h"
#include "jit/buffer.h"

namespace fermiac::ad {
namespace {

/// What a tangent is multiplied with: one of these numbers, or what stands at a place of the values.
struct Partial {
  enum class Kind : std::uint8_t { One, MinusOne, Number } kind = Kind::One;
  std::uint32_t slot = 0;
};

constexpr std::uint32_t kNever = ~0u;

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

class TangentEmitter final : private ScalarValues {
 public:
  TangentEmitter(Assembler& assembler, const TangentProgram& program, std::size_t lanes)
      : ScalarValues(assembler, {kKept[0]}, {kTangents, lanes * sizeof(double)}), program_(program), lanes_(lanes),
        partials_(4 * program.ops().size()), next_partial_(static_cast<std::uint32_t>(program.value_slots())) {
    fails_ = label(), end_ = label();
  }

  void emit() {
    enter(kSaved);
    for (std::size_t k = 0; k < 4; ++k) copy_pointer(kKept[k], kArgument[k]);
    for (std::size_t i = 0; i < program_.ops().size(); ++i) next_op(), op_with_partials(i);
    result_values();
    if (lanes_ > 0) tangents();
    set_result(1);
    bind(end_);
    leave(kSaved);
    bind(fails_);
    set_result(0);
    jump(end_);
    embed_constants();
  }
  /// How many numbers follow the values.
  std::size_t partials() const { return next_partial_ - program_.value_slots(); }

 private:
  static constexpr std::size_t kSaved = 5;
  /// The last two: where results go, their values and their tangents.
  static constexpr auto kValues = kKept[0], kTangents = kKept[1], kOut = kKept[2], kRows = kKept[3];
  static constexpr auto kRounds = kKept[4];  // still to go

  // ---------------------------------------------------------------- values and partials

  bool with_tangent(const TangentOp& op) const { return lanes_ > 0 && op.active > 0; }

  void op_with_partials(std::size_t i) {
    const TangentOp& op = program_.ops()[i];
    if (op.kind == OpKind::Guard) return guard(op.test, op.x[0], op.x[1], fails_);
    if (op.kind == OpKind::Map) return general_map(i);
    op_value(op.kind, op.d, op.x);
    if (with_tangent(op)) slopes(i);
  }
  void general_map(std::size_t i) {
    const TangentOp& op = program_.ops()[i];
    set_pointer(kArgument[0], &map_op(op.map));
    set_pointer(kArgument[1], &op);
    copy_pointer(kArgument[2], kValues);
    if (with_tangent(op)) address_of(kArgument[3], place(value_of(next_partial_)));
    else set_pointer(kArgument[3], nullptr);
    if (with_tangent(op))
      for (std::uint8_t k = 0; k < op.active; ++k) partial(i, k) = {Partial::Kind::Number, next_partial_++};
    call(&FERMIAC_FOR_ACTIVE_ISA(tangent_map));
    jump_if_false(fails_);
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
      default: return {Number, kept([&](const Real& to) { computed_slope(op, to); })};
    }
  }
  /// 1 / y, and -(x / y) times this.
  std::uint32_t quotient(const TangentOp& op, std::uint8_t operand, std::uint32_t& inverse) {
    if (inverse == 0) inverse = kept([&](const Real& to) { over(1, op.x[1], to); });
    if (operand == 0) return inverse;
    return kept([&](const Real& to) { negate(to, value(op.d)), load(real(), place(value_of(inverse))), multiply(to, to, real()); });
  }
  void computed_slope(const TangentOp& op, const Real& to) {
    switch (op.kind) {
      case OpKind::Log: return over(1, op.x[0], to);
      case OpKind::Sqrt: return over(0.5, op.d, to), zero_at(value(op.d), to);
      case OpKind::Square: return set(to, 2), multiply(to, to, value(op.x[0]));
      default: return negate(to, value(op.d)), multiply(to, to, value(op.d));  // Inv
    }
  }
  void over(double x, std::uint32_t slot, const Real& to) { set(to, x), divide(to, to, value(slot)); }
  template <class Compute>
  std::uint32_t kept(Compute compute) {
    compute(kOther);
    store(place(value_of(next_partial_)), kOther);
    return next_partial_++;
  }

  void result_values() {
    const auto results = program_.results();
    for (std::size_t i = 0; i < results.size(); ++i) {
      next_op();
      store(Machine::place(kOut, i * sizeof(double)), value(results[i].value));
    }
  }

  // ---------------------------------------------------------------- tangents

  /// As many directions at a time as an instruction takes.
  void tangents() {
    const std::uint32_t width = lanes();
    const Label next = label();
    forget();
    set_width(width);
    set(kRounds, static_cast<std::int32_t>(lanes_ / width));
    bind(next);
    directions(Reads(program_, partials_));
    for (const auto& at : {kTangents, kRows}) advance(at, width * sizeof(double));
    subtract_int(kRounds, kRounds, asmjit::Imm(1));
    jump_unless_zero(kRounds, next);
    end_lanes();
  }
  void directions(const Reads& reads) {
    const auto ops = program_.ops();
    for (std::size_t i = 0; i < ops.size(); ++i)
      if (reads.computed(ops[i])) next_op(), tangent(i, reads);
    results_of_inputs(reads);
    results_without_tangents();
  }
  static Number tangent_of(std::uint32_t row) { return {1, row}; }
  /// What is read soonest stays in its register.
  static Use use(std::uint32_t next) { return kNever - next; }
  void tangent(std::size_t i, const Reads& reads) {
    const TangentOp& op = program_.ops()[i];
    Real x[4];
    for (std::uint8_t k = 0; k < op.active; ++k) x[k] = read(tangent_of(reads.row(op.tx[k])), use(reads.after(i, k)));
    const Real sum = write(tangent_of(op.td), use(reads.after(i, 4)));
    set_dirty(tangent_of(op.td));
    for (std::uint8_t k = first_terms(i, sum, x); k < op.active; ++k) add_term(partial(i, k), sum, x[k]);
    store_results(op.td, reads, sum);
  }
  /// Returns how many operands it has dealt with.
  std::uint8_t first_terms(std::size_t i, const Real& sum, const Real* x) {
    using enum Partial::Kind;
    const Partial p = partial(i, 0);
    if (p.kind == MinusOne) return times(sum, x[0], constant(-1)), 1;
    if (p.kind == Number) return times(sum, x[0], number(p)), 1;
    const Partial second = partial(i, 1);  // an op whose only partial is 1 has its operand's row
    if (second.kind == Number) return copy(sum, x[0]), 1;
    second.kind == One ? add(sum, x[0], x[1]) : subtract(sum, x[0], x[1]);
    return 2;
  }
  void add_term(const Partial& p, const Real& sum, const Real& x) {
    switch (p.kind) {
      case Partial::Kind::One: return add(sum, sum, x);
      case Partial::Kind::MinusOne: return subtract(sum, sum, x);
      case Partial::Kind::Number: return add_times(sum, x, number(p));
    }
  }
  Place number(const Partial& p) const { return place(value_of(p.slot)); }
  Place result_place(std::size_t k) const { return Machine::place(kRows, k * lanes_ * sizeof(double)); }
  void store_results(std::uint32_t row, const Reads& reads, const Real& x) {
    reads.each_result(row, [&](std::uint32_t k) { store(result_place(k), x); });
  }
  void results_of_inputs(const Reads& reads) {
    for (std::uint32_t r = 0; r < program_.inputs(); ++r)
      if (reads.is_result(r)) next_op(), store_results(r, reads, read(tangent_of(r), kUnread));
  }
  void results_without_tangents() {
    const auto results = program_.results();
    if (std::ranges::all_of(results, &TangentProgram::Result::active)) return;
    const Real zeros = real();
    set_zero(zeros);
    for (std::size_t k = 0; k < results.size(); ++k)
      if (!results[k].active) store(result_place(k), zeros);
  }

  const TangentProgram& program_;
  std::size_t lanes_;
  std::vector<Partial> partials_;  // four an op
  std::uint32_t next_partial_;
  Label fails_, end_;
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
  jit::Buffer<jit::Machine::Assembler> buffer;
  TangentEmitter emitter(buffer.emitter(), program, lanes);
  emitter.emit();
  auto out = std::make_unique<TangentCode>();
  out->pages_ = buffer.pages("a function and its tangents");
  if (!out->pages_) return nullptr;
  out->entry_ = reinterpret_cast<decltype(out->entry_)>(out->pages_.bytes().data());
  out->lanes_ = lanes;
  out->partials_ = emitter.partials();
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
