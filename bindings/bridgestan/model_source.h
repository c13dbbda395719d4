// Which model a library carries. The entry points ask here; every kind of library defines these functions once: a
// bundle by the program behind its code (carried_model.cpp), emitted C++ by the model that it is.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "inference/model/model.h"

namespace fermiac::capi {

struct ModelFacts {
  std::string name;      // bernoulli_model
  std::string compiler;  // what made it of the program, with its version
  std::string flags;     // as stanc takes them
  bool no_range_checks = false;
};

/// Throws where the library carries no model that can be used.
const ModelFacts& carried_facts();

/// The model with its data: JSON text, the path of a file that ends in .json, or nothing. `seed` is for random numbers
/// in transformed data. Throws.
std::unique_ptr<Model> bind_carried_model(std::string_view data, std::uint64_t seed, PrintSink print);

}  // namespace fermiac::capi
