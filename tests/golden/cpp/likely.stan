// RUN: %s
// WHY: @likely and @unlikely of a condition's int, or of the function that it calls, are hints to the C++ compiler
// SHOW: functions log_prob
functions {
  @unlikely
  int too_large(real x) {
    return x > 100;
  }
  real shifted(real x, int by) {
    @likely
    int moves = by != 0;
    if (moves) return x + by;
    else return x;
  }
}
data {
  @likely
  int use_prior;
}
parameters {
  real x;
}
model {
  @unlikely
  int far = x > 10;
  int other = x > 1;
  if (use_prior) x ~ normal(0, 1);
  if (far) target += shifted(x, 1);
  if (too_large(x)) reject("far out");
  if (other) target += 1;
}
//|functions
//|
//| template <typename T0__, stan::require_all_t<is_real__<T0__>>* = nullptr>
//| int too_large(const T0__& x, std::ostream* pstream__);
//| template <typename T0__, typename T1__, stan::require_all_t<is_real__<T0__>, is_int__<T1__>>* = nullptr>
//| stan::return_type_t<T0__> shifted(const T0__& x, const T1__& by, std::ostream* pstream__);
//|
//| template <typename T0__, stan::require_all_t<is_real__<T0__>>*>
//| int too_large(const T0__& x, std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<T0__>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)x;
//|   try {
//|     return stan::math::logical_gt(x, 100);
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|
//| template <typename T0__, typename T1__, stan::require_all_t<is_real__<T0__>, is_int__<T1__>>*>
//| stan::return_type_t<T0__> shifted(const T0__& x, const T1__& by, std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<T0__>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)x;
//|   (void)by;
//|   try {
//|     [[maybe_unused]] int moves = std::numeric_limits<int>::min();
//|     moves = stan::math::logical_neq(by, 0);
//|     if (__builtin_expect(moves, 1)) {
//|       return (x + static_cast<double>(by));
//|     } else {
//|       return x;
//|     }
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|log_prob
//|       [[maybe_unused]] auto x = in__.template read<local_scalar_t__>();
//|       {
//|         [[maybe_unused]] int far = std::numeric_limits<int>::min();
//|         far = stan::math::logical_gt(x, 10);
//|         [[maybe_unused]] int other = std::numeric_limits<int>::min();
//|         other = stan::math::logical_gt(x, 1);
//|         if (__builtin_expect(use_prior, 1)) {
//|           lp_accum__.add(stan::math::normal_lpdf<propto__>(x, 0.0, 1.0));
//|         }
//|         if (__builtin_expect(far, 0)) {
//|           lp_accum__.add(likely_model_namespace::shifted(x, 1, pstream__));
//|         }
//|         if (__builtin_expect(likely_model_namespace::too_large(x, pstream__), 0)) {
//|           {
//|             std::stringstream errmsg_stream__;
//|             stan::math::stan_print(&errmsg_stream__, "far out");
//|             throw std::domain_error(errmsg_stream__.str());
//|           }
//|         }
//|         if (other) {
//|           lp_accum__.add(1);
//|         }
//|       }
