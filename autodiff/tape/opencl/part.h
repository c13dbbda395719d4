// The part of a tape that runs on a device, and what one workspace has there.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "autodiff/tape/opencl/matrix_plan.h"
#include "autodiff/tape/opencl/program_text.h"
#include "autodiff/tape/opencl/use.h"

namespace fermiac::ad::device {

/// Shared by the workspaces of a tape.
class Part {
 public:
  /// Null where nothing is placed.
  static std::unique_ptr<const Part> make(const TapeView& tape, std::shared_ptr<DeviceUse> use);
  /// Of the tape: those that the host does not do, or does as calls of the device (matrices()).
  bool has(std::uint32_t op) const { return taken_[op]; }
  /// What the device does where the sweep of the host comes to it.
  const std::vector<PlacedCall>& matrices() const { return matrices_; }
  const ProgramText& text() const { return text_; }
  DeviceUse& use() const { return *use_; }

 private:
  friend class Run;
  Part(std::shared_ptr<DeviceUse> use, ProgramText text, std::vector<bool> taken, std::vector<PlacedCall> matrices)
      : use_(std::move(use)), text_(std::move(text)), taken_(std::move(taken)), matrices_(std::move(matrices)) {}
  /// Builds the program and fills the blocks of constants, once.
  Status prepare() const;
  Status fill() const;

  std::shared_ptr<DeviceUse> use_;
  ProgramText text_;
  std::vector<bool> taken_;
  std::vector<PlacedCall> matrices_;
  mutable std::mutex mutex_;
  mutable bool prepared_ = false;
  mutable Status status_;
  mutable std::shared_ptr<DeviceProgram> program_;
  mutable std::unique_ptr<DeviceBuffer> constants_, integers_;
};

/// One workspace's numbers on the device.
class Run {
 public:
  explicit Run(const Part& part);

  enum class Outcome : std::uint8_t {
    Done,
    AskHost,  // a rule was broken, or a number is out of the range of the device's functions, or is none
    Lost      // DeviceUse::lost
  };
  /// At the numbers v of the arena: adds the terms to *lp and, where `a` is not null, adjoints to a.
  Outcome evaluate(const double* v, double* a, double* lp);

 private:
  Status prepare();
  bool ascends(const double* v) const;
  void fill_in(const double* v);
  Status launch();
  Outcome collect(const double* v, double* a, double* lp) const;

  const Part& part_;
  bool prepared_ = false;
  std::unique_ptr<DeviceQueue> queue_;
  std::unique_ptr<DeviceBuffer> numbers_;
  std::vector<std::unique_ptr<DeviceKernel>> kernels_;
  std::vector<double> in_, out_;
};

}  // namespace fermiac::ad::device
