// A device that passes all work on to another one; tests derive devices from it that differ in one respect.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "plugins/opencl/device.h"

namespace fermiac {

class ForwardingQueue : public DeviceQueue {
 public:
  explicit ForwardingQueue(std::unique_ptr<DeviceQueue> inner) : inner_(std::move(inner)) {}
  Status write(DeviceBuffer& to, std::size_t byte, const void* from, std::size_t bytes) override { return inner_->write(to, byte, from, bytes); }
  Status read(const DeviceBuffer& from, std::size_t byte, void* to, std::size_t bytes) override { return inner_->read(from, byte, to, bytes); }
  Status launch(DeviceKernel& kernel, std::size_t items, std::size_t group) override { return inner_->launch(kernel, items, group); }

 private:
  std::unique_ptr<DeviceQueue> inner_;
};

class ForwardingDevice : public Device {
 public:
  explicit ForwardingDevice(std::shared_ptr<Device> inner) : inner_(std::move(inner)) {}
  const DeviceInfo& info() const override { return inner_->info(); }
  Status buffer(std::size_t bytes, std::unique_ptr<DeviceBuffer>* out) override { return inner_->buffer(bytes, out); }
  Status build(const std::string& source, const std::string& binary, std::shared_ptr<DeviceProgram>* out) override {
    return inner_->build(source, binary, out);
  }
  Status kernel(DeviceProgram& program, const char* name, std::span<const DeviceArgument> arguments, std::unique_ptr<DeviceKernel>* out) override {
    return inner_->kernel(program, name, arguments, out);
  }
  Status queue(std::unique_ptr<DeviceQueue>* out) override {
    std::unique_ptr<DeviceQueue> queue;
    const Status status = inner_->queue(&queue);
    *out = wrapped(std::move(queue));
    return status;
  }

 private:
  virtual std::unique_ptr<DeviceQueue> wrapped(std::unique_ptr<DeviceQueue> queue) = 0;

  std::shared_ptr<Device> inner_;
};

}  // namespace fermiac
