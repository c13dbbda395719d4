// What becomes of a device that fails while it is used.
#pragma once

#include <memory>
#include <utility>

#include "tests/shared/forwarding_device.h"

namespace fermiac {

/// A device in whose queue the launch number `fails_at` fails, or which has no room.
class FailingDevice final : public ForwardingDevice {
 public:
  FailingDevice(std::shared_ptr<Device> inner, int fails_at, bool has_room)
      : ForwardingDevice(std::move(inner)), left_(fails_at), has_room_(has_room) {}
  Status buffer(std::size_t bytes, std::unique_ptr<DeviceBuffer>* out) override {
    return has_room_ ? ForwardingDevice::buffer(bytes, out) : Status{StatusCode::NoMemory, "out of memory on the device"};
  }

 private:
  struct Queue final : ForwardingQueue {
    Queue(std::unique_ptr<DeviceQueue> inner, int& l) : ForwardingQueue(std::move(inner)), left(l) {}
    Status launch(DeviceKernel& kernel, std::size_t items, std::size_t group) override {
      return left-- > 0 ? ForwardingQueue::launch(kernel, items, group) : Status{StatusCode::Failed, "the device is gone"};
    }
    int& left;
  };
  std::unique_ptr<DeviceQueue> wrapped(std::unique_ptr<DeviceQueue> queue) override { return std::make_unique<Queue>(std::move(queue), left_); }

  int left_;
  bool has_room_;
};

}  // namespace fermiac
