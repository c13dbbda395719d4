// RUN: %s
// WHY: names that C++ or the headers take are renamed, and nobody outside sees it
// SHOW: functions members constructor outputs
functions {
  real union(real new) {
    return new;
  }
}
data {
  int class;
  vector[class] log_prob;
  array[2] int size_t;
}
transformed data {
  real M_PI = union(3);
}
parameters {
  complex double;
}
//|functions
//|
//| template <typename T0__, stan::require_all_t<is_real__<T0__>>* = nullptr>
//| stan::return_type_t<T0__> _stan_union(const T0__& _stan_new, std::ostream* pstream__);
//|
//| template <typename T0__, stan::require_all_t<is_real__<T0__>>*>
//| stan::return_type_t<T0__> _stan_union(const T0__& _stan_new, std::ostream* pstream__) {
//|   using local_scalar_t__ = stan::return_type_t<T0__>;
//|   [[maybe_unused]] static constexpr bool propto__ = true;
//|   [[maybe_unused]] local_scalar_t__ DUMMY_VAR__(std::numeric_limits<double>::quiet_NaN());
//|   (void)pstream__;
//|   (void)_stan_new;
//|   try {
//|     return _stan_new;
//|   } catch (const std::exception& e) {
//|     stan::lang::rethrow_located(e, locations_array__[current_statement__]);
//|     throw;  // never: the line above does
//|   }
//| }
//|members
//|   int _stan_class = std::numeric_limits<int>::min();
//|   Eigen::Matrix<double,-1,1> _stan_log_prob_data__;
//|   Eigen::Map<Eigen::Matrix<double,-1,1>> _stan_log_prob{nullptr, 0};
//|   std::vector<int> _stan_size_t;
//|   double _stan_M_PI;
//|constructor
//|       [[maybe_unused]] int pos__ = std::numeric_limits<int>::min();
//|       pos__ = 1;
//|       context__.validate_dims("data initialization", "class", "int", std::vector<std::size_t>{});
//|       _stan_class = std::numeric_limits<int>::min();
//|       _stan_class = context__.vals_i("class")[0];
//|       stan::math::validate_non_negative_index("log_prob", "class", _stan_class);
//|       context__.validate_dims("data initialization", "log_prob", "double", std::vector<std::size_t>{static_cast<std::size_t>(_stan_class)});
//|       _stan_log_prob_data__ = Eigen::Matrix<double,-1,1>::Constant(_stan_class, std::numeric_limits<double>::quiet_NaN());
//|       new (&_stan_log_prob) Eigen::Map<Eigen::Matrix<double,-1,1>>(_stan_log_prob_data__.data(), _stan_class);
//|       {
//|         std::vector<local_scalar_t__> log_prob_flat__;
//|         log_prob_flat__ = context__.vals_r("log_prob");
//|         pos__ = 1;
//|         for (int sym1__ = 1; sym1__ <= _stan_class; ++sym1__) {
//|           stan::model::assign(_stan_log_prob,
//|                               stan::model::rvalue(log_prob_flat__, "log_prob_flat__",
//|                                                   stan::model::index_uni(pos__)),
//|                               "assigning variable log_prob", stan::model::index_uni(sym1__));
//|           pos__ = (pos__ + 1);
//|         }
//|       }
//|       context__.validate_dims("data initialization", "size_t", "int", std::vector<std::size_t>{static_cast<std::size_t>(2)});
//|       _stan_size_t = std::vector<int>(2, std::numeric_limits<int>::min());
//|       _stan_size_t = context__.vals_i("size_t");
//|       _stan_M_PI = std::numeric_limits<double>::quiet_NaN();
//|       _stan_M_PI = names_model_namespace::_stan_union(3.0, pstream__);
//|outputs
//|   void get_param_names(std::vector<std::string>& names__, const bool emit_transformed_parameters__ = true, const bool emit_generated_quantities__ = true) const {
//|     names__.clear();
//|     names__.push_back(std::string("double"));
//|     if (emit_transformed_parameters__) {
//|     }
//|     if (emit_generated_quantities__) {
//|     }
//|   }
//|
//|   void get_dims(std::vector<std::vector<std::size_t>>& dimss__, const bool emit_transformed_parameters__ = true, const bool emit_generated_quantities__ = true) const {
//|     dimss__.clear();
//|     dimss__.push_back(std::vector<std::size_t>{static_cast<std::size_t>(2)});
//|     if (emit_transformed_parameters__) {
//|     }
//|     if (emit_generated_quantities__) {
//|     }
//|   }
//|
//|   void constrained_param_names(std::vector<std::string>& param_names__, bool emit_transformed_parameters__ = true, bool emit_generated_quantities__ = true) const final {
//|     (void)param_names__;
//|     param_names__.push_back(std::string("double") + ".real");
//|     param_names__.push_back(std::string("double") + ".imag");
//|     if (emit_transformed_parameters__) {
//|     }
//|     if (emit_generated_quantities__) {
//|     }
//|   }
//|
//|   void unconstrained_param_names(std::vector<std::string>& param_names__, bool emit_transformed_parameters__ = true, bool emit_generated_quantities__ = true) const final {
//|     (void)param_names__;
//|     param_names__.push_back(std::string("double") + ".real");
//|     param_names__.push_back(std::string("double") + ".imag");
//|     if (emit_transformed_parameters__) {
//|     }
//|     if (emit_generated_quantities__) {
//|     }
//|   }
//|
//|   std::string get_constrained_sizedtypes() const {
//|     std::string types__ = "[";
//|     types__ += "{\"name\":\"double\",\"type\":" + std::string("{\"name\":\"complex\"}") + ",\"block\":\"parameters\"}";
//|     return types__ + "]";
//|   }
//|
//|   std::string get_unconstrained_sizedtypes() const {
//|     std::string types__ = "[";
//|     types__ += "{\"name\":\"double\",\"type\":" + std::string("{\"name\":\"complex\"}") + ",\"block\":\"parameters\"}";
//|     return types__ + "]";
//|   }
//|
