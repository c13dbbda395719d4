// RUN: %s
// WHY: containers are views of storage of their own, filled in the order of the flat values; sizes that are expressions are kept
// SHOW: members constructor
data {
  int N;
  vector[N] v;
  array[2] matrix[N, 3] m;
  array[N] int i;
  simplex[2] s;
}
parameters {
  vector[N + 1] b;
}
//|members
//|   int N = std::numeric_limits<int>::min();
//|   Eigen::Matrix<double,-1,1> v_data__;
//|   Eigen::Map<Eigen::Matrix<double,-1,1>> v{nullptr, 0};
//|   std::vector<Eigen::Matrix<double,-1,-1>> m;
//|   std::vector<int> i;
//|   Eigen::Matrix<double,-1,1> s_data__;
//|   Eigen::Map<Eigen::Matrix<double,-1,1>> s{nullptr, 0};
//|   int b_1dim__ = std::numeric_limits<int>::min();
//|constructor
//|       [[maybe_unused]] int pos__ = std::numeric_limits<int>::min();
//|       pos__ = 1;
//|       context__.validate_dims("data initialization", "N", "int", std::vector<std::size_t>{});
//|       N = std::numeric_limits<int>::min();
//|       N = context__.vals_i("N")[0];
//|       stan::math::validate_non_negative_index("v", "N", N);
//|       context__.validate_dims("data initialization", "v", "double", std::vector<std::size_t>{static_cast<std::size_t>(N)});
//|       v_data__ = Eigen::Matrix<double,-1,1>::Constant(N, std::numeric_limits<double>::quiet_NaN());
//|       new (&v) Eigen::Map<Eigen::Matrix<double,-1,1>>(v_data__.data(), N);
//|       {
//|         std::vector<local_scalar_t__> v_flat__;
//|         v_flat__ = context__.vals_r("v");
//|         pos__ = 1;
//|         for (int sym1__ = 1; sym1__ <= N; ++sym1__) {
//|           stan::model::assign(v, stan::model::rvalue(v_flat__, "v_flat__", stan::model::index_uni(pos__)),
//|                               "assigning variable v", stan::model::index_uni(sym1__));
//|           pos__ = (pos__ + 1);
//|         }
//|       }
//|       stan::math::validate_non_negative_index("m", "N", N);
//|       context__.validate_dims("data initialization", "m", "double", std::vector<std::size_t>{static_cast<std::size_t>(2), static_cast<std::size_t>(N), static_cast<std::size_t>(3)});
//|       m = std::vector<Eigen::Matrix<double,-1,-1>>(2, Eigen::Matrix<double,-1,-1>::Constant(N,
//|           3, std::numeric_limits<double>::quiet_NaN()));
//|       {
//|         std::vector<local_scalar_t__> m_flat__;
//|         m_flat__ = context__.vals_r("m");
//|         pos__ = 1;
//|         for (int sym1__ = 1; sym1__ <= 3; ++sym1__) {
//|           for (int sym2__ = 1; sym2__ <= N; ++sym2__) {
//|             for (int sym3__ = 1; sym3__ <= 2; ++sym3__) {
//|               stan::model::assign(m, stan::model::rvalue(m_flat__, "m_flat__", stan::model::index_uni(pos__)),
//|                                   "assigning variable m", stan::model::index_uni(sym3__),
//|                                   stan::model::index_uni(sym2__), stan::model::index_uni(sym1__));
//|               pos__ = (pos__ + 1);
//|             }
//|           }
//|         }
//|       }
//|       stan::math::validate_non_negative_index("i", "N", N);
//|       context__.validate_dims("data initialization", "i", "int", std::vector<std::size_t>{static_cast<std::size_t>(N)});
//|       i = std::vector<int>(N, std::numeric_limits<int>::min());
//|       i = context__.vals_i("i");
//|       context__.validate_dims("data initialization", "s", "double", std::vector<std::size_t>{static_cast<std::size_t>(2)});
//|       s_data__ = Eigen::Matrix<double,-1,1>::Constant(2, std::numeric_limits<double>::quiet_NaN());
//|       new (&s) Eigen::Map<Eigen::Matrix<double,-1,1>>(s_data__.data(), 2);
//|       {
//|         std::vector<local_scalar_t__> s_flat__;
//|         s_flat__ = context__.vals_r("s");
//|         pos__ = 1;
//|         for (int sym1__ = 1; sym1__ <= 2; ++sym1__) {
//|           stan::model::assign(s, stan::model::rvalue(s_flat__, "s_flat__", stan::model::index_uni(pos__)),
//|                               "assigning variable s", stan::model::index_uni(sym1__));
//|           pos__ = (pos__ + 1);
//|         }
//|       }
//|       stan::math::check_simplex(function__, "s", s);
//|       b_1dim__ = std::numeric_limits<int>::min();
//|       b_1dim__ = (N + 1);
//|       stan::math::validate_non_negative_index("b", "N + 1", b_1dim__);
