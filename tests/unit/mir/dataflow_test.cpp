// The data-flow framework, definitions and uses, and effects of functions.
#include <gtest/gtest.h>

#include "mir/analysis/bits.h"
#include "mir/analysis/dataflow.h"
#include "mir/analysis/def_use.h"
#include "mir/ir/call_effects.h"
#include "mir/ir/visit.h"
#include "tests/shared/mir_test_support.h"

namespace fermiac::test {
namespace {

using Names = std::set<std::string>;
using mir::Bits;
using mir::Direction;

/// The model block of a program over parameters a, b, c.
std::vector<mir::StmtPtr> model(const std::string& body) {
  const mir::Program program = lowered("parameters { real a; real b; real c; } model { " + body + " }");
  return {program.log_prob.back()};
}

/// 0 -> 1 -> 2 -> 1, 1 -> 3: an entry, a loop's head, its body, and what follows.
mir::FlowGraph loop_graph() {
  mir::FlowGraph graph;
  graph.nodes.resize(4);
  const auto connect = [&](int from, int to) {
    graph.nodes[static_cast<std::size_t>(from)].after.push_back(to);
    graph.nodes[static_cast<std::size_t>(to)].before.push_back(from);
  };
  connect(0, 1), connect(1, 2), connect(2, 1), connect(1, 3);
  return graph;
}

Bits bits(std::initializer_list<std::size_t> members) {
  Bits out(8);
  for (const std::size_t i : members) out.set(i);
  return out;
}

TEST(Bits, SetOperations) {
  EXPECT_EQ(bits({1, 2}) | bits({3}), bits({1, 2, 3}));
  EXPECT_EQ(bits({1, 2}) & bits({2, 3}), bits({2}));
  EXPECT_EQ(bits({1, 2}) - bits({2, 3}), bits({1}));
  Bits far(200);
  far.set(150);
  EXPECT_TRUE(far.test(150));
  EXPECT_FALSE(far.test(149));
}

/// Every node adds itself.
Bits with_itself(std::size_t n, const Bits& arriving) {
  return arriving | bits({n});
}

TEST(Dataflow, ForwardUnionGoesRoundLoops) {
  const auto flow = solve(loop_graph(), mir::Analysis{Direction::Forward, Bits(8), Bits(8), mir::Union(), with_itself});
  EXPECT_EQ(flow.arriving[0], bits({}));
  EXPECT_EQ(flow.arriving[1], bits({0, 1, 2}));
  EXPECT_EQ(flow.arriving[2], bits({0, 1, 2}));
  EXPECT_EQ(flow.leaving[3], bits({0, 1, 2, 3}));
}

TEST(Dataflow, ForwardIntersectionAssumesTheBestOfLoops) {
  const auto flow =
      solve(loop_graph(), mir::Analysis{Direction::Forward, Bits(8, true), Bits(8), mir::Intersection(), with_itself});
  EXPECT_EQ(flow.arriving[1], bits({0})) << "the way in has not seen the body";
  EXPECT_EQ(flow.arriving[3], bits({0, 1}));
}

TEST(Dataflow, BackwardStartsWhereNothingFollows) {
  const auto flow =
      solve(loop_graph(), mir::Analysis{Direction::Backward, Bits(8), bits({7}), mir::Union(), with_itself});
  EXPECT_EQ(flow.arriving[3], bits({7}));
  EXPECT_EQ(flow.leaving[0], bits({0, 1, 2, 3, 7}));
  EXPECT_EQ(flow.arriving[2], bits({1, 2, 3, 7})) << "the head may go round again";
}

TEST(Dataflow, NodesOutOfReachKeepTheBoundary) {
  mir::FlowGraph graph = loop_graph();
  graph.nodes.emplace_back();
  const auto flow =
      solve(graph, mir::Analysis{Direction::Forward, Bits(8, true), bits({6}), mir::Intersection(), with_itself});
  EXPECT_EQ(flow.arriving[4], bits({6}));
}

// Nodes: the block's statements in preorder, from 1; a declaration with a value is two.
TEST(DefUse, BranchesBothReach) {
  const mir::DefUse du(model("real x = a; if (b > 0) x = c; target += x;"));
  EXPECT_EQ(du.defines(2), "x");
  EXPECT_EQ(du.definitions(5, "x"), (std::vector<int>{2, 4}));
  EXPECT_EQ(du.uses(2), (std::vector<int>{5}));
  EXPECT_EQ(du.uses(4), (std::vector<int>{5}));
}

TEST(DefUse, AWholeAssignmentEndsEarlierOnesAPartDoesNot) {
  const mir::DefUse whole(model("vector[2] x = rep_vector(a, 2); x = rep_vector(b, 2); target += sum(x);"));
  EXPECT_EQ(whole.definitions(4, "x"), (std::vector<int>{3}));
  const mir::DefUse part(model("vector[2] x = rep_vector(a, 2); x[1] = b; target += sum(x);"));
  EXPECT_EQ(part.definitions(4, "x"), (std::vector<int>{2, 3}));
}

TEST(DefUse, DefinitionsTravelRoundLoops) {
  const mir::DefUse du(model("real x = a; for (i in 1 : 3) { target += x; x = b; }"));
  EXPECT_EQ(du.definitions(4, "x"), (std::vector<int>{2, 5}));
  EXPECT_EQ(du.uses(5), (std::vector<int>{4}));
}

TEST(DefUse, LiveVariables) {
  const mir::DefUse du(model("real x = a; real y = b; x = c; target += x;"));
  const auto live = du.live_after();
  EXPECT_FALSE(live[2].contains("x")) << "overwritten before it is read";
  EXPECT_FALSE(live[4].contains("y")) << "never read";
  EXPECT_TRUE(live[5].contains("x"));
  EXPECT_FALSE(live[6].contains("x"));
}

// ---------------------------------------------------------------- effects

using mir::Effect;
using mir::Effects;

std::map<std::string, Effects> effects_of(const std::string& functions) {
  return function_effects(lowered("functions { " + functions + " }"));
}

TEST(Effects, OfBodies) {
  const auto found = effects_of(
      "real pure(real x) { return x; } real says(real x) { print(x); return x; } real no(real x) { if (x < 0) "
      "reject(x); "
      "return x; } real t_lp(real x) { target += x; return x; } real r_rng(real x) { return normal_rng(x, 1); } "
      "real j_jacobian(real x) { jacobian += x; return x; }");
  EXPECT_TRUE(found.at("pure").none());
  EXPECT_EQ(found.at("says"), Effects{Effect::Print});
  EXPECT_EQ(found.at("no"), Effects{Effect::Reject});
  EXPECT_EQ(found.at("t_lp"), Effects{Effect::Target});
  EXPECT_EQ(found.at("r_rng"), Effects{Effect::Rng});
  EXPECT_EQ(found.at("j_jacobian"), Effects{Effect::Jacobian});
}

TEST(Effects, ThroughCallsInAnyOrder) {
  const auto found = effects_of(
      "real deep(real x); real top(real x) { return deep(x) + 1; } real deep(real x) { print(x); return x > 1 ? top(x "
      "- 1) : x; }");
  EXPECT_EQ(found.at("top"), Effects{Effect::Print});
}

constexpr const char* kFunctions =
    "vector rhs(real t, vector y) { print(t); return y; } vector calm(real t, vector y) { return y; } "
    "real part(array[] real x, int a, int b) { reject(a); return sum(x); } "
    "vector job(vector p, vector q, data array[] real r, data array[] int i) { print(p); return p; } "
    "vector root(vector x, real a) { fatal_error(a); return x; } "
    "array[] vector solve_it(vector y) { return ode_rk45(rhs, y, 0.0, {1.0}); } ";

TEST(Effects, OfFunctionsPassedOn) {
  const auto found =
      effects_of(std::string(kFunctions) + "array[] vector fine(vector y) { return ode_rk45(calm, y, 0.0, {1.0}); }");
  EXPECT_EQ(found.at("solve_it"), Effects{Effect::Print});
  EXPECT_TRUE(found.at("fine").none());
}

/// Effects of the only assigned value of a model block.
Effects of_value(const std::string& value, const std::string& type) {
  const mir::Program program = lowered("functions { " + std::string(kFunctions) +
                                       "} parameters { vector[2] p; } model { " + type + " x = " + value + "; }");
  Effects out;
  for (const mir::StmtPtr& stmt : program.log_prob) out |= mir::effects(*stmt);
  return out.without(Effect::Check);
}

TEST(Effects, OfCallsThatPassFunctionsOn) {
  EXPECT_EQ(of_value("ode_rk45(rhs, p, 0.0, {1.0})", "array[1] vector[2]"), Effects{Effect::Print});
  EXPECT_TRUE(of_value("ode_rk45(calm, p, 0.0, {1.0})", "array[1] vector[2]").none());
  EXPECT_EQ(of_value("reduce_sum(part, {1.0, 2.0}, 1)", "real"), Effects{Effect::Reject});
  EXPECT_EQ(of_value("map_rect(job, p, {p}, {{1.0}}, {{1}})", "vector[2]"), Effects{Effect::Print});
  EXPECT_EQ(of_value("solve_newton(root, p, 1.0)", "vector[2]"), Effects{Effect::Reject});
}

TEST(Effects, KeepCallsThatPassFunctionsOn) {
  const auto program =
      optimised("functions { " + std::string(kFunctions) +
                    "} parameters { vector[2] p; } model { array[1] vector[2] x = ode_rk45(rhs, p, 0.0, "
                    "{1.0}); array[1] vector[2] z = ode_rk45(calm, p, 0.0, {1.0}); target += sum(p); }",
                mir::OptLevel::O1);
  const std::string text = section(program, "log_prob");
  EXPECT_TRUE(has(text, "ode_rk45(rhs")) << text;
  EXPECT_FALSE(has(text, "ode_rk45(calm")) << text;
}

}  // namespace
}  // namespace fermiac::test
