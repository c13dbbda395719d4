// Every diagnostic that exists is shown by a golden program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "compiler/compilation.h"
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

CompileOptions options(const Golden& g) {
  CompileOptions out{.text = g.program, .path = g.name, .name = g.name.substr(0, g.name.find('.')) + "_model"};
  out.include_paths = {kPrograms.string(), (kPrograms / "includes").string()};
  if (g.has("--no-include")) out.include_rule = IncludeRule::None;
  if (g.has("--include-confined")) out.include_rule = IncludeRule::Confined;
  out.functions_only = g.name.ends_with(".stanfunctions");
  out.strict = g.has("--strict");
  out.all_errors = g.has("--all-errors");
  out.allow_undefined = g.has("--allow-undefined");
  out.warn_uninitialized = g.has("--warn-uninitialized");
  out.warn_pedantic = g.has("--warn-pedantic");
  out.backend = Backend::StanMath;
  return out;
}

/// Adds what the front end has to say about the program.
void diagnose(const Golden& g, std::set<DiagId>& seen) {
  Compilation compilation(options(g));
  compilation.lowered_mir();
  for (const Report& report : compilation.diagnostics().reports()) seen.insert(report.id);
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
