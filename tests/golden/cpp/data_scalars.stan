// RUN: %s
// WHY: every scalar is read after its dimensions were checked; its bounds are checked behind it
// SHOW: members constructor places
data {
  int<lower=0> n;
  real<lower=n, upper=10> x;
  complex z;
}
//|members
//|   int n = std::numeric_limits<int>::min();
//|   double x;
//|   std::complex<double> z;
//|constructor
//|       current_statement__ = 1;
//|       context__.validate_dims("data initialization", "n", "int", std::vector<std::size_t>{});
//|       n = std::numeric_limits<int>::min();
//|       n = context__.vals_i("n")[0];
//|       current_statement__ = 1;
//|       stan::math::check_greater_or_equal(function__, "n", n, 0);
//|       current_statement__ = 2;
//|       context__.validate_dims("data initialization", "x", "double", std::vector<std::size_t>{});
//|       x = std::numeric_limits<double>::quiet_NaN();
//|       x = context__.vals_r("x")[0];
//|       current_statement__ = 2;
//|       stan::math::check_greater_or_equal(function__, "x", x, n);
//|       current_statement__ = 2;
//|       stan::math::check_less_or_equal(function__, "x", x, 10);
//|       current_statement__ = 3;
//|       context__.validate_dims("data initialization", "z", "double", std::vector<std::size_t>{static_cast<std::size_t>(2)});
//|       z = std::complex<double>(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN());
//|       z = context__.vals_c("z")[0];
