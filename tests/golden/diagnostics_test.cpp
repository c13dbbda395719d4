// Every diagnostic that exists is shown by a golden program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "frontend/check/check.h"
#include "frontend/parse/parse.h"
#include "mir/lower/lower.h"
#include "mir/warnings/warnings.h"
#include "support/base/diagnostics.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;

const fs::path kPrograms = FERMIAC_SOURCE_DIR "/tests/golden/programs";

struct Golden {
  std::string name, run, program;
  bool has(std::string_view flag) const { return run.find(flag) != std::string::npos; }
};

Golden read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  return {path.filename().string(), text.substr(0, text.find('\n')), text.substr(0, text.find("//|exit"))};
}

ParseOptions parsing(const Golden& g) {
  ParseOptions options;
  options.include_paths = {kPrograms.string(), (kPrograms / "includes").string()};
  options.functions_only = g.name.ends_with(".stanfunctions");
  options.strict = g.has("--strict");
  options.all_errors = g.has("--all-errors");
  if (g.has("--no-include")) options.include_rule = IncludeRule::None;
  if (g.has("--include-confined")) options.include_rule = IncludeRule::Confined;
  return options;
}

/// Adds what the front end has to say about the program.
void diagnose(const Golden& g, std::set<DiagId>& seen) {
  SourceMap sources;
  Diagnostics diagnostics;
  const std::uint32_t file = sources.add(g.name, g.program);
  auto program = parse_program(sources, file, parsing(g), diagnostics);
  CheckOptions checking;
  checking.model_name = g.name.substr(0, g.name.find('.')) + "_model";
  checking.allow_undefined = g.has("--allow-undefined");
  checking.all_errors = g.has("--all-errors");
  checking.rewrite_removed = !g.has("--strict");
  checking.for_cpp = true;
  const bool good = program && check_program(*program, checking, diagnostics);
  for (const Report& report : diagnostics.reports()) seen.insert(report.id);
  if (!good) return;
  if (g.has("--warn-uninitialized") && !mir::uninitialised_warnings(mir::lower(*program, "m", g.name), sources).empty())
    seen.insert(DiagId::W2030);
  if (g.has("--warn-pedantic") && !mir::pedantic_warnings(mir::lower(*program, "m", g.name), sources).empty())
    seen.insert(DiagId::W2031);
}

/// Shown elsewhere: E0010 depends on the stack there is (large_programs_test), E3001 speaks of models, not programs
/// (interp_model_test).
constexpr DiagId kElsewhere[] = {DiagId::E0010, DiagId::E3001};

TEST(Diagnostics, EachOneIsInAGolden) {
  std::set<DiagId> seen(std::begin(kElsewhere), std::end(kElsewhere));
  for (const fs::directory_entry& entry : fs::directory_iterator(kPrograms))
    if (entry.is_regular_file()) diagnose(read(entry.path()), seen);
#define FERMIAC_DIAGNOSTIC(id, name) EXPECT_TRUE(seen.contains(DiagId::id)) << #id " " name " is in no golden program";
#include "support/base/diagnostics.def"
#undef FERMIAC_DIAGNOSTIC
}

}  // namespace
}  // namespace fermiac
