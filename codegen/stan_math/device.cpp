// Densities that the library evaluates on an OpenCL device.
#include <algorithm>

#include "codegen/names.h"
#include "codegen/stan_math/stan_math.h"

namespace fermiac::codegen::stan_math {
namespace {

using Args = std::vector<mir::ExprPtr>;

constexpr Builtin kDensities[] = {
    Builtin::bernoulli_lpmf, Builtin::bernoulli_logit_lpmf, Builtin::bernoulli_logit_glm_lpmf, Builtin::beta_lpdf,
    Builtin::beta_proportion_lpdf, Builtin::binomial_lpmf, Builtin::binomial_logit_lpmf, Builtin::binomial_logit_glm_lpmf,
    Builtin::categorical_logit_glm_lpmf, Builtin::cauchy_lpdf, Builtin::chi_square_lpdf, Builtin::double_exponential_lpdf,
    Builtin::exp_mod_normal_lpdf, Builtin::exponential_lpdf, Builtin::frechet_lpdf, Builtin::gamma_lpdf, Builtin::gumbel_lpdf,
    Builtin::inv_chi_square_lpdf, Builtin::inv_gamma_lpdf, Builtin::logistic_lpdf, Builtin::lognormal_lpdf, Builtin::neg_binomial_lpmf,
    Builtin::neg_binomial_2_lpmf, Builtin::neg_binomial_2_log_lpmf, Builtin::neg_binomial_2_log_glm_lpmf, Builtin::normal_lpdf,
    Builtin::normal_id_glm_lpdf, Builtin::ordered_logistic_glm_lpmf, Builtin::pareto_lpdf, Builtin::pareto_type_2_lpdf,
    Builtin::poisson_lpmf, Builtin::poisson_log_lpmf, Builtin::poisson_log_glm_lpmf, Builtin::rayleigh_lpdf,
    Builtin::scaled_inv_chi_square_lpdf, Builtin::skew_normal_lpdf, Builtin::std_normal_lpdf, Builtin::student_t_lpdf,
    Builtin::uniform_lpdf, Builtin::weibull_lpdf};

/// Linear models that stay on the host if the predictors are one row.
constexpr Builtin kRowModels[] = {
    Builtin::bernoulli_logit_glm_lpmf, Builtin::categorical_logit_glm_lpmf, Builtin::neg_binomial_2_log_glm_lpmf,
    Builtin::normal_id_glm_lpdf, Builtin::ordered_logistic_glm_lpmf, Builtin::poisson_log_glm_lpmf};

bool stays_on_host(Builtin fn, const Args& args) {
  if (std::ranges::count(kRowModels, fn) > 0) return args[1]->type.is(BaseType::RowVector);
  const mir::Expr& y = *args[0];
  const bool parameters = y.type.is(BaseType::Vector) && y.ad.any();
  if (fn == Builtin::bernoulli_lpmf) return y.type == Type(BaseType::Int, 1) && args[1]->type.is_number();
  if (fn == Builtin::std_normal_lpdf) return parameters;
  if (fn == Builtin::exponential_lpdf) return parameters && args[1]->type.is_number();
  if (fn == Builtin::uniform_lpdf) return parameters && args[1]->type.is_number() && args[2]->type.is_number();
  return false;
}

}  // namespace

bool runs_on_device(Builtin function, const Args& args) {
  return std::ranges::count(kDensities, function) > 0 && !stays_on_host(function, args);
}

std::string device_name(std::string_view variable) {
  return variable_id(variable) + "_opencl__";
}

}  // namespace fermiac::codegen::stan_math
