// Passes about the shape of statement lists and the cheap initialisation of variables.
#include <vector>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/lower/lower.h"
#include "mir/passes/pass.h"

namespace fermiac::mir {
namespace {

void over_bodies(Program& program, const std::function<std::vector<StmtPtr>(const std::vector<StmtPtr>&)>& fn) {
  for (Function& function : program.functions)
    if (function.body) function.body = as_block(as_one(fn({function.body})));
  for (std::vector<StmtPtr>* section : sections(program)) *section = fn(*section);
}

// ---------------------------------------------------------------- list collapsing

std::vector<StmtPtr> collapsed(const std::vector<StmtPtr>& list);

StmtPtr collapsed_inside(const StmtPtr& stmt) {
  if (const auto* block_node = std::get_if<Block>(&stmt->node)) return block(collapsed(block_node->body), stmt->span);
  if (const auto* list = std::get_if<SList>(&stmt->node)) return slist(collapsed(list->body), stmt->span);
  if (const auto* profile = std::get_if<Profile>(&stmt->node))
    return make_stmt(Profile{profile->name, collapsed(profile->body)}, stmt->span);
  return map_children(stmt, collapsed_inside);
}

std::vector<StmtPtr> collapsed(const std::vector<StmtPtr>& list) {
  std::vector<StmtPtr> out;
  for (const StmtPtr& stmt : list) {
    const StmtPtr inner = collapsed_inside(stmt);
    if (const auto* nested = std::get_if<SList>(&inner->node))
      out.insert(out.end(), nested->body.begin(), nested->body.end());
    else
      out.push_back(inner);
  }
  return out;
}

void collapse(Program& program, PassContext&) {
  over_bodies(program, collapsed);
}

// ---------------------------------------------------------------- block fixing

StmtPtr fixed(const StmtPtr& stmt) {
  const auto fix = [](const StmtPtr& body) {
    return body && std::holds_alternative<SList>(body->node) ? as_block(body) : body;
  };
  if (const auto* branch = std::get_if<IfElse>(&stmt->node))
    return make_stmt(IfElse{branch->test, fix(branch->yes), fix(branch->no)}, stmt->span);
  if (const auto* loop = std::get_if<While>(&stmt->node))
    return make_stmt(While{loop->test, fix(loop->body)}, stmt->span);
  if (const auto* loop = std::get_if<For>(&stmt->node))
    return make_stmt(For{loop->variable, loop->lower, loop->upper, fix(loop->body)}, stmt->span);
  return stmt;
}

void fix_blocks(Program& program, PassContext&) {
  over_bodies(program, [](const std::vector<StmtPtr>& list) { return rewrite(list, fixed); });
}

// ---------------------------------------------------------------- declarations that are filled at once

bool fills(const Stmt& stmt, const std::string& name) {
  const auto* assignment = std::get_if<Assignment>(&stmt.node);
  if (!assignment || assignment->left.tuple || assignment->left.variable != name) return false;
  for (const Index& index : assignment->left.indexes)
    if (index.kind != Index::Kind::All) return false;
  const bool data_to_array = assignment->type.is_array() && !assignment->right->ad.any();
  return !data_to_array && !mentions(*assignment->right, name);
}

std::vector<StmtPtr> without_fill(const std::vector<StmtPtr>& list) {
  std::vector<StmtPtr> out = list;
  for (std::size_t i = 0; i + 1 < out.size(); ++i) {
    const auto* decl = std::get_if<Decl>(&out[i]->node);
    if (!decl || decl->init != Decl::Init::Default || !fills(*out[i + 1], decl->id)) continue;
    Decl bare = *decl;
    bare.init = Decl::Init::Uninit;
    out[i] = make_stmt(std::move(bare), out[i]->span);
  }
  return out;
}

StmtPtr without_fill_inside(const StmtPtr& stmt) {
  if (const auto* node = std::get_if<Block>(&stmt->node)) return block(without_fill(node->body), stmt->span);
  if (const auto* node = std::get_if<SList>(&stmt->node)) return slist(without_fill(node->body), stmt->span);
  if (const auto* node = std::get_if<Profile>(&stmt->node))
    return make_stmt(Profile{node->name, without_fill(node->body)}, stmt->span);
  return stmt;
}

void drop_fills(Program& program, PassContext&) {
  over_bodies(program,
              [](const std::vector<StmtPtr>& list) { return without_fill(rewrite(list, without_fill_inside)); });
}

}  // namespace

const Pass kListCollapsing = {"list-collapsing", "splices nested statement lists into their parent", true, collapse};
const Pass kBlockFixing = {"block-fixing", "makes statement lists that are branches or loop bodies blocks", true,
                           fix_blocks};
const Pass kUninitialisedDeclarations = {"uninitialised-declarations",
                                         "leaves variables unfilled that the next statement fills", true, drop_fills};

}  // namespace fermiac::mir
