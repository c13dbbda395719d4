#include "interp/model/compiled_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <set>
#include <variant>

#include "codegen/runtime/external_abi.h"
#include "frontend/check/check.h"
#include "frontend/parse/parse.h"
#include "mir/ir/visit.h"
#include "mir/lower/lower.h"
#include "support/base/checksum.h"
#include "support/base/render.h"
#include "support/platform/stack.h"

namespace fermiac::interp {

std::string CompiledModel::place(ad::Site site) const {
  if (site == ad::kNoSite || index_of(site) >= code->sites.size()) return {};
  return " (in " + location_text(sources, code->sites[index_of(site)]) + ")";
}

namespace {

constexpr Diagnostic<std::string> kNotPrepared{DiagId::E3001, DiagKind::Error, "{}"};

/// False where there were errors.
bool lower_into(CompiledModel& out, const ModelSource& source, int tallest) {
  const std::uint32_t file = out.sources.add(source.path.empty() ? source.name : source.path, source.text);
  const ParseOptions parse_options{.include_paths = source.include_paths,
                                   .include_rule = source.include_rule,
                                   .carried_includes = source.carried_includes,
                                   .all_errors = source.all_errors,
                                   .tallest = tallest};
  std::optional<ast::Program> program = parse_program(out.sources, file, parse_options, out.diagnostics);
  if (!program) return false;
  const CheckOptions check_options{.allow_undefined = source.allow_undefined, .model_name = source.name, .all_errors = source.all_errors, .rewrite_removed = true};
  if (!check_program(*program, check_options, out.diagnostics)) return false;
  out.program = mir::lower(*program, source.name, source.path);
  mir::PassContext passes;
  passes.recorded = true;
  passes.keep_draws = true;
  mir::optimise(out.program, source.level, passes);
  return true;
}

void compile_into(CompiledModel& out, const ModelSource& source, int tallest) {
  if (!lower_into(out, source, tallest)) return;
  if (source.header && program_sum(out, source.level) != source.header->program)
    return out.diagnostics.report(Span{}, kNotPrepared, "the header was compiled for another program");
  try {
    out.code = prepare(out.program, source.header, source.jit);
  } catch (const PrepareError& e) {
    out.diagnostics.report(e.span, kNotPrepared, e.what());
  }
}

}  // namespace

std::string program_sum(const CompiledModel& compiled, mir::OptLevel level) {
  Checksum sum;
  for (std::uint32_t i = 0; i < compiled.sources.size(); ++i) sum.add(compiled.sources.file(i).text).add("\n");
  return fmt::format("{:016x}-{}-{}", sum.value(), static_cast<int>(level), native::kAbi);
}

namespace {

/// `fill(model, tallest)` does the work.
template <class Fill>
std::shared_ptr<const CompiledModel> made_model(const ModelSource& source, const Fill& fill) {
  const auto start = std::chrono::steady_clock::now();
  auto out = std::make_shared<CompiledModel>();
  try {
    on_large_stack([&](int height) { fill(*out, height); });
  } catch (const std::bad_alloc&) {
    if (out->sources.size() == 0) out->sources.add(source.path, {});  // the place of the report is in a file
    out->diagnostics.report(Span{}, kNotPrepared, "out of memory");
  }
  out->milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace

std::shared_ptr<const CompiledModel> lower_model(const ModelSource& source) {
  return made_model(source, [&](CompiledModel& out, int height) { lower_into(out, source, height); });
}

std::shared_ptr<const CompiledModel> compile_model(const ModelSource& source) {
  return made_model(source, [&](CompiledModel& out, int height) { compile_into(out, source, height); });
}

// ---------------------------------------------------------------- statements for a device

namespace {

bool asks(const std::vector<std::string>& annotations) { return std::ranges::find(annotations, "gpu") != annotations.end(); }

class DeviceSites {
 public:
  explicit DeviceSites(const Code& code) : code_(code) {}

  std::vector<bool> run(const mir::Program& program) {
    for (const mir::StmtPtr& s : program.log_prob) mir::each_substmt(*s, [&](const mir::Stmt& stmt) { declare(stmt); });
    for (const mir::StmtPtr& s : program.log_prob) mir::each_substmt(*s, [&](const mir::Stmt& stmt) { look(stmt); });
    for (const mir::Function& f : program.functions)
      if (f.body && asks(f.annotations)) mir::each_substmt(*f.body, [&](const mir::Stmt& stmt) { mark(stmt); });
    return std::move(out_);
  }

 private:
  void declare(const mir::Stmt& stmt) {
    if (const auto* decl = std::get_if<mir::Decl>(&stmt.node); decl && asks(decl->annotations)) names_.insert(decl->id);
  }
  void look(const mir::Stmt& stmt) {
    if (names_.empty()) return;
    bool found = names_.contains(mir::assigned_variable(stmt)), internal = false;
    mir::each_expr(stmt, [&](const mir::Expr& e) {
      for (const std::string& name : mir::variables(e)) found |= names_.contains(name);
      internal |= is_internal(e);
    });
    if (found && !internal) mark(stmt);
  }
  /// Reads a parameter, checks a constraint: what the declaration says by itself.
  static bool is_internal(const mir::Expr& e) {
    const auto* call = std::get_if<mir::FunApp>(&e.node);
    return call && std::holds_alternative<mir::CompilerInternal>(call->fn);
  }
  /// What holds other statements computes nothing itself.
  static bool is_frame(const mir::Stmt& stmt) {
    return std::holds_alternative<mir::Block>(stmt.node) || std::holds_alternative<mir::SList>(stmt.node) || std::holds_alternative<mir::Profile>(stmt.node);
  }
  void mark(const mir::Stmt& stmt) {
    if (is_frame(stmt)) return;
    const auto at = std::ranges::find(code_.sites, stmt.span);
    if (stmt.span == Span{} || at == code_.sites.end()) return;
    out_.resize(code_.sites.size());
    out_[static_cast<std::size_t>(at - code_.sites.begin())] = true;
  }

  const Code& code_;
  std::set<std::string> names_;
  std::vector<bool> out_;
};

}  // namespace

std::vector<bool> device_sites(const CompiledModel& compiled) { return DeviceSites(*compiled.code).run(compiled.program); }

}  // namespace fermiac::interp
