// Shows what a device did: its results are twice what they are.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "tests/shared/forwarding_device.h"

namespace fermiac {

/// A device whose results come back doubled, so that an evaluation that the processor did in its place can be told from one of its own.
class DoublingDevice final : public ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;

 private:
  struct Queue final : ForwardingQueue {
    using ForwardingQueue::ForwardingQueue;
    Status read(const DeviceBuffer& from, std::size_t byte, void* to, std::size_t bytes) override {
      const Status status = ForwardingQueue::read(from, byte, to, bytes);
      for (double& x : std::span(static_cast<double*>(to), bytes / sizeof(double))) x *= 2;
      return status;
    }
  };
  std::unique_ptr<DeviceQueue> wrapped(std::unique_ptr<DeviceQueue> queue) override { return std::make_unique<Queue>(std::move(queue)); }
};

}  // namespace fermiac
