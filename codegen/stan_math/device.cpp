// Densities that the library evaluates on an OpenCL device.
#include "codegen/names.h"
#include "codegen/stan_math/stan_math.h"

namespace fermiac::codegen::stan_math {
namespace {

using Args = std::vector<mir::ExprPtr>;

/// A blank before and behind each.
constexpr std::string_view kDensities =
    " bernoulli_lpmf bernoulli_logit_lpmf bernoulli_logit_glm_lpmf beta_lpdf beta_proportion_lpdf binomial_lpmf "
    "binomial_logit_lpmf binomial_logit_glm_lpmf categorical_logit_glm_lpmf cauchy_lpdf chi_square_lpdf "
    "double_exponential_lpdf exp_mod_normal_lpdf exponential_lpdf frechet_lpdf gamma_lpdf gumbel_lpdf "
    "inv_chi_square_lpdf inv_gamma_lpdf logistic_lpdf lognormal_lpdf neg_binomial_lpmf neg_binomial_2_lpmf "
    "neg_binomial_2_log_lpmf neg_binomial_2_log_glm_lpmf normal_lpdf normal_id_glm_lpdf ordered_logistic_glm_lpmf "
    "pareto_lpdf pareto_type_2_lpdf poisson_lpmf poisson_log_lpmf poisson_log_glm_lpmf rayleigh_lpdf "
    "scaled_inv_chi_square_lpdf skew_normal_lpdf std_normal_lpdf student_t_lpdf uniform_lpdf weibull_lpdf ";

/// Linear models that stay on the host if the predictors are one row.
constexpr std::string_view kRowModels =
    " bernoulli_logit_glm_lpmf categorical_logit_glm_lpmf neg_binomial_2_log_glm_lpmf normal_id_glm_lpdf "
    "ordered_logistic_glm_lpmf poisson_log_glm_lpmf ";

bool among(std::string_view name, std::string_view list) {
  return list.find(" " + std::string(name) + " ") != std::string_view::npos;
}

bool stays_on_host(std::string_view name, const Args& args) {
  if (among(name, kRowModels)) return args[1]->type.is(BaseType::RowVector);
  const mir::Expr& y = *args[0];
  const bool parameters = y.type.is(BaseType::Vector) && y.ad.any();
  if (name == "bernoulli_lpmf") return y.type == Type(BaseType::Int, 1) && args[1]->type.is_number();
  if (name == "std_normal_lpdf") return parameters;
  if (name == "exponential_lpdf") return parameters && args[1]->type.is_number();
  if (name == "uniform_lpdf") return parameters && args[1]->type.is_number() && args[2]->type.is_number();
  return false;
}

}  // namespace

bool runs_on_device(std::string_view function, const Args& args) {
  return among(function, kDensities) && !stays_on_host(function, args);
}

std::string device_name(std::string_view variable) {
  return variable_id(variable) + "_opencl__";
}

}  // namespace fermiac::codegen::stan_math
