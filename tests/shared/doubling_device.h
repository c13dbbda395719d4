// Shows what a device did: its results are twice what they are.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "plugins/opencl/device.h"

namespace fermiac {

/// A device whose results come back doubled, so that an evaluation that the processor did in its place can be told from one of its own.
class DoublingDevice final : public Device {
 public:
  explicit DoublingDevice(std::shared_ptr<Device> inner) : inner_(std::move(inner)) {}
  const DeviceInfo& info() const override { return inner_->info(); }
  DeviceStatus buffer(std::size_t bytes, std::unique_ptr<DeviceBuffer>* out) override { return inner_->buffer(bytes, out); }
  DeviceStatus build(const std::string& source, const std::string& binary, std::shared_ptr<DeviceProgram>* out) override {
    return inner_->build(source, binary, out);
  }
  DeviceStatus kernel(DeviceProgram& program, const char* name, std::span<const DeviceArgument> arguments, std::unique_ptr<DeviceKernel>* out) override {
    return inner_->kernel(program, name, arguments, out);
  }
  DeviceStatus queue(std::unique_ptr<DeviceQueue>* out) override {
    std::unique_ptr<DeviceQueue> queue;
    const DeviceStatus status = inner_->queue(&queue);
    *out = std::make_unique<Queue>(std::move(queue));
    return status;
  }

 private:
  struct Queue final : DeviceQueue {
    explicit Queue(std::unique_ptr<DeviceQueue> q) : inner(std::move(q)) {}
    DeviceStatus write(DeviceBuffer& to, std::size_t byte, const void* from, std::size_t bytes) override { return inner->write(to, byte, from, bytes); }
    DeviceStatus read(const DeviceBuffer& from, std::size_t byte, void* to, std::size_t bytes) override {
      const DeviceStatus status = inner->read(from, byte, to, bytes);
      for (double& x : std::span(static_cast<double*>(to), bytes / sizeof(double))) x *= 2;
      return status;
    }
    DeviceStatus launch(DeviceKernel& kernel, std::size_t items, std::size_t group) override { return inner->launch(kernel, items, group); }
    std::unique_ptr<DeviceQueue> inner;
  };
  std::shared_ptr<Device> inner_;
};

}  // namespace fermiac
