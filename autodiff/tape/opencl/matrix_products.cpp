// Products: of a matrix that the device has, or of a constant one, with a vector; of matrices with one another.
#include <algorithm>
#include <functional>

#include "autodiff/tape/opencl/find_chains.h"
#include "autodiff/tape/opencl/matrix_tools.h"

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

/// `to` = a b, a b' or a' b, as the kernel says; or += that. `inner`: what is summed over, padded.
Launch multiplied(MatrixDesk& desk, const char* kernel, const DeviceBuffer* a, const DeviceBuffer* b, DeviceBuffer* to, const DeviceMatrix& shape, std::uint32_t inner, bool adds) {
  return desk.kernel(kernel, shape.blocks(), {a, b, to, shape.order(), shape.width(), inner, adds ? 1u : 0u});
}

/// A matrix made of one or two, each way a few launches.
class OfMatrices : public MatrixCall {
 public:
  OfMatrices(MatrixDesk& desk, const MatrixCallInfo& info) : desk_(desk), out_(desk, *info.call, info.host_reads) {
    for (std::size_t j = 0; j < info.call->in.size(); ++j) in_.emplace_back(desk, info.call->in[j], info.sources[j]);
  }
  void forward(const KernelCall& c, bool with_gradient) override {
    for (std::size_t j = 0; j < in_.size(); ++j) in_[j].bring(c.in[j], with_gradient);
    desk_.run(forward_);
    out_.made(c, with_gradient);
  }
  void reverse(const KernelCall& c) override {
    out_.take_adjoints(c);
    desk_.run(back_);
    for (std::size_t j = 0; j < in_.size(); ++j) in_[j].hand_back(c.in[j]);
  }
  DeviceMatrix* result() override { return &out_.matrix(); }

 protected:
  MatrixDesk& desk_;
  std::vector<MatrixOperand> in_;
  MatrixOutcome out_;
  Launches forward_, back_;
};

/// Y = A B: Ā += Ȳ B', B̄ += A' Ȳ.
class Product final : public OfMatrices {
 public:
  Product(MatrixDesk& desk, const MatrixCallInfo& info) : OfMatrices(desk, info) {
    const DeviceMatrix &a = in_[0].matrix(), &b = in_[1].matrix(), &y = out_.matrix();
    forward_.push_back(multiplied(desk, "product", a.v.get(), b.v.get(), out_.v(), y, a.width(), false));
    if (a.a) back_.push_back(multiplied(desk, "product_with_transposed", out_.a(), b.v.get(), a.a.get(), a, y.width(), true));
    if (b.a) back_.push_back(multiplied(desk, "transposed_product", a.v.get(), out_.a(), b.a.get(), b, y.order(), true));
  }
};

enum class Self : std::uint8_t { Outer, Inner, LowerOuter };

/// Y = A A': Ā += (Ȳ + Ȳ') A; with the lower triangle of A alone, that of it. Y = A' A: Ā += A (Ȳ + Ȳ').
template <Self S>
class SelfProduct final : public OfMatrices {
 public:
  SelfProduct(MatrixDesk& desk, const MatrixCallInfo& info) : OfMatrices(desk, info) {
    const DeviceMatrix &a = in_[0].matrix(), &y = out_.matrix();
    constexpr bool kInner = S == Self::Inner, kLower = S == Self::LowerOuter;
    if (kLower) keep_lower(a);
    DeviceBuffer *const from = kLower ? lower_.get() : a.v.get(), *const back = kLower ? lower_a_.get() : a.a.get();
    forward_.push_back(multiplied(desk, kInner ? "transposed_product" : "product_with_transposed", from, from, y.v.get(), y, kInner ? a.order() : a.width(), false));
    DeviceBuffer *const left = kInner ? from : y.a.get(), *const right = kInner ? y.a.get() : from;
    back_.push_back(multiplied(desk, "product", left, right, back, a, y.order(), !kLower));
    back_.push_back(multiplied(desk, kInner ? "product_with_transposed" : "transposed_product", left, right, back, a, y.order(), true));
    if (!kLower) return;
    back_.push_back(desk.kernel("keep_lower", a.blocks(), {back, a.order()}));
    back_.push_back(desk.kernel("add_matrix", a.blocks(), {back, a.a.get(), a.order()}));
  }

