// Loop unrolling: one round in front of the loop, and short loops with literal bounds in full.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/pass.h"
#include "mir/passes/pass_tools.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::mir {
namespace {

constexpr long kMaxRounds = 32;  // difference of the bounds

// Nested loops multiply: each level of peeling doubles what is inside, each level unrolled repeats it. What would grow
// beyond this stays a loop.
constexpr std::size_t kMaxStatements = 4096;

/// Statements of the tree, shared ones as often as they stand in it; counting ends beyond the limit.
void count_statements(const Stmt& stmt, std::size_t& count) {
  if (++count > kMaxStatements) return;
  each_child(stmt, [&](const Stmt& child) {
    if (count <= kMaxStatements) count_statements(child, count);
  });
}

std::size_t statements(const Stmt& body) {
  std::size_t count = 0;
  count_statements(body, count);
  return count;
}

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

bool peels(const Stmt& body) {
  return !jumps(body) && 2 * statements(body) <= kMaxStatements;
}

StmtPtr peeled(const StmtPtr& stmt) {
  if (const auto* loop = std::get_if<For>(&stmt->node)) {
    if (!peels(*loop->body) || cannot_duplicate(*loop->lower) || cannot_duplicate(*loop->upper)) return stmt;
    const StmtPtr first = with_value(loop->body, loop->variable, loop->lower);
    StmtPtr rest =
        make_stmt(For{loop->variable, int_op(Builtin::Plus, loop->lower, int_lit(1)), loop->upper, loop->body}, stmt->span);
    return first_round_then(stmt, int_op(Builtin::Geq, loop->upper, loop->lower), first, std::move(rest));
  }
  if (const auto* loop = std::get_if<While>(&stmt->node)) {
    if (!peels(*loop->body) || cannot_duplicate(*loop->test)) return stmt;
    return first_round_then(stmt, loop->test, loop->body, stmt);
  }
  return stmt;
}

std::optional<std::int64_t> literal_value(const ExprPtr& expr) {
  const ExprPtr folded = partially_evaluated(expr);
  const Lit* lit = as_lit(*folded);
  if (!lit || lit->kind != Lit::Kind::Int) return std::nullopt;
  return literal_int(lit->text);
}

/// Writes loops out, outermost first, as long as there is room for the copies.
class Unroller {
 public:
  StmtPtr operator()(const StmtPtr& stmt) {
    if (const auto* loop = std::get_if<For>(&stmt->node))
      if (StmtPtr done = written_out(stmt, *loop)) return done;
    return map_children(stmt, [this](const StmtPtr& child) { return (*this)(child); });
  }

 private:
  StmtPtr written_out(const StmtPtr& stmt, const For& loop) {
    const auto lower = literal_value(loop.lower), upper = literal_value(loop.upper);
    if (!lower || !upper || *upper - *lower > kMaxRounds || jumps(*loop.body)) return nullptr;
    const long last = std::max(*upper, *lower - 1);
    if (!take_room(*loop.body, static_cast<std::size_t>(last - *lower + 1))) return nullptr;
    std::vector<StmtPtr> rounds;
    for (long i = *lower; i <= last; ++i)
      rounds.push_back((*this)(with_value(loop.body, loop.variable, int_lit(static_cast<int>(i)))));
    return slist(std::move(rounds), stmt->span);
  }

  bool take_room(const Stmt& body, std::size_t rounds) {
    const std::size_t added = statements(body) * rounds;
    if (added > room_) return false;
    room_ -= added;
    return true;
  }

  std::size_t room_ = kMaxStatements;
};

void over_bodies(Program& program, const StmtMap& map) {
  for (Function& function : program.functions)
    if (function.body) function.body = map(function.body);
  for (std::vector<StmtPtr>* section : sections(program)) *section = map_each(*section, map);
}

void run_peeling(Program& program, PassContext&) {
  over_bodies(program, [](const StmtPtr& stmt) { return rewrite(stmt, peeled); });
}
void run_static(Program& program, PassContext&) {
  over_bodies(program, [](const StmtPtr& stmt) { return Unroller()(stmt); });
}

}  // namespace

const Pass kOneStepUnrolling = {"one-step-unrolling", "runs the first round of a loop in front of it", true,
                                run_peeling};
const Pass kStaticUnrolling = {"static-unrolling", "writes short loops with literal bounds out", true, run_static};

}  // namespace fermiac::mir
