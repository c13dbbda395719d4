// bindings/c/fermiac.h for R's `.C`: programs, models, evaluations. Every argument comes as a pointer.
#include <algorithm>
#include <new>

#include "bindings/c/answer.h"
#include "bindings/c/fermiac_r.h"

using namespace fermiac::capi;

namespace {

unsigned flags_of(const int* flags) {
  return static_cast<unsigned>(*flags);  // negative ones have flags that do not exist
}

}  // namespace

void fermiac_answer_create_R(fermiac_answer** answer) {
  *answer = new (std::nothrow) fermiac_answer;
}
void fermiac_answer_text_R(fermiac_answer** answer, const double* size, char* out) {
  const std::string& text = (*answer)->text;
  std::copy_n(text.begin(), std::min(text.size(), count_of(*size)), out);
}
void fermiac_answer_printed_R(fermiac_answer** answer, const double* size, char* out) {
  const std::lock_guard lock((*answer)->mutex);
  std::string& printed = (*answer)->printed;
  const std::size_t n = std::min(printed.size(), count_of(*size));
  std::copy_n(printed.begin(), n, out);
  printed.erase(0, n);
}

void fermiac_version_R(fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.text_of([] { return fermiac_version(); });
}
void fermiac_stan_version_R(fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.text_of([] { return fermiac_stan_version(); });
}
void fermiac_methods_json_R(fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.text_of([] { return fermiac_methods_json(); });
}

// ---------------------------------------------------------------- programs

void fermiac_program_create_R(const char* text, const char* options, fermiac_program** program, fermiac_answer** answer,
                              int* status, double* sizes) {
  Outcome{answer, status, sizes}.of(
      [&](fermiac_error** error) { *program = fermiac_program_create(text, or_null(options), error); });
}
void fermiac_program_open_R(const char* path, const char* options, fermiac_program** program, fermiac_answer** answer,
                            int* status, double* sizes) {
  Outcome{answer, status, sizes}.of(
      [&](fermiac_error** error) { *program = fermiac_program_open(path, or_null(options), error); });
}
void fermiac_program_free_R(fermiac_program** program) {
  fermiac_program_free(*program);
}
void fermiac_program_ok_R(fermiac_program** program, int* ok) {
  *ok = fermiac_program_ok(*program);
}
void fermiac_program_name_R(fermiac_program** program, fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.text_of([&] { return fermiac_program_name(*program); });
}
void fermiac_program_diagnostics_json_R(fermiac_program** program, fermiac_answer** answer, int* status,
                                        double* sizes) {
  Outcome{answer, status, sizes}.text_of([&] { return fermiac_program_diagnostics_json(*program); });
}
void fermiac_program_info_json_R(fermiac_program** program, fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.text_of([&] { return fermiac_program_info_json(*program); });
}
void fermiac_program_functions_json_R(fermiac_program** program, fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.text_of([&] { return fermiac_program_functions_json(*program); });
}

// ---------------------------------------------------------------- random numbers and functions

void fermiac_rng_create_R(const double* seed, fermiac_rng** rng, fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.of([&](fermiac_error** error) {
    const std::size_t number = count_of(*seed);
    at_border(error, [&] {
      if (number == SIZE_MAX) throw fermiac::InputError(fermiac::StatusCode::InvalidArgument, "the seed must be a whole number from 0 to 2^53 - 1");
    });
    if (number != SIZE_MAX) *rng = fermiac_rng_create(number, error);
  });
}
void fermiac_rng_free_R(fermiac_rng** rng) {
  fermiac_rng_free(*rng);
}
void fermiac_call_R(fermiac_program** program, const char* name, const char* arguments, fermiac_rng** rng,
                    fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.of([&](fermiac_error** error) {
    char* result = nullptr;
    if (fermiac_call(*program, name, arguments, *rng, print_to_answer, *answer, &result, error) != FERMIAC_OK) return;
    (*answer)->text = result;
    fermiac_string_free(result);
  });
}

// ---------------------------------------------------------------- models

