// Expressions whose trees are high, as `a + b + c + …` with thousands of operands, in pieces: the lower part of a tree
// is computed to a slot first, so that running nodes never nests deeper than the pieces are high.
#include <utility>

#include "interp/exec/lowering/compiler.h"

namespace fermiac::interp {
namespace {

constexpr std::size_t kMostLevels = 1000;
constexpr const char* kPiece = "part of an expression";  // no name of a program

/// The operand that is evaluated first and that high trees go on in; null if there is none.
const mir::Expr* first_operand(const mir::Expr& e) {
  if (const auto* app = std::get_if<mir::FunApp>(&e.node))
    return std::holds_alternative<mir::StanLib>(app->fn) && !app->args.empty() ? app->args[0].get() : nullptr;
  if (const auto* a = std::get_if<mir::EAnd>(&e.node)) return a->left.get();
  if (const auto* o = std::get_if<mir::EOr>(&e.node)) return o->left.get();
  if (const auto* i = std::get_if<mir::Indexed>(&e.node)) return i->base.get();
  if (const auto* p = std::get_if<mir::Promotion>(&e.node)) return p->operand.get();
  if (const auto* p = std::get_if<mir::TupleProjection>(&e.node)) return p->tuple.get();
  return nullptr;
}

struct Pieces final : ExprNode {
  struct Piece {
    std::size_t slot;
    ExprPtr value;
  };
  Pieces(std::vector<Piece> first, ExprPtr rest)
      : ExprNode(rest->type, rest->may_ref), pieces(std::move(first)), last(std::move(rest)) {}

  Value eval(Frame& f) const override { return run_pieces(f), last->eval(f); }
  std::int32_t eval_int(Frame& f) const override { return run_pieces(f), last->eval_int(f); }
  double eval_real(Frame& f) const override { return run_pieces(f), last->eval_real(f); }
  Traced trace(Frame& f) const override { return run_pieces(f), last->trace(f); }
  void to_target(Frame& f) const override { run_pieces(f), last->to_target(f); }

  void run_pieces(Frame& f) const {
    for (const Piece& piece : pieces) {
      f.m.poll();
      f.slots[piece.slot] = piece.value->eval(f);
    }
  }
  std::vector<Piece> pieces;
  ExprPtr last;
};

}  // namespace

/// The tree along first operands, outermost first, down to what has been computed already.
std::vector<const mir::Expr*> Compiler::first_operands(const mir::Expr& e) const {
  std::vector<const mir::Expr*> out;
  for (const mir::Expr* at = &e; at && !pieces_.contains(at); at = first_operand(*at)) out.push_back(at);
  return out;
}

ExprPtr Compiler::in_pieces(const mir::Expr& e) {
  if (std::exchange(low_, nullptr) == &e) {  // the first operand of a tree that was not too high
    low_ = first_operand(e);
    return nullptr;
  }
  const std::vector<const mir::Expr*> spine = first_operands(e);
  if (spine.size() <= kMostLevels) {
    low_ = first_operand(e);
    return nullptr;
  }
  const Scope scope(*this);
  std::vector<Pieces::Piece> pieces;
  std::vector<const mir::Expr*> cuts;
  for (std::size_t level = (spine.size() - 1) / kMostLevels * kMostLevels; level > 0; level -= kMostLevels) {
    cuts.push_back(spine[level]);
    ExprPtr value = expr(*spine[level]);
    const Variable variable = declare(kPiece, value->type, value->may_ref);
    pieces_.emplace(spine[level], variable);
    pieces.push_back({variable.slot, std::move(value)});
  }
  ExprPtr last = expr(e);
  for (const mir::Expr* cut : cuts) pieces_.erase(cut);
  return std::make_unique<Pieces>(std::move(pieces), std::move(last));
}

}  // namespace fermiac::interp
