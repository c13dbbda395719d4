// RUN: %s
// WHY: names, dimensions and types of what is written, leaf by leaf
// SHOW: outputs
parameters {
  array[2] matrix[1, 2] M;
  tuple(real<lower=0>, array[2] complex) t;
  simplex[3] s;
}
generated quantities {
  array[2] tuple(int, vector[2]) g;
}
//|outputs
//|   void get_param_names(std::vector<std::string>& names__, const bool emit_transformed_parameters__ = true, const bool emit_generated_quantities__ = true) const {
//|     names__.clear();
//|     names__.push_back(std::string("M"));
//|     names__.push_back(std::string("t.1"));
//|     names__.push_back(std::string("t.2"));
//|     names__.push_back(std::string("s"));
//|     if (emit_transformed_parameters__) {
//|     }
//|     if (emit_generated_quantities__) {
//|       names__.push_back(std::string("g.1"));
//|       names__.push_back(std::string("g.2"));
//|     }
//|   }
//|
//|   void get_dims(std::vector<std::vector<std::size_t>>& dimss__, const bool emit_transformed_parameters__ = true, const bool emit_generated_quantities__ = true) const {
//|     dimss__.clear();
//|     dimss__.push_back(std::vector<std::size_t>{static_cast<std::size_t>(2), static_cast<std::size_t>(1),
//|                                                static_cast<std::size_t>(2)});
//|     dimss__.push_back(std::vector<std::size_t>{});
//|     dimss__.push_back(std::vector<std::size_t>{static_cast<std::size_t>(2), static_cast<std::size_t>(2)});
//|     dimss__.push_back(std::vector<std::size_t>{static_cast<std::size_t>(3)});
//|     if (emit_transformed_parameters__) {
//|     }
//|     if (emit_generated_quantities__) {
//|       dimss__.push_back(std::vector<std::size_t>{static_cast<std::size_t>(2)});
//|       dimss__.push_back(std::vector<std::size_t>{static_cast<std::size_t>(2), static_cast<std::size_t>(2)});
//|     }
//|   }
//|
//|   void constrained_param_names(std::vector<std::string>& param_names__, bool emit_transformed_parameters__ = true, bool emit_generated_quantities__ = true) const final {
//|     (void)param_names__;
//|     for (int sym3__ = 1; sym3__ <= 2; ++sym3__) {
//|       for (int sym2__ = 1; sym2__ <= 1; ++sym2__) {
//|         for (int sym1__ = 1; sym1__ <= 2; ++sym1__) {
//|           param_names__.push_back(std::string("M") + '.' + std::to_string(sym1__) + '.' + std::to_string(sym2__) + '.' + std::to_string(sym3__));
//|         }
//|       }
//|     }
//|     param_names__.push_back(std::string("t") + ":1");
//|     for (int sym1__ = 1; sym1__ <= 2; ++sym1__) {
//|       param_names__.push_back(std::string("t") + ":2" + '.' + std::to_string(sym1__) + ".real");
//|       param_names__.push_back(std::string("t") + ":2" + '.' + std::to_string(sym1__) + ".imag");
//|     }
//|     for (int sym1__ = 1; sym1__ <= 3; ++sym1__) {
//|       param_names__.push_back(std::string("s") + '.' + std::to_string(sym1__));
//|     }
//|     if (emit_transformed_parameters__) {
//|     }
//|     if (emit_generated_quantities__) {
//|       for (int sym1__ = 1; sym1__ <= 2; ++sym1__) {
//|         param_names__.push_back(std::string("g") + '.' + std::to_string(sym1__) + ":1");
//|         for (int sym2__ = 1; sym2__ <= 2; ++sym2__) {
//|           param_names__.push_back(std::string("g") + '.' + std::to_string(sym1__) + ":2" + '.' + std::to_string(sym2__));
//|         }
//|       }
//|     }
//|   }
//|
//|   void unconstrained_param_names(std::vector<std::string>& param_names__, bool emit_transformed_parameters__ = true, bool emit_generated_quantities__ = true) const final {
//|     (void)param_names__;
//|     for (int sym3__ = 1; sym3__ <= 2; ++sym3__) {
//|       for (int sym2__ = 1; sym2__ <= 1; ++sym2__) {
//|         for (int sym1__ = 1; sym1__ <= 2; ++sym1__) {
//|           param_names__.push_back(std::string("M") + '.' + std::to_string(sym1__) + '.' + std::to_string(sym2__) + '.' + std::to_string(sym3__));
//|         }
//|       }
//|     }
//|     param_names__.push_back(std::string("t") + ":1");
//|     for (int sym1__ = 1; sym1__ <= 2; ++sym1__) {
//|       param_names__.push_back(std::string("t") + ":2" + '.' + std::to_string(sym1__) + ".real");
//|       param_names__.push_back(std::string("t") + ":2" + '.' + std::to_string(sym1__) + ".imag");
//|     }
//|     for (int sym1__ = 1; sym1__ <= (3 - 1); ++sym1__) {
//|       param_names__.push_back(std::string("s") + '.' + std::to_string(sym1__));
//|     }
//|     if (emit_transformed_parameters__) {
//|     }
//|     if (emit_generated_quantities__) {
//|       for (int sym1__ = 1; sym1__ <= 2; ++sym1__) {
//|         param_names__.push_back(std::string("g") + '.' + std::to_string(sym1__) + ":1");
//|         for (int sym2__ = 1; sym2__ <= 2; ++sym2__) {
//|           param_names__.push_back(std::string("g") + '.' + std::to_string(sym1__) + ":2" + '.' + std::to_string(sym2__));
//|         }
//|       }
//|     }
//|   }
//|
//|   std::string get_constrained_sizedtypes() const {
//|     std::string types__ = "[";
//|     types__ += "{\"name\":\"M\",\"type\":" + std::string("{\"name\":\"array\",\"length\":") + std::to_string(2) + std::string(",\"element_type\":") + std::string("{\"name\":\"matrix\",\"rows\":") + std::to_string(1) + std::string(",\"cols\":") + std::to_string(2) + std::string("}") + std::string("}") + ",\"block\":\"parameters\"}";
//|     types__ += ",{\"name\":\"t\",\"type\":" + std::string("{\"name\":\"tuple\",\"num_elements\":\"2\",\"element_types\":[") + std::string("{\"name\":\"real\"}") + std::string(",") + std::string("{\"name\":\"array\",\"length\":") + std::to_string(2) + std::string(",\"element_type\":") + std::string("{\"name\":\"complex\"}") + std::string("}") + std::string("]}") + ",\"block\":\"parameters\"}";
//|     types__ += ",{\"name\":\"s\",\"type\":" + std::string("{\"name\":\"vector\",\"length\":") + std::to_string(3) + std::string("}") + ",\"block\":\"parameters\"}";
//|     types__ += ",{\"name\":\"g\",\"type\":" + std::string("{\"name\":\"array\",\"length\":") + std::to_string(2) + std::string(",\"element_type\":") + std::string("{\"name\":\"tuple\",\"num_elements\":\"2\",\"element_types\":[") + std::string("{\"name\":\"int\"}") + std::string(",") + std::string("{\"name\":\"vector\",\"length\":") + std::to_string(2) + std::string("}") + std::string("]}") + std::string("}") + ",\"block\":\"generated_quantities\"}";
//|     return types__ + "]";
//|   }
//|
//|   std::string get_unconstrained_sizedtypes() const {
//|     std::string types__ = "[";
//|     types__ += "{\"name\":\"M\",\"type\":" + std::string("{\"name\":\"array\",\"length\":") + std::to_string(2) + std::string(",\"element_type\":") + std::string("{\"name\":\"matrix\",\"rows\":") + std::to_string(1) + std::string(",\"cols\":") + std::to_string(2) + std::string("}") + std::string("}") + ",\"block\":\"parameters\"}";
//|     types__ += ",{\"name\":\"t\",\"type\":" + std::string("{\"name\":\"tuple\",\"num_elements\":\"2\",\"element_types\":[") + std::string("{\"name\":\"real\"}") + std::string(",") + std::string("{\"name\":\"array\",\"length\":") + std::to_string(2) + std::string(",\"element_type\":") + std::string("{\"name\":\"complex\"}") + std::string("}") + std::string("]}") + ",\"block\":\"parameters\"}";
//|     types__ += ",{\"name\":\"s\",\"type\":" + std::string("{\"name\":\"vector\",\"length\":") + std::to_string((
//|         3 - 1)) + std::string("}") + ",\"block\":\"parameters\"}";
//|     types__ += ",{\"name\":\"g\",\"type\":" + std::string("{\"name\":\"array\",\"length\":") + std::to_string(2) + std::string(",\"element_type\":") + std::string("{\"name\":\"tuple\",\"num_elements\":\"2\",\"element_types\":[") + std::string("{\"name\":\"int\"}") + std::string(",") + std::string("{\"name\":\"vector\",\"length\":") + std::to_string(2) + std::string("}") + std::string("]}") + std::string("}") + ",\"block\":\"generated_quantities\"}";
//|     return types__ + "]";
//|   }
//|
