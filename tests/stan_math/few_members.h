// In place of the base class of emitted models, if asked for: it instantiates the members that are looked at, six
// densities in place of sixteen. What takes arrays and what is without constants of plain numbers comes from the
// others.
#pragma once

#include <ostream>
#include <vector>

#include <stan/model/model_base.hpp>
#include <stan/services/util/create_rng.hpp>

namespace stan {
namespace model {

template <typename Model>
class few_members : public model_base {
  using Numbers = Eigen::VectorXd;
  using Scalar = math::var;
  using Scalars = Eigen::Matrix<Scalar, -1, 1>;
  using Ints = std::vector<int>;
  using Rng = decltype(services::util::create_rng(0, 0));

  const Model& model() const { return static_cast<const Model&>(*this); }
  template <typename T>
  static Eigen::Matrix<T, -1, 1> of_array(const std::vector<T>& array) {
    return Eigen::Map<const Eigen::Matrix<T, -1, 1>>(array.data(), static_cast<Eigen::Index>(array.size()));
  }
  static std::vector<double> to_array(const Numbers& numbers) {
    return {numbers.data(), numbers.data() + numbers.size()};
  }

 public:
  explicit few_members(std::size_t count) : model_base(count) {}

  double log_prob(Numbers& p, std::ostream* m) const override { return model().template log_prob<false, false>(p, m); }
  double log_prob_jacobian(Numbers& p, std::ostream* m) const override {
    return model().template log_prob<false, true>(p, m);
  }
  double log_prob_propto(Numbers& p, std::ostream* m) const override { return log_prob(p, m); }
  double log_prob_propto_jacobian(Numbers& p, std::ostream* m) const override { return log_prob_jacobian(p, m); }

  Scalar log_prob(Scalars& p, std::ostream* m) const override { return model().template log_prob<false, false>(p, m); }
  Scalar log_prob_jacobian(Scalars& p, std::ostream* m) const override {
    return model().template log_prob<false, true>(p, m);
  }
  Scalar log_prob_propto(Scalars& p, std::ostream* m) const override {
    return model().template log_prob<true, false>(p, m);
  }
  Scalar log_prob_propto_jacobian(Scalars& p, std::ostream* m) const override {
    return model().template log_prob<true, true>(p, m);
  }

  void write_array(Rng& rng, Numbers& p, Numbers& out, bool t, bool g, std::ostream* m) const override {
    model().write_array(rng, p, out, t, g, m);
  }
  void unconstrain_array(const Numbers& p, Numbers& out, std::ostream* m) const override {
    model().unconstrain_array(p, out, m);
  }
  void transform_inits(const io::var_context& context, Numbers& out, std::ostream* m) const override {
    model().transform_inits(context, out, m);
  }

  // ---- arrays

  template <typename T, typename Density>
  static T of_arrays(std::vector<T>& p, Density density) {
    auto numbers = of_array(p);
    return density(numbers);
  }
  double log_prob(std::vector<double>& p, Ints&, std::ostream* m) const override {
    return of_arrays(p, [&](Numbers& x) { return log_prob(x, m); });
  }
  double log_prob_jacobian(std::vector<double>& p, Ints&, std::ostream* m) const override {
    return of_arrays(p, [&](Numbers& x) { return log_prob_jacobian(x, m); });
  }
  double log_prob_propto(std::vector<double>& p, Ints&, std::ostream* m) const override {
    return of_arrays(p, [&](Numbers& x) { return log_prob_propto(x, m); });
  }
  double log_prob_propto_jacobian(std::vector<double>& p, Ints&, std::ostream* m) const override {
    return of_arrays(p, [&](Numbers& x) { return log_prob_propto_jacobian(x, m); });
  }
  Scalar log_prob(std::vector<Scalar>& p, Ints&, std::ostream* m) const override {
    return of_arrays(p, [&](Scalars& x) { return log_prob(x, m); });
  }
  Scalar log_prob_jacobian(std::vector<Scalar>& p, Ints&, std::ostream* m) const override {
    return of_arrays(p, [&](Scalars& x) { return log_prob_jacobian(x, m); });
  }
  Scalar log_prob_propto(std::vector<Scalar>& p, Ints&, std::ostream* m) const override {
    return of_arrays(p, [&](Scalars& x) { return log_prob_propto(x, m); });
  }
  Scalar log_prob_propto_jacobian(std::vector<Scalar>& p, Ints&, std::ostream* m) const override {
    return of_arrays(p, [&](Scalars& x) { return log_prob_propto_jacobian(x, m); });
  }
  void write_array(Rng& rng, std::vector<double>& p, Ints&, std::vector<double>& out, bool t, bool g,
                   std::ostream* m) const override {
    Numbers params = of_array(p), written;
    try {
      write_array(rng, params, written, t, g, m);
    } catch (...) {
      out = to_array(written);  // what was written before counts
      throw;
    }
    out = to_array(written);
  }
  void unconstrain_array(const std::vector<double>& p, std::vector<double>& out, std::ostream* m) const override {
    Numbers free;
    unconstrain_array(of_array(p), free, m);
    out = to_array(free);
  }
};

}  // namespace model
}  // namespace stan
