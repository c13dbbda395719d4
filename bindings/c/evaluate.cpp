// What one asks of a model at a point, and of the functions of a program.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "bindings/c/failure.h"
#include "bindings/c/model.h"
#include "bindings/shared/pointers.h"
#include "inference/model/second_derivatives.h"
#include "interp/model/function_call.h"
#include "support/base/language_version.h"
#include "support/base/memory.h"
#include "support/base/rng.h"
#include "support/platform/process_memory.h"

using namespace fermiac;
using namespace fermiac::capi;

struct fermiac_rng {
  explicit fermiac_rng(std::uint64_t seed) : numbers(seed) {}
  Rng numbers;
};

namespace {

/// `n` numbers where `expected` are needed. Throws InputError.
template <class Number>
std::span<Number> exactly(std::size_t expected, Number* first, std::size_t n, const char* what) {
  if (n != expected) throw InputError(StatusCode::InvalidArgument, fmt::format("{} has {} numbers, but must have {}", what, n, expected));
  return numbers(first, n, what);
}

DensityOptions density_options(unsigned terms) {
  if ((terms & ~(FERMIAC_PROPTO | FERMIAC_JACOBIAN)) != 0)
    throw InputError(StatusCode::InvalidArgument, fmt::format("terms is {}, which has flags that do not exist", terms));
  return {.propto = (terms & FERMIAC_PROPTO) != 0, .jacobian = (terms & FERMIAC_JACOBIAN) != 0};
}

/// A call on a model: on its threads, with a work space, unless it was stopped.
struct ModelCall {
  const fermiac_model& model;
  ad::PieceScope pieces;
  WorkspacePool::Lease workspace;

  explicit ModelCall(const fermiac_model* m) : model(running(m)), pieces(model.threads()), workspace(*model.workspaces) {}

  static const fermiac_model& running(const fermiac_model* m) {
    given(m, "model").require_running();
    return *m;
  }
  std::span<const double> point(const double* theta, std::size_t n) const {
    return exactly(model.model().unconstrained_size(), theta, n, "theta");
  }
};

/// A call on the log density.
struct DensityCall : ModelCall {
  DensityOptions options;
  std::span<const double> theta;

  DensityCall(const fermiac_model* m, unsigned terms, const double* at, std::size_t n)
      : ModelCall(m), options(density_options(terms)), theta(point(at, n)) {}

  void value(double* lp) { require(workspace->log_density(theta, options, lp)); }
  void gradient(double* lp, std::span<double> out) { require(workspace->log_density_gradient(theta, options, lp, out)); }
};

char* copy_for_caller(const std::string& text) {
  auto* out = static_cast<char*>(std::malloc(text.size() + 1));
  if (!out) throw std::bad_alloc();
  std::memcpy(out, text.c_str(), text.size() + 1);
  return out;
}

}  // namespace

const char* fermiac_version(void) {
  return FERMIAC_VERSION;
}
const char* fermiac_stan_version(void) {
  return kStanVersion;
}

fermiac_rng* fermiac_rng_create(uint64_t seed, fermiac_error** error) {
  fermiac_rng* out = nullptr;
  at_border(error, [&] { out = new fermiac_rng(seed); });
  return out;
}

void fermiac_rng_free(fermiac_rng* rng) {
  delete rng;
}

fermiac_status fermiac_log_density(const fermiac_model* model, unsigned terms, const double* theta, size_t n, double* lp,
                                   fermiac_error** error) {
  return at_border(error, [&] { DensityCall(model, terms, theta, n).value(&given(lp, "lp")); });
}

fermiac_status fermiac_gradient(const fermiac_model* model, unsigned terms, const double* theta, size_t n, double* lp,
                                double* gradient, fermiac_error** error) {
  return at_border(error, [&] {
    DensityCall call(model, terms, theta, n);
    call.gradient(&given(lp, "lp"), numbers(gradient, n, "gradient"));
  });
}

fermiac_status fermiac_hessian(const fermiac_model* model, unsigned terms, const double* theta, size_t n, double* lp,
                               double* gradient, double* hessian_out, fermiac_error** error) {
  return at_border(error, [&] {
    DensityCall call(model, terms, theta, n);
    const std::span<double> out = numbers(hessian_out, n * n, "hessian");
    double ignored = 0;
    std::vector<double> spare(gradient ? 0 : n);
    call.gradient(lp ? lp : &ignored, gradient ? std::span(gradient, n) : std::span(spare));
    require(inference::hessian(*call.workspace, call.options, call.theta, out));
  });
}

fermiac_status fermiac_hessian_times(const fermiac_model* model, unsigned terms, const double* theta, size_t n,
                                     const double* vector, double* lp, double* product, fermiac_error** error) {
  return at_border(error, [&] {
    DensityCall call(model, terms, theta, n);
    const std::span<const double> direction = numbers(vector, n, "vector");
    const std::span<double> out = numbers(product, n, "product");
    double ignored = 0;
    call.value(lp ? lp : &ignored);
    require(inference::gradient_derivative(*call.workspace, call.options, call.theta, direction, out));
  });
}

fermiac_status fermiac_constrain(const fermiac_model* model, unsigned blocks, const double* theta, size_t n, fermiac_rng* rng,
                                 double* out, size_t out_size, fermiac_error** error) {
  return at_border(error, [&] {
    const ModelCall call(model);
    const std::span<const double> at = call.point(theta, n);
    const std::span<double> to = exactly(model->names(blocks).size(), out, out_size, "out");
    const bool generated = (blocks & FERMIAC_GENERATED) != 0;
    if (generated && !rng) throw InputError(StatusCode::InvalidArgument, "generated quantities need an rng, which is a null pointer");
    Rng unused(0);
    require(
        call.workspace->write_array(at, (blocks & FERMIAC_TRANSFORMED) != 0, generated, generated ? rng->numbers : unused, to));
  });
}

fermiac_status fermiac_unconstrain(const fermiac_model* model, const double* constrained, size_t constrained_size, double* theta,
                                   size_t n, fermiac_error** error) {
  return at_border(error, [&] {
    const interp::InterpModel& m = ModelCall::running(model).model();
    const std::span<const double> from = exactly(model->names(0).size(), constrained, constrained_size, "constrained");
    require(m.unconstrain_array(from, {}, exactly(m.unconstrained_size(), theta, n, "theta")));
  });
}

fermiac_status fermiac_unconstrain_json(const fermiac_model* model, const char* json, double* theta, size_t n,
                                        fermiac_error** error) {
  return at_border(error, [&] {
    const interp::InterpModel& m = ModelCall::running(model).model();
    const std::span<double> out = exactly(m.unconstrained_size(), theta, n, "theta");
    require(m.unconstrain_json(&given(json, "json"), {}, out), StatusCode::InvalidData);
  });
}

fermiac_status fermiac_call(const fermiac_program* program, const char* name, const char* arguments, fermiac_rng* rng,
                            fermiac_print_callback print, void* user_data, char** result, fermiac_error** error) {
  return at_border(error, [&] {
    const interp::CompiledModel& compiled = *given(program, "program").checked();
    given(result, "result") = nullptr;
    const ad::MemoryScope limited(ad::default_memory_limit());
    PrintRelay relay(sink_of(print, user_data));
    const PrintSink sink = [&](std::string_view line) { relay.print(line); };
    std::string json;
    require(interp::call_function(compiled,
                                  {.name = &given(name, "name"),
                                   .arguments = &given(arguments, "arguments"),
                                   .rng = rng ? &rng->numbers : nullptr,
                                   .print = &sink},
                                  &json));
    *result = copy_for_caller(json);
  });
}
