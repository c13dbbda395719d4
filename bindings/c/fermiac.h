/* fermiac: Stan models for programs in C, and in every language that can call C. libfermiac.so compiles a model from its
 * text, binds data, evaluates the log density with derivatives, samples, and calls functions of the program. No compiler and
 * no other program takes part.
 *
 *     fermiac_error* error = NULL;
 *     fermiac_program* program = fermiac_program_create(text, NULL, &error);
 *     fermiac_model* model = fermiac_model_create(program, "{\"N\": 3, \"y\": [1, 0, 1]}", NULL, NULL, NULL, &error);
 *     fermiac_run* run = fermiac_run_create(model, "{\"method\": \"sample\", \"seed\": 1}", NULL, &error);
 *     if (fermiac_run_execute(run, &error) == FERMIAC_OK) puts(fermiac_run_result_json(run));
 *     fermiac_run_free(run);
 *     fermiac_model_free(model);
 *     fermiac_program_free(program);
 *
 * Conventions
 * - Texts are UTF-8 and end with a zero. Texts that the library returns as `const char*` belong to the object they were
 *   asked of and live as long as it does; `char*` belongs to the caller, who frees it with fermiac_string_free.
 * - What can fail has `error` as its last argument, which may be NULL. On failure *error is set to an error that the caller
 *   frees with fermiac_error_free, on success to NULL. Functions return FERMIAC_OK or the error's status, those that make
 *   an object NULL. After a failure what the other arguments point to is unspecified.
 * - A NULL where something is needed, a number of elements that does not fit, an unknown flag: FERMIAC_ARGUMENT. Nothing can
 *   be said of pointers that are wrong in other ways.
 * - `options` are JSON objects, NULL or "" for none. Unknown names are errors. Hyphens in names may be written as underscores.
 * - Data, initial values and arguments are JSON as Stan's data files hold it: matrices as lists of rows, tuples as objects
 *   with keys "1", "2", …, complex numbers as [re, im], numbers that are not finite as "NaN", "Infinity", "-Infinity".
 * - No exception leaves the library; it installs no signal handler and changes no setting of the process. Callbacks must not
 *   throw and must not leave by longjmp.
 * - Objects are independent of each other: there is no global state. Objects that were made of another one keep what they
 *   need of it, so the order of freeing does not matter. Freeing NULL does nothing.
 * - Threads: any number of threads may use one object at once, except for an rng, which belongs to one thread at a time,
 *   and for freeing, which ends all use of the object.
 *
 * Structures grow at their end only; `size` is sizeof the structure as the caller was compiled, and what lies behind it is
 * not touched. docs/phases/library.md has options and JSON in full. */
#ifndef FERMIAC_H
#define FERMIAC_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FERMIAC_API __attribute__((visibility("default")))
#else
#define FERMIAC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- the library */

/* Of this header; fermiac_version says what was loaded. A program built with an older header works with a newer library of
 * the same FERMIAC_ABI, which is the number in the library's name (libfermiac.so.0). */
#define FERMIAC_VERSION_MAJOR 0
#define FERMIAC_VERSION_MINOR 2
#define FERMIAC_VERSION_PATCH 0
#define FERMIAC_ABI 0

FERMIAC_API const char* fermiac_version(void);      /* "0.2.0" */
FERMIAC_API const char* fermiac_stan_version(void); /* of the language: "2.39.0" */

/* ---------------------------------------------------------------- errors */

typedef enum fermiac_status {
  FERMIAC_OK = 0,
  FERMIAC_ARGUMENT = 1, /* the call is wrong: NULL, a number of elements, an unknown option, a value outside of its range */
  FERMIAC_PROGRAM = 2,  /* the program does not compile, or cannot be read */
  FERMIAC_DATA = 3,     /* data do not fit the program, or transformed data fail */
  FERMIAC_REJECTED = 4, /* the point is outside of the support, or the program said reject(): other points may do */
  FERMIAC_FATAL = 5,    /* fatal_error(), or a limit on sizes or memory: no other point will do */
  FERMIAC_STOPPED = 6,  /* fermiac_model_stop, fermiac_run_stop, a callback or a time limit ended it */
  FERMIAC_FAILED = 7,   /* a method did not reach its end: no initial point, no descent, a file that cannot be written */
  FERMIAC_MEMORY = 8,   /* the system gives no memory or no thread */
  FERMIAC_INTERNAL = 9  /* a bug in this library that did not end the process */
} fermiac_status;

