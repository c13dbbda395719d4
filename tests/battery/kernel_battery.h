// Runs recorded cases of functions (arguments, result, gradient or error) against the kernels.
//
// A case file holds one JSON object per line: fn, args [{type, value, dims}], result, grad, tol, grad_tol, throws, propto,
// autodiff, suspect, suspect_grad, up_to, … Gradients are of Σ w_i r_i with w_i = cos(i).
#pragma once

#include <simdjson.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "autodiff/kernels/kernel.h"

namespace fermiac::battery {

/// A value of any type the cases use. Reals and integers both in `v`; `is_int` says which.
struct Value {
  ad::Shape shape;
  std::vector<double> v;
  bool is_int = false;
};

struct Case {
  std::string id, fn, up_to;
  std::vector<Value> args;
  Value result;
  std::vector<std::vector<double>> grad;  // per argument; empty and !differentiated when null
  std::vector<bool> differentiated, autodiff;
  std::vector<std::size_t> symmetric;     // arguments whose gradient counts as a sum over (i, j) and (j, i)
  bool throws = false, propto = false, has_grad = false, check_grad = true, has_suspect = false;
  std::vector<double> suspect;
  struct SuspectGrad { std::size_t arg, entry; double value; };
  std::vector<SuspectGrad> suspect_grad;
  double tol = 0, grad_tol = 0, atol = 0, suspect_grad_tol = 0;
};

std::vector<Case> read_cases(const std::string& gz_path);

/// What running a case through a kernel gave.
struct Outcome {
  std::string error;  // the exception's text, empty when none
  bool threw = false;
  ad::Shape shape;
  std::vector<double> out;
  std::vector<std::vector<double>> grad;
  double fused_value = 0;
  std::vector<std::vector<double>> fused_grad;
};
/// `out_weights`: adjoints of the result; empty: cos(i).
Outcome evaluate(const ad::Kernel& k, const Case& c, const std::vector<double>& out_weights = {});
/// The empty string, or what disagrees.
std::string compare(const ad::Kernel& k, const Case& c);
/// Directional derivative of the kernel's own values against its adjoints. Empty when they agree or cannot be compared.
std::string compare_with_differences(const ad::Kernel& k, const Case& c, double h = 1e-5, double tol = 1e-5);

}  // namespace fermiac::battery
