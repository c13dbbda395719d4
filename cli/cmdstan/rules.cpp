// What must hold between the values of a command line, beyond what each may be by itself.
#include "cli/cmdstan/files.h"
#include "cli/cmdstan/parse.h"

namespace fermiac::cmdstan {
namespace {

struct Rule {
  bool broken;
  std::string text;
};

std::string first_broken(std::initializer_list<Rule> rules) {
  for (const Rule& rule : rules)
    if (rule.broken) return rule.text;
  return {};
}

std::string output_rule(const std::string& file) {
  const bool ill_formed = file.empty() || file.ends_with("/") || file.ends_with("/.") || file.ends_with("..");
  return ill_formed ? "Ill-formed output filename " + file : "";
}

std::string thread_rule(const Setting& settings, const Build& build) {
  const Setting& threads = settings.at("num_threads");
  const std::string& wish = build.thread_wish;
  if (!build.threads || wish.empty()) return {};
  if (threads.text("").empty()) return "STAN_NUM_THREADS is '" + wish + "', but must be a positive number or -1.";
  if (wish == "1" || !threads.given() || wish == threads.text("")) return {};
  return "STAN_NUM_THREADS=" + wish + " but argument num_threads=" + threads.text("") +
         ". Please either only set one or make sure they are equal.";
}

std::string sample_rule(const Setting& sample) {
  const bool fixed = sample.text("algorithm") == "fixed_param", engaged = sample.truth("adapt.engaged");
  const bool is_static = !fixed && sample.text("algorithm.hmc.engine") == "static";
  return first_broken({
      {is_static && sample.number("num_chains") > 1, "num_chains can currently only be used with NUTS and fixed_param"},
      {!fixed && engaged && sample.number("num_warmup") == 0,
       "The number of warmup samples (num_warmup) must be greater than zero if adaptation is enabled."},
      {sample.truth("adapt.save_metric") && !engaged, "save_metric=1 needs adaptation: set adapt engaged=1"},
  });
}

/// What is read must not be written over.
Rule conflict(const Setting& method, const std::string& argument, const std::string& output) {
  const std::string& file = method.text(argument);
  return {!file.empty() && same_file(file, output), "Filename conflict, " + argument + " file " + file +
                                                        " and output file names are identical, must be different."};
}

std::string generate_rule(const Setting& generate, const std::string& output) {
  const std::string& fitted = generate.text("fitted_params");
  const bool csv = fitted.ends_with(".csv");
  return first_broken({
      {fitted.empty(), "Argument fitted_params file - found empty string, expecting filename."},
      {!csv, "Fitted params file must be a CSV file, found: " + fitted},
      conflict(generate, "fitted_params", output),
  });
}

std::string log_prob_rule(const Setting& log_prob, const std::string& output) {
  const bool constrained = !log_prob.text("constrained_params").empty();
  const bool unconstrained = !log_prob.text("unconstrained_params").empty();
  return first_broken({
      {!constrained && !unconstrained,
       "Must supply either a file of constrained or of unconstrained parameters: constrained_params or "
       "unconstrained_params."},
      {constrained && unconstrained, "Cannot supply both constrained_params and unconstrained_params."},
      conflict(log_prob, "constrained_params", output),
      conflict(log_prob, "unconstrained_params", output),
  });
}

std::string laplace_rule(const Setting& laplace, const std::string& output) {
  return first_broken({
      {laplace.text("mode").empty(), "Argument mode file - found empty string, expecting filename."},
      conflict(laplace, "mode", output),
  });
}

std::string method_rule(const Setting& settings) {
  const std::string& method = settings.text("method");
  const std::string& output = settings.text("output.file");
  const Setting& chosen = settings.at("method." + method);
  if (method == "sample") return sample_rule(chosen);
  if (method == "generate_quantities") return generate_rule(chosen, output);
  if (method == "log_prob") return log_prob_rule(chosen, output);
  if (method == "laplace") return laplace_rule(chosen, output);
  return {};
}

/// Both or neither, which stands for a GPU if there is one.
std::string opencl_rule(const Setting& settings, const Build& build) {
  if (!build.opencl || (settings.number("opencl.device") < 0) == (settings.number("opencl.platform") < 0)) return {};
  return "Please set both device and platform OpenCL IDs.";
}

}  // namespace

Status check_rules(const Setting& settings, const Build& build) {
  std::string rule = thread_rule(settings, build);
  if (rule.empty()) rule = output_rule(settings.text("output.file"));
  if (rule.empty()) rule = method_rule(settings);
  if (rule.empty()) rule = opencl_rule(settings, build);
  return Status::failed_if_any(rule);
}

}  // namespace fermiac::cmdstan
