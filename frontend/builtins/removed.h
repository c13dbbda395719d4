// Functions that were removed from the language.
#pragma once

#include <string_view>

namespace fermiac {

struct RemovedFunction {
  std::string_view old;
  std::string_view now;  // the function's new name, or its replacement
};
inline constexpr RemovedFunction kRemovedFunctions[] = {{"increment_log_prob", "target +="},
                                                        {"get_lp", "target()"},
                                                        {"if_else", "the operator ? :"},
                                                        {"multiply_log", "lmultiply"},
                                                        {"binomial_coefficient_log", "lchoose"},
                                                        {"cov_exp_quad", "gp_exp_quad_cov"},
                                                        {"fabs", "abs"}};

}  // namespace fermiac
