// Which matrix operations of a tape run on a device: calls whose work is worth it, with what lies between them. Unlike chains (chains.h)
// each is done where it stands among the operations of the host, so its result may be read anywhere; what only others of them read never
// leaves the device.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "autodiff/tape/opencl/use.h"

namespace fermiac::ad::device {

struct MatrixFormula;
struct MatrixFunction;

/// A call of the tape that the device does.
struct PlacedCall {
  static constexpr std::uint32_t kHost = 0xffffffff;

  std::uint32_t op = 0, call = 0;        // of the tape; formulas count on behind its calls
  const MatrixFunction* function = nullptr;
  std::vector<std::uint32_t> sources;    // by operand: which placed call makes it, or kHost
  bool host_reads = false;               // its result
  std::shared_ptr<const MatrixFormula> formula;  // in place of a call: the op is a vector's
  std::vector<std::uint32_t> inner;      // ops that nothing else needs
};

/// In the order of the tape. Empty where none pays, or nothing fits. `taken`: ops of chains.
std::vector<PlacedCall> plan_matrices(const TapeView& tape, const std::vector<bool>& taken, DeviceUse& use);

}  // namespace fermiac::ad::device
