// Target and gradient of a program given as text.
#pragma once

#include <string>
#include <vector>

#include "support/base/render.h"
#include "tests/battery/gradient_check.h"

namespace fermiac::interp {

using Gradient = testing::Point;

/// Target and gradient at theta, by a replay of a tape recorded at `first`.
inline Gradient evaluate(const std::string& program, const std::vector<double>& first, const std::vector<double>& theta,
                         const std::string& data = "{}") {
  const auto compiled = compile_model({.text = program, .path = "test.stan", .name = "test"});
  if (!*compiled) return {.error = render_errors(compiled->sources(), compiled->diagnostics)};
  const InterpModel model(compiled, DataSource::parse(data, "test"), 1);
  const auto workspace = model.workspace();
  testing::evaluate(*workspace, first);
  return testing::evaluate(*workspace, theta);
}

}  // namespace fermiac::interp
