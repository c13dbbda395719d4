// The entry points of bridgestan.h: each checks its pointers, takes a work space and passes on what the model says.
#include "bindings/bridgestan/bridgestan.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bindings/bridgestan/guarded_call.h"
#include "bindings/bridgestan/loaded_model.h"
#include "bindings/bridgestan/version.h"
#include "bindings/shared/or_else.h"
#include "bindings/shared/pointers.h"
#include "bindings/shared/print_relay.h"
#include "inference/model/second_derivatives.h"
#include "support/base/rng.h"

using namespace fermiac;
using namespace fermiac::capi;

struct bs_model final : LoadedModel {
  using LoadedModel::LoadedModel;
};

struct bs_rng {
  explicit bs_rng(unsigned seed) : numbers(seed) {}
  Rng numbers;
};

namespace {

/// The library's own: a callback is set for all models, before the first exists.
PrintRelay& print_relay() {
  static PrintRelay relay;
  return relay;
}

/// One call for the text and one for the line's end, with no other between them.
PrintSink in_two_calls(bs_print_callback callback) {
  return [callback](std::string_view line) {
    const std::string_view text = line.substr(0, line.size() - (line.ends_with('\n') ? 1 : 0));
    callback(text.data(), text.size());
    if (text.size() < line.size()) callback("\n", 1);
  };
}

template <class Body>
const char* text_of(const bs_model* model, Body text) noexcept {
  return or_else<const char*>(nullptr, [&] { return text(given(model, "model")).c_str(); });
}

template <class Body>
int count_of(const bs_model* model, Body count) noexcept {
  return or_else(-1, [&] { return static_cast<int>(count(given(model, "model"))); });
}

/// What the functions of the log density have in common: a point, and a model that can be evaluated there.
struct DensityCall {
  const LoadedModel& model;
  DensityOptions options;
  std::span<const double> theta;
  LoadedModel::Lease workspace;

  DensityCall(const bs_model* m, bool propto, bool jacobian, const double* theta_unc)
      : model(given(m, "model")),
        options{.propto = propto, .jacobian = jacobian},
        theta(numbers(theta_unc, model.model().unconstrained_size(), "theta_unc")),
        workspace(model) {}

  void value(double* lp) { require(workspace->log_density(theta, options, &given(lp, "lp"))); }
  void gradient(double* lp, double* out) {
    require(workspace->log_density_gradient(theta, options, &given(lp, "lp"), numbers(out, theta.size(), "gradient")));
  }
};

}  // namespace

const int bs_major_version = kAbiVersion.major;
const int bs_minor_version = kAbiVersion.minor;
const int bs_patch_version = kAbiVersion.patch;

bs_model* bs_model_construct(const char* data, unsigned int seed, char** error_msg) {
  bs_model* out = nullptr;
  guarded_call("construct", error_msg, [&] {
    const std::string_view text = data ? data : "";
    out = new bs_model(bind_carried_model(text, seed, [](std::string_view line) { print_relay().print(line); }));
  });
  return out;
}

void bs_model_destruct(bs_model* model) {
  delete model;
}
void bs_free_error_msg(char* error_msg) {
  std::free(error_msg);
}

const char* bs_name(const bs_model* model) {
  return text_of(
      model, [](const LoadedModel& m) -> auto& { return m.name(); });
}
const char* bs_model_info(const bs_model* model) {
  return text_of(
      model, [](const LoadedModel& m) -> auto& { return m.info(); });
}
const char* bs_param_names(const bs_model* model, bool include_tp, bool include_gq) {
  return text_of(
      model, [&](const LoadedModel& m) -> auto& { return m.names(include_tp, include_gq).text(); });
}
const char* bs_param_unc_names(const bs_model* model) {
  return text_of(
      model, [](const LoadedModel& m) -> auto& { return m.unconstrained_names().text(); });
}
int bs_param_num(const bs_model* model, bool include_tp, bool include_gq) {
  return count_of(model, [&](const LoadedModel& m) { return m.names(include_tp, include_gq).count(); });
}
int bs_param_unc_num(const bs_model* model) {
  return count_of(model, [](const LoadedModel& m) { return m.model().unconstrained_size(); });
}

