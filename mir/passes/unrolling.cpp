// Loop unrolling: one round in front of the loop, and short loops with literal bounds in full.
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/partial_evaluation.h"
#include "mir/passes/pass.h"

namespace fermiac::mir {
namespace {

constexpr long kMaxRounds = 32;  // difference of the bounds

// Break or continue that belongs to the loop whose body this is.
bool jumps(const Stmt& body) {
  if (std::holds_alternative<Break>(body.node) || std::holds_alternative<Continue>(body.node)) return true;
  if (std::holds_alternative<For>(body.node) || std::holds_alternative<While>(body.node)) return false;
  bool found = false;
  each_child(body, [&](const Stmt& child) { found = found || jumps(child); });
  return found;
}

StmtPtr with_value(const StmtPtr& body, const std::string& variable, const ExprPtr& value) {
  return rewrite_exprs(body, [&](const ExprPtr& expr) { return substitute(expr, {{variable, value}}); });
}

// The statements of one round. A block keeps its braces if it declares something: the loop behind declares it again.
std::vector<StmtPtr> round_statements(const StmtPtr& body) {
  const auto* node = std::get_if<Block>(&body->node);
  if (!node) return {body};
  for (const StmtPtr& stmt : node->body)
    if (std::holds_alternative<Decl>(stmt->node)) return {body};
  return node->body;
}

StmtPtr first_round_then(const StmtPtr& stmt, ExprPtr test, const StmtPtr& first, StmtPtr rest) {
  std::vector<StmtPtr> body = round_statements(first);
  body.push_back(std::move(rest));
  return make_stmt(IfElse{std::move(test), block(std::move(body), stmt->span), nullptr}, stmt->span);
}

StmtPtr peeled(const StmtPtr& stmt) {
  if (const auto* loop = std::get_if<For>(&stmt->node)) {
    if (jumps(*loop->body) || cannot_duplicate(*loop->lower) || cannot_duplicate(*loop->upper)) return stmt;
    const StmtPtr first = with_value(loop->body, loop->variable, loop->lower);
    StmtPtr rest =
        make_stmt(For{loop->variable, int_op("Plus__", loop->lower, int_lit(1)), loop->upper, loop->body}, stmt->span);
    return first_round_then(stmt, int_op("Geq__", loop->upper, loop->lower), first, std::move(rest));
  }
  if (const auto* loop = std::get_if<While>(&stmt->node)) {
    if (jumps(*loop->body) || cannot_duplicate(*loop->test)) return stmt;
    return first_round_then(stmt, loop->test, loop->body, stmt);
  }
  return stmt;
}

std::optional<long> literal_value(const ExprPtr& expr) {
  const ExprPtr folded = partially_evaluated(expr);
  const Lit* lit = as_lit(*folded);
  if (!lit || lit->kind != Lit::Kind::Int) return std::nullopt;
  return std::strtol(lit->text.c_str(), nullptr, 10);
}

StmtPtr unrolled(const StmtPtr& stmt);

StmtPtr unrolled_loop(const StmtPtr& stmt, const For& loop) {
  const auto lower = literal_value(loop.lower), upper = literal_value(loop.upper);
  if (!lower || !upper || *upper - *lower > kMaxRounds || jumps(*loop.body)) return nullptr;
  std::vector<StmtPtr> rounds;
  for (long i = *lower; i <= *upper; ++i)
    rounds.push_back(unrolled(with_value(loop.body, loop.variable, int_lit(static_cast<int>(i)))));
  return slist(std::move(rounds), stmt->span);
}

StmtPtr unrolled(const StmtPtr& stmt) {
  if (const auto* loop = std::get_if<For>(&stmt->node))
    if (StmtPtr done = unrolled_loop(stmt, *loop)) return done;
  return map_children(stmt, unrolled);
}

void over_bodies(Program& program, const StmtMap& map) {
  for (Function& function : program.functions)
    if (function.body) function.body = map(function.body);
  for (std::vector<StmtPtr>* section : sections(program)) *section = map_each(*section, map);
}

void run_peeling(Program& program, PassContext&) {
  over_bodies(program, [](const StmtPtr& stmt) { return rewrite(stmt, peeled); });
}
void run_static(Program& program, PassContext&) {
  over_bodies(program, unrolled);
}

}  // namespace

const Pass kOneStepUnrolling = {"one-step-unrolling", "runs the first round of a loop in front of it", true,
                                run_peeling};
const Pass kStaticUnrolling = {"static-unrolling", "writes short loops with literal bounds out", true, run_static};

}  // namespace fermiac::mir
