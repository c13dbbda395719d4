#include "compiler/compilation.h"

#include <utility>

#include "frontend/check/check.h"
#include "frontend/format/info.h"
#include "mir/lower/lower.h"
#include "mir/warnings/warnings.h"
#include "support/base/check.h"

namespace fermiac {

ParseOptions CompileOptions::parsing() const {
  return {.include_paths = include_paths,
          .include_rule = include_rule,
          .carried_includes = carried_includes,
          .functions_only = functions_only,
          .strict = strict,
          .all_errors = all_errors,
          .keep_broken = keep_broken,
          .tallest = tallest,
          .trace = trace};
}

CheckOptions CompileOptions::checking() const {
  return {.allow_undefined = allow_undefined,
          .model_name = name,
          .all_errors = all_errors,
          .rewrite_removed = !strict,
          .for_cpp = backend == Backend::StanMath};
}

Compilation::Compilation(CompileOptions options, std::shared_ptr<SourceMap> sources)
    : options_(std::move(options)), sources_(sources ? std::move(sources) : std::make_shared<SourceMap>()) {
  main_file_ = sources_->add(options_.path.empty() ? options_.name : options_.path, std::exchange(options_.text, {}));
  end_file_ = main_file_ + 1;
}

// ---------------------------------------------------------------- phases

const lex::TokenStream& Compilation::tokens() {
  FERMIAC_CHECK(!tree_destroyed_, "the options do not keep the tokens");
  if (tokens_) return *tokens_;
  tokens_ = lex_program(*sources_, main_file_, options_.parsing());
  end_file_ = static_cast<std::uint32_t>(sources_->size());
  return *tokens_;
}

const ast::Program* Compilation::ast() {
  FERMIAC_CHECK(!tree_destroyed_, "the options do not keep the tree");
  if (!std::exchange(parsed_, true)) ast_ = parse_program(*sources_, tokens(), options_.parsing(), diagnostics_);
  return ast_ ? &*ast_ : nullptr;
}

const ast::Program* Compilation::checked_ast() {
  FERMIAC_CHECK(!tree_destroyed_, "the options do not keep the tree");
  if (!std::exchange(checked_, true) && ast()) {
    const bool whole = !diagnostics_.has_errors();
    Diagnostics spoiled;  // reports about a tree with holes would be misleading
    well_typed_ = check_program(*ast_, options_.checking(), whole ? diagnostics_ : spoiled) && whole;
  }
  return well_typed_ ? &*ast_ : nullptr;
}

void Compilation::canonicalize(const format::Canonical& canonical) {
  if (checked_ast()) format::canonicalize(*ast_, canonical);
}

void Compilation::warn() {
  if (options_.warn_uninitialized) mir::report_uninitialised(*lowered_, *sources_, diagnostics_);
  if (options_.warn_pedantic) mir::report_pedantic(*lowered_, *sources_, diagnostics_);
}

void Compilation::destroy_tree() {
  tokens_.reset();
  ast_.reset();
  tree_destroyed_ = true;
}

const mir::Program* Compilation::lowered_mir() {
  if (!lowered_ && checked_ast()) {
    lowered_ = mir::lower(*ast_, options_.name, options_.path);
    warn();
    if (!options_.keep_tree) destroy_tree();
  }
  return lowered_ ? &*lowered_ : nullptr;
}

const mir::Program* Compilation::backend_mir() {
  const mir::Program* lowered = lowered_mir();
  if (!lowered || options_.backend == Backend::Interpreter) return lowered;
  if (!transformed_) transformed_ = mir::transform_for_backend(*lowered);
  return &*transformed_;
}

std::vector<const mir::Pass*> Compilation::passes() const {
  if (!options_.passes.empty()) return options_.passes;
  std::vector<const mir::Pass*> out;
  for (const mir::Step& step : mir::pipeline(options_.level)) out.push_back(step.pass);
  return out;
}

const mir::Program* Compilation::mir() {
  if (optimized_) return &*optimized_;
  const mir::Program* program = backend_mir();
  const std::vector<const mir::Pass*> steps = passes();
  if (!program || steps.empty()) return program;
  mir::PassContext context;
  context.recorded = context.keep_draws = options_.backend == Backend::Interpreter;
  mir::Program optimized = *program;
  for (const mir::Pass* pass : steps) {
    pass->run(optimized, context);
    if (options_.after_pass) options_.after_pass(*pass, optimized);
  }
  memory_report_ = std::move(context.memory_report);
  optimized_ = std::move(optimized);
  return &*optimized_;
}

std::string Compilation::info() {
  const ast::Program* program = checked_ast();
  return program ? format::info_json(*sources_, tokens(), *program) : std::string();
}

}  // namespace fermiac
