#include "autodiff/tape/opencl/use.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "autodiff/tape/opencl/chains.h"
#include "support/base/cache_folder.h"
#include "support/base/checksum.h"

namespace fermiac::ad::device {
namespace {

// Nanoseconds per element, forward and back, on one core with AVX2 (docs/design/performance.md, "Devices").
constexpr double kHostArithmetic = 0.5, kHostFunction = 4, kHostGather = 3, kHostProduct = 0.5, kHostOrdered = 60, kHostCategory = 20;
constexpr double kMultiplicationsOfFunction = 32;  // as many take as long as a function

/// For an element of a step.
struct StepCost {
  double host_ns = 0, functions = 0;
};
StepCost cost_of(const Step& step) {
  const auto categories = static_cast<double>(step.x.size() - 1);
  if (step.kind == Step::Kind::Categories) return {kHostCategory * categories, 0.5 * categories};
  if (step.map == &kOrderedLogistic || step.map == &kOrderedProbit) return {kHostOrdered, 3};
  return {host_ns_of_element(step.map), is_arithmetic(step.map) ? 0.0 : 1.0};
}

/// The first product of a matrix waits for memory on either side; those behind it are multiplications there and back.
void add_work_of_product(const Chain& chain, std::size_t k, Work* w) {
  const Product& p = chain.products[k];
  const double numbers = static_cast<double>(chain.n) * p.columns;
  const auto same = [&](const Product& other) { return other.matrix == p.matrix; };
  if (std::any_of(chain.products.begin(), chain.products.begin() + static_cast<std::ptrdiff_t>(k), same)) {
    w->host_ns += 2 * kHostMultiplication * numbers;
    w->functions += 2 * numbers / kMultiplicationsOfFunction;
    return;
  }
  w->host_ns += kHostProduct * numbers;
  w->read += 2 * sizeof(double) * numbers;
  w->launches += 1;
}

bool is_copied(const Source& s) { return s.kind == Source::Kind::Scalar || s.kind == Source::Kind::Vector; }

}  // namespace

bool is_arithmetic(const symbols::MapFormula* map) {
  if (!map) return true;
  for (const std::string_view name : {"add", "subtract", "multiply", "divide", "minus", "fma", "square", "inv", "sqrt", "abs"})
    if (map->name == name) return true;
  return false;
}
double host_ns_of_element(const symbols::MapFormula* map) { return is_arithmetic(map) ? kHostArithmetic : kHostFunction; }

Work work_of(const Chain& chain) {
  const double n = chain.n, bytes = sizeof(double) * n;
  Work w{.launches = 1};
  for (const Step& step : chain.steps) {
    const StepCost cost = cost_of(step);
    w.host_ns += n * cost.host_ns;
    w.functions += n * cost.functions;
    for (std::size_t j = 0; j < step.x.size(); ++j) {
      const bool vector = step.vector_mask >> j & 1u, autodiff = step.ad_mask >> j & 1u;
      if (!vector || !(is_copied(step.x[j]) || step.x[j].kind == Source::Kind::Extra)) continue;
      w.read += autodiff ? 2 * bytes : bytes;
      w.copied += autodiff ? 2 * bytes : 0;
    }
  }
  for (std::size_t k = 0; k < chain.gathers.size(); ++k) {
    w.host_ns += n * kHostGather;
    w.read += 4 * bytes;
    w.launches += 1;
  }
  for (std::size_t k = 0; k < chain.products.size(); ++k) add_work_of_product(chain, k, &w);
  return w;
}

double nanoseconds(const Profile& p, const Work& w) {
  return w.waits * p.call_ns + w.launches * p.launch_ns + w.copied * p.copy_ns_per_byte + w.read * p.read_ns_per_byte + w.functions * p.function_ns +
         w.multiplied * p.multiply_ns;
}

std::vector<bool> worth_placing(const Profile& profile, const std::vector<Work>& chains) {
  std::vector<bool> worth;
  double gain = -profile.call_ns;
  for (const Work& w : chains) {
    const double saved = w.host_ns - nanoseconds(profile, w);
    worth.push_back(saved > 0);
    gain += std::max(saved, 0.0);
  }
  return gain > 0 ? worth : std::vector<bool>(chains.size());
}

Placing placing_by_environment() {
  const char* const said = std::getenv("FERMIAC_PLACE");
  return said && std::string_view(said) == "all" ? Placing::All : Placing::Worth;
}

Status open_for_tapes(std::string_view choice, std::function<void(const std::string&)> report, std::shared_ptr<DeviceUse>* out,
                      const std::string& module) {
  OpenedDevice opened = open_device(choice, module);
  if (opened.device) *out = std::make_shared<DeviceUse>(std::move(opened.device), placing_by_environment(), std::move(report));
  return Status::failed_if_any(opened.problem);
}

std::string DeviceUse::key(std::string_view what) const {
  const DeviceInfo& d = device_->info();
  const Checksum sum = Checksum().add(d.platform_name).add("\n").add(d.name).add("\n").add(d.driver).add("\n").add(d.version).add("\n").add(what);
  return fmt::format("{:016x}", sum.value());
}

Status DeviceUse::build(const std::string& source, std::shared_ptr<DeviceProgram>* out) {
  const std::string name = key(source) + ".cl.bin", known = read_cached(name);
  Status status = device_->build(source, known, out);
  if (status && known.empty())
    if (const std::string binary = (*out)->binary(); !binary.empty()) keep_cached(name, binary);
  return status;
}

void DeviceUse::lose(const std::string& why) {
  if (lost_.exchange(true)) return;
  tell(fmt::format("the device {} ({}) is not used any more: {}; the processor goes on alone", device_->info().id(), device_->info().name, why));
}

void DeviceUse::keep_or_measure(std::string_view what, Profile* out, Status (DeviceUse::*measure)(Profile*)) {
  static_assert(std::is_trivially_copyable_v<Profile>);
  const std::string name = key(what) + ".device", known = read_cached(name);
  if (known.size() == sizeof *out) return void(std::memcpy(out, known.data(), sizeof *out));
  if (const Status status = (this->*measure)(out); !status) return lose(status.message);
  keep_cached(name, std::string(reinterpret_cast<const char*>(out), sizeof *out));
}

const Profile& DeviceUse::profile() {
  std::call_once(measured_, [this] { keep_or_measure("profile 2", &profile_, &DeviceUse::measure); });
  return profile_;
}

const Profile& DeviceUse::matrix_profile() {
  profile();
  std::call_once(multiplied_, [this] {
    Profile with_products = profile_;
    keep_or_measure("profile of matrices 2", &with_products, &DeviceUse::measure_products);
    matrix_profile_ = with_products;
  });
  return matrix_profile_;
}

}  // namespace fermiac::ad::device
