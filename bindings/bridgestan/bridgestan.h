/* The C ABI of a library that carries a Stan model: BridgeStan's entry points, version 2.9.0, so that its clients load
 * the library unchanged. Those ending in _R are the same for R's .C interface, which passes pointers only.
 *
 * Functions with an `error_msg` return 0, or -1 (construct: NULL) and put a message there, unless it is NULL; it is
 * freed with bs_free_error_msg. Nothing is thrown. Calls on one model from several threads are safe; an rng belongs to
 * one thread at a time. Strings belong to the model. docs/phases/bundles.md has the rest. */
#pragma once

#ifdef __cplusplus
#include <cstddef>
using std::size_t;
extern "C" {
#else
#include <stdbool.h>
#include <stddef.h>
#endif

typedef struct bs_model bs_model;
typedef struct bs_rng bs_rng;
/* `size` bytes, without a zero behind them. */
typedef void (*bs_print_callback)(const char* data, size_t size);

extern const int bs_major_version;
extern const int bs_minor_version;
extern const int bs_patch_version;

/* `data` is JSON text, the path of a file that ends in .json, empty or NULL. */
bs_model* bs_model_construct(const char* data, unsigned int seed, char** error_msg);
void bs_model_destruct(bs_model* model);
void bs_free_error_msg(char* error_msg);

const char* bs_name(const bs_model* model);
const char* bs_model_info(const bs_model* model);
/* Names as CSV headers have them, with commas between them. */
const char* bs_param_names(const bs_model* model, bool include_tp, bool include_gq);
const char* bs_param_unc_names(const bs_model* model);
int bs_param_num(const bs_model* model, bool include_tp, bool include_gq);
int bs_param_unc_num(const bs_model* model);

/* `rng` may be NULL unless include_gq is set. */
int bs_param_constrain(const bs_model* model, bool include_tp, bool include_gq, const double* theta_unc, double* theta,
                       bs_rng* rng, char** error_msg);
int bs_param_unconstrain(const bs_model* model, const double* theta, double* theta_unc, char** error_msg);
int bs_param_unconstrain_json(const bs_model* model, const char* json, double* theta_unc, char** error_msg);

int bs_log_density(const bs_model* model, bool propto, bool jacobian, const double* theta_unc, double* lp,
                   char** error_msg);
int bs_log_density_gradient(const bs_model* model, bool propto, bool jacobian, const double* theta_unc, double* lp,
                            double* gradient, char** error_msg);
/* hessian: n*n numbers by columns. */
int bs_log_density_hessian(const bs_model* model, bool propto, bool jacobian, const double* theta_unc, double* lp,
                           double* gradient, double* hessian, char** error_msg);
int bs_log_density_hessian_vector_product(const bs_model* model, bool propto, bool jacobian, const double* theta_unc,
                                          const double* vector, double* lp, double* product, char** error_msg);

bs_rng* bs_rng_construct(unsigned int seed, char** error_msg);
void bs_rng_destruct(bs_rng* rng);

/* Where all models of this library print; NULL: standard output. Calls come one at a time, whatever the threads. */
int bs_set_print_callback(bs_print_callback callback, char** error_msg);

void bs_model_construct_R(char** data, int* seed, bs_model** model, char** error_msg, void** error_ptr);
void bs_model_destruct_R(bs_model** model);
void bs_free_error_msg_R(void** error_ptr);
void bs_version_R(int* major, int* minor, int* patch);
void bs_name_R(bs_model** model, const char** name);
void bs_model_info_R(bs_model** model, const char** info);
void bs_param_names_R(bs_model** model, int* include_tp, int* include_gq, const char** names);
void bs_param_unc_names_R(bs_model** model, const char** names);
void bs_param_num_R(bs_model** model, int* include_tp, int* include_gq, int* num);
void bs_param_unc_num_R(bs_model** model, int* num);
void bs_param_constrain_R(bs_model** model, int* include_tp, int* include_gq, const double* theta_unc, double* theta,
                          bs_rng** rng, int* return_code, char** error_msg, void** error_ptr);
void bs_param_unconstrain_R(bs_model** model, const double* theta, double* theta_unc, int* return_code,
                            char** error_msg, void** error_ptr);
void bs_param_unconstrain_json_R(bs_model** model, const char** json, double* theta_unc, int* return_code,
                                 char** error_msg, void** error_ptr);
void bs_log_density_R(bs_model** model, int* propto, int* jacobian, const double* theta_unc, double* lp,
                      int* return_code, char** error_msg, void** error_ptr);
void bs_log_density_gradient_R(bs_model** model, int* propto, int* jacobian, const double* theta_unc, double* lp,
                               double* gradient, int* return_code, char** error_msg, void** error_ptr);
void bs_log_density_hessian_R(bs_model** model, int* propto, int* jacobian, const double* theta_unc, double* lp,
                              double* gradient, double* hessian, int* return_code, char** error_msg, void** error_ptr);
void bs_log_density_hessian_vector_product_R(bs_model** model, int* propto, int* jacobian, const double* theta_unc,
                                             const double* vector, double* lp, double* product, int* return_code,
                                             char** error_msg, void** error_ptr);
void bs_rng_construct_R(int* seed, bs_rng** rng, char** error_msg, void** error_ptr);
void bs_rng_destruct_R(bs_rng** rng);

#ifdef __cplusplus
}
#endif
