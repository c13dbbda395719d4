// Emitted models in a program that looks at them: each file of models adds its own before main begins. Written against
// the public Stan headers only.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <stan/io/var_context.hpp>
#include <stan/model/model_base.hpp>

namespace emitted {

struct Entry {
  std::string id;
  stan::model::model_base& (*make)(stan::io::var_context&, unsigned int, std::ostream*);
  // Not virtual in the headers, so the class must be known.
  std::string (*constrained_types)(const stan::model::model_base&);
  std::string (*unconstrained_types)(const stan::model::model_base&);
};

std::vector<Entry>& registry();

template <typename Model>
std::string constrained_types(const stan::model::model_base& model) {
  return static_cast<const Model&>(model).get_constrained_sizedtypes();
}

template <typename Model>
std::string unconstrained_types(const stan::model::model_base& model) {
  return static_cast<const Model&>(model).get_unconstrained_sizedtypes();
}

struct Registration {
  explicit Registration(const Entry& entry) { registry().push_back(entry); }
};

}  // namespace emitted
