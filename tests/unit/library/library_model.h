// The program that tests of libfermiac run.
#pragma once

namespace fermiac::testing {

/// A model that has everything a run asks for.
inline constexpr const char* kModel = R"(
functions { real half(real x) { print("half of ", x); return x / 2; } real noise_rng() { return normal_rng(0, 1); } }
data { int<lower=0> N; vector[N] y; }
parameters { real mu; real<lower=0> sigma; }
model { y ~ normal(mu, sigma); mu ~ normal(0, 5); sigma ~ normal(0, 5); }
generated quantities { real next = normal_rng(mu, sigma); }
)";
inline constexpr const char* kData = R"({"N": 6, "y": [1.5, -1, 2, 0.5, 3, 1]})";

}  // namespace fermiac::testing
