#include "autodiff/tape/opencl/matrix_desk.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace fermiac::ad::device {

std::string_view block_macros();
std::string_view matrix_kernels();

namespace {
constexpr std::size_t kGroup = 256;  // items
}

MatrixDesk::MatrixDesk(DeviceUse& use, std::size_t numbers) : use_(use), numbers_(numbers) {
  program_ = build(std::string(block_macros()) + std::string(matrix_kernels()));
  check(use_.device().queue(&queue_));
}

void MatrixDesk::check(const Status& status) const {
  if (!status) throw DeviceFailure(status.message);
}

std::unique_ptr<DeviceBuffer> MatrixDesk::buffer(std::size_t numbers) {
  std::unique_ptr<DeviceBuffer> out;
  check(use_.device().buffer(std::max<std::size_t>(numbers, 1) * sizeof(double), &out));
  return out;
}

DeviceMatrix MatrixDesk::matrix(std::uint32_t rows, std::uint32_t columns, bool adjoints) {
  DeviceMatrix m{rows, columns, nullptr, nullptr};
  m.v = buffer(m.numbers());
  if (adjoints) m.a = buffer(m.numbers());
  return m;
}

DeviceBuffer* MatrixDesk::spare(int k) {
  if (!spare_[k]) spare_[k] = buffer(numbers_);
  return spare_[k].get();
}

Launch MatrixDesk::kernel(const char* name, std::size_t groups, std::initializer_list<DeviceArgument> arguments) {
  return kernel(*program_, name, groups, std::span(arguments.begin(), arguments.size()));
}
Launch MatrixDesk::kernel(DeviceProgram& program, const char* name, std::size_t groups, std::span<const DeviceArgument> arguments) {
  Launch out{nullptr, groups};
  check(use_.device().kernel(program, name, arguments, &out.kernel));
  return out;
}

std::shared_ptr<DeviceProgram> MatrixDesk::build(const std::string& source) {
  std::shared_ptr<DeviceProgram> out;
  check(use_.build(source, &out));
  return out;
}

void MatrixDesk::run(const Launch& launch) {
  if (launch.groups > 0) check(queue_->launch(*launch.kernel, launch.groups * kGroup, kGroup));
}
void MatrixDesk::run(const Launches& launches) {
  for (const Launch& launch : launches) run(launch);
}

void MatrixDesk::write(DeviceBuffer& to, std::span<const double> from) { check(queue_->write(to, 0, from.data(), from.size_bytes())); }
void MatrixDesk::read(const DeviceBuffer& from, std::span<double> to) { check(queue_->read(from, 0, to.data(), to.size_bytes())); }

}  // namespace fermiac::ad::device
