/* The eight schools from C: compile, bind, evaluate, sample, call a function. See README.md for how to build. */
#include <fermiac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kProgram[] =
    "functions {\n"
    "  real half_life(real rate) { return log(2) / rate; }\n"
    "}\n"
    "data {\n"
    "  int<lower=0> J;\n"
    "  vector[J] y;\n"
    "  vector<lower=0>[J] sigma;\n"
    "}\n"
    "parameters {\n"
    "  real mu;\n"
    "  real<lower=0> tau;\n"
    "  vector[J] theta_raw;\n"
    "}\n"
    "transformed parameters {\n"
    "  vector[J] theta = mu + tau * theta_raw;\n"
    "}\n"
    "model {\n"
    "  mu ~ normal(0, 5);\n"
    "  tau ~ cauchy(0, 5);\n"
    "  theta_raw ~ std_normal();\n"
    "  y ~ normal(theta, sigma);\n"
    "}\n";

static const char kData[] = "{\"J\": 8, \"y\": [28, 8, -3, 7, -1, 1, 18, 12], \"sigma\": [15, 10, 16, 11, 9, 11, 10, 18]}";

static void fail(const char* what, fermiac_error* error) {
  fermiac_place place;
  place.size = sizeof place;
  fprintf(stderr, "%s: %s\n", what, fermiac_error_message(error));
  if (fermiac_error_place(error, &place)) fprintf(stderr, "  in %s, line %d\n", place.file, place.line);
  fermiac_error_free(error);
  exit(1);
}

/* A draw at a time: the mean of one column, without keeping any draw. */
struct mean {
  size_t column, draws;
  double sum;
};

static int find_tau(void* user_data, size_t table, const char* const* names, size_t count) {
  struct mean* mean = user_data;
  size_t i;
  (void)table;
  for (i = 0; i < count; ++i)
    if (strcmp(names[i], "tau") == 0) mean->column = i;
  return 0;
}

static int add_draw(void* user_data, const fermiac_row* row) {
  struct mean* mean = user_data;
  if (row->warmup) return 0;
  mean->sum += row->values[mean->column];
  ++mean->draws;
  return 0; /* anything else would end the run */
}

int main(void) {
  fermiac_error* error = NULL;
  fermiac_program* program = fermiac_program_create(kProgram, "{\"name\": \"eight_schools\"}", &error);
  fermiac_model* model;
  fermiac_run* run;
  fermiac_run_callbacks callbacks;
  struct mean tau = {0, 0, 0};
  double *theta, *gradient, lp;
  char* result;
  size_t n, i;

  if (!program) fail("compile", error);
  for (i = 0; i < fermiac_program_diagnostic_count(program); ++i) {
    fermiac_diagnostic d;
    d.size = sizeof d;
    if (fermiac_program_diagnostic(program, i, &d, NULL) == FERMIAC_OK) fprintf(stderr, "%s", d.text);
  }
  model = fermiac_model_create(program, kData, NULL, NULL, NULL, &error);
  if (!model) fail("bind", error);

  n = fermiac_unconstrained_size(model);
  theta = calloc(n, sizeof *theta);
  gradient = calloc(n, sizeof *gradient);
  if (fermiac_gradient(model, FERMIAC_JACOBIAN, theta, n, &lp, gradient, &error)) fail("gradient", error);
  printf("%lu unconstrained parameters, log density at 0: %.6f, slope of %s: %.6f\n", (unsigned long)n, lp,
         fermiac_unconstrained_names(model, NULL)[0], gradient[0]);

  memset(&callbacks, 0, sizeof callbacks);
  callbacks.size = sizeof callbacks;
  callbacks.user_data = &tau;
  callbacks.columns = find_tau;
  callbacks.row = add_draw;
  run = fermiac_run_create(model, "{\"method\": \"sample\", \"chains\": 2, \"seed\": 1, \"keep\": false, \"refresh\": 0}",
                           &callbacks, &error);
  if (!run) fail("prepare", error);
  if (fermiac_run_execute(run, &error)) fail("sample", error);
  printf("mean of tau over %lu draws: %.1f\n", (unsigned long)tau.draws, tau.sum / (double)tau.draws);

  if (fermiac_call(program, "half_life", "[0.5]", NULL, NULL, NULL, &result, &error)) fail("call", error);
  printf("half_life(0.5) = %s\n", result);
  fermiac_string_free(result);

  fermiac_run_free(run);
  fermiac_model_free(model);
  fermiac_program_free(program);
  free(gradient);
  free(theta);
  return 0;
}
