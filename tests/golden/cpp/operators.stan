// RUN: %s
// WHY: operators of scalars are those of C++, of containers library functions; ints divide by a function that has an error for zero
// SHOW: constructor
transformed data {
  int i = 7 %/% 2;
  int r = 7 % 2;
  int l = (i > r && i != 3) || !r;
  real x = i * 2.5 - -i ^ 2;
  vector[2] v = [1, 2]' .* [x, i]';
  row_vector[2] w = v' / [[1, 2], [3, 4]];
  matrix[2, 2] m = v * w + x;
  complex z = x + 2i;
  z += i;
  v /= i;
}
//|constructor
//|       i = std::numeric_limits<int>::min();
//|       i = stan::math::divide(7, 2);
//|       r = std::numeric_limits<int>::min();
//|       r = stan::math::modulus(7, 2);
//|       l = std::numeric_limits<int>::min();
//|       l = (stan::math::primitive_value((stan::math::primitive_value(stan::math::logical_gt(
//|                                         i, r)) && stan::math::primitive_value(stan::math::logical_neq(
//|                                         i, 3))))
//|            || stan::math::primitive_value(stan::math::logical_negation(r)));
//|       x = std::numeric_limits<double>::quiet_NaN();
//|       x = ((static_cast<double>(i) * 2.5) - (-stan::math::pow(i, 2)));
//|       v_data__ = Eigen::Matrix<double,-1,1>::Constant(2, std::numeric_limits<double>::quiet_NaN());
//|       new (&v) Eigen::Map<Eigen::Matrix<double,-1,1>>(v_data__.data(), 2);
//|       stan::model::assign(v,
//|                           stan::math::elt_multiply((Eigen::Matrix<double,-1,1>(2) << 
//|                                                    1.0, 2.0).finished(),
//|                                                    (Eigen::Matrix<double,-1,1>(2) << 
//|                                                    x, static_cast<double>(i)).finished()),
//|                           "assigning variable v");
//|       w_data__ = Eigen::Matrix<double,1,-1>::Constant(2, std::numeric_limits<double>::quiet_NaN());
//|       new (&w) Eigen::Map<Eigen::Matrix<double,1,-1>>(w_data__.data(), 2);
//|       stan::model::assign(w,
//|                           stan::math::mdivide_right(stan::math::transpose(v),
//|                                                     stan::math::to_matrix(std::vector<Eigen::Matrix<double,1,-1>>{
//|                                                     (Eigen::Matrix<double,1,-1>(2) << 
//|                                                     1.0, 2.0).finished(),
//|                                                     (Eigen::Matrix<double,1,-1>(2) << 
//|                                                     3.0, 4.0).finished()})), "assigning variable w");
//|       m_data__ = Eigen::Matrix<double,-1,-1>::Constant(2, 2, std::numeric_limits<double>::quiet_NaN());
//|       new (&m) Eigen::Map<Eigen::Matrix<double,-1,-1>>(m_data__.data(), 2, 2);
//|       stan::model::assign(m, stan::math::add(stan::math::multiply(v, w), x), "assigning variable m");
//|       z = std::complex<double>(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN());
//|       z = (stan::math::to_complex(x, 0) + stan::math::to_complex(0, 2));
//|       z = (z + static_cast<double>(i));
//|       stan::model::assign(v, stan::math::divide(stan::model::deep_copy(v), static_cast<double>(i)),
//|                           "assigning variable v");