typedef struct fermiac_error fermiac_error;

/* A range of text. Lines count from 1, columns from 0 in bytes; the end is the column behind the last. */
typedef struct fermiac_place {
  size_t size;
  const char* file; /* as `file` of the program's options, or an included file */
  int line, column, end_line, end_column;
} fermiac_place;

/* What a null error is asked: FERMIAC_OK, "", "{}". */
FERMIAC_API fermiac_status fermiac_error_status(const fermiac_error* error);
FERMIAC_API const char* fermiac_error_message(const fermiac_error* error);
/* The place in the program that the error arose at: 1 and fills `place` where it is known, else 0. */
FERMIAC_API int fermiac_error_place(const fermiac_error* error, fermiac_place* place);
/* {"status": 4, "kind": "rejected", "message": …, "place": {"file": …, "line": …, …}}; no "place" where none is known. */
FERMIAC_API const char* fermiac_error_json(const fermiac_error* error);
FERMIAC_API void fermiac_error_free(fermiac_error* error);
FERMIAC_API void fermiac_string_free(char* text);

/* ---------------------------------------------------------------- programs */

/* A Stan program that was read, checked and prepared. Immutable; bind it to data as often as you like. */
typedef struct fermiac_program fermiac_program;

/* Compiles `text`. Options:
 *   "name"            of the model: letters, digits, underscores (default: from `file`, else "model")
 *   "file"            stands for the text in messages (default: the name)
 *   "include-paths"   array of folders that #include searches
 *   "include"         "anywhere" (default), "confined" to the include paths, or "none"
 *   "level"           "O0" (default, the quickest from text to draws), "O1", "Oexperimental"
 * A program that does not compile is no failure of this call: it has diagnostics of severity error and
 * fermiac_program_ok is 0; only binding it fails. NULL where the options are wrong. Cost: a millisecond or two for a
 * small program. */
FERMIAC_API fermiac_program* fermiac_program_create(const char* text, const char* options, fermiac_error** error);
/* The same of a file, which is also the default for `file`. A file that cannot be read is FERMIAC_PROGRAM. */
FERMIAC_API fermiac_program* fermiac_program_open(const char* path, const char* options, fermiac_error** error);
FERMIAC_API void fermiac_program_free(fermiac_program* program);

FERMIAC_API int fermiac_program_ok(const fermiac_program* program); /* 1 where it has no errors; of NULL 0 */
FERMIAC_API const char* fermiac_program_name(const fermiac_program* program); /* as given; of NULL NULL, as below */

typedef enum fermiac_severity { FERMIAC_SEVERITY_ERROR = 1, FERMIAC_SEVERITY_WARNING = 2 } fermiac_severity;

typedef struct fermiac_diagnostic {
  size_t size;
  const char* id;   /* "E1008": stays the same from version to version */
  const char* name; /* "undeclared" */
  fermiac_severity severity;
  const char* message; /* without place and source */
  const char* text;    /* as the compiler prints it: headline, the lines around with a caret, message */
  const fermiac_place* place; /* NULL where it has none */
} fermiac_diagnostic;

FERMIAC_API size_t fermiac_program_diagnostic_count(const fermiac_program* program);
/* Fills `out`, whose `size` is set. */
FERMIAC_API fermiac_status fermiac_program_diagnostic(const fermiac_program* program, size_t index, fermiac_diagnostic* out,
                                                      fermiac_error** error);
/* All of them: [{"id": …, "name": …, "severity": "error", "message": …, "text": …, "place": {…}}, …]. */
FERMIAC_API const char* fermiac_program_diagnostics_json(const fermiac_program* program);
/* What the program declares, calls and includes, as `stanc --info` prints it; NULL where it does not compile. */
FERMIAC_API const char* fermiac_program_info_json(const fermiac_program* program);
/* The functions that fermiac_call takes, ["f(int n, vector x) => real", …]. */
FERMIAC_API const char* fermiac_program_functions_json(const fermiac_program* program);

/* ---------------------------------------------------------------- random numbers */

typedef struct fermiac_rng fermiac_rng;
/* One seed, one sequence: on every machine, in every version with the same FERMIAC_ABI. */
FERMIAC_API fermiac_rng* fermiac_rng_create(uint64_t seed, fermiac_error** error);
FERMIAC_API void fermiac_rng_free(fermiac_rng* rng);

/* ---------------------------------------------------------------- functions */

