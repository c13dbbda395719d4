// RUN: %s
// WHY: parameters of templates and the base of the class take no name from a program
// SHOW: functions members
functions {
  real wide_rng(real RNG) {
    return normal_rng(0, RNG);
  }
}
data {
  int RNG;
  int VecR;
  int VecVar;
  real model_base_crtp;
  real CV_NORMAL;
}
parameters {
  vector[RNG] VecI;
  array[VecR] vector[VecVar] T_;
}
//|functions
//|
//| template <typename T0__, typename RNG__, stan::require_all_t<is_real__<T0__>>* = nullptr>
//| stan::return_type_t<T0__> wide_rng(const T0__& RNG, RNG__& base_rng__, std::ostream* pstream__);
//|
//| template <typename T0__, typename RNG__, stan::require_all_t<is_real__<T0__>>*>
//| stan::return_type_t<T0__> wide_rng(const T0__& RNG, RNG__& base_rng__, std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<T0__>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)base_rng__;
//|   (void)RNG;
//|   try {
//|     return stan::math::normal_rng(0, RNG, base_rng__);
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|members
//|   int RNG = std::numeric_limits<int>::min();
//|   int VecR = std::numeric_limits<int>::min();
//|   int VecVar = std::numeric_limits<int>::min();
//|   double _stan_model_base_crtp;
//|   double _stan_CV_NORMAL;
