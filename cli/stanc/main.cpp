#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/stanc/driver.h"
#include "cli/stanc/options.h"
#include "support/base/language_version.h"
#include "support/base/render.h"
#include "support/platform/output.h"

namespace {

using namespace fermiac::stanc;

/// Lines after the first are indented to stand below it.
int usage_error(const std::string& reason) {
  constexpr std::string_view kName = "stanc: ";
  const std::string text = fermiac::fill(reason, kName.size()).substr(kName.size());
  std::fprintf(stderr, "Usage: stanc [--help] [OPTION]… [MODEL_FILE]\nstanc: %s", text.c_str());
  return kUsageError;
}

bool needs_model(const Options& options) {
  return !options.has("dump-stan-math-signatures") && !options.has("dump-stan-math-distributions");
}

bool readable(const std::string& path) {
  std::error_code ignored;
  return !std::filesystem::is_directory(path, ignored) && std::ifstream(path).good();
}

std::string file_problem(const Options& options) {
  std::error_code ignored;
  if (options.model && *options.model != "-" && std::filesystem::is_directory(*options.model, ignored))
    return "MODEL_FILE argument: '" + *options.model + "' is a directory";
  if (options.debug_data_file && !std::filesystem::exists(*options.debug_data_file, ignored))
    return "option '--debug-data-file': no '" + *options.debug_data_file + "' file";
  if (options.debug_data_file && !readable(*options.debug_data_file))
    return "File '" + *options.debug_data_file + "' not found or cannot be opened.";
  return needs_model(options) && !options.model ? "No model file provided" : "";
}

int print(const std::string& text) {
  fermiac::write_output(text);
  return kOk;
}

int command(const ParsedCommandLine& parsed) {
  const Options& options = parsed.options;
  if (options.help) return print(help_text());
  if (!parsed.error.empty()) return usage_error(parsed.error);
  std::fputs(options.warnings.c_str(), stderr);
  if (options.has("version")) return print(std::string(fermiac::kStancVersion) + " (Unix)\n");
  if (const std::string problem = file_problem(options); !problem.empty()) return usage_error(problem);
  return run(options);
}

}  // namespace

int main(int argc, char** argv) {
  fermiac::prepare_streams();
  return fermiac::finish_output("stanc", command(parse_command_line({argv + 1, argv + std::max(argc, 1)})));
}