/* Where `print` goes: `size` bytes, not ended by a zero, with the line's end. Called on the thread that evaluates, by one
 * thread at a time for one object. */
typedef void (*fermiac_print_callback)(void* user_data, const char* text, size_t size);

/* Calls the function `name` of the program; where several have the name and the arguments leave a choice, the name is
 * written with types: "f(int, vector)". `arguments`: a JSON array of values, or an object with the names of the arguments.
 * Functions that end in _rng need an `rng`, for others it may be NULL; functions that change the target cannot be called.
 * Densities keep all constants. *result: the value as JSON, "null" where there is none. Cost: reading the JSON, and
 * the evaluation by the interpreter; nothing ends it early but a size of more than 80 % of the memory that is free. */
FERMIAC_API fermiac_status fermiac_call(const fermiac_program* program, const char* name, const char* arguments,
                                        fermiac_rng* rng, fermiac_print_callback print, void* user_data, char** result,
                                        fermiac_error** error);

/* ---------------------------------------------------------------- models */

/* A program bound to data. */
typedef struct fermiac_model fermiac_model;

/* Reads data (a JSON object; NULL or "" for none) and runs transformed data. Options:
 *   "file"      stands for the data in messages (default: "data")
 *   "seed"      of random numbers in transformed data (default: 0)
 *   "threads"   that one call may use for large operations and reduce_sum, -1 for one for each core (default: the variable
 *               STAN_NUM_THREADS, else 1). Results do not depend on it.
 *   "memory"    bytes that the process may take; a size beyond is an error with its place (default: 80 % of what is
 *               free; 0: none)
 *   "device"    where log densities are evaluated as far as that pays: "none" (default), "auto", "gpu", "cpu" or
 *               "opencl:PLATFORM:DEVICE". One that cannot be used is FERMIAC_FAILED. One that fails later is told to `print`
 *               once, and the processor goes on alone.
 * `print` may be NULL for standard output. Cost: reading; a second model of a program needs no compilation. */
FERMIAC_API fermiac_model* fermiac_model_create(const fermiac_program* program, const char* data, const char* options,
                                                fermiac_print_callback print, void* user_data, fermiac_error** error);
/* The same, the data in a file. */
FERMIAC_API fermiac_model* fermiac_model_open(const fermiac_program* program, const char* data_path, const char* options,
                                              fermiac_print_callback print, void* user_data, fermiac_error** error);
/* The same program and data under a conditioning: which sites count how much, which numbers are known. A JSON object:
 *   {"context": "prior", "weights": {"y[3]": 0}, "fix": {"tau": 10}, "condition": {}, "missing": ["y[1:3]"],
 *    "roles": {"@12": "prior"}, "nan_is_missing": true}
 * It adds to what `model` is conditioned on already. *out is a model of its own, with its names and sizes, which outlives `model`;
 * data that are null are missing without any. What the program does not allow is FERMIAC_DATA. Cost: as making a model. */
FERMIAC_API fermiac_status fermiac_model_condition(const fermiac_model* model, const char* json, fermiac_model** out,
                                                   fermiac_error** error);
FERMIAC_API void fermiac_model_free(fermiac_model* model);

/* Which values: parameters, and with these flags more, in this order. */
#define FERMIAC_TRANSFORMED 1u /* transformed parameters */
#define FERMIAC_GENERATED 2u   /* generated quantities */

/* Numbers: on the unconstrained scale, where densities are evaluated, and as the program declares them. Of NULL, or with
 * flags that do not exist, 0 and NULL. */
FERMIAC_API size_t fermiac_unconstrained_size(const fermiac_model* model);
FERMIAC_API size_t fermiac_constrained_size(const fermiac_model* model, unsigned blocks);
/* Names as headers of CSV files have them, x.1.2 and t:1, *count of them; `count` may be NULL. Cost: made when first
 * asked for. */
FERMIAC_API const char* const* fermiac_unconstrained_names(const fermiac_model* model, size_t* count);
FERMIAC_API const char* const* fermiac_constrained_names(const fermiac_model* model, unsigned blocks, size_t* count);

typedef enum fermiac_block {
  FERMIAC_BLOCK_PARAMETERS = 0,
  FERMIAC_BLOCK_TRANSFORMED_PARAMETERS = 1,
  FERMIAC_BLOCK_GENERATED_QUANTITIES = 2
} fermiac_block;

