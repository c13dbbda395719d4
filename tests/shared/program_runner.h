// Runs small programs in tests: text in, named output values or the error message out.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "interp/model/interp_model.h"
#include "support/base/render.h"

namespace fermiac::testing {

inline std::shared_ptr<const interp::CompiledModel> compile(const std::string& text) {
  auto compiled = interp::compile_model({.text = text, .path = "test.stan", .name = "test_model", .include_paths = {}});
  EXPECT_TRUE(*compiled) << render_errors(compiled->sources(), compiled->diagnostics) << text;
  return compiled;
}

inline std::unique_ptr<interp::InterpModel> load(const std::string& text, const std::string& json = "{}", interp::EvaluationSettings settings = {}) {
  auto compiled = compile(text);
  if (!*compiled) return nullptr;
  return std::make_unique<interp::InterpModel>(compiled, interp::DataSource::parse(json, "data"), 1, PrintSink(), nullptr, std::move(settings));
}

struct Outcome {
  std::map<std::string, double> values;
  std::vector<std::string> names;  // in output order
  std::string error;
  std::string printed;
};

/// Evaluates all output variables at theta.
inline Outcome run(const std::string& text, const std::string& json = "{}", const std::vector<double>& theta = {}) {
  Outcome out;
  auto compiled = compile(text);
  if (!*compiled) return out;
  try {
    interp::InterpModel model(compiled, interp::DataSource::parse(json, "data"), 1,
                              [&](std::string_view line) { out.printed += line; });
    out.names = model.names(true, true);
    std::vector<double> numbers(out.names.size());
    Rng rng(1);
    out.error = model.workspace()->write_array(theta, true, true, rng, numbers).message;
    for (std::size_t i = 0; i < numbers.size(); ++i) out.values[out.names[i]] = numbers[i];
  } catch (const InputError& e) {
    out.error = e.what();
  }
  return out;
}

/// Values of the output variable `r` of a block of generated quantities, in output order.
inline std::vector<double> results(const std::string& quantities, const std::string& functions = "") {
  const Outcome done = run(functions + "\ngenerated quantities {\n" + quantities + "\n}\n");
  EXPECT_EQ(done.error, "") << quantities;
  std::vector<double> out;
  for (const std::string& name : done.names)
    if (name == "r" || name.starts_with("r.") || name.starts_with("r:")) out.push_back(done.values.at(name));
  return out;
}

inline std::string error_of(const std::string& quantities, const std::string& functions = "") {
  return run(functions + "\ngenerated quantities {\n" + quantities + "\n}\n").error;
}

}  // namespace fermiac::testing
