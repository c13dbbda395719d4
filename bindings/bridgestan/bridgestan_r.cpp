// The entry points for R: every argument comes as a pointer. R tells an error by the pointer it has to free.
#include "bindings/bridgestan/bridgestan.h"

namespace {

/// Holds what a function gives back for R, and tells R where the message lies when it goes out of scope.
class ErrorForR {
 public:
  ErrorForR(char** error_msg, void** error_ptr) : error_msg_(error_msg), error_ptr_(error_ptr) {}
  ~ErrorForR() {
    if (!message_) return;
    *error_msg_ = message_;
    *error_ptr_ = message_;
  }
  ErrorForR(const ErrorForR&) = delete;
  ErrorForR& operator=(const ErrorForR&) = delete;
  operator char**() { return &message_; }

 private:
  char** error_msg_;
  void** error_ptr_;
  char* message_ = nullptr;
};

}  // namespace

void bs_model_construct_R(char** data, int* seed, bs_model** model, char** error_msg, void** error_ptr) {
  *model = bs_model_construct(*data, static_cast<unsigned>(*seed), ErrorForR(error_msg, error_ptr));
}
void bs_model_destruct_R(bs_model** model) {
  bs_model_destruct(*model);
}
void bs_free_error_msg_R(void** error_ptr) {
  bs_free_error_msg(static_cast<char*>(*error_ptr));
}
void bs_version_R(int* major, int* minor, int* patch) {
  *major = bs_major_version;
  *minor = bs_minor_version;
  *patch = bs_patch_version;
}

void bs_name_R(bs_model** model, const char** name) {
  *name = bs_name(*model);
}
void bs_model_info_R(bs_model** model, const char** info) {
  *info = bs_model_info(*model);
}
void bs_param_names_R(bs_model** model, int* include_tp, int* include_gq, const char** names) {
  *names = bs_param_names(*model, *include_tp != 0, *include_gq != 0);
}
void bs_param_unc_names_R(bs_model** model, const char** names) {
  *names = bs_param_unc_names(*model);
}
void bs_param_num_R(bs_model** model, int* include_tp, int* include_gq, int* num) {
  *num = bs_param_num(*model, *include_tp != 0, *include_gq != 0);
}
void bs_param_unc_num_R(bs_model** model, int* num) {
  *num = bs_param_unc_num(*model);
}

void bs_param_constrain_R(bs_model** model, int* include_tp, int* include_gq, const double* theta_unc, double* theta,
                          bs_rng** rng, int* return_code, char** error_msg, void** error_ptr) {
  *return_code = bs_param_constrain(*model, *include_tp != 0, *include_gq != 0, theta_unc, theta,
                                    *include_gq != 0 ? *rng : nullptr, ErrorForR(error_msg, error_ptr));
}
void bs_param_unconstrain_R(bs_model** model, const double* theta, double* theta_unc, int* return_code,
                            char** error_msg, void** error_ptr) {
  *return_code = bs_param_unconstrain(*model, theta, theta_unc, ErrorForR(error_msg, error_ptr));
}
void bs_param_unconstrain_json_R(bs_model** model, const char** json, double* theta_unc, int* return_code,
                                 char** error_msg, void** error_ptr) {
  *return_code = bs_param_unconstrain_json(*model, *json, theta_unc, ErrorForR(error_msg, error_ptr));
}

void bs_log_density_R(bs_model** model, int* propto, int* jacobian, const double* theta_unc, double* lp,
                      int* return_code, char** error_msg, void** error_ptr) {
  *return_code = bs_log_density(*model, *propto != 0, *jacobian != 0, theta_unc, lp, ErrorForR(error_msg, error_ptr));
}
void bs_log_density_gradient_R(bs_model** model, int* propto, int* jacobian, const double* theta_unc, double* lp,
                               double* gradient, int* return_code, char** error_msg, void** error_ptr) {
  *return_code = bs_log_density_gradient(*model, *propto != 0, *jacobian != 0, theta_unc, lp, gradient,
                                         ErrorForR(error_msg, error_ptr));
}
void bs_log_density_hessian_R(bs_model** model, int* propto, int* jacobian, const double* theta_unc, double* lp,
                              double* gradient, double* hessian, int* return_code, char** error_msg, void** error_ptr) {
  *return_code = bs_log_density_hessian(*model, *propto != 0, *jacobian != 0, theta_unc, lp, gradient, hessian,
                                        ErrorForR(error_msg, error_ptr));
}
void bs_log_density_hessian_vector_product_R(bs_model** model, int* propto, int* jacobian, const double* theta_unc,
                                             const double* vector, double* lp, double* product, int* return_code,
                                             char** error_msg, void** error_ptr) {
  *return_code = bs_log_density_hessian_vector_product(*model, *propto != 0, *jacobian != 0, theta_unc, vector, lp,
                                                       product, ErrorForR(error_msg, error_ptr));
}

void bs_rng_construct_R(int* seed, bs_rng** rng, char** error_msg, void** error_ptr) {
  *rng = bs_rng_construct(static_cast<unsigned>(*seed), ErrorForR(error_msg, error_ptr));
}
void bs_rng_destruct_R(bs_rng** rng) {
  bs_rng_destruct(*rng);
}
