#include "plugins/opencl/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>

#include "support/platform/module.h"
#include "support/platform/process.h"

namespace fermiac {
namespace {

constexpr char kChoices[] = "none, auto, gpu, cpu or opencl:PLATFORM:DEVICE";
constexpr char kToInstall[] = "a loader (ocl-icd-libopencl1) and the driver of the device are needed; pocl-opencl-icd is one for processors";

bool is_there(const std::string& module) {
  std::error_code failed;
  return std::filesystem::exists(module, failed);
}

/// Null, and the reason in `problem`. The module stays loaded.
void* entry(const std::string& module, const char* name, std::string* problem) {
  Module loaded(module);
  loaded.keep();
  const auto* const interface = static_cast<const int*>(loaded.symbol(kInterface));
  void* const found = interface && *interface == kDeviceInterface ? loaded.symbol(name) : nullptr;
  if (found) return found;
  if (loaded) *problem = fmt::format("'{}' is of another version of fermiac: make the file that carries the model again", module);
  else if (!is_there(module)) *problem = fmt::format("this installation has no support for devices (the package fermiac-opencl): there is no '{}'", module);
  else *problem = fmt::format("OpenCL cannot be loaded: {}; {}", loaded.why(), kToInstall);
  return nullptr;
}

std::optional<std::pair<int, int>> numbered(std::string_view choice) {
  constexpr std::string_view kPrefix = "opencl:";
  if (!choice.starts_with(kPrefix)) return std::nullopt;
  choice.remove_prefix(kPrefix.size());
  std::pair<int, int> at;
  const char* const end = choice.data() + choice.size();
  const auto first = std::from_chars(choice.data(), end, at.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, at.second);
  if (second.ec != std::errc() || second.ptr != end || at.first < 0 || at.second < 0) return std::nullopt;
  return at;
}

bool usable(const DeviceInfo& d) { return d.doubles && d.available; }

std::string why_not(const DeviceInfo& d) {
  if (!d.doubles) return fmt::format("the device {} ({}) does not compute with doubles (cl_khr_fp64)", d.id(), d.name);
  return fmt::format("the device {} ({}) is not available", d.id(), d.name);
}

/// The first of the kind that can be used, else the first that cannot.
const DeviceInfo* first_of(const DeviceList& list, DeviceKind kind) {
  const DeviceInfo* found = nullptr;
  for (const DeviceInfo& d : list.devices)
    if (d.kind == kind && (!found || (!usable(*found) && usable(d)))) found = &d;
  return found;
}

std::string ids(const DeviceList& list) {
  std::string out;
  for (const DeviceInfo& d : list.devices) out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", d.id(), d.name);
  return out;
}

/// Null, and the reason; of `auto` without one.
const DeviceInfo* choose(const DeviceList& list, std::string_view choice, std::string* problem) {
  if (list.devices.empty()) return *problem = list.problem, nullptr;
  if (const auto at = numbered(choice)) {
    const auto is_it = [&](const DeviceInfo& d) { return d.platform == at->first && d.device == at->second; };
    const auto found = std::ranges::find_if(list.devices, is_it);
    if (found != list.devices.end()) return &*found;
    *problem = fmt::format("there is no device {}; there are {}", choice, ids(list));
    return nullptr;
  }
  const DeviceInfo* const found = first_of(list, choice == "cpu" ? DeviceKind::Cpu : DeviceKind::Gpu);
  if (!found) *problem = fmt::format("there is no device that is a {}; there are {}", choice == "cpu" ? "processor" : "GPU", ids(list));
  return found;
}

std::shared_ptr<Device> opened(const DeviceInfo& d, const std::string& module, std::string* problem) {
  const auto make = reinterpret_cast<OpenDevice>(entry(module, kOpenDevice, problem));
  return std::shared_ptr<Device>(make ? make(d.platform, d.device, problem) : nullptr);
}

std::string memory_text(std::uint64_t bytes) { return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1u << 30)); }

}  // namespace

std::string DeviceInfo::id() const { return fmt::format("opencl:{}:{}", platform, device); }

std::string own_device_module() { return private_file("fermiac_opencl.so"); }

bool has_device_module() { return is_there(own_device_module()); }

DeviceList list_devices(const std::string& module) {
  DeviceList list;
  const auto fill = reinterpret_cast<ListDevices>(entry(module, kListDevices, &list.problem));
  if (fill) fill(&list);
  if (fill && list.devices.empty()) list.problem = fmt::format("OpenCL knows no device{}{}; {}", list.problem.empty() ? "" : ": ", list.problem, kToInstall);
  return list;
}

Status check_device_choice(std::string_view choice) {
  for (const std::string_view word : {"none", "auto", "gpu", "cpu"})
    if (choice == word) return {};
  if (numbered(choice)) return {};
  return {StatusCode::InvalidArgument, fmt::format("'{}' is not a device: it is {}", choice, kChoices)};
}

const DeviceInfo* chosen_device(const DeviceList& list, std::string_view choice, std::string* problem) {
  const DeviceInfo* const found = choose(list, choice, problem);
  const bool fits = found && usable(*found);
  if (found && !fits) *problem = why_not(*found);
  if (choice == "auto") problem->clear();
  return fits ? found : nullptr;
}

OpenedDevice open_device(std::string_view choice, const std::string& module) {
  OpenedDevice out;
  if (Status bad = check_device_choice(choice); !bad || choice == "none") return {.device = nullptr, .problem = std::move(bad.message)};
  const DeviceList list = list_devices(module);
  const DeviceInfo* const found = chosen_device(list, choice, &out.problem);
  if (found) out.device = opened(*found, module, &out.problem);
  if (choice == "auto") out.problem.clear();
  return out;
}

std::string device_table(const DeviceList& list) {
  if (list.devices.empty()) return list.problem + "\n";
  std::string out;
  for (const DeviceInfo& d : list.devices) {
    constexpr std::string_view kKinds[] = {"GPU", "processor", "other"};
    out += fmt::format("{}  {}\n", d.id(), d.name);
    out += fmt::format("  platform: {}\n  driver: {}\n  kind: {}, {} units, doubles in vectors of {}\n  doubles: {}\n  memory: {}, at most {} in one piece\n", d.platform_name, d.driver,
                       kKinds[static_cast<int>(d.kind)], d.units, d.lanes, d.doubles ? "yes" : "no, so it cannot be used", memory_text(d.memory), memory_text(d.largest));
  }
  return out;
}

}  // namespace fermiac
