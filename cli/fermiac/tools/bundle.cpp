// `fermiac bundle`: a copy of the library that evaluates models, with this one behind it, and with the compiled header in C++ if one defines
// functions of the program.
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "bindings/bridgestan/bundle/payload.h"
#include "bindings/bridgestan/bundle/program_source.h"
#include "cli/fermiac/shared/commands.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/refuse.h"
#include "cli/stanc/options.h"
#include "codegen/native/external.h"
#include "interp/native/compile_header.h"
#include "plugins/mpi/launch.h"
#include "plugins/opencl/device.h"
#include "support/base/model_name.h"
#include "support/base/render.h"
#include "support/base/replaceable.h"
#include "support/base/text_file.h"
#include "support/platform/output.h"
#include "support/platform/process.h"

namespace fermiac::cli {
namespace {

namespace fs = std::filesystem;

bool is_library(const std::string& output) {
  return output.ends_with(".so");
}

std::string own_template(const std::string& output) {
  return private_file(is_library(output) ? "model_template.so" : "model_program").string();
}

std::string default_output(const BundleArgs& args) {
  const std::string& model = args.model.model;
  if (!model.ends_with(".stan")) return model + (args.program ? ".exe" : "_model.so");
  return model.substr(0, model.size() - 5) + (args.program ? "" : "_model.so");
}

std::string level_flag(mir::OptLevel level) {
  switch (level) {
    case mir::OptLevel::O0:
      return "";
    case mir::OptLevel::O1:
      return "--O1";
    case mir::OptLevel::Oexperimental:
      return "--Oexperimental";
  }
  return {};
}

/// What stanc's flags say of how the program is read.
void take(const stanc::Options& flags, ModelArgs& model) {
  model.include_paths.insert(model.include_paths.end(), flags.include_paths.begin(), flags.include_paths.end());
  if (flags.has("O1")) model.level = mir::OptLevel::O1;
  if (flags.has("Oexperimental")) model.level = mir::OptLevel::Oexperimental;
  if (flags.has("O0")) model.level = mir::OptLevel::O0;
}

/// The text as it was compiled, with every file that it includes.
capi::Payload payload_of(const interp::CompiledModel& compiled, const ModelArgs& model, const BundleArgs& args, const stanc::Options& flags) {
  const Compilation& compilation = *compiled.compilation;
  const std::string given = flags.command_line;
  capi::Payload out{.name = flags.name ? model_name(*flags.name) : compiled.program.name,
                    .path = flags.filename_in_msg.value_or(compilation.path()),
                    .text = compilation.text(),
                    .include_paths = model.include_paths,
                    .includes = {},
                    .compiler = "fermiac " FERMIAC_VERSION,
                    .flags = given.empty() ? level_flag(args.model.level) : given,
                    .native = {},
                    .threads = args.threads,
                    .no_range_checks = args.no_range_checks,
                    .device_module = args.opencl ? own_device_module() : std::string(),
                    .mpi_module = args.mpi ? own_mpi_module() : std::string()};
  for (std::uint32_t i = compilation.main_file() + 1; i < compilation.end_file(); ++i) {
    const SourceMap::File& include = compilation.sources().file(i);
    out.includes[include.name] = include.text;
  }
  return out;
}

/// Throws what users would be told when they run what is made. What a header declares only shows when it is loaded.
void try_header(const capi::Payload& payload, const interp::CompiledModel& compiled, const std::string& user_header) {
  std::shared_ptr<const native::Module> header;
  try {
    header = capi::compiled_header(payload);
  } catch (const InputError& e) {
    throw InputError("'" + user_header + "': " + e.what());
  }
  const auto loaded = interp::prepare_model(compiled.compilation, {.header = std::move(header)});
  if (!*loaded) throw InputError(render_errors(loaded->sources(), loaded->diagnostics));
}

/// The user's header, compiled, for the payload; the text stays beside the output if it is wanted.
void add_header(capi::Payload& payload, const interp::CompiledModel& compiled, const BundleArgs& args, const std::string& output) {
  const std::string text = interp::header_text(compiled, "fermiac " FERMIAC_VERSION, args.user_header);
  if (args.keep_cpp)
    if (const Status problem = write_whole_file(output + ".cpp", text); !problem)
      throw InputError("cannot write '" + output + ".cpp': " + problem.message);
  payload.native = interp::compile_header(text, args.user_header);
  try_header(payload, compiled, args.user_header);
}

int bundle(const BundleArgs& args, const stanc::Options& flags) {
  const std::string output = args.output.empty() ? default_output(args) : args.output;
  const std::string code = args.code.empty() ? own_template(output) : args.code;
  std::error_code ignored;
  if (!fs::exists(code, ignored))
    return refuse("there is no '" + code + "', the file to copy (a part of the whole build, `cmake --build build`); --template names another");
  if (const Status bad = check_replaceable(output, kMachineCodeFile); !bad) return refuse(bad.message);
  if (args.keep_cpp)
    if (const Status bad = check_replaceable(output + ".cpp", kCodeFile); !bad) return refuse(bad.message);
  const bool with_header = !args.user_header.empty();
  if (with_header && !fs::exists(args.user_header, ignored)) return refuse("there is no '" + args.user_header + "', the header in C++");
  ModelArgs model = args.model;
  take(flags, model);
  model.allow_undefined = with_header;
  const auto compiled = with_header ? lower_program(model, flags.name ? model_name(*flags.name) : std::string()) : load_program(model);
  const bool external = !codegen::native::external_functions(compiled->program).empty();
  capi::Payload payload = payload_of(*compiled, model, args, flags);
  if (external) add_header(payload, *compiled, args, output);
  if (const Status bad = capi::append_payload(code, payload, output); !bad) return refuse(bad.message);
  return write_output(output + "\n") ? 0 : 1;
}

}  // namespace

int run_bundle(const BundleArgs& args) {
  const stanc::ParsedCommandLine flags = stanc::parse_command_line(args.stanc_flags);
  if (!flags.error.empty()) return refuse("stanc's flags: " + flags.error);
  if (flags.options.model) return refuse("what follows -- are flags of stanc, but '" + *flags.options.model + "' is none");
  return bundle(args, flags.options);
}

}  // namespace fermiac::cli
