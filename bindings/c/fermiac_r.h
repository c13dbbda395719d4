/* libfermiac for R: the functions of bindings/c/fermiac.h as R's `.C` can call them, so that the package r/fermiac is R alone
 * and nobody needs a compiler to install it. `.C` passes vectors as pointers and has no results: every argument here is
 * one.
 *
 * Conventions
 * - Objects are raw vectors of 8 bytes that hold a pointer: those that are made are written, the others read. Zero
 * bytes are a null pointer, as in bindings/c/fermiac.h an error or nothing to free.
 * - Texts that come in are raw vectors of UTF-8 with a zero at the end, so that no encoding of R's meddles with them.
 * What bindings/c/fermiac.h takes as NULL is an empty text.
 * - Texts that go out, errors, and what programs print come by an answer: one for a session of R, freed never, for
 * objects write what they print there. The last arguments of whatever can fail or gives a text are answer   where it is
 * put status   [1] fermiac_status sizes    [2] bytes of the text, and of what was printed since it was taken last and
 * the text is the result, or where status is not FERMIAC_OK the error as fermiac_error_json has it. It stays until the
 * next call that has the same answer.
 * - Numbers of elements, flags and counts are doubles or ints as R has them; negative ones, and numbers with a fraction
 * where there should be none, are FERMIAC_ARGUMENT.
 * - One thread at a time: R has one. Everything else is as bindings/c/fermiac.h says of the function without _R. */
#ifndef FERMIAC_R_H
#define FERMIAC_R_H

#include "bindings/c/fermiac.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- answers */

typedef struct fermiac_answer fermiac_answer;

/* A null pointer where there is no memory. */
FERMIAC_API void fermiac_answer_create_R(fermiac_answer** answer);
/* out [size], the first of sizes: the text. */
FERMIAC_API void fermiac_answer_text_R(fermiac_answer** answer, const double* size, char* out);
/* out [size], the second of sizes: what was printed, which is forgotten. */
FERMIAC_API void fermiac_answer_printed_R(fermiac_answer** answer, const double* size, char* out);

/* ---------------------------------------------------------------- the library */

FERMIAC_API void fermiac_version_R(fermiac_answer** answer, int* status, double* sizes);
FERMIAC_API void fermiac_stan_version_R(fermiac_answer** answer, int* status, double* sizes);
FERMIAC_API void fermiac_methods_json_R(fermiac_answer** answer, int* status, double* sizes);

/* The text is an array of R as JSON: lists of rows, numbers that give the same when they are read, R's NA as null.
 * dims [rank]; numbers [their product], column by column; rank 0 is one number. With reals [1] not 0 whole numbers have a point, as reals of
 * Stan. Cost: some 0.2 us a number, where R takes ten times as long. */
FERMIAC_API void fermiac_json_array_R(const double* numbers, const double* dims, const int* rank, const int* reals,
                                      fermiac_answer** answer, int* status, double* sizes);

/* ---------------------------------------------------------------- programs */

FERMIAC_API void fermiac_program_create_R(const char* text, const char* options, fermiac_program** program,
                                          fermiac_answer** answer, int* status, double* sizes);
FERMIAC_API void fermiac_program_open_R(const char* path, const char* options, fermiac_program** program,
                                        fermiac_answer** answer, int* status, double* sizes);
FERMIAC_API void fermiac_program_free_R(fermiac_program** program);
FERMIAC_API void fermiac_program_ok_R(fermiac_program** program, int* ok);
FERMIAC_API void fermiac_program_name_R(fermiac_program** program, fermiac_answer** answer, int* status, double* sizes);
FERMIAC_API void fermiac_program_diagnostics_json_R(fermiac_program** program, fermiac_answer** answer, int* status,
                                                    double* sizes);
FERMIAC_API void fermiac_program_info_json_R(fermiac_program** program, fermiac_answer** answer, int* status,
                                             double* sizes);
FERMIAC_API void fermiac_program_functions_json_R(fermiac_program** program, fermiac_answer** answer, int* status,
                                                  double* sizes);

/* ---------------------------------------------------------------- random numbers and functions */

/* seed: a whole number below 2^53 */
FERMIAC_API void fermiac_rng_create_R(const double* seed, fermiac_rng** rng, fermiac_answer** answer, int* status,
                                      double* sizes);
FERMIAC_API void fermiac_rng_free_R(fermiac_rng** rng);
/* The text is the result. */
FERMIAC_API void fermiac_call_R(fermiac_program** program, const char* name, const char* arguments, fermiac_rng** rng,
                                fermiac_answer** answer, int* status, double* sizes);

/* ---------------------------------------------------------------- models */

FERMIAC_API void fermiac_model_create_R(fermiac_program** program, const char* data, const char* options,
                                        fermiac_model** model, fermiac_answer** answer, int* status, double* sizes);
FERMIAC_API void fermiac_model_open_R(fermiac_program** program, const char* path, const char* options,
                                      fermiac_model** model, fermiac_answer** answer, int* status, double* sizes);
