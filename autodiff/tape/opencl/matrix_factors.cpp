// cholesky_decompose, add_diag.
#include <algorithm>
#include <numeric>

#include "autodiff/tape/opencl/matrix_tools.h"

namespace fermiac::ad::device {
namespace {

/// The whole matrix, and its adjoint: L̄ of L gives tril(L'⁻¹ P L⁻¹ + its transpose) with P = tril(L' L̄), diagonals halved.
class Cholesky final : public MatrixCall {
 public:
  Cholesky(MatrixDesk& desk, const MatrixCallInfo& info)
      : desk_(desk), x_(desk, info.call->in[0], info.sources[0]), l_(desk, *info.call, info.host_reads), factoring_(desk, x_.v(), l_.v(), l_.matrix().rows) {
    if (info.call->in[0].a) back_ = back();
  }
  void forward(const KernelCall& c, bool with_gradient) override {
    x_.bring(c.in[0], with_gradient);
    factoring_.run();
    l_.made(c, with_gradient);
    if (l_.host_reads() && std::isnan(c.out[c.out_shape.size() - 1])) throw AskHost();  // what went wrong anywhere has come down there
  }
  void reverse(const KernelCall& c) override {
    l_.take_adjoints(c);
    desk_.run(back_);
    x_.hand_back(c.in[0]);
  }
  DeviceMatrix* result() override { return &l_.matrix(); }

 private:
  Launches back() {
    const std::uint32_t order = l_.matrix().order(), blocks = order / kSide;
    DeviceBuffer *inverse = desk_.spare(0), *p = desk_.spare(1), *product = desk_.spare(2);
    Launches out;
    out.push_back(desk_.kernel("keep_lower", l_.matrix().blocks(), {l_.a(), order}));
    add_inversion(desk_, l_.v(), factoring_.inverses(), inverse, p, order, &out);
    out.push_back(desk_.kernel("lower_transposed_half", blocks_below(blocks), {l_.v(), l_.a(), p, order}));
    out.push_back(desk_.kernel("lower_product", blocks_below(blocks), {p, inverse, product, order}));
    out.push_back(desk_.kernel("add_lower_symmetric", blocks_below(blocks), {product, inverse, x_.a(), order}));
    return out;
  }

  MatrixDesk& desk_;
  MatrixOperand x_;
  MatrixOutcome l_;
  Factoring factoring_;
  Launches back_;
};

class AddDiagonal final : public MatrixCall {
 public:
  AddDiagonal(MatrixDesk& desk, const MatrixCallInfo& info)
      : desk_(desk), x_(desk, info.call->in[0], info.sources[0]), out_(desk, *info.call, info.host_reads), n_(out_.matrix().rows), d_(desk.buffer(n_)) {
    const std::uint32_t order = out_.matrix().order(), each = info.call->in[1].shape.is_scalar() ? 0 : 1;
    add_ = desk.kernel("with_diagonal", out_.matrix().blocks(), {x_.v(), d_.get(), out_.v(), order, n_, each});
    if (info.call->in[0].a) hand_on_ = desk.kernel("add_matrix", out_.matrix().blocks(), {out_.a(), x_.a(), order});
    diagonal_of_ = desk.kernel("diagonal_of", groups_of(n_), {out_.a(), d_.get(), order, n_});
  }
  void forward(const KernelCall& c, bool with_gradient) override {
    x_.bring(c.in[0], with_gradient);
    desk_.write(*d_, {c.in[1].v, c.in[1].shape.size()});
    desk_.run(add_);
    out_.made(c, with_gradient);
  }
  void reverse(const KernelCall& c) override {
    out_.take_adjoints(c);
    if (c.in[0].a) desk_.run(hand_on_);
    x_.hand_back(c.in[0]);
    if (c.in[1].a) hand_back_diagonal(c.in[1]);
  }
  DeviceMatrix* result() override { return &out_.matrix(); }

 private:
  void hand_back_diagonal(const KernelArg& d) {
    numbers_.resize(n_);
    desk_.run(diagonal_of_);
    desk_.read(*d_, numbers_);
    if (d.shape.is_scalar()) *d.a += std::accumulate(numbers_.begin(), numbers_.end(), 0.0);
    else std::ranges::transform(numbers_, std::span(d.a, n_), d.a, std::plus());
  }

  MatrixDesk& desk_;
  MatrixOperand x_;
  MatrixOutcome out_;
  std::uint32_t n_;
  std::unique_ptr<DeviceBuffer> d_;
  Launch add_, hand_on_, diagonal_of_;
  std::vector<double> numbers_;
};

template <class Call>
std::unique_ptr<MatrixCall> make(MatrixDesk& desk, const MatrixCallInfo& info) {
  return std::make_unique<Call>(desk, info);
}

bool fits_square(const TapeView& t, const TapeCall& c) { return is_square_matrix(operand_of(t, c, 0).shape) && operand_of(t, c, 0).autodiff; }
bool fits_add_diag(const TapeView& t, const TapeCall& c) { return is_square_matrix(operand_of(t, c, 0).shape) && !operand_of(t, c, 1).ints; }

/// Multiplications of a factor and its adjoint: n³/6 and, from n³/6 for the inverse and each of four products, 5/6 n³.
Work cholesky_work(const TapeView&, const TapeCall& c) {
  const double n = c.out.rows, cube = n * n * n;
  return {.host_ns = kHostMultiplication * cube / 2, .multiplied = cube, .launches = 3 * n / kSide + 20};
}
Work add_diag_work(const TapeView&, const TapeCall& c) {
  const double numbers = c.out.size();
  return {.host_ns = numbers, .read = 6 * sizeof(double) * numbers, .launches = 4};
}

constexpr MatrixFunction kFunctions[] = {
    {"cholesky_decompose", 0b1, false, fits_square, cholesky_work, make<Cholesky>},
    {"add_diag", 0b1, true, fits_add_diag, add_diag_work, make<AddDiagonal>},
};

}  // namespace

std::span<const MatrixFunction> factor_functions() { return kFunctions; }

}  // namespace fermiac::ad::device
