// A compiled program, prepared for evaluation and not bound to data yet.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/compilation.h"
#include "interp/exec/runs/code.h"
#include "mir/ir/ir.h"
#include "mir/sites/site.h"
#include "support/base/diagnostics.h"
#include "support/base/source.h"

namespace fermiac::interp {

/// How a program is prepared.
struct PrepareOptions {
  std::shared_ptr<const native::Module> header{};  // a user's header, compiled for this program (interp/native/module.h)
  Jit jit = jit_by_environment();
};

/// A compiled and prepared program, not bound to data. Shared by any number of models.
struct CompiledModel {
  std::shared_ptr<Compilation> compilation;      // never null; its phases have run, up to an error
  Diagnostics diagnostics;                       // those of the compilation, and errors of the preparation
  mir::Program program;                          // compilation->mir(), or what a conditioning made of it
  std::unique_ptr<const mir::SiteTable> sites;   // of a program that is conditioned (conditioned_program); else null
  std::unique_ptr<const Code> code;              // null if there were errors
  double milliseconds = 0;                       // spent on all of it
  explicit operator bool() const { return code != nullptr; }
  const SourceMap& sources() const { return compilation->sources(); }
  /// ` (in 'm.stan', line 3, column 2 to column 20)`, empty for statements without a place.
  std::string place(ad::Site site) const;
  std::string place(Span span) const;
};

/// Identifies a program, for compiled headers and for runs that are resumed: `CHECKSUM-LEVEL` of the texts and the optimization level.
std::string program_sum(const CompiledModel& compiled);

/// Compiles a program and prepares it. Runs on a large stack: CompileOptions::tallest is set.
std::shared_ptr<const CompiledModel> compile_model(CompileOptions options, const PrepareOptions& prepare = {});

/// Prepares compilation->mir(). A header that was compiled for another program is an error. Cost: no phase of the compilation runs twice.
std::shared_ptr<const CompiledModel> prepare_model(std::shared_ptr<Compilation> compilation, const PrepareOptions& options = {});

/// Compiles and prepares nothing: `code` is null. Suffices where the bodies of functions come from a C++ header later.
std::shared_ptr<const CompiledModel> lower_model(CompileOptions options);

/// By site: the statements of the log density that assign or read a variable declared @gpu, and those of functions declared so.
/// Empty if there are none.
std::vector<bool> device_sites(const CompiledModel& compiled);

}  // namespace fermiac::interp
