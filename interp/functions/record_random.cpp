#include "interp/functions/record_random.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "autodiff/distributions/detail/rng.h"
#include "autodiff/multivariate/rng.h"
#include "interp/functions/operands.h"

namespace fermiac::interp {

namespace {

// By way of signed numbers: others have no conversion of their own on most processors.
double number_of(std::uint64_t half) { return static_cast<double>(static_cast<std::int64_t>(half)); }
std::uint64_t half_of(double number) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(number)); }

}  // namespace

void put_state(const Rng& rng, double* numbers) {
  for (const std::uint64_t word : rng.state()) {
    *numbers++ = number_of(word >> 32);
    *numbers++ = number_of(word & 0xffffffffu);
  }
}

Rng rng_of_state(const double* numbers) {
  Rng::State state{};
  for (std::uint64_t& word : state) {
    word = half_of(numbers[0]) << 32 | half_of(numbers[1]);
    numbers += 2;
  }
  return Rng(state);
}

namespace {

// ---------------------------------------------------------------- kernels

using ad::KernelArg;
using ad::KernelCall;

std::span<const KernelArg> arguments(const KernelCall& call) { return call.in.subspan(1); }

ad::Plan with_state(std::size_t draws) {
  return {.out = ad::Shape::vector(static_cast<std::uint32_t>(kRandomState + draws))};
}

/// Runs draw(rng, room) from the state that the call is given to the next one.
template <class Draw>
void draw_behind_state(const KernelCall& call, Draw draw) {
  Rng rng = rng_of_state(call.in[0].v);
  draw(rng, call.out + kRandomState);
  put_state(rng, call.out);
}

/// Reals alone; those that are no scalars have one length.
struct Univariate {
  static ad::Plan plan(const KernelCall& call) {
    std::uint32_t n = 1;
    for (const KernelArg& x : arguments(call))
      if (!x.shape.is_scalar()) n = x.shape.size();
    return with_state(n);
  }
  static void forward(const KernelCall& call) {
    ad::MapArgs m{.n = call.out_shape.size() - kRandomState};
    for (std::size_t j = 0; j + 1 < call.in.size(); ++j) {
      m.x[j] = arguments(call)[j].v;
      if (!arguments(call)[j].shape.is_scalar()) m.vector_mask |= static_cast<std::uint8_t>(1u << j);
    }
    draw_behind_state(call, [&](Rng& rng, double* out) {
      m.out = out;
      ad::draw_all(*static_cast<const ad::RngOp*>(call.context), rng, m);
    });
  }
};

struct Multivariate {
  static const ad::MultiRng& op(const KernelCall& call) { return *static_cast<const ad::MultiRng*>(call.context); }
  static ad::Plan plan(const KernelCall& call) { return with_state(op(call).plan(arguments(call)).size()); }
  static void forward(const KernelCall& call) {
    draw_behind_state(call, [&](Rng& rng, double* out) { op(call).draw(rng, arguments(call), out); });
  }
};

void no_derivatives(const KernelCall&) {}

constexpr ad::Kernel kUnivariate = {"draw__", Univariate::plan, Univariate::forward, no_derivatives};
constexpr ad::Kernel kMultivariate = {"draw_all__", Multivariate::plan, Multivariate::forward, no_derivatives};

// ---------------------------------------------------------------- recording

/// The draws of one call, as one value of this shape.
Value record_call(CallContext& context, const ad::Kernel& kernel, const void* op, std::string_view name, Args args,
                  const ad::Shape& shape) {
  const RecordedOperands recorded(*context.recorder, args);
  std::vector<ad::KernelOperand> operands{{.shape = ad::Shape::vector(kRandomState), .ref = *context.random, .autodiff = true}};
  operands.insert(operands.end(), recorded.view().begin(), recorded.view().end());
  const std::shared_ptr<const void> table_row(std::shared_ptr<const void>(), op);  // tables live as long as the program
  const ad::Recorder::CallResult result = context.recorder->call(kernel, name, operands, {}, table_row);
  *context.random = result.ref;
  return reference_block(shape, result.ref + kRandomState);
}

}  // namespace

Value record_rng(CallContext& context, const ad::RngOp& op, Args args) {
  if (args.size() != static_cast<std::size_t>(op.arity)) wrong_arguments(op.name, args);
  const std::uint32_t n = draws_wanted(op.name, args);
  std::vector<Value> reals(args.size());
  std::ranges::transform(args, reals.begin(), to_reals);
  const bool one = std::ranges::all_of(args, [](const Value& v) { return v.shape().is_scalar(); });
  return record_call(context, kUnivariate, &op, op.name, reals, one ? ad::Shape::scalar() : ad::Shape::array(n, {}));
}

Value record_rng(CallContext& context, const ad::MultiRng& op, Args args) {
  const PlainValues values(context, args);
  const PlainKernelOperands operands(values.view());
  return record_call(context, kMultivariate, &op, op.name, args, op.plan(operands.view()));
}

}  // namespace fermiac::interp
