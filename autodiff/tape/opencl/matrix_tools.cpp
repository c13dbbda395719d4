#include "autodiff/tape/opencl/matrix_tools.h"

#include <algorithm>

namespace fermiac::ad::device {

bool is_square_matrix(const Shape& s) {
  constexpr std::uint32_t kMostRows = 46'000;  // their square can be counted
  return s.rank == 0 && s.inner == Inner::Matrix && !s.complex && s.rows == s.cols && s.rows > 0 && s.rows <= kMostRows;
}

// ---- operands

MatrixOperand::MatrixOperand(MatrixDesk& desk, const KernelArg& x, MatrixCall* source) : desk_(desk), source_(source) {
  if (source_) return;
  own_ = desk.matrix(x.shape.rows, x.shape.cols, x.a != nullptr);
  const std::uint32_t n = own_.rows, m = own_.columns, order = own_.order();
  pad_ = desk.kernel("pad", own_.blocks(), {desk.passage(), own_.v.get(), order, n, m});
  if (!x.a) return;
  clear_ = desk.kernel("clear", own_.blocks(), {own_.a.get(), order});
  unpad_ = desk.kernel("unpad", own_.blocks(), {own_.a.get(), desk.passage(), order, n, m});
}

void MatrixOperand::bring(const KernelArg& x, bool with_gradient) {
  if (source_) return;
  if (with_gradient && x.a) desk_.run(clear_);
  if (brought_ && !x.a) return;
  desk_.write(*desk_.passage(), {x.v, x.shape.size()});
  desk_.run(pad_);
  brought_ = true;
}

void MatrixOperand::hand_back(const KernelArg& x) {
  if (source_ || !x.a) return;
  numbers_.resize(x.shape.size());
  desk_.run(unpad_);
  desk_.read(*desk_.passage(), numbers_);
  for (std::size_t i = 0; i < numbers_.size(); ++i) x.a[i] += numbers_[i];
}

// ---- results

MatrixOutcome::MatrixOutcome(MatrixDesk& desk, const KernelCall& call, bool host_reads)
    : desk_(desk), matrix_(desk.matrix(call.out_shape.rows, call.out_shape.cols, true)), host_reads_(host_reads) {
  const std::uint32_t n = matrix_.rows, m = matrix_.columns, order = matrix_.order();
  clear_ = desk.kernel("clear", matrix_.blocks(), {a(), order});
  if (!host_reads) return;
  unpad_ = desk.kernel("unpad", matrix_.blocks(), {v(), desk.passage(), order, n, m});
  add_ = desk.kernel("add_padded", matrix_.blocks(), {desk.passage(), a(), order, n, m});
}

void MatrixOutcome::made(const KernelCall& call, bool with_gradient) {
  if (with_gradient) desk_.run(clear_);
  if (!host_reads_) return;
  desk_.run(unpad_);
  desk_.read(*desk_.passage(), {call.out, call.out_shape.size()});
}

void MatrixOutcome::take_adjoints(const KernelCall& call) {
  if (!host_reads_) return;
  desk_.write(*desk_.passage(), {call.out_a, call.out_shape.size()});
  desk_.run(add_);
}

// ---- factors

Factoring::Factoring(MatrixDesk& desk, DeviceBuffer* x, DeviceBuffer* l, std::uint32_t n) : desk_(desk) {
  const std::uint32_t order = whole_blocks(n), blocks = order / kSide;
  inverses_ = desk.buffer(std::size_t{blocks} * kSide * kSide);
  launches_.push_back(desk.kernel("lower_of_symmetric", std::size_t{blocks} * blocks, {x, l, order, n}));
  for (std::uint32_t k = 0; k < blocks; ++k) {
    const std::uint32_t below = blocks - k - 1;
    launches_.push_back(desk.kernel("factor_diagonal", 1, {l, inverses_.get(), order, k}));
    if (below == 0) break;
    launches_.push_back(desk.kernel("factor_panel", below, {l, inverses_.get(), order, k}));
    launches_.push_back(desk.kernel("factor_rest", blocks_below(below), {l, order, k}));
  }
}

void add_inversion(MatrixDesk& desk, DeviceBuffer* l, DeviceBuffer* inverses, DeviceBuffer* to, DeviceBuffer* between, std::uint32_t order, Launches* out) {
  const std::uint32_t blocks = order / kSide;
  out->push_back(desk.kernel("put_inverses", std::size_t{blocks} * blocks, {inverses, to, order}));
  for (std::uint32_t half = 1; half < blocks; half *= 2) {
    const std::uint32_t squares = (blocks + half - 1) / (2 * half);  // those that have something below their first half
    const std::size_t groups = std::size_t{squares} * half * half;
    out->push_back(desk.kernel("invert_right", groups, {l, to, between, order, half}));
    out->push_back(desk.kernel("invert_left", groups, {to, between, order, half}));
  }
}

// ---- solving

Solving::Solving(MatrixDesk& desk, DeviceBuffer* l, DeviceBuffer* inverses, std::uint32_t n, std::uint32_t count)
    : desk_(desk), n_(n), order_(whole_blocks(n)), count_(count), padded_(std::size_t{order_} * count) {
  for (auto& b : columns_) b = desk.buffer(padded_.size());
  diagonal_ = desk.buffer(n);
  const std::uint32_t blocks = order_ / kSide;
  for (std::uint32_t k = 0; k < blocks; ++k)
    down_.push_back(desk.kernel("solve_down", std::size_t{blocks - k} * count, {l, inverses, columns_[0].get(), columns_[1].get(), order_, k}));
  for (std::uint32_t k = blocks; k-- > 0;)
    up_.push_back(desk.kernel("solve_up", std::size_t{k + 1} * count, {l, inverses, columns_[1].get(), columns_[0].get(), order_, k}));
  diagonal_of_ = desk.kernel("diagonal_of", groups_of(n), {l, diagonal_.get(), order_, n});
}

void Solving::put(std::span<const double> x, int k) {
  std::ranges::fill(padded_, 0.0);
  for (std::uint32_t j = 0; j < count_; ++j) std::copy_n(x.begin() + std::ptrdiff_t{j} * n_, n_, padded_.begin() + std::ptrdiff_t{j} * order_);
  desk_.write(*columns_[k], padded_);
}

void Solving::get(const DeviceBuffer& from, std::vector<double>* x) {
  desk_.read(from, padded_);
  x->resize(std::size_t{n_} * count_);
  for (std::uint32_t j = 0; j < count_; ++j) std::copy_n(padded_.begin() + std::ptrdiff_t{j} * order_, n_, x->begin() + std::ptrdiff_t{j} * n_);
}

void Solving::down(std::span<const double> d, std::vector<double>* z) {
  put(d, 0);
  desk_.run(down_);
  get(*columns_[1], z);
}

void Solving::up(std::span<const double> z, std::vector<double>* u) {
  put(z, 1);
  desk_.run(up_);
  get(*columns_[0], u);
}

void Solving::diagonal(std::vector<double>* out) {
  out->resize(n_);
  desk_.run(diagonal_of_);
  desk_.read(*diagonal_, *out);
}

}  // namespace fermiac::ad::device
