// Gradients of long recursions through symmetric matrices against differences: what rounding leaves in an adjoint must not grow
// from step to step.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/battery/gradient_check.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

struct Recursion {
  const char* name;
  const char* body;
};

// Parameters: a vector p of size 3 around 0. T steps; y [2, T] and x [3, 3] are fixed.
constexpr const char* kProgram = R"(
  data {{ int T; }}
  transformed data {{
    matrix[2, T] y;
    matrix[3, 3] x = [[0.9, 0.3, 0.1], [-0.2, 0.95, 0.2], [0.05, -0.1, 0.8]];
    for (t in 1:T) y[:, t] = [sin(0.7 * t) + 0.2 * cos(2.3 * t), cos(0.4 * t) - 0.3 * sin(1.9 * t)]';
  }}
  parameters {{ vector[3] p; }}
  model {{
    matrix[3, 3] G = x + 0.1 * diag_matrix(p);
    matrix[3, 3] W = add_diag(0.1 * x * x', exp(p));
    matrix[3, 3] S = W;
    {}
  }})";

constexpr const char* kFilter = R"(
    matrix[3, 2] F = [[1, 0.2], [0.3, 1], [0.1 * p[1], 0.5]];
    )";

const Recursion kRecursions[] = {
    {"DenseNoise", R"(target += gaussian_dlm_obs_lpdf(y | F, G, add_diag(0.3 * F' * F, exp(p[2])), W, p, S);)"},
    {"VectorNoise", R"(target += gaussian_dlm_obs_lpdf(y | F, G, exp(p[1:2]), W, p, S);)"},
    {"OneSeries", R"(target += gaussian_dlm_obs_lpdf(y[1:1] | F[:, 1:1], G, exp(p[1:1]), W, p, S);)"},
    // A random walk whose forward recursion does not damp anything by itself.
    {"RandomWalk", R"(target += gaussian_dlm_obs_lpdf(y | F, identity_matrix(3), exp(p[1:2]), W, p, S);)"},
    {"Expanding", R"(target += gaussian_dlm_obs_lpdf(y | F, 1.05 * G, exp(p[1:2]), W, p, S);)"},
    {"HiddenMarkov", R"(
    matrix[2, 2] A = [[inv_logit(1 + p[1]), 1 - inv_logit(1 + p[1])], [inv_logit(p[2]), 1 - inv_logit(p[2])]];
    target += hmm_marginal(y * exp(p[3]), A, [0.3, 0.7]');)"},
    {"QuadFormSym", R"(for (t in 1:T) { S = quad_form_sym(S, G') + W; S = S / trace(S); target += log_determinant_spd(S) / T; })"},
    {"InverseSpd", R"(for (t in 1:T) { S = inverse_spd(quad_form_sym(S, G') + W); target += S[1, 2] / T; })"},
    {"DivideLeftSpd", R"(
    vector[3] m = p;
    for (t in 1:T) {
      matrix[3, 3] R = quad_form_sym(S, G') + W;
      m = G * mdivide_left_spd(R, m + [y[1, t], y[2, t], 1]');
      S = R - mdivide_right_spd(tcrossprod(R), add_diag(R, 1));
      S = 0.5 * (S + S');
      target += dot_self(m) / T;
    })"},
    {"Cholesky", R"(
    for (t in 1:T) {
      matrix[3, 3] L = cholesky_decompose(quad_form_sym(S, G') + W);
      S = multiply_lower_tri_self_transpose(L) / square(L[1, 1]);
      target += sum(log(diagonal(L))) / T;
    })"},
    {"CholeskyInverse", R"(for (t in 1:T) { S = chol2inv(cholesky_decompose(quad_form_sym(S, G') + W)); target += S[2, 3] / T; })"},
    {"Exponential", R"(
    for (t in 1:T) { S = matrix_exp(0.5 * (S + S') / (1 + trace(S))) + 0.1 * W; target += S[1, 2] / T; })"},
    // Eigenvalues are kept apart, so the recursion is smooth and contracts.
    {"Eigen", R"(
    for (t in 1:T) {
      matrix[3, 3] Q = eigenvectors_sym(add_diag(0.1 * quad_form_sym(S, G') + W, [1, 4, 9]'));
      S = quad_form_sym(diag_matrix([1, 2, 4]' .* exp(p)), Q') ;
      target += S[1, 2] / T;
    })"},
    {"LogDeterminant", R"(
    for (t in 1:T) {
      S = tcrossprod(G * S) + W;
      S /= trace(S);
      target += log_determinant(S) / T + trace_quad_form(S, G) / T + multi_normal_lpdf(y[:, t] | p[1:2], S[1:2, 1:2]) / T;
    })"},
};

bool has_filter(const Recursion& r) {
  return std::string(r.body).find("gaussian_dlm_obs") != std::string::npos;
}

class LongRecursion : public ::testing::TestWithParam<Recursion> {};

TEST_P(LongRecursion, GradientMatchesDifferences) {
  const Recursion& r = GetParam();
  const std::string program = fmt::format(kProgram, (has_filter(r) ? kFilter : "") + std::string(r.body));
  const bool kernel = has_filter(r) || std::string(r.name) == "HiddenMarkov";
  for (const int steps : {10, 100, 1000, 5000}) {
    if (steps > 1000 && !kernel) continue;  // a tape of every step: more of the same
    SCOPED_TRACE(fmt::format("{} steps", steps));
    const auto model = load(program, fmt::format(R"({{"T": {}}})", steps));
    expect_gradient(*model, {0.1, -0.2, 0.15}, 1e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(All, LongRecursion, ::testing::ValuesIn(kRecursions),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace fermiac::testing
