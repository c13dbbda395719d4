// Draws from the distributions of sites.
#pragma once

#include <string>
#include <vector>

#include "autodiff/shape.h"
#include "interp/exec/runs/site_call.h"
#include "interp/model/interp_model.h"
#include "mir/ir/ir.h"
#include "support/base/rng.h"

namespace fermiac::interp {

/// Whether something can be drawn from the distribution: by a function of the library, by others together, or by `D_rng` of the
/// program.
bool has_generator(const CompiledModel& compiled, const mir::Site& site);

/// A draw of element i with the arguments of the call, without its truncation: a number, or a container of a joint element.
Value draw_element(const CompiledModel& compiled, SiteCall& call, std::size_t i, Frame& f);
/// Draws of all elements at once, one number for each. False where that is not possible.
bool draw_all_elements(const CompiledModel& compiled, SiteCall& call, Frame& f, Value* out);
/// A draw of element i from the distribution that its truncation cuts.
Value draw_truncated(const CompiledModel& compiled, SiteCall& call, std::size_t i, Frame& f);

/// Functions of the library on plain values.
Value call_library(Frame& f, std::string_view name, std::vector<Value> args);
Value call_library(Frame& f, Builtin fn, std::vector<Value> args);

// Uniform draws from the sets that structured parameters live on: what a parameter without a distribution has.

/// Whether the set is bounded, so that it has a uniform distribution.
bool has_uniform(mir::TransformKind kind);
/// One draw, in the layout of a value of this shape; arrays element by element.
std::vector<double> uniform_on(mir::TransformKind kind, const ad::Shape& shape, Rng& rng);

}  // namespace fermiac::interp
