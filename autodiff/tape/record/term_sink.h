// Evaluation without a tape of a program that reads target: every term becomes a number, and terms() gives them.
#pragma once

#include <cstdint>
#include <vector>

#include "autodiff/tape/record/direct_sink.h"

namespace fermiac::ad {

class TermSink final : public DirectSink {
 public:
  using DirectSink::DirectSink;

  double sink_scalars(MapCode code, const double* x, const Ref* refs, std::uint8_t ad, Keep keep) override;
  double sink(Op op) override;
  double call_sink(std::uint32_t index) override;
  void target(Ref r, std::uint32_t n) override;
  std::vector<Ref> terms() override { return terms_; }

  /// As of a DirectSink; there are no terms yet.
  void restart(bool with_gradient) override;

 private:
  double add(Ref term);

  std::vector<Ref> terms_;
};

}  // namespace fermiac::ad
