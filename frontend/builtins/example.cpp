// A call of each built-in function that can be tried as it stands.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "frontend/builtins/builtins.h"

namespace fermiac {
namespace {

struct Arguments {
  std::string_view name, text;
};

/// Of functions whose domain is not that of the usual arguments; the variate of a density stands before the bar.
constexpr Arguments kOwn[] = {
    {"acosh", "1.5"},
    {"bernoulli_lccdf", "0 | 0.5"},
    {"bernoulli_logit_glm_lpmf", "1 | [[2, 0.5], [0.5, 1]], 0.5, [0.2, 0.8]'"},
    {"block", "[[1, 2], [3, 4]], 1, 1, 2, 1"},
    {"chol2inv", "[[2, 0], [0.5, 1]]"},
    {"cholesky_factor_corr_constrain", "[0.2]', 2"},
    {"cholesky_factor_corr_unconstrain", "[[1, 0], [0.6, 0.8]]"},
    {"cholesky_factor_cov_constrain", "[0.2, 0.3, 0.5]', 2, 2"},
    {"cholesky_factor_cov_unconstrain", "[[2, 0], [0.5, 1]]"},
    {"corr_matrix_constrain", "[0.2]', 2"},
    {"corr_matrix_unconstrain", "[[1, 0.5], [0.5, 1]]"},
    {"cov_matrix_constrain", "[0.2, 0.3, 0.5]', 2"},
    {"csr_matrix_times_vector", "2, 2, [1, 2, 3]', {1, 2, 2}, {1, 3, 4}, [0.5, 1.5]'"},
    {"csr_to_dense_matrix", "2, 2, [1, 2, 3]', {1, 2, 2}, {1, 3, 4}"},
    {"hmm_hidden_state_prob", "[[-1, -2], [-2, -1]], [[0.9, 0.1], [0.2, 0.8]], [0.5, 0.5]'"},
    {"hmm_latent_rng", "[[-1, -2], [-2, -1]], [[0.9, 0.1], [0.2, 0.8]], [0.5, 0.5]'"},
    {"hmm_marginal", "[[-1, -2], [-2, -1]], [[0.9, 0.1], [0.2, 0.8]], [0.5, 0.5]'"},
    {"hypergeometric_1F0", "0.5, 0.2"},
    {"hypergeometric_2F1", "0.5, 1.5, 2.5, 0.2"},
    {"inc_beta", "0.5, 1.5, 0.3"},
    {"inv_inc_beta", "0.5, 1.5, 0.3"},
    {"inv_wishart_cholesky_rng", "3.5, [[2, 0], [0.5, 1]]"},
    {"inv_wishart_rng", "3.5, [[2, 0.5], [0.5, 1]]"},
    {"lambert_wm1", "-0.2"},
    {"lchoose", "3.5, 1.5"},
    {"lkj_corr_cholesky_lpdf", "[[1, 0], [0.6, 0.8]] | 2"},
    {"lkj_corr_lpdf", "[[1, 0.5], [0.5, 1]] | 2"},
    {"lmgamma", "2, 1.5"},
    {"log1m_exp", "-0.5"},
    {"log_diff_exp", "1.5, 0.5"},
    {"log_falling_factorial", "3.5, 1.5"},
    {"log_inv_logit_diff", "1.5, 0.5"},
    {"lower_bound_unconstrain", "1.5, 0.5"},
    {"lower_upper_bound_constrain", "0.5, 0, 1"},
    {"lower_upper_bound_unconstrain", "0.5, 0, 1"},
    {"one_hot_array", "3, 2"},
    {"one_hot_int_array", "3, 2"},
    {"one_hot_row_vector", "3, 2"},
    {"one_hot_vector", "3, 2"},
    {"segment", "[0.5, 1.5, 2.5]', 2, 2"},
    {"std_normal_log_qf", "-0.5"},
    {"stochastic_column_unconstrain", "[[0.3, 0.6], [0.7, 0.4]]"},
    {"stochastic_row_unconstrain", "[[0.3, 0.7], [0.6, 0.4]]"},
    {"sub_col", "[[1, 2], [3, 4]], 1, 2, 2"},
    {"sub_row", "[[1, 2], [3, 4]], 2, 1, 2"},
    {"sum_to_zero_unconstrain", "[-1, 0.5, 0.5]'"},
    {"unit_vector_unconstrain", "[0.6, 0.8]'"},
    {"wiener_lccdf_unnorm", "1.5, 2.5, 0.2, 0.5, 0.5"},
    {"wiener_lcdf_unnorm", "1.5, 2.5, 0.2, 0.5, 0.5"},
    {"wishart_cholesky_rng", "3.5, [[2, 0], [0.5, 1]]"},
    {"wishart_rng", "3.5, [[2, 0.5], [0.5, 1]]"},
};

/// Of all members of a distribution: the variate, and the parameters.
struct FamilyArguments {
  std::string_view name, variate, parameters;
};
constexpr FamilyArguments kFamilies[] = {
    {"bernoulli", "1", "0.5"},
    {"bernoulli_logit", "1", "0.5"},
    {"beta_proportion", "0.5", "0.3, 2.5"},
    {"discrete_range", "3", "2, 5"},
    {"inv_wishart", "[[2, 0.5], [0.5, 1]]", "3.5, [[2, 0.5], [0.5, 1]]"},
    {"inv_wishart_cholesky", "[[2, 0], [0.5, 1]]", "3.5, [[2, 0], [0.5, 1]]"},
    {"multi_normal_cholesky", "[0.2, 0.8]'", "[0, 1]', [[2, 0], [0.5, 1]]"},
    {"multi_student_t_cholesky", "[0.2, 0.8]'", "3.5, [0, 1]', [[2, 0], [0.5, 1]]"},
    {"pareto", "2.5", "1.5, 2.5"},
    {"pareto_type_2", "2.5", "0.5, 1.5, 2.5"},
    {"skew_double_exponential", "0.5", "1.5, 2.5, 0.3"},
    {"uniform", "0.5", "0, 1"},
    {"wiener", "1.5", "2.5, 0.2, 0.5, 0.5"},
    {"wishart", "[[2, 0.5], [0.5, 1]]", "3.5, [[2, 0.5], [0.5, 1]]"},
    {"wishart_cholesky", "[[2, 0], [0.5, 1]]", "3.5, [[2, 0], [0.5, 1]]"},
};

/// Values of types that are neither int nor real.
constexpr Arguments kValues[] = {
    {"vector", "[0.2, 0.8]'"},
    {"row_vector", "[0.2, 0.8]"},
    {"matrix", "[[2, 0.5], [0.5, 1]]"},
    {"complex", "to_complex(1, 2)"},
    {"complex_vector", "[to_complex(1, 2), 3]'"},
    {"complex_row_vector", "[to_complex(1, 2), 3]"},
    {"complex_matrix", "[[to_complex(1, 2), 0], [0, 3]]"},
    {"array[] int", "{1, 2}"},
    {"array[] real", "{0.5, 1.5}"},
    {"array[] vector", "{[0.2, 0.8]', [0.5, 0.5]'}"},
    {"array[] row_vector", "{[0.2, 0.8], [0.5, 0.5]}"},
    {"array[] matrix", "{[[2, 0.5], [0.5, 1]]}"},
    {"array[,] int", "{{1, 2}, {3, 4}}"},
    {"array[,] real", "{{1, 2}, {3, 4}}"},
};

template <class Table>
auto row_of(const Table& table, std::string_view name) {
  const auto at = std::ranges::find(table, name, [](const auto& row) { return row.name; });
  return at == std::end(table) ? nullptr : &*at;
}

bool is_density(std::string_view name) {
  static constexpr std::string_view kEnds[] = {"_lpdf", "_lpmf", "_cdf", "_lcdf", "_lccdf"};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

std::string family_arguments(const FamilyArguments& row, std::string_view name) {
  if (name.ends_with("_rng")) return std::string(row.parameters);
  return std::string(row.variate) + " | " + std::string(row.parameters);
}

/// Ints and reals grow from one argument to the next, so that the first of a density lies in the middle. Nothing for functions.
std::optional<std::string> usual_arguments(const Signature& signature) {
  static constexpr std::array<std::string_view, 5> kReals{"0.5", "1.5", "2.5", "3.5", "4.5"}, kInts{"2", "3", "4", "5", "6"};
  std::size_t reals = 0, ints = 0;
  std::string out;
  for (std::size_t i = 0; i < signature.formals.size(); ++i) {
    const Type& type = signature.formals[i].type;
    std::string_view value;
    if (type.is(BaseType::Real)) value = kReals[std::min(reals++, kReals.size() - 1)];
    else if (type.is(BaseType::Int)) value = kInts[std::min(ints++, kInts.size() - 1)];
    else if (const Arguments* row = row_of(kValues, type.str())) value = row->text;
    else return std::nullopt;
    const bool bar = i == 1 && is_density(signature.name);
    out += (i == 0 ? "" : bar ? " | " : ", ") + std::string(value);
  }
  return out;
}

std::optional<std::string> arguments_of(std::string_view name) {
  if (const Arguments* own = row_of(kOwn, name)) return std::string(own->text);
  const BuiltinRow* builtin = find_builtin(name);
  const FamilyArguments* family = builtin && builtin->is_family() ? row_of(kFamilies, builtin->name) : nullptr;
  if (family) return family_arguments(*family, name);
  const std::vector<const Signature*> all = plainest_first(name);
  return all.empty() ? std::nullopt : usual_arguments(*all.front());
}

}  // namespace

std::string example_call(std::string_view name) {
  if (name.ends_with("_jacobian")) return {};
  const auto arguments = arguments_of(name);
  return arguments ? std::string(name) + "(" + *arguments + ")" : std::string();
}

}  // namespace fermiac