/* A declared variable. Its numbers are [first, first + count) of what fermiac_constrain writes with both flags, column-major
 * over all dimensions, tuples slot by slot. */
typedef struct fermiac_variable {
  size_t size;
  const char* name;
  const char* type; /* with sizes: "array[2] vector[3]" */
  fermiac_block block;
  size_t rank;        /* dimensions: of arrays, then of vectors and matrices, then 2 of complex numbers */
  const size_t* dims; /* [rank]; of tuples only those of arrays */
  size_t first, count;
  size_t unconstrained_first, unconstrained_count; /* of parameters; else 0 */
} fermiac_variable;

FERMIAC_API size_t fermiac_variable_count(const fermiac_model* model);
FERMIAC_API fermiac_status fermiac_variable_at(const fermiac_model* model, size_t index, fermiac_variable* out,
                                               fermiac_error** error);
/* All of it: {"name": …, "unconstrained": n, "variables": [{"name": …, "type": …, "block": "parameters", "dims": […],
 * "first": …, "count": …, "unconstrained_first": …, "unconstrained_count": …}, …]}. */
FERMIAC_API const char* fermiac_model_info_json(const fermiac_model* model);

/* ---------------------------------------------------------------- densities */

/* Which terms of the log density count. */
#define FERMIAC_PROPTO 1u   /* drop terms that do not depend on parameters */
#define FERMIAC_JACOBIAN 2u /* add the log Jacobian of the constraints */

/* At `theta` [n], n = fermiac_unconstrained_size. Values and gradients are exact up to rounding, by automatic differentiation.
 * The first call on a thread records the program; the next ones cost what `fermiac bench` says, some 100 ns more, and
 * allocate nothing. Not finite values are results. Outside of the support: FERMIAC_REJECTED. */
FERMIAC_API fermiac_status fermiac_log_density(const fermiac_model* model, unsigned terms, const double* theta, size_t n,
                                               double* lp, fermiac_error** error);
/* gradient [n] */
FERMIAC_API fermiac_status fermiac_gradient(const fermiac_model* model, unsigned terms, const double* theta, size_t n,
                                            double* lp, double* gradient, fermiac_error** error);
/* Second derivatives: exact to rounding where every function that the program calls has second derivatives here
 * (docs/phases/tape.md says which), a column at the cost of some gradients. Elsewhere differences of order six of exact gradients,
 * with smaller and smaller steps until two agree; relative error about 1e-10 where the density is smooth, a column costs 12
 * gradients, at most 54. hessian [n * n] is exactly symmetric; lp and gradient [n] may be NULL. */
FERMIAC_API fermiac_status fermiac_hessian(const fermiac_model* model, unsigned terms, const double* theta, size_t n, double* lp,
                                           double* gradient, double* hessian, fermiac_error** error);
/* product [n] = Hessian times vector [n], as a column. lp may be NULL. */
FERMIAC_API fermiac_status fermiac_hessian_times(const fermiac_model* model, unsigned terms, const double* theta, size_t n,
                                                 const double* vector, double* lp, double* product, fermiac_error** error);

/* Ends evaluations of the model that run now on other threads, and refuses new ones, while `on` is not 0: they fail with
 * FERMIAC_STOPPED. Runs have a switch of their own. May be called from a signal handler. */
FERMIAC_API void fermiac_model_stop(fermiac_model* model, int on);

/* ---------------------------------------------------------------- between the scales */

/* out [out_size], out_size = fermiac_constrained_size(model, blocks). FERMIAC_GENERATED needs an rng, which moves on. */
FERMIAC_API fermiac_status fermiac_constrain(const fermiac_model* model, unsigned blocks, const double* theta, size_t n,
                                             fermiac_rng* rng, double* out, size_t out_size, fermiac_error** error);
/* constrained [constrained_size]: values of the parameters in the order of names; theta [n]. Values that break a constraint
 * are FERMIAC_REJECTED. */
FERMIAC_API fermiac_status fermiac_unconstrain(const fermiac_model* model, const double* constrained, size_t constrained_size,
                                               double* theta, size_t n, fermiac_error** error);
/* The same of a JSON object with all parameters. What does not fit is FERMIAC_DATA. */
FERMIAC_API fermiac_status fermiac_unconstrain_json(const fermiac_model* model, const char* json, double* theta, size_t n,
                                                    fermiac_error** error);

/* ---------------------------------------------------------------- runs */

/* One run of a method on a model: sampling, optimisation, approximations. */
typedef struct fermiac_run fermiac_run;

