// RUN: %s
// WHY: transforms are read with the Jacobian's flag, written free; arrays of containers in columns first order
// SHOW: log_prob write_array unconstrain_array transform_inits
data {
  int N;
}
parameters {
  real<lower=0> a;
  real<multiplier=2> m;
  array[2] simplex[N] s;
  cholesky_factor_cov[3, 2] L;
  tuple(real<upper=1>, complex) t;
}
//|log_prob
//|       [[maybe_unused]] auto a = in__.template read_constrain_lb<local_scalar_t__, jacobian__>(0, lp__);
//|       [[maybe_unused]] auto m = in__.template read_constrain_offset_multiplier<local_scalar_t__, jacobian__>(
//|           0, 2, lp__);
//|       auto s = in__.template read_constrain_simplex<std::vector<Eigen::Matrix<local_scalar_t__,-1,1>>, jacobian__>(
//|           lp__, 2, N);
//|       auto L = in__.template read_constrain_cholesky_factor_cov<Eigen::Matrix<local_scalar_t__,-1,-1>, jacobian__>(
//|           lp__, 3, 2);
//|       [[maybe_unused]] std::tuple<local_scalar_t__, std::complex<local_scalar_t__>> t = std::tuple<local_scalar_t__, std::complex<local_scalar_t__>>{DUMMY_VAR__, std::complex<local_scalar_t__>(DUMMY_VAR__, DUMMY_VAR__)};
//|       std::get<0>(t) = in__.template read_constrain_ub<local_scalar_t__, jacobian__>(1, lp__);
//|       std::get<1>(t) = in__.template read<std::complex<local_scalar_t__>>();
//|write_array
//|       [[maybe_unused]] auto a = in__.template read_constrain_lb<local_scalar_t__, jacobian__>(0, lp__);
//|       [[maybe_unused]] auto m = in__.template read_constrain_offset_multiplier<local_scalar_t__, jacobian__>(
//|           0, 2, lp__);
//|       auto s = in__.template read_constrain_simplex<std::vector<Eigen::Matrix<local_scalar_t__,-1,1>>, jacobian__>(
//|           lp__, 2, N);
//|       auto L = in__.template read_constrain_cholesky_factor_cov<Eigen::Matrix<local_scalar_t__,-1,-1>, jacobian__>(
//|           lp__, 3, 2);
//|       [[maybe_unused]] std::tuple<double, std::complex<double>> t = std::tuple<double, std::complex<double>>{std::numeric_limits<double>::quiet_NaN(), std::complex<double>(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN())};
//|       std::get<0>(t) = in__.template read_constrain_ub<local_scalar_t__, jacobian__>(1, lp__);
//|       std::get<1>(t) = in__.template read<std::complex<local_scalar_t__>>();
//|       out__.write(a);
//|       out__.write(m);
//|       for (int sym1__ = 1; sym1__ <= N; ++sym1__) {
//|         for (int sym2__ = 1; sym2__ <= 2; ++sym2__) {
//|           out__.write(stan::model::rvalue(s, "s", stan::model::index_uni(sym2__),
//|                                           stan::model::index_uni(sym1__)));
//|         }
//|       }
//|       out__.write(L);
//|       out__.write(std::get<0>(t));
//|       out__.write(std::get<1>(t));
//|       if (stan::math::logical_negation((stan::math::primitive_value(emit_transformed_parameters__)
//|                                         || stan::math::primitive_value(emit_generated_quantities__)))) {
//|         return;
//|       }
//|       if (stan::math::logical_negation(emit_generated_quantities__)) {
//|         return;
//|       }
//|unconstrain_array
//|       [[maybe_unused]] local_scalar_t__ a = DUMMY_VAR__;
//|       a = in__.template read<double>();
//|       out__.write_free_lb(0, a);
//|       [[maybe_unused]] local_scalar_t__ m = DUMMY_VAR__;
//|       m = in__.template read<double>();
//|       out__.write_free_offset_multiplier(0, 2, m);
//|       std::vector<Eigen::Matrix<local_scalar_t__,-1,1>> s = std::vector<Eigen::Matrix<local_scalar_t__,-1,1>>(2, Eigen::Matrix<local_scalar_t__,-1,1>::Constant(N, DUMMY_VAR__));
//|       for (int sym1__ = 1; sym1__ <= N; ++sym1__) {
//|         for (int sym2__ = 1; sym2__ <= 2; ++sym2__) {
//|           stan::model::assign(s, in__.template read<double>(), "assigning variable s",
//|                               stan::model::index_uni(sym2__), stan::model::index_uni(sym1__));
//|         }
//|       }
//|       out__.write_free_simplex(s);
//|       Eigen::Matrix<local_scalar_t__,-1,-1> L = Eigen::Matrix<local_scalar_t__,-1,-1>::Constant(3,
//|           2, DUMMY_VAR__);
//|       for (int sym1__ = 1; sym1__ <= 2; ++sym1__) {
//|         for (int sym2__ = 1; sym2__ <= 3; ++sym2__) {
//|           stan::model::assign(L, in__.template read<double>(), "assigning variable L",
//|                               stan::model::index_uni(sym2__), stan::model::index_uni(sym1__));
//|         }
//|       }
//|       out__.write_free_cholesky_factor_cov(L);
//|       [[maybe_unused]] std::tuple<local_scalar_t__, std::complex<local_scalar_t__>> t = std::tuple<local_scalar_t__, std::complex<local_scalar_t__>>{DUMMY_VAR__, std::complex<local_scalar_t__>(DUMMY_VAR__, DUMMY_VAR__)};
//|       std::get<0>(t) = in__.template read<double>();
//|       std::get<1>(t) = in__.template read<std::complex<double>>();
//|       out__.write_free_ub(1, std::get<0>(t));
//|       out__.write(std::get<1>(t));
//|transform_inits
//|       context__.validate_dims("parameter initialization", "a", "double", std::vector<std::size_t>{});
//|       context__.validate_dims("parameter initialization", "m", "double", std::vector<std::size_t>{});
//|       context__.validate_dims("parameter initialization", "s", "double", std::vector<std::size_t>{static_cast<std::size_t>(2), static_cast<std::size_t>(N)});
//|       context__.validate_dims("parameter initialization", "L", "double", std::vector<std::size_t>{static_cast<std::size_t>(3), static_cast<std::size_t>(2)});
//|       context__.validate_dims("parameter initialization", "t.1", "double", std::vector<std::size_t>{});
//|       context__.validate_dims("parameter initialization", "t.2", "double", std::vector<std::size_t>{static_cast<std::size_t>(2)});
//|       [[maybe_unused]] int pos__ = std::numeric_limits<int>::min();
//|       pos__ = 1;
//|       [[maybe_unused]] local_scalar_t__ a = DUMMY_VAR__;
//|       a = context__.vals_r("a")[0];
//|       out__.write_free_lb(0, a);
//|       [[maybe_unused]] local_scalar_t__ m = DUMMY_VAR__;
//|       m = context__.vals_r("m")[0];
//|       out__.write_free_offset_multiplier(0, 2, m);
//|       std::vector<Eigen::Matrix<local_scalar_t__,-1,1>> s = std::vector<Eigen::Matrix<local_scalar_t__,-1,1>>(2, Eigen::Matrix<local_scalar_t__,-1,1>::Constant(N, DUMMY_VAR__));
//|       {
//|         std::vector<local_scalar_t__> s_flat__;
//|         s_flat__ = context__.vals_r("s");
//|         pos__ = 1;
//|         for (int sym1__ = 1; sym1__ <= N; ++sym1__) {
//|           for (int sym2__ = 1; sym2__ <= 2; ++sym2__) {
//|             stan::model::assign(s, stan::model::rvalue(s_flat__, "s_flat__", stan::model::index_uni(pos__)),
//|                                 "assigning variable s", stan::model::index_uni(sym2__),
//|                                 stan::model::index_uni(sym1__));
//|             pos__ = (pos__ + 1);
//|           }
//|         }
//|       }
//|       out__.write_free_simplex(s);
//|       Eigen::Matrix<local_scalar_t__,-1,-1> L = Eigen::Matrix<local_scalar_t__,-1,-1>::Constant(3,
//|           2, DUMMY_VAR__);
//|       {
//|         std::vector<local_scalar_t__> L_flat__;
//|         L_flat__ = context__.vals_r("L");
//|         pos__ = 1;
//|         for (int sym1__ = 1; sym1__ <= 2; ++sym1__) {
//|           for (int sym2__ = 1; sym2__ <= 3; ++sym2__) {
//|             stan::model::assign(L, stan::model::rvalue(L_flat__, "L_flat__", stan::model::index_uni(pos__)),
//|                                 "assigning variable L", stan::model::index_uni(sym2__),
//|                                 stan::model::index_uni(sym1__));
//|             pos__ = (pos__ + 1);
//|           }
//|         }
//|       }
//|       out__.write_free_cholesky_factor_cov(L);
//|       [[maybe_unused]] std::tuple<local_scalar_t__, std::complex<local_scalar_t__>> t = std::tuple<local_scalar_t__, std::complex<local_scalar_t__>>{DUMMY_VAR__, std::complex<local_scalar_t__>(DUMMY_VAR__, DUMMY_VAR__)};
//|       std::get<0>(t) = context__.vals_r("t.1")[0];
//|       std::get<1>(t) = context__.vals_c("t.2")[0];
//|       out__.write_free_ub(1, std::get<0>(t));
//|       out__.write(std::get<1>(t));
