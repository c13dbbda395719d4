#include "autodiff/tape/opencl/use.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "autodiff/tape/opencl/matrix_desk.h"
#include "autodiff/tape/opencl/outcome_formulas.h"
#include "autodiff/tape/opencl/program_text.h"
#include "support/base/cache_folder.h"
#include "support/base/checksum.h"

namespace fermiac::ad::device {

std::string_view prelude();

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

std::shared_ptr<DeviceUse> open_for_tapes(std::string_view choice, std::function<void(const std::string&)> tell, std::string* problem,
                                          const std::string& module) {
  OpenedDevice opened = open_device(choice, module);
  *problem = std::move(opened.problem);
  return opened.device ? std::make_shared<DeviceUse>(std::move(opened.device), placing_by_environment(), std::move(tell)) : nullptr;
}

std::string DeviceUse::key(std::string_view what) const {
  const DeviceInfo& d = device_->info();
  const Checksum sum = Checksum().add(d.platform_name).add("\n").add(d.name).add("\n").add(d.driver).add("\n").add(d.version).add("\n").add(what);
  return fmt::format("{:016x}", sum.value());
}

DeviceStatus DeviceUse::build(const std::string& source, std::shared_ptr<DeviceProgram>* out) {
  const std::string name = key(source) + ".cl.bin", known = read_cached(name);
  DeviceStatus status = device_->build(source, known, out);
  if (status && known.empty())
    if (const std::string binary = (*out)->binary(); !binary.empty()) keep_cached(name, binary);
  return status;
}

void DeviceUse::lose(const std::string& why) {
  if (lost_.exchange(true)) return;
  tell(fmt::format("the device {} ({}) is not used any more: {}; the processor goes on alone", device_->info().id(), device_->info().name, why));
}

namespace {

/// Nanoseconds of one call, the least of several.
template <class Call>
double least_time(Call call, DeviceStatus* status) {
  using Clock = std::chrono::steady_clock;
  double least = 1e18;
  for (int i = 0; i < 5 && *status; ++i) {
    const Clock::time_point start = Clock::now();
    *status = call();
    least = std::min(least, std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  return least;
}

/// Runs on a device what profiles are made of: log(1 + exp(x)) of many numbers, a sum of them, nothing.
class Measurement {
 public:
  static constexpr std::uint32_t kNumbers = 1u << 20;
  Measurement(Device& device, const Cut& cut) : device_(device), cut_(cut) {}

  DeviceStatus prepare(DeviceProgram& program) {
    DeviceStatus status = device_.queue(&queue_);
    if (status) status = device_.buffer((kNumbers + 4096) * sizeof(double), &numbers_);
    for (int k = 0; k < 3 && status; ++k) {
      const DeviceArgument arguments[] = {numbers_.get(), k == 0 ? 0u : kNumbers};
      status = device_.kernel(program, k == 2 ? "measure_functions" : "measure_sum", arguments, &kernels_[k]);
    }
    host_.assign(kNumbers, 0.5);
    return status;
  }
  /// A call with so much written, some launches of kernel k, and one number back.
  DeviceStatus call(std::size_t written, int k, int launches) {
    DeviceStatus status = queue_->write(*numbers_, 0, host_.data(), written * sizeof(double));
    for (int i = 0; i < launches && status; ++i) status = queue_->launch(*kernels_[k], std::size_t{cut_.groups} * cut_.group, cut_.group);
    return status ? queue_->read(*numbers_, kNumbers * sizeof(double), host_.data(), sizeof(double)) : status;
  }
  DeviceStatus run(Profile* out) {
    DeviceStatus status;
    const auto time = [&](std::size_t written, int k, int launches) {
      return least_time([&] { return call(written, k, launches); }, &status);
    };
    out->call_ns = time(1, 0, 1);
    out->launch_ns = std::max(0.0, (time(1, 0, 11) - out->call_ns) / 10);
    out->copy_ns_per_byte = std::max(0.0, (time(kNumbers, 0, 1) - out->call_ns) / (kNumbers * sizeof(double)));
    const double sum = std::max(0.0, time(1, 1, 1) - out->call_ns);
    out->read_ns_per_byte = sum / (kNumbers * sizeof(double));
    out->function_ns = std::max(0.0, time(1, 2, 1) - out->call_ns - sum) / kNumbers;
    return status;
  }

 private:
  Device& device_;
  Cut cut_;
  std::unique_ptr<DeviceQueue> queue_;
  std::unique_ptr<DeviceBuffer> numbers_;
  std::unique_ptr<DeviceKernel> kernels_[3];
  std::vector<double> host_;
};

constexpr char kMeasured[] = R"(
#define MEASURE(name, f)                                                                        \
  __kernel void name(__global double* D, uint n) {                                              \
    __local double room[GROUP];                                                                 \
    const uint groups = get_num_groups(0), chunk = (n / groups / (GROUP * LANES) + 1) * GROUP * LANES; \
    const uint begin = (uint)get_group_id(0) * chunk, end = min(n, begin + chunk);              \
    T sum = (T)(0.0);                                                                           \
    for (uint i = begin + (uint)get_local_id(0) * LANES; i < end; i += GROUP * LANES) {         \
      const T x = LOAD(D, i);                                                                   \
      sum += f;                                                                                 \
    }                                                                                           \
    add_up(SUM(sum), room, D + 1048576 + get_group_id(0));                                      \
  }
MEASURE(measure_sum, x)
MEASURE(measure_functions, x + log_1p(exp(x)) / ((T)(1.0) + exp(-x)))
)";

}  // namespace

DeviceStatus DeviceUse::measure(Profile* out) {
  const Cut cut = cut_for(device_->info());
  std::shared_ptr<DeviceProgram> program;
  DeviceStatus status = build(fmt::format("#define LANES {}\n#define GROUP {}\n{}{}", cut.lanes, cut.group, prelude(), kMeasured), &program);
  Measurement measurement(*device_, cut);
  if (status) status = measurement.prepare(*program);
  return status ? measurement.run(out) : status;
}

/// Products of blocks as the factor of a matrix of this order has them.
DeviceStatus DeviceUse::measure_products(Profile* out) {
  constexpr std::uint32_t kOrder = 1536, kBelow = kOrder / kSide - 1;
  constexpr double kProducts = static_cast<double>(kBelow * (kBelow + 1) / 2) * kSide * kSide * kSide;
  DeviceStatus status;
  try {
    MatrixDesk desk(*this, 1);
    const auto matrix = desk.buffer(std::size_t{kOrder} * kOrder);
    desk.run(desk.kernel("clear", (kBelow + 1) * (kBelow + 1), {matrix.get(), kOrder}));
    const Launch launch = desk.kernel("factor_rest", kBelow * (kBelow + 1) / 2, {matrix.get(), kOrder, 0u});
    double last = 0;
    const auto call = [&] {
      desk.run(launch);
      desk.read(*matrix, {&last, 1});
      return DeviceStatus();
    };
    out->multiply_ns = std::max(0.0, least_time(call, &status) - out->call_ns) / kProducts;
  } catch (const DeviceFailure& e) {
    status = {DeviceStatus::Kind::Failed, e.what()};
  }
  return status;
}

void DeviceUse::keep_or_measure(std::string_view what, Profile* out, DeviceStatus (DeviceUse::*measure)(Profile*)) {
  static_assert(std::is_trivially_copyable_v<Profile>);
  const std::string name = key(what) + ".device", known = read_cached(name);
  if (known.size() == sizeof *out) return void(std::memcpy(out, known.data(), sizeof *out));
  if (const DeviceStatus status = (this->*measure)(out); !status) return lose(status.text);
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
