#include "autodiff/kernels/known_kernels.h"

#include <fmt/format.h>

#include "support/base/check.h"

namespace fermiac::ad {
namespace {

const Kernel* find(std::string_view name) {
  const Kernel* const kernel = find_kernel(name);
  FERMIAC_CHECK(kernel != nullptr, fmt::format("there is no kernel {}", name));
  return kernel;
}

}  // namespace

const KnownKernels& known_kernels() {
  static const KnownKernels kKnown = {.sum = find("sum"),
                                      .dot_product = find("dot_product"),
                                      .dot_self = find("dot_self"),
                                      .multiply = find("multiply"),
                                      .cumulative_sum = find("cumulative_sum"),
                                      .running_sum = find("running_sum__"),
                                      .add_diag = find("add_diag"),
                                      .log_sum_exp = find("log_sum_exp"),
                                      .log_softmax = find("log_softmax"),
                                      .softmax = find("softmax"),
                                      .categorical = find("categorical_lpmf"),
                                      .categorical_logit = find("categorical_logit_lpmf"),
                                      .normal_id_glm = find("normal_id_glm_lpdf"),
                                      .eigenvalues_sym = find("eigenvalues_sym"),
                                      .eigenvectors_sym = find("eigenvectors_sym")};
  return kKnown;
}

}  // namespace fermiac::ad
