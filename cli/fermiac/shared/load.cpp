#include "cli/fermiac/shared/load.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "autodiff/tape/opencl/use.h"
#include "interp/io/data_files.h"
#include "interp/queries/pointwise_runs.h"
#include "mir/ir/ir.h"
#include "support/base/interrupted.h"
#include "support/base/json_scan.h"
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

void print_diagnostics(const interp::CompiledModel& compiled) {
  const Diagnostics& d = compiled.diagnostics;
  std::string text;
  for (const WarningGroup group : {WarningGroup::Parser, WarningGroup::Types})
    text += render_warnings(compiled.sources(), d, group);
  text += old_syntax(compiled);
  text += render_errors(compiled.sources(), d);
  std::fputs(text.c_str(), stderr);
}

/// Nothing after the reason was printed.
std::optional<interp::EvaluationSettings> settings_of(const ModelArgs& args) {
  std::string problem;
  auto device = ad::device::open_for_tapes(args.device, complain, &problem);
  if (!problem.empty()) return complain("--device " + args.device + ": " + problem), std::nullopt;
  return interp::EvaluationSettings{.tapes = args.tapes,
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

std::string data_problem(const ModelArgs& args, const interp::DataError& error) {
  return std::string(error.what()) + (args.data.empty() ? "; no data were given, see --data" : "");
}

namespace {

/// Nothing after the reason was printed.
std::optional<CompileOptions> read_program(const ModelArgs& args) {
  TextFile file = read_text_file(args.model, true);
  if (file.state == TextFile::State::Missing) file.problem += similar_file(args.model);
  if (file.state != TextFile::State::Read) return complain(file.problem), std::nullopt;
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

/// The program is given as the data, and the other way round.
void tell_of_swapped_files(const ModelArgs& args) {
  const auto is_program = [](const std::string& path) { return path.ends_with(".stan"); };
  const auto swapped = std::ranges::find_if(args.data, is_program);
  if (!is_program(args.model) && swapped != args.data.end()) complain(fmt::format("'{}' was read as the program, '{}' as data: are they swapped?", args.model, *swapped));
}

}  // namespace

std::shared_ptr<const interp::CompiledModel> lower_program(const ModelArgs& args, const std::string& name) {
  auto options = read_program(args);
  if (!options) return nullptr;
  if (!name.empty()) options->name = name;
  auto lowered = interp::lower_model(*std::move(options));
  print_diagnostics(*lowered);
  return lowered->diagnostics.has_errors() ? nullptr : lowered;
}

std::shared_ptr<const interp::CompiledModel> load_program(const ModelArgs& args) {
  auto options = read_program(args);
  if (!options) return nullptr;
  auto compiled = interp::compile_model(*std::move(options), {.jit = args.no_jit ? Jit::Never : jit_by_environment()});
  print_diagnostics(*compiled);
  if (!*compiled) return tell_of_swapped_files(args), nullptr;
  return compiled;
}

std::unique_ptr<interp::InterpModel> load_interp_model(const ModelArgs& args, const Stop& stop) {
  const auto compiled = load_program(args);
  return compiled ? bind_model(args, compiled, stop) : nullptr;
}

std::unique_ptr<interp::InterpModel> bind_model(const ModelArgs& args, const std::shared_ptr<const interp::CompiledModel>& compiled,
                                                const Stop& stop) {
  try {
    auto model = bound(args, compiled);
    auto settings = settings_of(args);
    if (!settings) return nullptr;
    model = model->with_settings(*std::move(settings));
    if (auto* conditioned = interp::as_conditioned(*model)) complete(*conditioned, args.conditioning);
    return model;
  } catch (const ad::Interrupted&) {
    complain(stop.reason());
  } catch (const interp::BindError& e) {
    complain(e.what());
  } catch (const interp::DataError& e) {
    complain(data_problem(args, e));
  }
  return nullptr;
}

namespace {

std::unique_ptr<interp::ConditionedModel> conditioned(std::unique_ptr<interp::InterpModel> model) {
  return std::unique_ptr<interp::ConditionedModel>(model ? interp::as_conditioned(*model.release()) : nullptr);
}

ModelArgs always_conditioned(ModelArgs args) {
  args.always_conditioned = true;
  return args;
}

}  // namespace

std::unique_ptr<interp::ConditionedModel> load_conditioned_model(const ModelArgs& args, const Stop& stop) {
  return conditioned(load_interp_model(always_conditioned(args), stop));
}

std::unique_ptr<interp::ConditionedModel> bind_conditioned_model(const ModelArgs& args, const std::shared_ptr<const interp::CompiledModel>& compiled,
                                                                 const Stop& stop) {
  return conditioned(bind_model(always_conditioned(args), compiled, stop));
}

}  // namespace fermiac::cli
