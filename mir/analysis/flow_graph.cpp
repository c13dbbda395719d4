#include "mir/analysis/flow_graph.h"

#include <utility>

#include "mir/ir/build.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

using Ends = std::vector<int>;  // nodes from which control reaches what comes next

class Builder {
 public:
  FlowGraph run(const std::vector<StmtPtr>& body) {
    graph_.nodes.emplace_back();
    list(body, {0});
    return std::move(graph_);
  }

 private:
  int add(const Stmt& stmt, const Ends& from) {
    const int id = static_cast<int>(graph_.nodes.size());
    graph_.nodes.push_back({&stmt, {}, {}, false});
    connect(from, id);
    return id;
  }

  void connect(const Ends& from, int to) {
    for (const int id : from) {
      graph_.nodes[static_cast<std::size_t>(id)].after.push_back(to);
      graph_.nodes[static_cast<std::size_t>(to)].before.push_back(id);
    }
  }

  Ends list(const std::vector<StmtPtr>& body, Ends from) {
    for (const StmtPtr& stmt : body) from = walk(*stmt, from);
    return from;
  }

  static void join(Ends& into, const Ends& more) { into.insert(into.end(), more.begin(), more.end()); }

  Ends branch(const Stmt& stmt, const IfElse& node, const Ends& from) {
    const Ends head = {add(stmt, from)};
    Ends ends = walk(*node.yes, head);
    join(ends, node.no ? walk(*node.no, head) : head);
    return ends;
  }

  Ends loop(const Stmt& stmt, const Stmt& body, const Ends& from) {
    const int head = add(stmt, from);
    graph_.nodes[static_cast<std::size_t>(head)].is_loop = true;
    const Ends outer_breaks = std::exchange(breaks_, {});
    const Ends outer_continues = std::exchange(continues_, {});
    connect(walk(body, {head}), head);
    connect(continues_, head);
    Ends ends = {head};
    join(ends, breaks_);
    breaks_ = outer_breaks;
    continues_ = outer_continues;
    return ends;
  }

  static bool stops(const NRFunApp& call) {
    const CompilerInternal* fn = as_internal(call.fn);
    return fn && (fn->fn == Internal::FnReject || fn->fn == Internal::FnFatalError);
  }

  Ends jump(const Stmt& stmt, const Ends& from, Ends* there) {
    const int id = add(stmt, from);
    if (there) there->push_back(id);
    return {};
  }

  Ends walk(const Stmt& stmt, const Ends& from) {
    const auto simple = [&](const auto&) { return Ends{add(stmt, from)}; };
    return match(
        stmt.node, [&](const Assignment& s) { return simple(s); }, [&](const TargetPE& s) { return simple(s); },
        [&](const JacobianPE& s) { return simple(s); }, [&](const Skip& s) { return simple(s); },
        [&](const Decl& s) { return simple(s); },
        [&](const NRFunApp& s) { return stops(s) ? jump(stmt, from, nullptr) : simple(s); },
        [&](const Break&) { return jump(stmt, from, &breaks_); },
        [&](const Continue&) { return jump(stmt, from, &continues_); },
        [&](const Return&) { return jump(stmt, from, nullptr); },
        [&](const IfElse& s) { return branch(stmt, s, from); },
        [&](const While& s) { return loop(stmt, *s.body, from); },
        [&](const For& s) { return loop(stmt, *s.body, from); }, [&](const Profile& s) { return list(s.body, from); },
        [&](const Block& s) { return list(s.body, from); }, [&](const SList& s) { return list(s.body, from); });
  }

  FlowGraph graph_;
  Ends breaks_, continues_;
};

}  // namespace

FlowGraph flow_graph(const std::vector<StmtPtr>& body) {
  return Builder().run(body);
}

}  // namespace fermiac::mir
