// A device that tapes may use: what is placed on it, what it costs, programs that were built before, and its end.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "autodiff/tape/opencl/chains.h"
#include "plugins/opencl/device.h"

namespace fermiac::ad::device {

/// Of one core of the host with AVX2: a multiplication and an addition in a product of matrices.
inline constexpr double kHostMultiplication = 0.08;

/// What a device takes its time for. Measured once and kept.
struct Profile {
  double call_ns = 0;           // a point of evaluation: numbers there, a kernel, numbers back
  double launch_ns = 0;         // one more kernel
  double copy_ns_per_byte = 0;  // between host and device
  double read_ns_per_byte = 0;  // of its own memory
  double function_ns = 0;       // an elementary function or density of one element, there and back
  double multiply_ns = 0;       // a multiplication and an addition in a product of matrices; DeviceUse::matrix_profile alone measures it
};

/// What there is to do at a point of evaluation.
struct Work {
  double host_ns = 0;           // on one core of the host
  double functions = 0;         // elementary functions and densities
  double multiplied = 0;        // multiplications of matrices, each with an addition
  double read = 0, copied = 0;  // bytes
  double launches = 0;
  double waits = 0;             // of the host for the device, besides that at the end
};
Work work_of(const Chain& chain);
/// Without elementary functions; null is of an operand itself.
bool is_arithmetic(const symbols::MapFormula* map);
/// Of a map, there and back.
double host_ns_of_element(const symbols::MapFormula* map);
double nanoseconds(const Profile& profile, const Work& work);
/// The chains that are done sooner there, if all of them together pay for the call.
std::vector<bool> worth_placing(const Profile& profile, const std::vector<Work>& chains);

enum class Placing : std::uint8_t { Worth, All };
/// What FERMIAC_PLACE says, `all`; else Worth.
Placing placing_by_environment();

class DeviceUse {
 public:
  /// `tell` hears from any thread of what ends the use of the device, at most once, and of what cannot be placed though it is asked for.
  DeviceUse(std::shared_ptr<Device> device, Placing placing, std::function<void(const std::string&)> tell)
      : device_(std::move(device)), placing_(placing), tell_(std::move(tell)) {}
  Device& device() { return *device_; }
  Placing placing() const { return placing_; }
  /// Measured at the first call, unless an earlier process did.
  const Profile& profile();
  const Profile& matrix_profile();
  /// From the text, or from what an earlier process built of it.
  Status build(const std::string& source, std::shared_ptr<DeviceProgram>* out);
  /// For people, on the way of what ends the use.
  void tell(const std::string& text) const {
    if (tell_) tell_(text);
  }
  /// From now on the host does everything.
  void lose(const std::string& why);
  bool lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  std::string key(std::string_view what) const;
  Status measure(Profile* out);
  Status measure_products(Profile* out);
  void keep_or_measure(std::string_view what, Profile* out, Status (DeviceUse::*measure)(Profile*));

  std::shared_ptr<Device> device_;
  Placing placing_;
  std::function<void(const std::string&)> tell_;
  std::atomic<bool> lost_ = false;
  std::once_flag measured_, multiplied_;
  Profile profile_, matrix_profile_;
};

/// Opens a device with the placement that the environment asks for. `out` stays null if the choice is none. `report` receives the messages
/// of the DeviceUse.
Status open_for_tapes(std::string_view choice, std::function<void(const std::string&)> report, std::shared_ptr<DeviceUse>* out,
                      const std::string& module = own_device_module());

}  // namespace fermiac::ad::device
