#include "inference/model/output_writer.h"

namespace fermiac::inference {

OutputWriter::OutputWriter(const Model& model, ModelWorkspace& workspace, Rng rng)
    : workspace_(workspace),
      rng_(rng),
      values_(model.names(true, true).size()),
      num_params_(model.names(false, false).size()) {}

ConstSpan OutputWriter::write(ConstSpan theta, RejectLog* failures) {
  const EvalStatus status = workspace_.write_array(theta, true, true, rng_, values_);
  if (status) return values_;
  if (status.kind == EvalStatus::Kind::Fatal) fatal_message_ = fatal_text(status);
  if (status.kind == EvalStatus::Kind::Rejected) failures->add(status.message);
  // What was computed before the failure is not known to be whole: keep the parameters alone.
  std::fill(values_.begin(), values_.end(), kNaN);
  (void)workspace_.write_array(theta, false, false, rng_, Span(values_).first(num_params_));
  return values_;
}

Rng generated_rng(std::uint64_t seed, unsigned chain_id) {
  return Rng(seed ^ 0xd1b54a32d192ed03ULL, chain_id);
}

}  // namespace fermiac::inference
