// The context of a call of a built-in function: what it may use besides its arguments, and the recording that its results go to.
#pragma once

#include "autodiff/kernels/propto.h"
#include "interp/value/value.h"
#include "support/base/rng.h"

namespace fermiac::ad {
class Recorder;
}

namespace fermiac::interp {

struct CallContext {
  ad::Recorder* recorder = nullptr;  // null in the plain evaluator
  Rng* rng = nullptr;                // null where nothing may be drawn
  ad::Propto propto;                 // densities: which summands are dropped
  bool jacobian = true;              // functions `…_jacobian`: whether they add their log Jacobian at all
  ad::Ref* random = nullptr;         // while draws are recorded: state of the generator, as record_random.h has it
  double* target = nullptr;          // where they add it if no operand carries derivatives; null: it is dropped
};

/// `target += value`, containers summed, on the recorder.
void add_to_target(ad::Recorder& recorder, const Value& value);
/// What a reference holds at the recording point.
double recorded_value(const CallContext& context, Ref ref);

}  // namespace fermiac::interp
