// What a device takes its time for: measurements for the profiles of use.h.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "autodiff/tape/opencl/matrix_desk.h"
#include "autodiff/tape/opencl/program_text.h"
#include "autodiff/tape/opencl/use.h"

namespace fermiac::ad::device {

std::string_view prelude();

namespace {

/// Nanoseconds of one call, the least of several.
template <class Call>
double least_time(Call call, Status* status) {
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

  Status prepare(DeviceProgram& program) {
    Status status = device_.queue(&queue_);
    if (status) status = device_.buffer((kNumbers + 4096) * sizeof(double), &numbers_);
    for (int k = 0; k < 3 && status; ++k) {
      const DeviceArgument arguments[] = {numbers_.get(), k == 0 ? 0u : kNumbers};
      status = device_.kernel(program, k == 2 ? "measure_functions" : "measure_sum", arguments, &kernels_[k]);
    }
    host_.assign(kNumbers, 0.5);
    return status;
  }
  /// A call with so much written, some launches of kernel k, and one number back.
  Status call(std::size_t written, int k, int launches) {
    Status status = queue_->write(*numbers_, 0, host_.data(), written * sizeof(double));
    for (int i = 0; i < launches && status; ++i) status = queue_->launch(*kernels_[k], std::size_t{cut_.groups} * cut_.group, cut_.group);
    return status ? queue_->read(*numbers_, kNumbers * sizeof(double), host_.data(), sizeof(double)) : status;
  }
  Status run(Profile* out) {
    Status status;
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

Status DeviceUse::measure(Profile* out) {
  const Cut cut = cut_for(device_->info());
  std::shared_ptr<DeviceProgram> program;
  Status status = build(fmt::format("#define LANES {}\n#define GROUP {}\n{}{}", cut.lanes, cut.group, prelude(), kMeasured), &program);
  Measurement measurement(*device_, cut);
  if (status) status = measurement.prepare(*program);
  return status ? measurement.run(out) : status;
}

/// Products of blocks as the factor of a matrix of this order has them.
Status DeviceUse::measure_products(Profile* out) {
  constexpr std::uint32_t kOrder = 1536, kBelow = kOrder / kSide - 1;
  constexpr double kProducts = static_cast<double>(kBelow * (kBelow + 1) / 2) * kSide * kSide * kSide;
  Status status;
  try {
    MatrixDesk desk(*this, 1);
    const auto matrix = desk.buffer(std::size_t{kOrder} * kOrder);
    desk.run(desk.kernel("clear", (kBelow + 1) * (kBelow + 1), {matrix.get(), kOrder}));
    const Launch launch = desk.kernel("factor_rest", kBelow * (kBelow + 1) / 2, {matrix.get(), kOrder, 0u});
    double last = 0;
    const auto call = [&] {
      desk.run(launch);
      desk.read(*matrix, {&last, 1});
      return Status();
    };
    out->multiply_ns = std::max(0.0, least_time(call, &status) - out->call_ns) / kProducts;
  } catch (const DeviceFailure& e) {
    status = {StatusCode::Failed, e.what()};
  }
  return status;
}

}  // namespace fermiac::ad::device
