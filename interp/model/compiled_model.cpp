#include "interp/model/compiled_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <set>
#include <utility>
#include <variant>

#include "codegen/runtime/external_abi.h"
#include "mir/ir/visit.h"
#include "support/base/checksum.h"
#include "support/base/render.h"
#include "support/platform/stack.h"

namespace fermiac::interp {

std::string CompiledModel::place(ad::Site site) const {
  return site == ad::kNoSite || index_of(site) >= code->sites.size() ? "" : place(code->sites[index_of(site)]);
}
std::string CompiledModel::place(Span span) const {
  return span == Span{} ? "" : " (in " + location_text(sources(), span) + ")";
}

std::string program_sum(const CompiledModel& compiled) {
  const Compilation& compilation = *compiled.compilation;
  Checksum sum;
  for (std::uint32_t i = compilation.main_file(); i < compilation.end_file(); ++i) sum.add(compilation.sources().file(i).text).add("\n");
  return fmt::format("{:016x}-{}", sum.value(), static_cast<int>(compilation.options().level));
}

// ---------------------------------------------------------------- preparation

namespace {

constexpr Diagnostic<std::string> kNotPrepared{DiagId::E3001, DiagKind::Error, "{}"};

void report(CompiledModel& out, const std::string& why, Span span = {}) {
  const Pos start{out.compilation->main_file(), 0};
  out.diagnostics.report(span == Span{} ? Span{start, start} : span, kNotPrepared, why);
}

/// False if the program has errors.
bool take_mir(CompiledModel& out) {
  const mir::Program* program = out.compilation->mir();
  out.diagnostics = out.compilation->diagnostics();
  if (program) out.program = *program;
  return program;
}

void prepare_into(CompiledModel& out, const PrepareOptions& options) {
  if (!take_mir(out)) return;
  if (options.header && program_sum(out) != options.header->program) return report(out, "the header was compiled for another program");
  try {
    out.code = prepare(out.program, options.header, options.jit);
  } catch (const ProgramError& e) {
    report(out, e.what(), e.span);
  }
}

/// Calls make(model, tallest) on a large stack, and reports when memory runs out there.
template <class Make>
std::shared_ptr<const CompiledModel> made_model(const Make& make) {
  const auto start = std::chrono::steady_clock::now();
  auto out = std::make_shared<CompiledModel>();
  try {
    on_large_stack([&](int height) { make(*out, height); });
  } catch (const std::bad_alloc&) {
    if (!out->compilation) out->compilation = std::make_shared<Compilation>(CompileOptions{});
    report(*out, "out of memory");
  }
  out->milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return out;
}

std::shared_ptr<Compilation> compilation_of(CompileOptions& options, int height) {
  options.tallest = height;
  return std::make_shared<Compilation>(std::move(options));
}

}  // namespace

std::shared_ptr<const CompiledModel> compile_model(CompileOptions options, const PrepareOptions& prepare) {
  return made_model([&](CompiledModel& out, int height) {
    out.compilation = compilation_of(options, height);
    prepare_into(out, prepare);
  });
}

std::shared_ptr<const CompiledModel> prepare_model(std::shared_ptr<Compilation> compilation, const PrepareOptions& options) {
  return made_model([&](CompiledModel& out, int) {
    out.compilation = std::move(compilation);
    prepare_into(out, options);
  });
}

std::shared_ptr<const CompiledModel> lower_model(CompileOptions options) {
  return made_model([&](CompiledModel& out, int height) {
    out.compilation = compilation_of(options, height);
    take_mir(out);
  });
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
