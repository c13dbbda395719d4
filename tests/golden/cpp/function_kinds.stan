// RUN: %s
// WHY: the ending of a name decides what a function is given besides its arguments, and its flags
// SHOW: functions log_prob write_array
functions {
  real d_lpdf(real y, real m) {
    return normal_lupdf(y | m, 1);
  }
  real draw_rng(real m) {
    return normal_rng(m, 1);
  }
  void add_lp(real x) {
    target += x * target();
  }
  real positive_jacobian(real x) {
    jacobian += x;
    return exp(x);
  }
}
parameters {
  real a;
}
transformed parameters {
  real b = positive_jacobian(a);
  jacobian += a;
}
model {
  a ~ d(0);
  target += d_lpdf(a | 1);
  add_lp(b);
}
generated quantities {
  real g = draw_rng(a) + d_lpdf(a | 2);
}
//|functions
//|
//| template <bool propto__, typename T0__, typename T1__, stan::require_all_t<is_real__<T0__>, is_real__<T1__>>* = nullptr>
//| stan::return_type_t<T0__, T1__> d_lpdf(const T0__& y, const T1__& m, std::ostream* pstream__);
//| template <typename T0__, typename RNG__, stan::require_all_t<is_real__<T0__>>* = nullptr>
//| stan::return_type_t<T0__> draw_rng(const T0__& m, RNG__& base_rng__, std::ostream* pstream__);
//| template <bool propto__, typename T0__, typename T_lp__, typename T_lp_accum__, stan::require_all_t<is_real__<T0__>>* = nullptr>
//| void add_lp(const T0__& x, T_lp__& lp__, T_lp_accum__& lp_accum__, std::ostream* pstream__);
//| template <bool jacobian__, typename T0__, typename T_lp__, typename T_lp_accum__, stan::require_all_t<is_real__<T0__>>* = nullptr>
//| stan::return_type_t<T0__> positive_jacobian(const T0__& x, T_lp__& lp__, T_lp_accum__& lp_accum__,
//|                                             std::ostream* pstream__);
//|
//| template <bool propto__, typename T0__, typename T1__, stan::require_all_t<is_real__<T0__>, is_real__<T1__>>*>
//| stan::return_type_t<T0__, T1__> d_lpdf(const T0__& y, const T1__& m, std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<T0__, T1__>;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)y;
//|   (void)m;
//|   try {
//|     return stan::math::normal_lpdf<propto__>(y, m, 1.0);
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|
//| template <typename T0__, typename RNG__, stan::require_all_t<is_real__<T0__>>*>
//| stan::return_type_t<T0__> draw_rng(const T0__& m, RNG__& base_rng__, std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<T0__>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)base_rng__;
//|   (void)m;
//|   try {
//|     return stan::math::normal_rng(m, 1, base_rng__);
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|
//| template <bool propto__, typename T0__, typename T_lp__, typename T_lp_accum__, stan::require_all_t<is_real__<T0__>>*>
//| void add_lp(const T0__& x, T_lp__& lp__, T_lp_accum__& lp_accum__, std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<T0__, T_lp__>;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)lp__;
//|   (void)lp_accum__;
//|   (void)x;
//|   try {
//|     lp_accum__.add((x * stan::math::get_lp(lp__, lp_accum__)));
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|   }
//| }
//|
//| template <bool jacobian__, typename T0__, typename T_lp__, typename T_lp_accum__, stan::require_all_t<is_real__<T0__>>*>
//| stan::return_type_t<T0__> positive_jacobian(const T0__& x, T_lp__& lp__, T_lp_accum__& lp_accum__,
//|                                             std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<T0__>;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)lp__;
//|   (void)lp_accum__;
//|   (void)x;
//|   try {
//|     if (jacobian__) {
//|       lp_accum__.add(x);
//|     }
//|     return stan::math::exp(x);
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|log_prob
//|       [[maybe_unused]] auto a = in__.template read<local_scalar_t__>();
//|       [[maybe_unused]] local_scalar_t__ b = DUMMY_VAR__;
//|       b = function_kinds_model_namespace::positive_jacobian<jacobian__>(a, lp__, lp_accum__, pstream__);
//|       if (jacobian__) {
//|         lp_accum__.add(a);
//|       }
//|       {
//|         lp_accum__.add(function_kinds_model_namespace::d_lpdf<propto__>(a, 0.0, pstream__));
//|         lp_accum__.add(function_kinds_model_namespace::d_lpdf<false>(a, 1.0, pstream__));
//|         function_kinds_model_namespace::add_lp<propto__>(b, lp__, lp_accum__, pstream__);
//|       }
//|write_array
//|       [[maybe_unused]] auto a = in__.template read<local_scalar_t__>();
//|       [[maybe_unused]] double b = std::numeric_limits<double>::quiet_NaN();
//|       out__.write(a);
//|       if (stan::math::logical_negation((stan::math::primitive_value(emit_transformed_parameters__)
//|                                         || stan::math::primitive_value(emit_generated_quantities__)))) {
//|         return;
//|       }
//|       b = function_kinds_model_namespace::positive_jacobian<jacobian__>(a, lp__, lp_accum__, pstream__);
//|       if (jacobian__) {
//|         lp_accum__.add(a);
//|       }
//|       if (emit_transformed_parameters__) {
//|         out__.write(b);
//|       }
//|       if (stan::math::logical_negation(emit_generated_quantities__)) {
//|         return;
//|       }
//|       [[maybe_unused]] double g = std::numeric_limits<double>::quiet_NaN();
//|       g = (function_kinds_model_namespace::draw_rng(a, base_rng__, pstream__)
//|            + function_kinds_model_namespace::d_lpdf<false>(a, 2.0, pstream__));
//|       out__.write(g);
