// Kernels that recording and rewriting know something about. They are known by address: names are for messages, and several
// kernels may speak with one name.
#pragma once

#include "autodiff/kernels/kernel.h"

namespace fermiac::ad {

struct KnownKernels {
  const Kernel *sum, *dot_product, *dot_self, *multiply, *cumulative_sum, *running_sum;
  const Kernel* add_diag;
  const Kernel *log_sum_exp, *log_softmax, *softmax;
  const Kernel *categorical, *categorical_logit, *normal_id_glm;
  const Kernel *eigenvalues_sym, *eigenvectors_sym;  // of real matrices
};
const KnownKernels& known_kernels();

}  // namespace fermiac::ad
