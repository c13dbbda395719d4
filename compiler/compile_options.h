// What is compiled, and how: the input of a Compilation.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "frontend/check/check_options.h"
#include "frontend/lex/includes.h"
#include "frontend/parse/parse.h"
#include "mir/passes/pass.h"
#include "support/platform/stack.h"

namespace fermiac {

/// Optimization level of the MIR. Rewriting the tape finds what the passes find, so the lowest level is the fastest from program text to
/// draws (docs/design/performance.md).
inline constexpr mir::OptLevel kDefaultLevel = mir::OptLevel::O0;

/// Consumer of the optimized MIR.
enum class Backend : std::uint8_t {
  Interpreter,  // the result of lower(); passes keep unused draws and leave vectorization to the tape
  StanMath      // the result of transform_for_backend(); annotations without effect in C++ are warnings
};

struct CompileOptions {
  std::string text;            // the main file
  std::string path;            // of the main file, as messages print it; empty: the name
  std::string name = "model";  // of the model; variables and functions must not have this name

  // Lexing
  std::vector<std::string> include_paths;
  IncludeRule include_rule = IncludeRule::Anywhere;
  const CarriedFiles* carried_includes = nullptr;  // replace the files on disk; must live until the program is lexed

  // Parsing
  bool functions_only = false;     // a .stanfunctions file: function definitions without a block
  bool strict = false;             // features that were removed from the language are errors; else they are rewritten
  bool keep_broken = false;        // with all_errors: ast() is what could be read of a program with errors
  std::string* trace = nullptr;    // receives a line per grammar rule; must live until the program is parsed
  int tallest = kPlainTreeHeight;  // height of the trees that the caller's stack suffices for (support/platform/stack.h)

  // Checking
  bool allow_undefined = false;    // functions that are declared but not defined are external
  bool all_errors = false;         // go on after the first error; applies to the parser, too

  // Lowering and optimization
  bool warn_uninitialized = false;
  bool warn_pedantic = false;
  Backend backend = Backend::Interpreter;
  mir::OptLevel level = kDefaultLevel;
  bool keep_tree = true;  // false: tokens and syntax tree are destroyed after lowering, to save memory; see Compilation::lowered_mir
  std::vector<const mir::Pass*> passes;  // instead of those of the level
  std::function<void(const mir::Pass&, const mir::Program&)> after_pass{};  // called with the result of each pass

  /// The part of the options that the parser takes.
  ParseOptions parsing() const;
  /// The part of the options that the checker takes.
  CheckOptions checking() const;
};

}  // namespace fermiac
