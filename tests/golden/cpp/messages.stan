// RUN: %s
// WHY: nothing in a text of the program can end the literal it is put into
// SHOW: constructor
transformed data {
  vector[2] v = [1, 2]';
  print("a\n ??/ */ // é ", v, " ", 3);
  if (v[1] > 2) reject("no: ", v);
  if (v[1] > 3) fatal_error("the class A");
}
//|constructor
//|       v_data__ = Eigen::Matrix<double,-1,1>::Constant(2, std::numeric_limits<double>::quiet_NaN());
//|       new (&v) Eigen::Map<Eigen::Matrix<double,-1,1>>(v_data__.data(), 2);
//|       stan::model::assign(v, (Eigen::Matrix<double,-1,1>(2) << 1.0, 2.0).finished(), "assigning variable v");
//|       if (pstream__) {
//|         stan::math::stan_print(pstream__, "a\\n ?\?/ */ // \303\251 ");
//|         stan::math::stan_print(pstream__, v);
//|         stan::math::stan_print(pstream__, " ");
//|         stan::math::stan_print(pstream__, 3);
//|         *(pstream__) << std::endl;
//|       }
//|       if (stan::math::logical_gt(stan::model::rvalue(v, "v", stan::model::index_uni(1)), 2)) {
//|         {
//|           std::stringstream errmsg_stream__;
//|           stan::math::stan_print(&errmsg_stream__, "no: ");
//|           stan::math::stan_print(&errmsg_stream__, v);
//|           throw std::domain_error(errmsg_stream__.str());
//|         }
//|       }
//|       if (stan::math::logical_gt(stan::model::rvalue(v, "v", stan::model::index_uni(1)), 3)) {
//|         {
//|           std::stringstream errmsg_stream__;
//|           stan::math::stan_print(&errmsg_stream__, "the class\040A");
//|           throw std::runtime_error(errmsg_stream__.str());
//|         }
//|       }