/* One row of a table of results. */
typedef struct fermiac_row {
  size_t size;
  size_t table;         /* `sample`: the chain, from 0; else 0, and behind it single paths or files */
  size_t index;         /* of the row in its table, from 0; warm-up rows count too */
  int warmup;           /* 1: of the warm-up, where the options say "save-warmup" */
  const double* values; /* [count], in the order of the table's columns; lives during the call */
  size_t count;
} fermiac_row;

/* Any of these may be NULL. Calls of one run come one at a time, from threads of the run. Where one returns anything but 0 the
 * run ends as soon as it can, and keeps what it has. Callbacks may call fermiac_run_stop and functions of the model. */
typedef struct fermiac_run_callbacks {
  size_t size;
  void* user_data;
  /* Before the first row of a table: its names. */
  int (*columns)(void* user_data, size_t table, const char* const* names, size_t count);
  int (*row)(void* user_data, const fermiac_row* row);
  /* Lines of text, each with its end, as the command `fermiac` writes them to standard error. */
  int (*message)(void* user_data, const char* text);
  /* `done` of `total` iterations of a chain, every "refresh" iterations. */
  int (*progress)(void* user_data, size_t chain, unsigned done, unsigned total, int warmup);
  /* What the program's print writes; NULL: standard output. */
  int (*print)(void* user_data, const char* text, size_t size);
} fermiac_run_callbacks;

/* All methods with their options: {"sample": {"about": …, "options": [{"name": "adapt_delta", "kind": "real", "about": …,
 * "default": "0.8", "words": [], "required": false}, …]}, …}. "kind" is "flag", "whole", "real", "choice" (one of "words"),
 * "text", "file", "files" or "values" (of parameters, or a text); "words" are valid values besides numbers; "default" is left
 * out where "about" explains it. The text lives as long as the library; NULL without memory. */
FERMIAC_API const char* fermiac_methods_json(void);

/* Prepares a run. Options:
 *   "method"   one of those of fermiac_methods_json (default: "sample")
 *   "keep"     false: rows go to the callback alone (default: true)
 *   "timeout"  seconds after which it ends and keeps what it has
 * and those of the command `fermiac METHOD --help` by their names and with their defaults: "chains", "warmup", "samples",
 * "seed", "adapt-delta", …; flags are true or false. "init" may also be an object with values of parameters, or an array of
 * them, one for each chain; "mode" an object. Files are written only where "output" names a folder. Everything is checked here,
 * except what depends on files. The model's data are shared; the run does not see fermiac_model_stop. */
FERMIAC_API fermiac_run* fermiac_run_create(const fermiac_model* model, const char* options,
                                            const fermiac_run_callbacks* callbacks, fermiac_error** error);
/* Runs it on this thread and on others ("threads"), once; a second call is FERMIAC_ARGUMENT. FERMIAC_STOPPED where it was
 * ended early: what it has is kept. */
FERMIAC_API fermiac_status fermiac_run_execute(fermiac_run* run, fermiac_error** error);
/* Ends it as soon as it can, also within a long evaluation; before fermiac_run_execute, ends it at its beginning. May be
 * called from a signal handler. */
FERMIAC_API void fermiac_run_stop(fermiac_run* run);
FERMIAC_API void fermiac_run_free(fermiac_run* run);

/* What follows is there after fermiac_run_execute has returned, whatever it returned; before, 0 and NULL. */

/* Tables that have columns; their names; their kept rows after the warm-up [rows * columns], row by row. */
FERMIAC_API size_t fermiac_run_table_count(const fermiac_run* run);
FERMIAC_API const char* const* fermiac_run_columns(const fermiac_run* run, size_t table, size_t* count);
FERMIAC_API const double* fermiac_run_rows(const fermiac_run* run, size_t table, size_t* rows, size_t* columns);
/* {"method": …, "status": "done", "stopped" or "failed", "message": …, "seed": …, "rows": [one for each table], "seconds": …;
 *  of `sample` with two draws or more: "summary": [{"name": …, "mean": …, "mcse": …, "sd": …, "mad": …, "q5": …, "q50": …,
 *  "q95": …, "ess_bulk": …, "ess_tail": …, "rhat": …}, …], "problems": "in words"}. Cost: the summary is made at the end of
 *  the run, unless "no-summary" is set. */
FERMIAC_API const char* fermiac_run_result_json(const fermiac_run* run);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FERMIAC_H */
