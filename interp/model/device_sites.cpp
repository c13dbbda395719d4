#include "interp/model/device_sites.h"

#include <algorithm>
#include <set>
#include <string>
#include <variant>

#include "mir/ir/visit.h"

namespace fermiac::interp {
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

std::vector<bool> device_sites(const mir::Program& program, const Code& code) { return DeviceSites(code).run(program); }

}  // namespace fermiac::interp
