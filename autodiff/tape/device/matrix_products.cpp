// A matrix that the device has times a vector.
#include <algorithm>
#include <functional>

#include "autodiff/tape/device/matrix_tools.h"

namespace fermiac::ad::device {
namespace {

class TimesVector final : public MatrixCall {
 public:
  TimesVector(MatrixDesk& desk, const MatrixCallInfo& info)
      : desk_(desk), m_(desk, info.call->in[0], info.sources[0]), x_(desk.buffer(m_.matrix().width())), to_(desk.buffer(m_.matrix().order())),
        in_(m_.matrix().width()), out_(m_.matrix().order()) {
    const DeviceMatrix& m = m_.matrix();
    times_ = desk.kernel("times_vector", m.order() / kSide, {m.v.get(), x_.get(), to_.get(), m.order(), m.width()});
    back_ = desk.kernel("transposed_times_vector", m.width(), {m.v.get(), to_.get(), x_.get(), m.order()});
    if (m.a) outer_ = desk.kernel("add_outer", m.blocks(), {to_.get(), x_.get(), m.a.get(), m.order(), m.width(), 1u, 0u});
  }
  void forward(const KernelCall& c, bool with_gradient) override {
    m_.bring(c.in[0], with_gradient);
    put(c.in[1].v, m_.matrix().columns, in_, *x_);
    desk_.run(times_);
    desk_.read(*to_, out_);
    std::copy_n(out_.begin(), c.out_shape.size(), c.out);
  }
  void reverse(const KernelCall& c) override {
    put(c.out_a, m_.matrix().rows, out_, *to_);
    put(c.in[1].v, m_.matrix().columns, in_, *x_);
    if (m_.matrix().a) desk_.run(outer_);
    m_.hand_back(c.in[0]);
    if (!c.in[1].a) return;
    desk_.run(back_);
    desk_.read(*x_, in_);
    std::ranges::transform(std::span(in_).first(c.in[1].shape.size()), std::span(c.in[1].a, c.in[1].shape.size()), c.in[1].a, std::plus());
  }

 private:
  /// With zeros behind.
  void put(const double* from, std::size_t n, std::vector<double>& padded, DeviceBuffer& to) const {
    std::ranges::fill(padded, 0.0);
    std::copy_n(from, n, padded.begin());
    desk_.write(to, padded);
  }

  MatrixDesk& desk_;
  MatrixOperand m_;
  std::unique_ptr<DeviceBuffer> x_, to_;
  std::vector<double> in_, out_;
  Launch times_, back_, outer_;
};

bool fits(const TapeView& t, const TapeCall& c) {
  if (c.count != 2) return false;
  const TapeCallOperand &m = operand_of(t, c, 0), &x = operand_of(t, c, 1);
  const bool vector = x.shape.inner == Inner::Vector && x.shape.rank == 0 && !x.ints && !x.shape.complex;
  return vector && m.shape.inner == Inner::Matrix && m.shape.rank == 0 && !m.ints && !m.shape.complex && m.shape.size() > 0;
}
Work work(const TapeView& t, const TapeCall& c) {
  const double numbers = operand_of(t, c, 0).shape.size();
  return {.host_ns = 3 * kHostMultiplication * numbers, .multiplied = 3 * numbers, .read = 4 * sizeof(double) * numbers, .launches = 3, .waits = 2};
}
std::unique_ptr<MatrixCall> make(MatrixDesk& desk, const MatrixCallInfo& info) { return std::make_unique<TimesVector>(desk, info); }

constexpr MatrixFunction kFunctions[] = {{"multiply", 0b1, true, fits, work, make}};

}  // namespace

std::span<const MatrixFunction> product_functions() { return kFunctions; }

}  // namespace fermiac::ad::device
