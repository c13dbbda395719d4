// RUN: %s
// WHY: leaves of tuples are variables of their own; arrays of tuples come element by element, complex leaves as all real, then all imaginary parts
// SHOW: constructor
data {
  tuple(int, vector[2]) t;
  array[2, 3] tuple(real, complex_vector[2]) a;
}
//|constructor
//|       [[maybe_unused]] int pos__ = std::numeric_limits<int>::min();
//|       pos__ = 1;
//|       context__.validate_dims("data initialization", "t.1", "int", std::vector<std::size_t>{});
//|       context__.validate_dims("data initialization", "t.2", "double", std::vector<std::size_t>{static_cast<std::size_t>(2)});
//|       t = std::tuple<int, Eigen::Matrix<double,-1,1>>{std::numeric_limits<int>::min(), Eigen::Matrix<double,-1,1>::Constant(2, std::numeric_limits<double>::quiet_NaN())};
//|       std::get<0>(t) = context__.vals_i("t.1")[0];
//|       {
//|         std::vector<local_scalar_t__> t_dot_2_flat__;
//|         t_dot_2_flat__ = context__.vals_r("t.2");
//|         pos__ = 1;
//|         for (int sym1__ = 1; sym1__ <= 2; ++sym1__) {
//|           stan::model::assign(std::get<1>(t),
//|                               stan::model::rvalue(t_dot_2_flat__, "t_dot_2_flat__",
//|                                                   stan::model::index_uni(pos__)), "assigning variable t.2",
//|                               stan::model::index_uni(sym1__));
//|           pos__ = (pos__ + 1);
//|         }
//|       }
//|       context__.validate_dims("data initialization", "a.1", "double", std::vector<std::size_t>{static_cast<std::size_t>(2), static_cast<std::size_t>(3)});
//|       context__.validate_dims("data initialization", "a.2", "double", std::vector<std::size_t>{static_cast<std::size_t>(2), static_cast<std::size_t>(3), static_cast<std::size_t>(2), static_cast<std::size_t>(2)});
//|       a = std::vector<std::vector<std::tuple<double, Eigen::Matrix<std::complex<double>,-1,1>>>>(2, std::vector<std::tuple<double, Eigen::Matrix<std::complex<double>,-1,1>>>(3, std::tuple<double, Eigen::Matrix<std::complex<double>,-1,1>>{std::numeric_limits<double>::quiet_NaN(), Eigen::Matrix<std::complex<double>,-1,1>::Constant(2, std::complex<double>(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()))}));
//|       {
//|         std::vector<local_scalar_t__> a_dot_1_flat__;
//|         a_dot_1_flat__ = context__.vals_r("a.1");
//|         [[maybe_unused]] int a_dot_1_flat__pos__ = std::numeric_limits<int>::min();
//|         a_dot_1_flat__pos__ = 1;
//|         std::vector<local_scalar_t__> a_dot_2_flat__;
//|         a_dot_2_flat__ = context__.vals_r("a.2");
//|         [[maybe_unused]] int a_dot_2_flat__pos__ = std::numeric_limits<int>::min();
//|         a_dot_2_flat__pos__ = 1;
//|         for (int sym1__ = 1; sym1__ <= 2; ++sym1__) {
//|           for (int sym2__ = 1; sym2__ <= 3; ++sym2__) {
//|             std::get<0>(stan::model::rvalue(stan::model::rvalue(a, "a", stan::model::index_uni(sym1__)), "a",
//|                 stan::model::index_uni(sym2__))) = stan::model::rvalue(a_dot_1_flat__, "a_dot_1_flat__",
//|                                                                        stan::model::index_uni(a_dot_1_flat__pos__));
//|             a_dot_1_flat__pos__ = (a_dot_1_flat__pos__ + 1);
//|             for (int sym3__ = 1; sym3__ <= 2; ++sym3__) {
//|               stan::model::assign(std::get<1>(stan::model::rvalue(stan::model::rvalue(a, "a",
//|                                   stan::model::index_uni(sym1__)), "a", stan::model::index_uni(sym2__))),
//|                                   stan::math::to_complex(stan::model::rvalue(a_dot_2_flat__, "a_dot_2_flat__",
//|                                                                              stan::model::index_uni(a_dot_2_flat__pos__)),
//|                                                          stan::model::rvalue(a_dot_2_flat__, "a_dot_2_flat__",
//|                                                                              stan::model::index_uni((
//|                                                                              a_dot_2_flat__pos__ + 2)))),
//|                                   "assigning variable a.2", stan::model::index_uni(sym3__));
//|               a_dot_2_flat__pos__ = (a_dot_2_flat__pos__ + 1);
//|             }
//|             a_dot_2_flat__pos__ = (a_dot_2_flat__pos__ + 2);
//|           }
//|         }
//|       }
