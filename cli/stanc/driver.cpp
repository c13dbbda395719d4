#include "cli/stanc/driver.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>

#include "cli/stanc/generate.h"
#include "codegen/stan_math/emit.h"
#include "compiler/compilation.h"
#include "compiler/formatted.h"
#include "frontend/ast/sexp.h"
#include "frontend/builtins/builtins.h"
#include "mir/passes/pass.h"
#include "mir/text/text.h"
#include "support/base/errors.h"
#include "support/base/language_version.h"
#include "support/base/model_name.h"
#include "support/base/render.h"
#include "support/base/replaceable.h"
#include "support/base/text_file.h"
#include "support/platform/descriptor.h"
#include "support/platform/output.h"
#include "support/platform/stack.h"
#include "support/platform/terminal.h"

namespace fermiac::stanc {
namespace {

void print(std::string_view text) {
  write_output(text);
}
void complain(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

TextFile read_model(const std::string& path) {
  return path == "-" ? read_text(kStandardInput, "standard input") : read_text_file(path, true);
}

bool use_color(const Options& options) { return options.color == "auto" ? wants_color(stderr) : options.color == "always"; }

int write_file(const std::string& path, const std::string& text, Status status = {}) {
  if (status) status = write_whole_file(path, text);
  if (status) return kOk;
  complain("Error writing to file '" + path + "': " + status.message + "\n");
  return kUserError;
}

bool is_program_file(const std::string& path) { return without_program_suffix(path) != path; }

/// A program may be replaced by a program, for example formatted in place.
Status check_program_output(const std::string& path) {
  return is_program_file(path) ? Status{} : check_replaceable(path, {"\xff", "a Stan program"});
}
/// A list may replace any file except a program.
Status check_list_output(const std::string& path) {
  return is_program_file(path) ? check_replaceable(path, {"\xff", "a list"}) : Status{};
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options), render_{use_color(options)} {}

  int run() {
    const std::string& path = *options_.model;
    TextFile model = read_model(path);
    if (model.state != TextFile::State::Read) {
      const std::string why = model.state == TextFile::State::Missing ? "file '" + path + "' not found or cannot be opened" : model.problem;
      if (for_editors()) print(unreadable_json(path, why));
      else complain("Error: " + why + "\n");
      return kUserError;
    }
    int status = kInternalError;
    on_large_stack([&](int height) {
      unit_.emplace(compile_options(std::move(model.text), height));
      status = compile();
    });
    return status;
  }

 private:
  /// The file the C++ goes to if no other is named.
  std::string default_output() const {
    const std::string& model = *options_.model;
    return (model == "-" ? "stdin" : without_program_suffix(model)) + ".hpp";
  }

  int emit(const mir::Program& program) {
    if (options_.has("debug-lir")) {
      complain("stanc: --debug-lir shows a tree of C++; this compiler has none, it writes the text: see --print-cpp.\n");
      return kUserError;
    }
    codegen::stan_math::EmitOptions emitting;
    emitting.standalone = options_.has("standalone-functions") || unit_->ast()->functions_only;
    emitting.opencl = options_.has("use-opencl");
    emitting.version = kStancVersion;
    emitting.flags = options_.command_line;
    const std::string cpp = codegen::stan_math::emit(program, unit_->sources(), emitting);
    if (options_.has("print-cpp")) print(cpp);
    const std::string output = options_.output.value_or(default_output());
    return write_file(output, cpp, check_output(output, kCodeFile));
  }

  /// Fails if the output must not go into this file: an input, or a file of another kind.
  Status check_output(const std::string& output, FileKind kind) const {
    if (options_.debug_data_file && is_same_file(output, *options_.debug_data_file)) return Status::failed("it is the file of data");
    return check_replaceable(output, kind);
  }

  /// A file was asked for, and what there is goes to standard output or nowhere.
  int output_unused() {
    if (!options_.output) return kOk;
    complain("Error: nothing was written to file '" + *options_.output + "': --output takes the program of --auto-format and generated values.\n");
    return kUserError;
  }

  /// Everything found goes into one array on standard output, whatever happens.
  bool for_editors() const { return options_.pedantic_json && !options_.has("info") && !formats(); }

  bool formats() const { return options_.has("auto-format") || options_.has("print-canonical"); }

  void warn(WarningGroup group) {
    if (!for_editors()) complain(render_warnings(unit_->sources(), unit_->diagnostics(), group, render_));
  }

  void print_for_editors() { print(diagnostics_json(unit_->diagnostics(), unit_->sources())); }

  int errors() {
    if (for_editors()) print_for_editors();
    else complain(render_errors(unit_->sources(), unit_->diagnostics(), render_));
    return kUserError;
  }

  CompileOptions compile_options(std::string text, int tallest) {
    const std::string& path = *options_.model;
    return {.text = std::move(text),
            .path = options_.filename_in_msg.value_or(path == "-" ? "stdin" : path),
            .name = model_name(options_.name.value_or(path)),
            .include_paths = options_.include_paths,
            .include_rule = include_rule(),
            .functions_only = path.ends_with(".stanfunctions"),
            .strict = options_.has("strict"),
            .trace = options_.has("debug-parse") ? &trace_ : nullptr,
            .tallest = tallest,
            .allow_undefined = options_.has("allow-undefined"),
            .all_errors = options_.has("all-errors"),
            .warn_uninitialized = options_.has("warn-uninitialized"),
            .warn_pedantic = options_.has("warn-pedantic"),
            .backend = options_.has("info") || formats() ? Backend::Interpreter : Backend::StanMath,
            .level = level(),
            .passes = passes(),
            .after_pass = [this](const mir::Pass& pass, const mir::Program& program) { dump_after(pass, program); }};
  }

  int compile() {
    const ast::Program* tree = unit_->ast();
    if (options_.has("debug-lex")) print(lexer_trace(unit_->sources(), unit_->tokens()));
    print(trace_);
    warn(WarningGroup::Parser);
    if (!tree) return errors();
    if (options_.has("debug-ast")) print(format::wrap_sexp(ast::to_sexp(*tree)) + "\n");

    if (!unit_->checked_ast()) return errors();
    if (options_.has("debug-decorated-ast")) print(format::wrap_sexp(ast::to_sexp(*tree, true)) + "\n");
    warn(WarningGroup::Types);
    if (options_.has("info")) return print(unit_->info()), output_unused();
    if (!options_.canonical.deprecations) warn(WarningGroup::Deprecation);
    return formats() ? format() : lower();
  }

  IncludeRule include_rule() const {
    if (options_.has("no-include")) return IncludeRule::None;
    return options_.has("include-confined") ? IncludeRule::Confined : IncludeRule::Anywhere;
  }

  int format() {
    format::Options formatting;
    formatting.margin = options_.max_line_length;
    formatting.inline_includes = options_.canonical.includes;
    formatting.strip_comments = options_.canonical.strip_comments;
    const Formatted result = formatted(*unit_, formatting, options_.canonical);
    switch (result.outcome) {
      case Formatted::Outcome::Done:
        if (options_.output) return write_file(*options_.output, result.text, check_program_output(*options_.output));
        print(result.text + "\n");
        return kOk;
      case Formatted::Outcome::IncludeInStatement:
        complain(
            "Error: an #include directive stands inside a statement. Such a program can only be formatted with the text of its "
            "includes in place: add --canonicalize=includes.\n");
        return kUserError;
      case Formatted::Outcome::TooDeep:
        complain("Error: with the braces that --canonicalize adds the program is nested too deeply.\n");
        return kUserError;
      case Formatted::Outcome::Changed:
        complain(
            "Internal compiler error:\nThe formatted program does not read back as the same program. Please report "
            "this.\n");
        break;
    }
    return kInternalError;
  }

  int lower() {
    const mir::Program& lowered = *unit_->lowered_mir();
    warn(WarningGroup::Uninitialised);
    warn(WarningGroup::Pedantic);
    if (options_.has("warn-pedantic") && for_editors()) print_for_editors();
    if (options_.has("debug-mir")) print(mir::to_text(lowered));
    if (options_.has("debug-mir-pretty")) print(mir::to_pretty(lowered) + "\n");
    if (options_.has("debug-generate-data")) return generate(*unit_->ast(), false);
    if (options_.has("debug-generate-inits")) return generate(*unit_->ast(), true);
    const mir::Program& transformed = *unit_->backend_mir();
    if (options_.has("debug-transformed-mir")) print(mir::to_text(transformed));
    if (options_.has("debug-transformed-mir-pretty")) print(mir::to_pretty(transformed) + "\n");
    const mir::Program& optimized = *unit_->mir();
    if (options_.has("debug-mem-patterns")) memory_patterns(unit_->memory_report());
    if (options_.has("debug-optimized-mir")) print(mir::to_text(optimized));
    if (options_.has("debug-optimized-mir-pretty")) print(mir::to_pretty(optimized) + "\n");
    return emit(optimized);
  }

  int generate(const ast::Program& program, bool parameters) {
    Values given;
    try {
      if (options_.debug_data_file) given = read_values(read_model(*options_.debug_data_file).text);
      const std::string json = generate_json(program, std::move(given), parameters);
      if (options_.output) return write_file(*options_.output, json, check_output(*options_.output, kJsonFile));
      print(json + "\n");
      return kOk;
    } catch (const ProgramError& error) {
      complain("Error in " + location_text(unit_->sources(), error.span) + ":\n" + fill(error.what(), 2));
      if (!options_.debug_data_file) complain(fill("Values it needs can be given with --debug-data-file.", 2));
    } catch (const InputError& error) {
      complain("Error: Failed to parse '" + *options_.debug_data_file + "' for debug generation:\n  " + error.what() + "\n");
    }
    return kUserError;
  }

  void dump_after(const mir::Pass& pass, const mir::Program& program) const {
    const auto& dumps = options_.dump_after;
    if (std::ranges::any_of(dumps, [&](const std::string& name) { return name == "all" || name == pass.name; }))
      print("// after " + std::string(pass.name) + "\n" + mir::to_pretty(program) + "\n");
  }

  void memory_patterns(const mir::MemoryReport& report) {
    const std::string hazards = mir::memory_hazards(report, unit_->sources());
    print(mir::memory_table(report) + (hazards.empty() ? "\n" : hazards));
    complain(mir::memory_causes(report, unit_->sources()));
  }

  std::vector<const mir::Pass*> passes() const {
    std::vector<const mir::Pass*> out;
    for (const std::string& name : options_.passes) out.push_back(mir::find_pass(name));
    if (!out.empty()) return out;
    const bool forced = options_.force_soa == "soa", forbidden = options_.force_soa == "no-soa";
    for (const mir::Step& step : mir::pipeline(level()))
      if (step.pass != &mir::kMemoryPatterns || !forbidden) out.push_back(step.pass);
    if (level() == mir::OptLevel::O0 && forced) out.push_back(&mir::kMemoryPatterns);
    return out;
  }

  mir::OptLevel level() const {
    if (options_.has("O0")) return mir::OptLevel::O0;
    if (options_.has("O1")) return mir::OptLevel::O1;
    return options_.has("Oexperimental") ? mir::OptLevel::Oexperimental : mir::OptLevel::O0;
  }

  const Options& options_;
  RenderOptions render_;
  std::string trace_;  // of the parser
  std::optional<Compilation> unit_;
};

/// Lists go to the file that --output names, if it names one.
int dump(const Options& options, const std::string& text) {
  if (options.output) return write_file(*options.output, text, check_list_output(*options.output));
  print(text);
  return kOk;
}

}  // namespace

int run(const Options& options) {
  if (options.has("dump-stan-math-distributions")) return dump(options, dump_distributions());
  if (options.has("dump-stan-math-signatures")) return dump(options, dump_signatures());
  // Never deleted: to take a large tree apart node by node would cost a good part of what the command costs, at the end
  // of a process whose memory goes in one piece. The pointer is static so that a leak checker finds it.
  static Run* const command = new Run(options);
  return command->run();
}

}  // namespace fermiac::stanc
