// What becomes of a device that fails while it is used.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "plugins/opencl/device.h"

namespace fermiac {

/// A device in whose queue the launch number `fails_at` fails, or which has no room.
class FailingDevice final : public Device {
 public:
  FailingDevice(std::shared_ptr<Device> inner, int fails_at, bool has_room) : inner_(std::move(inner)), left_(fails_at), has_room_(has_room) {}
  const DeviceInfo& info() const override { return inner_->info(); }
  DeviceStatus buffer(std::size_t bytes, std::unique_ptr<DeviceBuffer>* out) override {
    return has_room_ ? inner_->buffer(bytes, out) : DeviceStatus{DeviceStatus::Kind::NoMemory, "out of memory on the device"};
  }
  DeviceStatus build(const std::string& source, const std::string& binary, std::shared_ptr<DeviceProgram>* out) override {
    return inner_->build(source, binary, out);
  }
  DeviceStatus kernel(DeviceProgram& program, const char* name, std::span<const DeviceArgument> arguments, std::unique_ptr<DeviceKernel>* out) override {
    return inner_->kernel(program, name, arguments, out);
  }
  DeviceStatus queue(std::unique_ptr<DeviceQueue>* out) override {
    std::unique_ptr<DeviceQueue> queue;
    const DeviceStatus status = inner_->queue(&queue);
    *out = std::make_unique<Queue>(std::move(queue), left_);
    return status;
  }

 private:
  struct Queue final : DeviceQueue {
    Queue(std::unique_ptr<DeviceQueue> q, int& l) : inner(std::move(q)), left(l) {}
    DeviceStatus write(DeviceBuffer& to, std::size_t byte, const void* from, std::size_t bytes) override { return inner->write(to, byte, from, bytes); }
    DeviceStatus read(const DeviceBuffer& from, std::size_t byte, void* to, std::size_t bytes) override { return inner->read(from, byte, to, bytes); }
    DeviceStatus launch(DeviceKernel& kernel, std::size_t items, std::size_t group) override {
      return left-- > 0 ? inner->launch(kernel, items, group) : DeviceStatus{DeviceStatus::Kind::Failed, "the device is gone"};
    }
    std::unique_ptr<DeviceQueue> inner;
    int& left;
  };
  std::shared_ptr<Device> inner_;
  int left_;
  bool has_room_;
};

}  // namespace fermiac
