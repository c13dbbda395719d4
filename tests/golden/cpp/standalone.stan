// RUN: --standalone-functions %s
// WHY: functions alone, on plain numbers, in the form that other tools look for
// SHOW: wrappers
functions {
  real f(real x, array[] vector v, tuple(int, complex) t) {
    return x;
  }
  void note_lp(real x) {
    target += x;
  }
  int draw_rng(real p) {
    return bernoulli_rng(p);
  }
  real d_lpmf(int n, real p) {
    return n * p;
  }
  real j_jacobian(real x) {
    jacobian += x;
    return x;
  }
}
//|wrappers
//| // [[stan::function]]
//| double f(const double& x, const std::vector<Eigen::Matrix<double,-1,1>>& v, const std::tuple<int, std::complex<double>>& t, std::ostream* pstream__ = nullptr) {
//|   return standalone_model_namespace::f(x, v, t, pstream__);
//| }
//| // [[stan::function]]
//| void note_lp(const double& x, double& lp__, stan::math::accumulator<double>& lp_accum__, std::ostream* pstream__ = nullptr) {
//|   standalone_model_namespace::note_lp<false>(x, lp__, lp_accum__, pstream__);
//| }
//| // [[stan::function]]
//| int draw_rng(const double& p, stan::rng_t& base_rng__, std::ostream* pstream__ = nullptr) {
//|   return standalone_model_namespace::draw_rng(p, base_rng__, pstream__);
//| }
//| // [[stan::function]]
//| double d_lpmf(const int& n, const double& p, std::ostream* pstream__ = nullptr) {
//|   return standalone_model_namespace::d_lpmf<false>(n, p, pstream__);
//| }
//| // [[stan::function]]
//| double j_jacobian(const double& x, double& lp__, stan::math::accumulator<double>& lp_accum__, std::ostream* pstream__ = nullptr) {
//|   return standalone_model_namespace::j_jacobian<true>(x, lp__, lp_accum__, pstream__);
//| }
