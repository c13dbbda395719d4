// `fermiac bundle`: a copy of the library that evaluates models, with this one behind it.
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "capi/payload.h"
#include "cli/fermiac/commands.h"
#include "cli/fermiac/load.h"
#include "support/output.h"

namespace fermiac::cli {
namespace {

namespace fs = std::filesystem;

int refuse(const std::string& why) {
  std::fprintf(stderr, "fermiac bundle: %s\n", why.c_str());
  return 1;
}

/// Where the build and an installation put it, seen from the program.
std::string own_template() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  return (program.parent_path().parent_path() / "lib/fermiac/model_template.so").string();
}

std::string default_output(const std::string& model) {
  const std::string stem = model.ends_with(".stan") ? model.substr(0, model.size() - 5) : model;
  return stem + "_model.so";
}

std::string level_flag(mir::OptLevel level) {
  switch (level) {
    case mir::OptLevel::O0:
      return "--O0";
    case mir::OptLevel::O1:
      return "--O1";
    case mir::OptLevel::Oexperimental:
      return "--Oexperimental";
  }
  return {};
}

/// The text as it was compiled, with every file that it includes.
capi::Payload payload_of(const interp::CompiledModel& compiled, const ModelArgs& args) {
  const SourceMap& sources = compiled.sources;
  capi::Payload out{.name = compiled.program.name,
                    .path = sources.file(0).name,
                    .text = sources.file(0).text,
                    .include_paths = args.include_paths,
                    .includes = {},
                    .compiler = "fermiac " FERMIAC_VERSION,
                    .flags = level_flag(args.level)};
  for (std::uint32_t i = 1; i < sources.size(); ++i) out.includes[sources.file(i).name] = sources.file(i).text;
  return out;
}

}  // namespace

int run_bundle(const BundleArgs& args) {
  const std::string output = args.output.empty() ? default_output(args.model.model) : args.output;
  if (!output.ends_with(".so"))
    return refuse("'" + output + "' is not named like a shared object, which ends in .so; programs are not made yet");
  const std::string code = args.code.empty() ? own_template() : args.code;
  std::error_code ignored;
  if (!fs::exists(code, ignored))
    return refuse("there is no '" + code + "', the library to copy; --template names another");
  const auto compiled = load_program(args.model);
  if (!compiled) return 1;
  const std::string problem = capi::append_payload(code, payload_of(*compiled, args.model), output);
  if (!problem.empty()) return refuse(problem);
  return write_output(output + "\n") ? 0 : 1;
}

}  // namespace fermiac::cli
