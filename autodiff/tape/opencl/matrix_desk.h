// What matrix operations of one workspace have on a device: memory, kernels, copies. Kernels are those of matrices.cl.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "autodiff/tape/opencl/use.h"

namespace fermiac::ad::device {

/// The device is not to be used any more; what() says why.
struct DeviceFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The host is to do this evaluation: for its message, or because no number came out.
struct AskHost {};

inline constexpr std::uint32_t kSide = 64;  // of a block
constexpr std::uint32_t whole_blocks(std::uint32_t n) { return (n + kSide - 1) / kSide * kSide; }

/// rows x columns numbers, padded to whole blocks, and their adjoints where there are some.
struct DeviceMatrix {
  std::uint32_t rows = 0, columns = 0;
  std::unique_ptr<DeviceBuffer> v, a;
  std::uint32_t order() const { return whole_blocks(rows); }
  std::uint32_t width() const { return whole_blocks(columns); }
  std::uint32_t blocks() const { return order() / kSide * (width() / kSide); }
  std::size_t numbers() const { return std::size_t{order()} * width(); }
};

/// A kernel with its arguments, ready to be launched.
struct Launch {
  std::unique_ptr<DeviceKernel> kernel;
  std::size_t groups = 0;
};
using Launches = std::vector<Launch>;

/// The queue and memory of one workspace. Everything throws DeviceFailure.
class MatrixDesk {
 public:
  /// `numbers`: of the largest matrix.
  MatrixDesk(DeviceUse& use, std::size_t numbers);

  std::unique_ptr<DeviceBuffer> buffer(std::size_t numbers);
  DeviceMatrix matrix(std::uint32_t rows, std::uint32_t columns, bool adjoints);
  /// Room for a matrix between two launches, k < 4; the last is also what numbers without padding pass through.
  DeviceBuffer* spare(int k);
  DeviceBuffer* passage() { return spare(3); }

  /// One of matrices.cl, or of another program.
  Launch kernel(const char* name, std::size_t groups, std::initializer_list<DeviceArgument> arguments);
  Launch kernel(DeviceProgram& program, const char* name, std::size_t groups, std::span<const DeviceArgument> arguments);
  std::shared_ptr<DeviceProgram> build(const std::string& source);
  void run(const Launch& launch);
  void run(const Launches& launches);
  void write(DeviceBuffer& to, std::span<const double> from);
  void read(const DeviceBuffer& from, std::span<double> to);

 private:
  void check(const Status& status) const;

  DeviceUse& use_;
  std::size_t numbers_;
  std::shared_ptr<DeviceProgram> program_;
  std::unique_ptr<DeviceQueue> queue_;
  std::unique_ptr<DeviceBuffer> spare_[4];
};

}  // namespace fermiac::ad::device
