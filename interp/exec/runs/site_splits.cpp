#include "interp/exec/runs/site_splits.h"

#include <algorithm>
#include <array>
#include <string>

#include "autodiff/kernels/map_op.h"

namespace fermiac::interp {
namespace {

/// Distributions that are neither element-wise throughout nor of containers throughout: one letter for each argument,
/// e elements, r rows, w whole, a arrays.
struct Row {
  std::string_view name, arguments;
};
constexpr std::array kRows = {
    Row{"bernoulli_logit_glm", "erew"},       Row{"binomial_logit_glm", "eerew"},   Row{"categorical", "ew"},
    Row{"categorical_logit", "ew"},           Row{"categorical_logit_glm", "erww"}, Row{"neg_binomial_2_log_glm", "erewe"},
    Row{"normal_id_glm", "erewe"},            Row{"ordered_logistic", "eea"},       Row{"ordered_logistic_glm", "erww"},
    Row{"ordered_probit", "eea"},             Row{"poisson_binomial", "ea"},        Row{"poisson_log_glm", "erew"},
    Row{"wiener", "eeeeeeee"},
    Row{"multinomial", "ww"},                 Row{"multinomial_logit", "ww"},       Row{"dirichlet_multinomial", "ww"}};

Along letter(char c) {
  switch (c) {
    case 'e': return Along::Elements;
    case 'r': return Along::Rows;
    case 'a': return Along::Arrays;
    default: return Along::Whole;
  }
}

bool is_elementwise(std::string_view distribution) {
  for (const char* ending : {"_lpdf", "_lpmf", "_lcdf", "_lccdf"})
    if (ad::find_map(std::string(distribution) + ending) != ad::kNoMap) return true;
  return false;
}

}  // namespace

Along goes_along(std::string_view distribution, std::size_t k) {
  const auto row = std::ranges::find(kRows, distribution, &Row::name);
  if (row != kRows.end()) return k < row->arguments.size() ? letter(row->arguments[k]) : Along::Whole;
  return is_elementwise(distribution) ? Along::Elements : Along::Arrays;
}

}  // namespace fermiac::interp
