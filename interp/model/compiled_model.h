// From program text to a prepared program that is not bound to data yet.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frontend/lex/includes.h"
#include "interp/exec/runs/code.h"
#include "mir/ir/ir.h"
#include "mir/passes/pass.h"
#include "mir/sites/site.h"
#include "support/base/diagnostics.h"
#include "support/base/source.h"

namespace fermiac::interp {

/// Optimization level of the MIR before a program is prepared. Rewriting the tape finds what the passes find, so the lowest level is the
/// fastest from program text to draws (docs/design/performance.md).
inline constexpr mir::OptLevel kDefaultLevel = mir::OptLevel::O0;

struct ModelSource {
  std::string text;
  std::string path;                        // as messages print it
  std::string name = "model";
  std::vector<std::string> include_paths;
  IncludeRule include_rule = IncludeRule::Anywhere;
  const CarriedFiles* carried_includes = nullptr;  // stand for the files that it includes
  bool allow_undefined = false;
  bool all_errors = false;                 // go on after the first
  mir::OptLevel level = kDefaultLevel;
  std::shared_ptr<const native::Module> header;  // a user's header, compiled for this program (interp/native/module.h)
  Jit jit = jit_by_environment();          // without it
};

/// A checked and prepared program, not bound to data. Shared by any number of models.
struct CompiledModel {
  SourceMap sources;
  Diagnostics diagnostics;                 // errors and warnings
  mir::Program program;
  std::unique_ptr<const mir::SiteTable> sites;  // of a program that is conditioned (conditioned_program); else null
  std::unique_ptr<const Code> code;        // null if there were errors
  double milliseconds = 0;                 // spent on all of it
  explicit operator bool() const { return code != nullptr; }
  /// ` (in 'm.stan', line 3, column 2 to column 20)`, empty for statements without a place.
  std::string place(ad::Site site) const;
};

/// What machine code says it was made of: the texts, the level and the version of the format.
std::string program_sum(const CompiledModel& compiled, mir::OptLevel level);

/// Parses, checks, lowers and prepares. Machine code of another program is an error.
std::shared_ptr<const CompiledModel> compile_model(const ModelSource& source);

/// Parses, checks and lowers; prepares nothing. Suffices where the bodies of functions come from a C++ header later.
std::shared_ptr<const CompiledModel> lower_model(const ModelSource& source);

/// By site: the statements of the log density that assign or read a variable declared @gpu, and those of functions declared so.
/// Empty if there are none.
std::vector<bool> device_sites(const CompiledModel& compiled);

}  // namespace fermiac::interp
