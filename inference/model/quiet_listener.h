// A listener of runs inside other computations: nothing is told but why one failed.
#pragma once

#include "inference/model/run_listener.h"

namespace fermiac::inference {

class QuietListener final : public RunListener {
 public:
  void columns(std::size_t, const std::vector<std::string>&) override {}
  void row(std::size_t, std::span<const double>, std::span<const double>, bool) override {}
  void message(std::string_view) override {}
  void progress(std::size_t, unsigned, unsigned, bool) override {}
  void failed(std::string_view why) override { reason = why; }
  std::string reason;
};

}  // namespace fermiac::inference