FERMIAC_API void fermiac_model_condition_R(fermiac_model** model, const char* json, fermiac_model** conditioned,
                                           fermiac_answer** answer, int* status, double* sizes);
FERMIAC_API void fermiac_model_free_R(fermiac_model** model);
FERMIAC_API void fermiac_model_info_json_R(fermiac_model** model, fermiac_answer** answer, int* status, double* sizes);
FERMIAC_API void fermiac_unconstrained_size_R(fermiac_model** model, double* size);
FERMIAC_API void fermiac_constrained_size_R(fermiac_model** model, const int* blocks, double* size);
/* The text has one name a line. */
FERMIAC_API void fermiac_unconstrained_names_R(fermiac_model** model, fermiac_answer** answer, int* status,
                                               double* sizes);
FERMIAC_API void fermiac_constrained_names_R(fermiac_model** model, const int* blocks, fermiac_answer** answer,
                                             int* status, double* sizes);

/* ---------------------------------------------------------------- densities and scales */

FERMIAC_API void fermiac_log_density_R(fermiac_model** model, const int* terms, const double* theta, const double* n,
                                       double* lp, fermiac_answer** answer, int* status, double* sizes);
FERMIAC_API void fermiac_gradient_R(fermiac_model** model, const int* terms, const double* theta, const double* n,
                                    double* lp, double* gradient, fermiac_answer** answer, int* status, double* sizes);
/* hessian [n * n] */
FERMIAC_API void fermiac_hessian_R(fermiac_model** model, const int* terms, const double* theta, const double* n,
                                   double* hessian, fermiac_answer** answer, int* status, double* sizes);
FERMIAC_API void fermiac_hessian_times_R(fermiac_model** model, const int* terms, const double* theta, const double* n,
                                         const double* vector, double* product, fermiac_answer** answer, int* status,
                                         double* sizes);
FERMIAC_API void fermiac_constrain_R(fermiac_model** model, const int* blocks, const double* theta, const double* n,
                                     fermiac_rng** rng, double* out, const double* out_size, fermiac_answer** answer,
                                     int* status, double* sizes);
FERMIAC_API void fermiac_unconstrain_R(fermiac_model** model, const double* constrained, const double* constrained_size,
                                       double* theta, const double* n, fermiac_answer** answer, int* status,
                                       double* sizes);
FERMIAC_API void fermiac_unconstrain_json_R(fermiac_model** model, const char* json, double* theta, const double* n,
                                            fermiac_answer** answer, int* status, double* sizes);

/* ---------------------------------------------------------------- runs */

/* A run on a thread of its own: R looks in from time to time, so that it can show progress and be interrupted.
 * Callbacks cannot be, for R runs on its own thread alone. */
typedef struct fermiac_background_run fermiac_background_run;

/* Prepares it and starts it. */
FERMIAC_API void fermiac_background_run_create_R(fermiac_model** model, const char* options,
                                                 fermiac_background_run** run, fermiac_answer** answer, int* status,
                                                 double* sizes);
/* Waits for its end, `seconds` at most; over [1] is 1 where that has come, and then the status is that of
 * fermiac_run_execute. While it goes on the text has a line "chain done total warmup" for each chain that has reported,
 * chains from 0. */
FERMIAC_API void fermiac_background_run_wait_R(fermiac_background_run** run, const double* seconds, int* over,
                                               fermiac_answer** answer, int* status, double* sizes);
FERMIAC_API void fermiac_background_run_stop_R(fermiac_background_run** run);
/* Stops it and waits for its end first. */
FERMIAC_API void fermiac_background_run_free_R(fermiac_background_run** run);
/* What it has said so far, as the command `fermiac` writes it to standard error. */
FERMIAC_API void fermiac_background_run_messages_R(fermiac_background_run** run, fermiac_answer** answer, int* status,
                                                   double* sizes);

/* What follows is there once it is over; before, 0 and empty texts. */

FERMIAC_API void fermiac_background_run_result_json_R(fermiac_background_run** run, fermiac_answer** answer,
                                                      int* status, double* sizes);
FERMIAC_API void fermiac_background_run_table_count_R(fermiac_background_run** run, double* count);
/* The text has one name a line. */
FERMIAC_API void fermiac_background_run_columns_R(fermiac_background_run** run, const double* table,
                                                  fermiac_answer** answer, int* status, double* sizes);
/* Rows after the warm-up; with warmup [1] not 0 those before its end, which there are where the options say
 * "save-warmup". */
FERMIAC_API void fermiac_background_run_size_R(fermiac_background_run** run, const double* table, const int* warmup,
                                               double* rows, double* columns);
/* out [rows * columns], column by column as R has matrices. */
FERMIAC_API void fermiac_background_run_rows_R(fermiac_background_run** run, const double* table, const int* warmup,
                                               double* out);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FERMIAC_R_H */
