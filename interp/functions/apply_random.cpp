// Random draws: of plain numbers, univariate ones broadcast over containers.
#include <fmt/format.h>

#include "autodiff/distributions/detail/rng.h"
#include "autodiff/multivariate/rng.h"
#include "interp/functions/builtin_tools.h"
#include "interp/functions/operands.h"
#include "interp/functions/record_random.h"

namespace fermiac::interp {
namespace {

Rng& generator(const CallContext& context, std::string_view name) {
  if (!context.rng) throw ad::FatalError(fmt::format("{}: nothing can be drawn here", name));
  return *context.rng;
}

Value as_result(const Shape& shape, RealBuffer draws, bool integers) {
  if (!integers) return Value::reals(shape, std::move(draws));
  std::vector<std::int32_t> out = filled<std::int32_t>(draws.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = ad::drawn_int(draws[k]);
  return Value::ints(shape, std::move(out));
}

}  // namespace

std::uint32_t draws_wanted(std::string_view name, Args args) {
  std::uint32_t n = 1;
  bool scalar = true;
  for (const Value& v : args) {
    const Shape s = v.shape();
    if (s.is_scalar()) continue;
    if (!scalar && s.size() != n)
      throw ad::SizeError(fmt::format("{}: the containers must have the same size, but they have {} and {} elements", name, n,
                                      s.size()));
    n = s.size();
    scalar = false;
  }
  return n;
}

namespace {

/// As loops over elements have them: without buffers. False if one is a container or carries derivatives.
bool take_numbers(Args args, double* x) {
  for (const Value& v : args) {
    if (v.kind() != Value::Kind::Int && v.kind() != Value::Kind::Real) return false;
    *x++ = plain_scalar(v);
  }
  return true;
}

bool all_scalars(Args args) {
  for (const Value& v : args)
    if (!v.shape().is_scalar()) return false;
  return true;
}

}  // namespace

Value apply_rng(CallContext& context, const ad::RngOp& op, Args args) {
  if (context.random) return record_rng(context, op, args);
  Rng& rng = generator(context, op.name);
  if (args.size() != static_cast<std::size_t>(op.arity)) wrong_arguments(op.name, args);
  double x[ad::kMaxMapArity];
  if (take_numbers(args, x)) {
    const double drawn = ad::draw(op, rng, x);
    return op.integer_result ? Value(ad::drawn_int(drawn)) : Value(drawn);
  }
  const PlainMapOperands operands(draws_wanted(op.name, args), PlainValues(context, args).view());
  ad::MapArgs m = operands.args();
  RealBuffer out(m.n);
  m.out = out.data();
  ad::draw_all(op, rng, m);
  return as_result(all_scalars(args) ? Shape::scalar() : Shape::array(m.n, {}), std::move(out), op.integer_result);
}

Value apply_rng(CallContext& context, const ad::MultiRng& op, Args args) {
  if (context.random) return record_rng(context, op, args);
  Rng& rng = generator(context, op.name);
  const PlainValues values(context, args);
  const PlainKernelOperands operands(values.view());
  const Shape shape = op.plan(operands.view());
  RealBuffer out(shape.size());
  op.draw(rng, operands.view(), out.data());
  return as_result(shape, std::move(out), op.integer_result);
}

}  // namespace fermiac::interp
