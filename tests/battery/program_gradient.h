// Target and gradient of a program given as text.
#pragma once

#include <string>
#include <vector>

#include "interp/model/interp_model.h"
#include "support/render.h"

namespace fermiac::interp {

struct Gradient {
  double lp = 0;
  std::vector<double> of;
  std::string error;
};

/// Target and gradient at theta, by a replay of a tape recorded at `first`.
inline Gradient evaluate(const std::string& program, std::vector<double> first, std::vector<double> theta,
                  const std::string& data = "{}") {
  const auto compiled = compile_model({.text = program, .path = "test.stan", .name = "test"});
  if (!*compiled) return {.error = render_errors(compiled->sources, compiled->diagnostics)};
  const InterpModel model(compiled, DataSource::parse(data, "test"), 1);
  const auto workspace = model.workspace();
  Gradient out;
  out.of.resize(theta.size());
  for (const auto& point : {first, theta}) {
    const EvalStatus status = workspace->log_density_gradient(point, {.propto = false, .jacobian = false}, &out.lp, out.of);
    out.error = status ? "" : status.message;
  }
  return out;
}

}  // namespace fermiac::interp
