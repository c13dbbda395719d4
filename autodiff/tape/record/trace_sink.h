// Keeps every operation in the trace, in order. Constants and gathers are shared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "autodiff/tape/record/sink.h"

namespace fermiac::ad {

class TraceSink : public Sink {
 public:
  using Sink::Sink;

  Ref constant(double value) override { return r_.build.constant(value); }
  Ref constant_block(const double* values, std::uint32_t n) override { return r_.build.constant_block(values, n); }
  Ref map(Op& op, const double* x) override { return keep(op, value_of(op, x)); }
  void call(std::uint32_t index) override;
  void guard(Compare compare, Ref a, Ref b, bool outcome) override;
  double sink(Op op) override;
  double call_sink(std::uint32_t index) override;
  void target(Ref r, std::uint32_t n) override;
  std::vector<Ref> terms() override;
  void push(const Op& op) override { r_.append(op); }

 protected:
  /// The op of a scalar map with this value.
  Ref keep(Op& op, double value) {
    op.d = r_.build.allocate(1);
    r_.append(op);
    result(op.d) = value;
    return op.d;
  }

 private:
  Ref copy(std::span<const Ref> elements) override;
  void run(const CallInfo& info);
  bool keep_sink_value(Op& op);

  std::vector<KernelArg> call_args_;
  std::vector<double> scratch_;  // of the call being recorded
};

}  // namespace fermiac::ad
