// Members that are alike in all models.
#include <fmt/format.h>

#include "codegen/stan_math/program_parts.h"

namespace fermiac::codegen::stan_math {
namespace {

// All names end in `__` or are types: sizes of the program's variables stand between them.
constexpr std::string_view kMembers = R"(template <typename RNG__>
inline void write_array(RNG__& base_rng__, Eigen::Matrix<double,-1,1>& params_r__, Eigen::Matrix<double,-1,1>& vars__, const bool emit_transformed_parameters__ = true, const bool emit_generated_quantities__ = true, std::ostream* pstream__ = nullptr) const {{
  const std::size_t num_params__ = {parameters};
  const std::size_t num_transformed__ = emit_transformed_parameters__ ? {transformed} : 0;
  const std::size_t num_gen_quantities__ = emit_generated_quantities__ ? {generated} : 0;
  const std::size_t num_to_write__ = num_params__ + num_transformed__ + num_gen_quantities__;
  std::vector<int> params_i__;
  vars__ = Eigen::Matrix<double,-1,1>::Constant(num_to_write__, std::numeric_limits<double>::quiet_NaN());
  write_array_impl(base_rng__, params_r__, params_i__, vars__, emit_transformed_parameters__, emit_generated_quantities__, pstream__);
}}

template <typename RNG__>
inline void write_array(RNG__& base_rng__, std::vector<double>& params_r__, std::vector<int>& params_i__, std::vector<double>& vars__, bool emit_transformed_parameters__ = true, bool emit_generated_quantities__ = true, std::ostream* pstream__ = nullptr) const {{
  const std::size_t num_params__ = {parameters};
  const std::size_t num_transformed__ = emit_transformed_parameters__ ? {transformed} : 0;
  const std::size_t num_gen_quantities__ = emit_generated_quantities__ ? {generated} : 0;
  const std::size_t num_to_write__ = num_params__ + num_transformed__ + num_gen_quantities__;
  vars__ = std::vector<double>(num_to_write__, std::numeric_limits<double>::quiet_NaN());
  write_array_impl(base_rng__, params_r__, params_i__, vars__, emit_transformed_parameters__, emit_generated_quantities__, pstream__);
}}

template <bool propto__, bool jacobian__, typename T__>
inline T__ log_prob(Eigen::Matrix<T__,-1,1>& params_r__, std::ostream* pstream__ = nullptr) const {{
  Eigen::Matrix<int,-1,1> params_i__;
  return log_prob_impl<propto__, jacobian__>(params_r__, params_i__, pstream__);
}}

template <bool propto__, bool jacobian__, typename T__>
inline T__ log_prob(std::vector<T__>& params_r__, std::vector<int>& params_i__, std::ostream* pstream__ = nullptr) const {{
  return log_prob_impl<propto__, jacobian__>(params_r__, params_i__, pstream__);
}}

inline void transform_inits(const stan::io::var_context& context__, Eigen::Matrix<double,-1,1>& params_r__, std::ostream* pstream__ = nullptr) const final {{
  std::vector<double> params_r_vec__(static_cast<std::size_t>(params_r__.size()));
  std::vector<int> params_i__;
  transform_inits(context__, params_i__, params_r_vec__, pstream__);
  params_r__ = Eigen::Map<Eigen::Matrix<double,-1,1>>(params_r_vec__.data(), static_cast<Eigen::Index>(params_r_vec__.size()));
}}

inline void transform_inits(const stan::io::var_context& context__, std::vector<int>& params_i__, std::vector<double>& vars__, std::ostream* pstream__ = nullptr) const {{
  (void)params_i__;
  vars__.resize(num_params_r__);
  transform_inits_impl(context__, vars__, pstream__);
}}

inline void unconstrain_array(const std::vector<double>& params_constrained__, std::vector<double>& params_unconstrained__, std::ostream* pstream__ = nullptr) const {{
  const std::vector<int> params_i__;
  params_unconstrained__ = std::vector<double>(num_params_r__, std::numeric_limits<double>::quiet_NaN());
  unconstrain_array_impl(params_constrained__, params_i__, params_unconstrained__, pstream__);
}}

inline void unconstrain_array(const Eigen::Matrix<double,-1,1>& params_constrained__, Eigen::Matrix<double,-1,1>& params_unconstrained__, std::ostream* pstream__ = nullptr) const {{
  const std::vector<int> params_i__;
  params_unconstrained__ = Eigen::Matrix<double,-1,1>::Constant(num_params_r__, std::numeric_limits<double>::quiet_NaN());
  unconstrain_array_impl(params_constrained__, params_i__, params_unconstrained__, pstream__);
}}
)";

}  // namespace

std::string fixed_members(const std::string& parameters, const std::string& transformed, const std::string& generated) {
  const auto sum = [](const std::string& flat) { return "(" + flat + ")"; };
  return fmt::format(kMembers, fmt::arg("parameters", parameters), fmt::arg("transformed", sum(transformed)),
                     fmt::arg("generated", sum(generated)));
}

}  // namespace fermiac::codegen::stan_math