int bs_param_constrain(const bs_model* model, bool include_tp, bool include_gq, const double* theta_unc, double* theta,
                       bs_rng* rng, char** error_msg) {
  return guarded_call("param_constrain", error_msg, [&] {
    const LoadedModel& m = given(model, "model");
    if (include_gq && !rng) throw InputError(StatusCode::InvalidArgument, "generated quantities need an rng, which is a null pointer");
    Rng unused(0);
    const LoadedModel::Lease workspace(m);
    require(workspace->write_array(numbers(theta_unc, m.model().unconstrained_size(), "theta_unc"), include_tp,
                                   include_gq, include_gq ? rng->numbers : unused,
                                   numbers(theta, m.names(include_tp, include_gq).count(), "theta")));
  });
}

int bs_param_unconstrain(const bs_model* model, const double* theta, double* theta_unc, char** error_msg) {
  return guarded_call("param_unconstrain", error_msg, [&] {
    const LoadedModel& m = given(model, "model");
    require(m.model().unconstrain_array(numbers(theta, m.names(false, false).count(), "theta"), {},
                                        numbers(theta_unc, m.model().unconstrained_size(), "theta_unc")));
  });
}

int bs_param_unconstrain_json(const bs_model* model, const char* json, double* theta_unc, char** error_msg) {
  return guarded_call("param_unconstrain_json", error_msg, [&] {
    const Model& m = given(model, "model").model();
    require(m.unconstrain_json(&given(json, "json"), {}, numbers(theta_unc, m.unconstrained_size(), "theta_unc")));
  });
}

int bs_log_density(const bs_model* model, bool propto, bool jacobian, const double* theta_unc, double* lp,
                   char** error_msg) {
  return guarded_call("log_density", error_msg, [&] { DensityCall(model, propto, jacobian, theta_unc).value(lp); });
}

int bs_log_density_gradient(const bs_model* model, bool propto, bool jacobian, const double* theta_unc, double* lp,
                            double* gradient, char** error_msg) {
  return guarded_call("log_density_gradient", error_msg,
                      [&] { DensityCall(model, propto, jacobian, theta_unc).gradient(lp, gradient); });
}

int bs_log_density_hessian(const bs_model* model, bool propto, bool jacobian, const double* theta_unc, double* lp,
                           double* gradient, double* hessian_out, char** error_msg) {
  return guarded_call("log_density_hessian", error_msg, [&] {
    DensityCall call(model, propto, jacobian, theta_unc);
    call.gradient(lp, gradient);
    const std::size_t n = call.theta.size();
    require(inference::hessian(*call.workspace, call.options, call.theta, numbers(hessian_out, n * n, "hessian")));
  });
}

int bs_log_density_hessian_vector_product(const bs_model* model, bool propto, bool jacobian, const double* theta_unc,
                                          const double* vector, double* lp, double* product, char** error_msg) {
  return guarded_call("log_density_hessian_vector_product", error_msg, [&] {
    DensityCall call(model, propto, jacobian, theta_unc);
    call.value(lp);
    const std::size_t n = call.theta.size();
    require(inference::gradient_derivative(*call.workspace, call.options, call.theta, numbers(vector, n, "vector"),
                                numbers(product, n, "product")));
  });
}

bs_rng* bs_rng_construct(unsigned int seed, char** error_msg) {
  bs_rng* out = nullptr;
  guarded_call("construct_rng", error_msg, [&] { out = new bs_rng(seed); });
  return out;
}

void bs_rng_destruct(bs_rng* rng) {
  delete rng;
}

int bs_set_print_callback(bs_print_callback callback, char** error_msg) {
  return guarded_call("set_print_callback", error_msg, [&] { print_relay().set(callback ? in_two_calls(callback) : PrintSink()); });
}