void fermiac_model_create_R(fermiac_program** program, const char* data, const char* options, fermiac_model** model,
                            fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.of([&](fermiac_error** error) {
    *model = fermiac_model_create(*program, or_null(data), or_null(options), print_to_answer, *answer, error);
  });
}
void fermiac_model_open_R(fermiac_program** program, const char* path, const char* options, fermiac_model** model,
                          fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.of([&](fermiac_error** error) {
    *model = fermiac_model_open(*program, path, or_null(options), print_to_answer, *answer, error);
  });
}
void fermiac_model_condition_R(fermiac_model** model, const char* json, fermiac_model** conditioned, fermiac_answer** answer,
                               int* status, double* sizes) {
  Outcome{answer, status, sizes}.of([&](fermiac_error** error) { fermiac_model_condition(*model, json, conditioned, error); });
}
void fermiac_model_free_R(fermiac_model** model) {
  fermiac_model_free(*model);
}
void fermiac_model_info_json_R(fermiac_model** model, fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.text_of([&] { return fermiac_model_info_json(*model); });
}
void fermiac_unconstrained_size_R(fermiac_model** model, double* size) {
  *size = static_cast<double>(fermiac_unconstrained_size(*model));
}
void fermiac_constrained_size_R(fermiac_model** model, const int* blocks, double* size) {
  *size = static_cast<double>(fermiac_constrained_size(*model, flags_of(blocks)));
}
void fermiac_unconstrained_names_R(fermiac_model** model, fermiac_answer** answer, int* status, double* sizes) {
  std::size_t count = 0;
  const char* const* names = fermiac_unconstrained_names(*model, &count);
  Outcome{answer, status, sizes}.lines_of(names, count);
}
void fermiac_constrained_names_R(fermiac_model** model, const int* blocks, fermiac_answer** answer, int* status,
                                 double* sizes) {
  std::size_t count = 0;
  const char* const* names = fermiac_constrained_names(*model, flags_of(blocks), &count);
  Outcome{answer, status, sizes}.lines_of(names, count);
}

// ---------------------------------------------------------------- densities and scales

void fermiac_log_density_R(fermiac_model** model, const int* terms, const double* theta, const double* n, double* lp,
                           fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.of(
      [&](fermiac_error** error) { fermiac_log_density(*model, flags_of(terms), theta, count_of(*n), lp, error); });
}
void fermiac_gradient_R(fermiac_model** model, const int* terms, const double* theta, const double* n, double* lp,
                        double* gradient, fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.of([&](fermiac_error** error) {
    fermiac_gradient(*model, flags_of(terms), theta, count_of(*n), lp, gradient, error);
  });
}
void fermiac_hessian_R(fermiac_model** model, const int* terms, const double* theta, const double* n, double* hessian,
                       fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.of([&](fermiac_error** error) {
    fermiac_hessian(*model, flags_of(terms), theta, count_of(*n), nullptr, nullptr, hessian, error);
  });
}
void fermiac_hessian_times_R(fermiac_model** model, const int* terms, const double* theta, const double* n,
                             const double* vector, double* product, fermiac_answer** answer, int* status,
                             double* sizes) {
  Outcome{answer, status, sizes}.of([&](fermiac_error** error) {
    fermiac_hessian_times(*model, flags_of(terms), theta, count_of(*n), vector, nullptr, product, error);
  });
}
void fermiac_constrain_R(fermiac_model** model, const int* blocks, const double* theta, const double* n,
                         fermiac_rng** rng, double* out, const double* out_size, fermiac_answer** answer, int* status,
                         double* sizes) {
  Outcome{answer, status, sizes}.of([&](fermiac_error** error) {
    fermiac_constrain(*model, flags_of(blocks), theta, count_of(*n), *rng, out, count_of(*out_size), error);
  });
}
void fermiac_unconstrain_R(fermiac_model** model, const double* constrained, const double* constrained_size,
                           double* theta, const double* n, fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.of([&](fermiac_error** error) {
    fermiac_unconstrain(*model, constrained, count_of(*constrained_size), theta, count_of(*n), error);
  });
}
void fermiac_unconstrain_json_R(fermiac_model** model, const char* json, double* theta, const double* n,
                                fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.of(
      [&](fermiac_error** error) { fermiac_unconstrain_json(*model, json, theta, count_of(*n), error); });
}
