#include "autodiff/tape/rewrite/linear_sink.h"

#include <fmt/format.h>

#include <cmath>

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/map_op.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

enum Operand { kTriangles, kUniform, kLocal, kSigma, kLayout };
enum Layout { kObservations, kGroups, kLocalTerms, kConstants, kLogSigma };

constexpr double kLogSqrtTwoPi = 0.91893853320467274178;

LinearSumOfSquares bind(const KernelCall& call) {
  const std::int32_t* layout = call.in[kLayout].i;
  return {.triangles = call.in[kTriangles].v, .uniform = call.in[kUniform].v, .local = call.in[kLocal].v,
          .uniform_terms = call.in[kUniform].shape.size(), .local_terms = static_cast<std::size_t>(layout[kLocalTerms]),
          .groups = static_cast<std::size_t>(layout[kGroups])};
}

void check(const KernelCall& call, double sigma, double squares) {
  if (!(sigma > 0))
    throw DomainError(fmt::format("{}: Scale parameter is {}, but must be positive!", call.name, sigma));
  if (!std::isfinite(squares))
    throw DomainError(fmt::format("{}: Location parameter is not finite, but must be finite!", call.name));
}

double density(const KernelCall& call, double sigma, double squares) {
  const std::int32_t* layout = call.in[kLayout].i;
  const double n = layout[kObservations];
  double lp = -0.5 * squares / (sigma * sigma);
  if (layout[kLogSigma]) lp -= n * std::log(sigma);
  if (layout[kConstants]) lp -= n * kLogSqrtTwoPi;
  return lp;
}

Plan plan(const KernelCall&) { return {Shape::scalar(), 0}; }

void forward(const KernelCall& call) {
  static const auto kSum = FERMIAC_FOR_ACTIVE_ISA(sum_of_squares);
  const double sigma = call.in[kSigma].scalar();
  const double squares = kSum(bind(call));
  check(call, sigma, squares);
  *call.out = density(call, sigma, squares);
}

double accumulate(const KernelCall& call, double g) {
  static const auto kSum = FERMIAC_FOR_ACTIVE_ISA(sum_of_squares);
  const double sigma = call.in[kSigma].scalar();
  LinearSumOfSquares s = bind(call);
  s.uniform_a = call.in[kUniform].a;
  s.local_a = call.in[kLocal].a;
  s.g = -0.5 * g / (sigma * sigma);
  const double squares = kSum(s);
  check(call, sigma, squares);
  if (call.in[kSigma].a != nullptr) {
    const double n = call.in[kLayout].i[kObservations];
    *call.in[kSigma].a += g * (squares / (sigma * sigma) - n) / sigma;
  }
  return density(call, sigma, squares);
}

void reverse(const KernelCall& call) { accumulate(call, *call.out_a); }
double fused(const KernelCall& call) { return accumulate(call, call.g); }

}  // namespace

const Kernel kLinearNormalSink{"normal_linear__", plan, forward, reverse, fused};

}  // namespace fermiac::ad
