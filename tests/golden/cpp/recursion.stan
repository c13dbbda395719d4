// RUN: %s
// WHY: slices and tuples that a function hands to itself are evaluated, or every call would be of a new type
// SHOW: functions
functions {
  real total(vector v) {
    return size(v) == 0 ? 0 : v[1] + total(v[2 : ]);
  }
  real grown(tuple(int, vector) t) {
    if (t.1 == 0) {
      return total(t.2);
    }
    return grown((t.1 - 1, t.2 * 2));
  }
}
//|functions
//|
//| template <typename T0__, stan::require_all_t<stan::is_col_vector<T0__>, stan::is_vt_not_complex<T0__>>* = nullptr>
//| stan::return_type_t<stan::base_type_t<T0__>> total(const T0__& v_arg__, std::ostream* pstream__);
//| template <typename T0__, stan::require_all_t<is_tup__<T0__, 2>, is_int__<elt__<0, T0__>>, stan::is_col_vector<elt__<1, T0__>>, stan::is_vt_not_complex<elt__<1, T0__>>>* = nullptr>
//| stan::return_type_t<stan::base_type_t<elt__<1, T0__>>> grown(const T0__& t, std::ostream* pstream__);
//|
//| template <typename T0__, stan::require_all_t<stan::is_col_vector<T0__>, stan::is_vt_not_complex<T0__>>*>
//| stan::return_type_t<stan::base_type_t<T0__>> total(const T0__& v_arg__, std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<stan::base_type_t<T0__>>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   const auto& v = stan::math::to_ref(v_arg__);
//|   (void)v;
//|   try {
//|     return (stan::math::logical_eq(static_cast<int>(stan::math::size(v)), 0)
//|             ? stan::math::promote_scalar<local_scalar_t__>(0)
//|             : (stan::model::rvalue(v, "v", stan::model::index_uni(1))
//|                + recursion_model_namespace::total(stan::math::eval(stan::model::rvalue(
//|                                                   v, "v", stan::model::index_min(2))), pstream__)));
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|
//| template <typename T0__, stan::require_all_t<is_tup__<T0__, 2>, is_int__<elt__<0, T0__>>, stan::is_col_vector<elt__<1, T0__>>, stan::is_vt_not_complex<elt__<1, T0__>>>*>
//| stan::return_type_t<stan::base_type_t<elt__<1, T0__>>> grown(const T0__& t, std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<stan::base_type_t<elt__<1, T0__>>>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)t;
//|   try {
//|     if (stan::math::logical_eq(std::get<0>(t), 0)) {
//|       return recursion_model_namespace::total(std::get<1>(t), pstream__);
//|     }
//|     return recursion_model_namespace::grown(std::tuple<int, Eigen::Matrix<local_scalar_t__,-1,1>>(
//|                                             (std::get<0>(t) - 1),
//|                                             stan::math::promote_scalar<local_scalar_t__>(stan::math::multiply(
//|                                             std::get<1>(t), 2.0))), pstream__);
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
