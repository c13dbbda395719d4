#include "cli/fermiac/shared/load.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "autodiff/tape/opencl/use.h"
#include "interp/io/data_files.h"
#include "interp/queries/pointwise_runs.h"
#include "mir/ir/ir.h"
#include "support/base/errors.h"
#include "support/base/model_name.h"
#include "support/base/render.h"
#include "support/base/text_file.h"

namespace fermiac::cli {
namespace {

void complain(const std::string& text) {
  std::fprintf(stderr, "fermiac: %s\n", text.c_str());
}

/// One deprecation in full; several as one line with their number, the first place and the command that rewrites them.
std::string old_syntax(const interp::CompiledModel& compiled) {
  const auto old = [](const Report& r) { return r.kind == DiagKind::Warning && r.group == WarningGroup::Deprecation; };
  const auto& reports = compiled.diagnostics.reports();
  const auto count = std::ranges::count_if(reports, old);
  if (count < 2) return render_warnings(compiled.sources(), compiled.diagnostics, WarningGroup::Deprecation);
  const auto first = std::ranges::find_if(reports, old);
  return "Warning: the program uses deprecated or removed syntax at " + std::to_string(count) + " places, first in " +
         location_text(compiled.sources(), first->span) + ": " + first->message +
         " The command stanc --auto-format --canonicalize=deprecations prints the program in the syntax of today.\n\n";
}

void print_warnings(const interp::CompiledModel& compiled) {
  std::string text;
  for (const WarningGroup group : {WarningGroup::Parser, WarningGroup::Types})
    text += render_warnings(compiled.sources(), compiled.diagnostics, group);
  text += old_syntax(compiled);
  std::fputs(text.c_str(), stderr);
}

interp::EvaluationSettings settings_of(const ModelArgs& args) {
  std::shared_ptr<ad::device::DeviceUse> device;
  if (const Status bad = ad::device::open_for_tapes(args.device, complain, &device); !bad) throw InputError("--device " + args.device + ": " + bad.message);
  return {.tapes = args.tapes,
                                    .rewrite = std::ranges::find(args.no_rewrite, "all") == args.no_rewrite.end(),
                                    .skipped_passes = args.no_rewrite,
                                    .device = std::move(device),
                                    .cluster = args.cluster,
                                    .profiles = args.profiles,
                                    .missing_only = args.conditioning.missing_output == "missing"};
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Where the program prints.
PrintSink print_sink(const ModelArgs& args) {
  if (!args.prints_to_errors) return {};
  return [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); };
}

/// Under the conditioning, if options or data ask for one.
std::unique_ptr<interp::InterpModel> bound(const ModelArgs& args, const std::shared_ptr<const interp::CompiledModel>& compiled) {
  const interp::Conditioning conditioning = read_conditioning(args.conditioning);
  const interp::DataSource data = open_data(args, *compiled);
  const bool asks = args.always_conditioned || !args.conditioning.log_lik.empty() || !args.conditioning.lprior.empty();
  if (asks) return interp::condition(*compiled, data, conditioning, 0, print_sink(args), &Stop::flag());
  return interp::bound_model(compiled, data, conditioning, 0, print_sink(args), &Stop::flag());
}

/// Adds the columns that options ask for; reports what is missing on standard error.
void complete(interp::ConditionedModel& model, const ConditioningArgs& args) {
  const std::string observed = interp::add_pointwise_outputs(model, args.log_lik, args.lprior);
  if (!observed.empty()) std::fprintf(stderr, "%s: %s", args.log_lik.c_str(), observed.c_str());
  if (const std::string text = interp::missing_text(model); !text.empty()) std::fprintf(stderr, "%s\n", text.c_str());
}

}  // namespace

interp::DataSource open_data(const ModelArgs& args, const interp::CompiledModel& program, bool tell) {
  std::vector<interp::DerivedSize> sizes;
  interp::DataSource data = interp::open_data_files(args.data, &program.program, &sizes);
  if (tell && !sizes.empty()) std::fprintf(stderr, "%s\n", interp::derived_text(sizes).c_str());
  return data;
}

namespace {

CompileOptions read_program(const ModelArgs& args) {
  TextFile file = read_text_file(args.model, true);
  if (file.state == TextFile::State::Missing) file.problem += similar_file(args.model);
  if (file.state != TextFile::State::Read) throw InputError(file.problem);
  CompileOptions options{.text = std::move(file.text),
                         .path = args.model,
                         .name = model_name(args.model),
                         .include_paths = args.include_paths,
                         .include_rule = args.include_rule,
                         .allow_undefined = args.allow_undefined,
                         .level = args.level,
                         .keep_tree = args.keep_tree};
  options.include_paths.push_back(folder_of(args.model));  // after those of the command line
  return options;
}

/// A hint if the program was given as the data, and the other way round.
std::string swapped_files(const ModelArgs& args) {
  const auto is_program = [](const std::string& path) { return path.ends_with(".stan"); };
  const auto swapped = std::ranges::find_if(args.data, is_program);
  if (is_program(args.model) || swapped == args.data.end()) return {};
  return fmt::format("fermiac: '{}' was read as the program, '{}' as data: are they swapped?\n", args.model, *swapped);
}

/// Prints the warnings and throws the errors.
std::shared_ptr<const interp::CompiledModel> accepted(std::shared_ptr<const interp::CompiledModel> compiled, const ModelArgs& args) {
  print_warnings(*compiled);
  if (!compiled->diagnostics.has_errors()) return compiled;
  throw InputError(StatusCode::InvalidProgram, render_errors(compiled->sources(), compiled->diagnostics) + swapped_files(args));
}

}  // namespace

std::shared_ptr<const interp::CompiledModel> lower_program(const ModelArgs& args, const std::string& name) {
  CompileOptions options = read_program(args);
  if (!name.empty()) options.name = name;
  return accepted(interp::lower_model(std::move(options)), args);
}

std::shared_ptr<const interp::CompiledModel> load_program(const ModelArgs& args) {
  return accepted(interp::compile_model(read_program(args), {.jit = args.no_jit ? Jit::Never : jit_by_environment()}), args);
}

std::unique_ptr<interp::InterpModel> load_interp_model(const ModelArgs& args) {
  return bind_model(args, load_program(args));
}

std::unique_ptr<interp::InterpModel> bind_model(const ModelArgs& args, const std::shared_ptr<const interp::CompiledModel>& compiled) {
  auto model = bound(args, compiled)->with_settings(settings_of(args));
  if (auto* conditioned = interp::as_conditioned(*model)) complete(*conditioned, args.conditioning);
  return model;
}

namespace {

std::unique_ptr<interp::ConditionedModel> conditioned(std::unique_ptr<interp::InterpModel> model) {
  return std::unique_ptr<interp::ConditionedModel>(interp::as_conditioned(*model.release()));
}

ModelArgs always_conditioned(ModelArgs args) {
  args.always_conditioned = true;
  return args;
}

}  // namespace

std::unique_ptr<interp::ConditionedModel> load_conditioned_model(const ModelArgs& args) {
  return conditioned(load_interp_model(always_conditioned(args)));
}

std::unique_ptr<interp::ConditionedModel> bind_conditioned_model(const ModelArgs& args, const std::shared_ptr<const interp::CompiledModel>& compiled) {
  return conditioned(bind_model(always_conditioned(args), compiled));
}

}  // namespace fermiac::cli
