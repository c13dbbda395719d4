// Where a run starts: random points, zero, or values the user gives, tried until the density is finite (CmdStan's
// rules: up to 100 attempts where something is random, else one).
#pragma once

#include <string>
#include <vector>

#include "inference/model/options.h"
#include "inference/model/target.h"

namespace fermiac::inference {

struct InitSpec {
  double radius = 2;
  bool search = false;  // go on from random points along paths (start.h)
  std::string json;    // constrained values; may be partial, the rest is drawn
  std::string source;  // where json comes from, for messages
  bool like_stan = false;  // CmdStan's number of attempts and wording
  WhyNotFinite why_not_finite;  // may be null
};

/// Fills `theta`. `report` receives what happened on the way (refused points, counted). Where all attempts fail for one
/// reason the error says it, and what to do; sizes and indexes that do not fit end the attempts.
Status find_initial_point(const InitSpec& spec, Target& target, Rng& rng, Span theta, std::string* report);

/// How long a gradient took, and what that means.
std::string gradient_time_text(double seconds);

}  // namespace fermiac::inference
