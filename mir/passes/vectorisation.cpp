// Loops whose body is one density over elements become one density over containers.
#include <optional>
#include <string>
#include <vector>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/pass.h"
#include "mir/passes/pass_tools.h"

namespace fermiac::mir {
namespace {

const Stmt* only_statement(const Stmt& body) {
  const std::vector<StmtPtr>* list = nullptr;
  if (const auto* node = std::get_if<Block>(&body.node)) list = &node->body;
  if (const auto* node = std::get_if<SList>(&body.node)) list = &node->body;
  if (!list) return &body;
  return list->size() == 1 ? only_statement(*list->front()) : nullptr;
}

class Vectoriser {
 public:
  explicit Vectoriser(const OuterSizes& sizes) : sizes_(sizes) {}

  StmtPtr operator()(const StmtPtr& stmt) const {
    const auto* loop = std::get_if<For>(&stmt->node);
    const Stmt* body = loop ? only_statement(*loop->body) : nullptr;
    const auto* term = body ? std::get_if<TargetPE>(&body->node) : nullptr;
    const FunApp* call = term ? as_call(*term->value) : nullptr;
    const auto* fn = term ? as_library(*term->value) : nullptr;
    if (!fn || (fn->suffix != Suffix::Lpdf && fn->suffix != Suffix::Lpmf)) return stmt;
    if (cannot_duplicate(*loop->lower) || cannot_duplicate(*loop->upper)) return stmt;
    ExprPtr whole = vectorised(*term->value, *call, *loop);
    return whole ? target_pe(std::move(whole), body->span) : stmt;
  }

 private:
  // Null if the argument is neither fixed nor exactly an element.
  ExprPtr argument(const ExprPtr& arg, const For& loop, bool& element) const {
    if (arg->type.is_scalar() && !mentions(*arg, loop.variable) && !cannot_duplicate(*arg)) return arg;
    const auto* node = std::get_if<Indexed>(&arg->node);
    const Var* base = node ? as_var(*node->base) : nullptr;
    if (!base || node->indexes.size() != 1 || node->indexes[0].kind != Index::Kind::Single) return nullptr;
    const Var* index = as_var(*node->indexes[0].low);
    if (!index || index->name != loop.variable) return nullptr;
    element = true;
    return elements(sizes_, node->base, loop.lower, loop.upper);
  }

  ExprPtr vectorised(const Expr& density, const FunApp& call, const For& loop) const {
    FunApp out = call;
    bool element = false;
    for (ExprPtr& arg : out.args) {
      arg = argument(arg, loop, element);
      if (!arg) return nullptr;
    }
    const auto result = builtin_result(std::get<StanLib>(call.fn).fn, out.args);
    if (!element || !result || !result->is(BaseType::Real)) return nullptr;
    return make_expr(std::move(out), density.type, density.ad, density.span);
  }

  const OuterSizes& sizes_;
};

void run(Program& program, PassContext&) {
  const OuterSizes none;
  for (Function& function : program.functions)
    if (function.body) function.body = rewrite(function.body, Vectoriser(none));
  const OuterSizes sizes = outer_sizes(program);
  for (std::vector<StmtPtr>* section : sections(program)) *section = rewrite(*section, Vectoriser(sizes));
}

}  // namespace

const Pass kLoopVectorisation = {"loop-vectorisation", "makes a loop over one density a density over containers", false,
                                 run};

}  // namespace fermiac::mir