 private:
  /// In a buffer of its own.
  void keep_lower(const DeviceMatrix& a) {
    lower_ = desk_.buffer(a.numbers());
    lower_a_ = desk_.buffer(a.numbers());
    forward_.push_back(desk_.kernel("clear", a.blocks(), {lower_.get(), a.order()}));
    forward_.push_back(desk_.kernel("add_matrix", a.blocks(), {a.v.get(), lower_.get(), a.order()}));
    forward_.push_back(desk_.kernel("keep_lower", a.blocks(), {lower_.get(), a.order()}));
  }

  std::unique_ptr<DeviceBuffer> lower_, lower_a_;
};

// ---- what fits, and what it takes: on the device with its padding

double padded(const Shape& s) { return static_cast<double>(whole_blocks(s.rows)) * whole_blocks(s.cols); }
bool has_room(const Shape& s) {
  constexpr double kMostNumbers = 1u << 28;
  return padded(s) <= kMostNumbers;
}
bool is_plain(const TapeCallOperand& x, Inner inner) { return x.shape.inner == inner && x.shape.rank == 0 && !x.ints && !x.shape.complex && x.shape.size() > 0; }
bool is_matrix(const TapeCallOperand& x) { return is_plain(x, Inner::Matrix) && has_room(x.shape); }

bool fits_vector(const TapeView& t, const TapeCall& c) { return c.count == 2 && is_matrix(operand_of(t, c, 0)) && is_plain(operand_of(t, c, 1), Inner::Vector); }
/// Brought there once.
bool fits_constant(const TapeView& t, const TapeCall& c) { return fits_vector(t, c) && is_constant_matrix(t, operand_of(t, c, 0)); }
bool fits_matrices(const TapeView& t, const TapeCall& c) { return c.count == 2 && is_matrix(operand_of(t, c, 0)) && is_matrix(operand_of(t, c, 1)) && has_room(c.out); }
bool fits_self(const TapeView& t, const TapeCall& c) { return c.count == 1 && is_matrix(operand_of(t, c, 0)) && has_room(c.out); }
bool fits_square(const TapeView& t, const TapeCall& c) { return fits_self(t, c) && is_square_matrix(operand_of(t, c, 0).shape); }

Work work_of_vector(const TapeView& t, const TapeCall& c) {
  const Shape& m = operand_of(t, c, 0).shape;
  return {.host_ns = 3 * kHostMultiplication * m.size(), .multiplied = 3 * padded(m), .read = 4 * sizeof(double) * padded(m), .launches = 3, .waits = 2};
}
/// A product forward, and one back for each operand with derivatives.
Work work_of_matrices(const TapeView& t, const TapeCall& c) {
  const TapeCallOperand &a = operand_of(t, c, 0), &b = operand_of(t, c, 1);
  const double products = 1.0 + a.autodiff + b.autodiff, host = products * a.shape.size() * b.shape.cols;
  return {.host_ns = kHostMultiplication * host, .multiplied = products * padded(a.shape) * whole_blocks(b.shape.cols), .read = 4 * sizeof(double) * padded(c.out), .launches = products + 2};
}
/// The host takes half of the product and both halves back at once.
Work work_of_self(const TapeView& t, const TapeCall& c) {
  const Shape& a = operand_of(t, c, 0).shape;
  const double host = 1.0 * a.size() * c.out.rows;
  return {.host_ns = 1.5 * kHostMultiplication * host, .multiplied = 3 * padded(a) * whole_blocks(c.out.rows), .read = 6 * sizeof(double) * padded(c.out), .launches = 8};
}

template <class Call>
std::unique_ptr<MatrixCall> make(MatrixDesk& desk, const MatrixCallInfo& info) { return std::make_unique<Call>(desk, info); }

constexpr MatrixFunction kFunctions[] = {
    {"multiply", 0b1, true, fits_vector, work_of_vector, make<TimesVector>},
    {"multiply", 0, false, fits_constant, work_of_vector, make<TimesVector>},
    {"multiply", 0b11, false, fits_matrices, work_of_matrices, make<Product>},
    {"tcrossprod", 0b1, false, fits_self, work_of_self, make<SelfProduct<Self::Outer>>},
    {"crossprod", 0b1, false, fits_self, work_of_self, make<SelfProduct<Self::Inner>>},
    {"multiply_lower_tri_self_transpose", 0b1, false, fits_square, work_of_self, make<SelfProduct<Self::LowerOuter>>},
};

}  // namespace

std::span<const MatrixFunction> product_functions() { return kFunctions; }

}  // namespace fermiac::ad::device
