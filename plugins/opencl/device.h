// Devices that compute beside the processor: their memory, programs for them, launches. What speaks to them is a module of its own
// (opencl/), loaded where a device is asked for; without it, a loader or a driver, programs start as they do. Errors are values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/base/status.h"

namespace fermiac {

enum class DeviceKind : std::uint8_t { Gpu, Cpu, Other };

struct DeviceInfo {
  int platform = 0, device = 0;    // opencl:PLATFORM:DEVICE
  std::string platform_name, name, driver, version;
  DeviceKind kind = DeviceKind::Other;
  bool doubles = false;            // computes with numbers of 64 bits
  bool available = true;           // and compiles programs
  std::uint64_t memory = 0;        // bytes
  std::uint64_t largest = 0;       // bytes of one buffer
  std::uint32_t units = 1;
  std::uint32_t lanes = 1;         // doubles in a vector that it likes
  std::uint32_t largest_group = 1; // work items

  /// As --device takes it.
  std::string id() const;
};

class DeviceBuffer {
 public:
  virtual ~DeviceBuffer() = default;
};

/// A kernel with arguments of its own.
class DeviceKernel {
 public:
  virtual ~DeviceKernel() = default;
};

class DeviceProgram {
 public:
  virtual ~DeviceProgram() = default;
  /// What the device runs, to build the program from another time; empty where the driver does not tell.
  virtual std::string binary() const = 0;
};

using DeviceArgument = std::variant<const DeviceBuffer*, std::uint32_t>;

/// Launches and copies in their order. One thread's. Calls fail with NoMemory or Failed, as those of Device do.
class DeviceQueue {
 public:
  virtual ~DeviceQueue() = default;
  /// Returns when `from` may be overwritten.
  virtual Status write(DeviceBuffer& to, std::size_t byte, const void* from, std::size_t bytes) = 0;
  /// Returns when all before it is done.
  virtual Status read(const DeviceBuffer& from, std::size_t byte, void* to, std::size_t bytes) = 0;
  virtual Status launch(DeviceKernel& kernel, std::size_t items, std::size_t group) = 0;
};

/// An open device. Calls may come from several threads.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  virtual Status buffer(std::size_t bytes, std::unique_ptr<DeviceBuffer>* out) = 0;
  /// From the text, or from what an earlier build gave, where the driver takes it.
  virtual Status build(const std::string& source, const std::string& binary, std::shared_ptr<DeviceProgram>* out) = 0;
  virtual Status kernel(DeviceProgram& program, const char* name, std::span<const DeviceArgument> arguments,
                              std::unique_ptr<DeviceKernel>* out) = 0;
  virtual Status queue(std::unique_ptr<DeviceQueue>* out) = 0;
};

struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::string problem;             // why there are none
};

/// What came with the program; a file that is copied away from it (a bundle) is told where that lies.
std::string own_device_module();

/// All devices of all platforms.
DeviceList list_devices(const std::string& module = own_device_module());

struct OpenedDevice {
  std::shared_ptr<Device> device;  // null: none, which is no problem where the text is empty
  std::string problem;
};

/// `none`, `auto` (a GPU, or none), `gpu`, `cpu`, `opencl:PLATFORM:DEVICE`. What has no doubles is refused; `auto` looks past it.
OpenedDevice open_device(std::string_view choice, const std::string& module = own_device_module());
/// The one that open_device opens, of these devices; null, and the reason, of `auto` none.
const DeviceInfo* chosen_device(const DeviceList& list, std::string_view choice, std::string* problem);
/// Fails if it cannot be a choice, whatever devices there are.
Status check_device_choice(std::string_view choice);
/// One line each, for people; or why there are none.
std::string device_table(const DeviceList& list);
/// Whether this installation has the module.
bool has_device_module();

// What the module exports under these names.
using ListDevices = void (*)(DeviceList* out);
using OpenDevice = Device* (*)(int platform, int device, std::string* problem);
/// A module has it as `fermiac_device_interface`. A file that carries a model may be older than the installation whose module it opens:
/// another number wherever something changes that both sides see, which is all of this header up to here.
inline constexpr int kDeviceInterface = 1;
inline constexpr char kInterface[] = "fermiac_device_interface";
inline constexpr char kListDevices[] = "fermiac_list_devices", kOpenDevice[] = "fermiac_open_device";

}  // namespace fermiac
