// On what the tests of devices run: a processor by OpenCL, or what FERMIAC_TEST_DEVICE says. `gpu` is a real one; `like-gpu` a processor
// that is told to work as one, so that what is written for GPUs is compiled and run where there is none.
#pragma once

#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "plugins/opencl/device.h"

namespace fermiac {

class LikeGpu final : public Device {
 public:
  explicit LikeGpu(std::shared_ptr<Device> inner) : inner_(std::move(inner)), info_(inner_->info()) {
    info_.kind = DeviceKind::Gpu;
    info_.lanes = 1;
    info_.units = 4;
    info_.largest_group = 256;
    info_.version += " like a GPU";  // its profile is another
  }
  const DeviceInfo& info() const override { return info_; }
  Status buffer(std::size_t bytes, std::unique_ptr<DeviceBuffer>* out) override { return inner_->buffer(bytes, out); }
  Status build(const std::string& source, const std::string& binary, std::shared_ptr<DeviceProgram>* out) override {
    return inner_->build(source, binary, out);
  }
  Status kernel(DeviceProgram& program, const char* name, std::span<const DeviceArgument> arguments, std::unique_ptr<DeviceKernel>* out) override {
    return inner_->kernel(program, name, arguments, out);
  }
  Status queue(std::unique_ptr<DeviceQueue>* out) override { return inner_->queue(out); }

 private:
  std::shared_ptr<Device> inner_;
  DeviceInfo info_;
};

inline OpenedDevice open_test_device(std::string_view choice) {
  if (choice != "like-gpu") return open_device(choice);
  OpenedDevice opened = open_device("cpu");
  if (opened.device) opened.device = std::make_shared<LikeGpu>(std::move(opened.device));
  return opened;
}
inline OpenedDevice open_test_device() {
  const char* const said = std::getenv("FERMIAC_TEST_DEVICE");
  return open_test_device(said ? said : "cpu");
}

}  // namespace fermiac
