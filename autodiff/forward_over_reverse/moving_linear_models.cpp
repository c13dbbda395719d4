// Second derivatives of the generalized linear models: rows of densities of eta = alpha + X beta.
#include <array>
#include <cstdint>
#include <string_view>

#include "autodiff/forward_over_reverse/moving_calls.h"
#include "autodiff/forward_over_reverse/tangent_maps.h"
#include "autodiff/kernels/linear_models.h"

namespace fermiac::ad {
namespace {

const LinearModel* model_of(const Kernel* kernel) {
  for (const LinearModel& m : kLinearModels)
    if (find_kernel(m.call) == kernel) return &m;
  return nullptr;
}

/// An operand that has one number for each row, or one for all.
struct Column {
  const KernelArg& arg;
  const double* speed;
  std::size_t at(std::size_t row) const { return arg.shape.is_scalar() ? 0 : row; }
  double value(std::size_t row) const { return arg.v ? arg.v[at(row)] : arg.i[at(row)]; }
  double moves(std::size_t row) const { return speed ? speed[at(row)] : 0; }
  void add(std::size_t row, double x) const {
    if (arg.a) arg.a[at(row)] += x;
  }
};

/// The rows of a call, as applications of the density.
class Rows {
 public:
  Rows(const LinearModel& m, const MovingCall& c)
      : call_(c), map_(find_map(m.density)), x_(m.matrix), eta_(static_cast<int>(x_)), arity_(eta_ + 1 + m.scale) {
    unsigned active = 0;
    for (int j = 0; j < arity_; ++j) {
      const std::size_t k = operand(j);
      const bool moves = j == eta_ ? c.call.in[x_ + 1].a || c.call.in[x_ + 2].a : c.call.in[k].a != nullptr;
      active |= moves ? 1u << j : 0u;
    }
    keep_ = Keep::of(c.call.propto, static_cast<std::uint8_t>(active));
    keep_.ad = static_cast<std::uint8_t>(active);
  }

  std::size_t count() const { return call_.call.in[x_].shape.rows; }
  /// visit(row, operands, their speeds)
  template <class Visit>
  void each(Visit visit) const {
    std::array<double, kMaxMapArity> x{}, dx{};
    for (std::size_t row = 0; row < count(); ++row) {
      for (int j = 0; j < arity_; ++j) {
        if (j == eta_) continue;
        x[static_cast<std::size_t>(j)] = column(operand(j)).value(row);
        dx[static_cast<std::size_t>(j)] = column(operand(j)).moves(row);
      }
      const auto e = static_cast<std::size_t>(eta_);
      x[e] = column(x_ + 1).value(row) + predicted(row, call_.call.in[x_ + 2].v);
      dx[e] = column(x_ + 1).moves(row) + (call_.speeds[x_ + 2] ? predicted(row, call_.speeds[x_ + 2]) : 0);
      visit(row, x.data(), dx.data());
    }
  }
  void add(std::size_t row, const double* d) const {
    for (int j = 0; j < arity_; ++j)
      if (j != eta_) column(operand(j)).add(row, d[j]);
    column(x_ + 1).add(row, d[eta_]);
    const KernelArg& beta = call_.call.in[x_ + 2];
    for (std::size_t k = 0; beta.a && k < columns(); ++k) beta.a[k] += d[eta_] * predictor(row, k);
  }
  const MapOp& density() const { return map_op(map_); }
  const TangentMap& tangents() const { return *tangent_map(map_); }
  Keep keep() const { return keep_; }
  bool wants(int j) const { return keep_.wants(j); }
  int arity() const { return arity_; }

 private:
  /// Of the model, by that of the density.
  std::size_t operand(int j) const { return static_cast<std::size_t>(j <= eta_ ? j : j + 2); }
  Column column(std::size_t k) const { return {call_.call.in[k], call_.speeds[k]}; }
  std::size_t columns() const { return call_.call.in[x_].shape.cols; }
  double predictor(std::size_t row, std::size_t k) const { return call_.call.in[x_].v[row + k * count()]; }
  double predicted(std::size_t row, const double* beta) const {
    double sum = 0;
    for (std::size_t k = 0; k < columns(); ++k) sum += predictor(row, k) * beta[k];
    return sum;
  }

  const MovingCall& call_;
  MapCode map_;
  std::size_t x_;
  int eta_, arity_;
  Keep keep_;
};

void forward(const MovingCall& c) {
  const Rows rows(*model_of(c.kernel), c);
  double speed = 0, d[kMaxMapArity];
  rows.each([&](std::size_t, const double* x, const double* dx) {
    rows.density().value_and_partials(x, rows.keep(), d);
    for (int j = 0; j < rows.arity(); ++j)
      if (rows.wants(j) && dx[j] != 0) speed += d[j] * dx[j];
  });
  *c.out_speed = speed;
}
void reverse(const MovingCall& c) {
  const Rows rows(*model_of(c.kernel), c);
  rows.each([&](std::size_t row, const double* x, const double* dx) {
    double d[kMaxMapArity] = {};
    rows.tangents().adjoints({.x = x, .dx = dx, .value = 0, .dvalue = 0, .g = *c.call.out_a, .dg = *c.out_a_speed, .keep = rows.keep()}, d);
    rows.add(row, d);
  });
}

constexpr CallTangents kTangents{forward, reverse};

}  // namespace

const CallTangents* linear_model_tangents(const Kernel* kernel, std::span<const KernelArg> in) {
  const LinearModel* const m = model_of(kernel);
  if (!m) return nullptr;
  const KernelArg& x = in[m->matrix];
  return x.autodiff || x.shape.inner != Inner::Matrix || !tangent_map(find_map(m->density)) ? nullptr : &kTangents;
}

}  // namespace fermiac::ad
