// A⁻¹ B for a lower triangle or a symmetric positive definite matrix A; B is the host's, and so is the result.
#include <algorithm>
#include <functional>
#include <optional>

#include "autodiff/tape/opencl/matrix_tools.h"

namespace fermiac::ad::device {
namespace {

constexpr std::uint32_t kMostColumns = 64;  // of B: each is solved by itself

enum class Form { Lower, Positive };

/// With W = A'⁻¹ X̄ of the result X: B̄ += W, Ā -= W X', the lower triangle of it for a lower A.
template <Form F>
class Division final : public MatrixCall {
 public:
  Division(MatrixDesk& desk, const MatrixCallInfo& info)
      : desk_(desk), a_(desk, info.call->in[0], info.sources[0]), n_(a_.matrix().rows), order_(a_.matrix().order()), count_(info.call->in[1].shape.cols) {
    DeviceBuffer* factor = a_.v();
    if (F == Form::Positive) {
      own_ = desk.buffer(a_.matrix().numbers());
      factor = own_.get();
      factoring_.emplace(desk, a_.v(), factor, n_);
    } else {
      own_ = desk.buffer(std::size_t{order_} * kSide);
      invert_ = desk.kernel("invert_diagonals", order_ / kSide, {factor, own_.get(), order_, n_});
    }
    solving_.emplace(desk, factor, factoring_ ? factoring_->inverses() : own_.get(), n_, count_);
    const std::uint32_t lower = F == Form::Lower ? 1 : 0;
    if (info.call->in[0].a) outer_ = desk.kernel("add_outer", a_.matrix().blocks(), {solving_->column_buffer(0), solving_->column_buffer(1), a_.a(), order_, order_, count_, lower});
  }
  void forward(const KernelCall& c, bool with_gradient) override {
    a_.bring(c.in[0], with_gradient);
    if (factoring_) factoring_->run();
    else desk_.run(invert_);
    solving_->down({c.in[1].v, c.in[1].shape.size()}, &x_);
    if (F == Form::Positive) solving_->up(std::vector<double>(x_), &x_);
    if (!std::ranges::all_of(x_, [](double x) { return std::isfinite(x); })) throw AskHost();
    std::ranges::copy(x_, c.out);
  }
  void reverse(const KernelCall& c) override {
    const std::span<const double> adjoint(c.out_a, c.out_shape.size());
    if (F == Form::Positive) {
      std::vector<double> between;
      solving_->down(adjoint, &between);
      solving_->up(between, &w_);
    } else {
      solving_->up(adjoint, &w_);
    }
    if (c.in[1].a) std::ranges::transform(w_, std::span(c.in[1].a, w_.size()), c.in[1].a, std::plus());
    if (!c.in[0].a) return;
    std::ranges::transform(w_, w_.begin(), std::negate());
    solving_->put(w_, 0);
    solving_->put({c.out, c.out_shape.size()}, 1);
    desk_.run(outer_);
    a_.hand_back(c.in[0]);
  }

 private:
  MatrixDesk& desk_;
  MatrixOperand a_;
  std::uint32_t n_, order_, count_;
  std::unique_ptr<DeviceBuffer> own_;  // the factor, or the inverses of its blocks
  std::optional<Factoring> factoring_;
  std::optional<Solving> solving_;
  Launch invert_, outer_;
  std::vector<double> x_, w_;
};

bool fits(const TapeView& t, const TapeCall& c) {
  const TapeCallOperand &a = operand_of(t, c, 0), &b = operand_of(t, c, 1);
  const bool plain = b.shape.rank == 0 && !b.ints && !b.shape.complex && (b.shape.inner == Inner::Vector || b.shape.inner == Inner::Matrix);
  return is_square_matrix(a.shape) && plain && b.shape.rows == a.shape.rows && b.shape.cols > 0 && b.shape.cols <= kMostColumns;
}
template <Form F>
Work work(const TapeView& t, const TapeCall& c) {
  const double n = operand_of(t, c, 0).shape.rows, square = n * n * operand_of(t, c, 1).shape.cols, cube = F == Form::Positive ? n * n * n / 6 : 0;
  return {.host_ns = kHostMultiplication * cube + square, .multiplied = cube + square, .read = 2 * sizeof(double) * square, .launches = 5 * n / kSide, .waits = 4};
}
template <Form F>
std::unique_ptr<MatrixCall> make(MatrixDesk& desk, const MatrixCallInfo& info) {
  return std::make_unique<Division<F>>(desk, info);
}

constexpr MatrixFunction kFunctions[] = {
    {"mdivide_left_tri_low", 0b1, true, fits, work<Form::Lower>, make<Form::Lower>},
    {"mdivide_left_spd", 0b1, false, fits, work<Form::Positive>, make<Form::Positive>},
};

}  // namespace

std::span<const MatrixFunction> division_functions() { return kFunctions; }

}  // namespace fermiac::ad::device
