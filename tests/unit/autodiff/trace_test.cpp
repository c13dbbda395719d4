// Names of numbers, the graph of a trace, and its invariants: each one broken by hand is found, with op and number.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "autodiff/tape/ir/trace.h"
#include "autodiff/tape/ir/trace_graph.h"
#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/rewrite/rewrite.h"

namespace fermiac::ad {
namespace {

const std::vector<double> kTheta = {0.5, -1, 2};
constexpr Ref kFirstResult = Ref::slot(16);  // three parameters, padded, and a line of lanes behind them

/// Parameter i, or whatever has that slot.
constexpr Ref p(std::size_t i) { return Ref::slot(i); }

Ref map(Recorder& r, std::string_view name, std::vector<Ref> x) { return r.map(find_map(name), x); }

/// Two ops in a row, a product of both with another reader, a gather, a guard, and terms of target:
///   a = exp(t0), b = a + t1, c = a * b, block = (b, t2, c), sum of exp(block), target of c.
struct Recorded {
  Trace trace;
  Ref a, b, c, block;
};
Recorded recorded() {
  Recorded out;
  Recorder r(kTheta);
  out.a = map(r, "exp", {p(0)});
  out.b = map(r, "add", {out.a, p(1)});
  out.c = map(r, "multiply", {out.a, out.b});
  out.block = r.gather(std::vector<Ref>{out.b, p(2), out.c});
  const Operand vector[] = {{.ref = out.block, .vector = true, .autodiff = true}};
  r.target(r.reduce(find_map("exp"), vector, 3));
  r.guard(Compare::Less, out.c, r.constant(100));
  r.target(out.c);
  out.trace = std::move(r).finish();
  return out;
}

/// What verify() says after `breaking` the trace.
template <class Breaking>
std::string broken(Breaking breaking) {
  Recorded r = recorded();
  breaking(r.trace);
  return verify(r.trace);
}

TEST(Ref, TellsKindsOfNumbersApart) {
  const Ref slot = Ref::slot(5), scalar = Ref::const_scalar(5), element = Ref::const_vector(5);
  for (const Ref r : {slot, scalar, element}) {
    EXPECT_EQ(r.index(), 5u);
    EXPECT_EQ(Ref::from_bits(r.bits()), r);
    EXPECT_EQ((r + 3).index(), 8u);
    EXPECT_EQ(r + 3 - r, 3u);
    EXPECT_EQ((r + 3).is_constant(), r.is_constant());
    EXPECT_NE(r, Ref::none());
  }
  EXPECT_FALSE(slot.is_constant());
  EXPECT_TRUE(scalar.is_constant() && !scalar.is_const_vector());
  EXPECT_TRUE(element.is_constant() && element.is_const_vector());
  EXPECT_LT(Ref::slot(Ref::kIndexes), Ref::const_scalar(0));
  EXPECT_LT(Ref::const_scalar(Ref::kIndexes), Ref::const_vector(0));
}

TEST(TraceGraph, TellsWhoMakesAndReads) {
  const Recorded r = recorded();
  const TraceGraph graph(r.trace);
  EXPECT_EQ(r.a, kFirstResult);
  EXPECT_EQ(graph.producer(r.a), 0u);
  EXPECT_EQ(graph.producer(p(0)), TraceGraph::kNone);
  EXPECT_EQ(graph.producer(Ref::const_scalar(0)), TraceGraph::kNone);
  EXPECT_EQ(graph.maker(r.c)->x[1], r.b);
  EXPECT_EQ(graph.uses(r.a), 2u);
  EXPECT_EQ(graph.uses(p(1)), 1u);
  EXPECT_EQ(graph.uses(r.c), 2u) << "of four: gather, guard, target; more than one is all that counts";
  EXPECT_EQ(graph.sole_reader(p(1)), 1u);
  EXPECT_EQ(graph.sole_reader(r.a), TraceGraph::kNone);
  EXPECT_TRUE(graph.pinned(r.block + 1));
  EXPECT_FALSE(graph.pinned(r.b)) << "a gather reads numbers one by one";
  EXPECT_TRUE(graph.read_once(r.block, 3));
  EXPECT_FALSE(graph.unread(r.block, 3));
}

TEST(TraceGraph, TellsHowFarApart) {
  const Recorded r = recorded();
  const TraceGraph graph(r.trace);
  EXPECT_EQ(graph.depths(), (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 4, 4}));
  EXPECT_EQ(graph.heights(), (std::vector<std::uint32_t>{5, 4, 3, 2, 1, 0, 0, 0}));
  EXPECT_EQ(graph.depth(r.c), 3u);
  EXPECT_EQ(graph.depth(p(2)), 0u);
}

TEST(TraceGraph, TakesGathersForNames) {
  const Recorded r = recorded();
  const TraceGraph graph(r.trace, Gathers::Names);
  EXPECT_EQ(graph.name(r.block), r.b);
  EXPECT_EQ(graph.name(r.block + 1), p(2));
  EXPECT_EQ(graph.producer(r.block + 2), 2u);
  EXPECT_TRUE(graph.read_once(p(2))) << "by the sum";
  EXPECT_EQ(graph.sole_reader(p(2)), 4u);
  EXPECT_EQ(graph.depths()[4], 4u) << "one less than with the gather";
}

TEST(TraceGraph, ForgetsWhenTheTraceChanges) {
  Recorded r = recorded();
  TraceGraph graph(r.trace);
  EXPECT_EQ(graph.uses(p(1)), 1u);
  r.trace.ops[1].x[1] = r.a;
  graph.changed();
  EXPECT_EQ(graph.uses(p(1)), 0u);
}

TEST(Verify, AcceptsWhatRecordingAndRewritingMake) {
  Recorded r = recorded();
  EXPECT_EQ(verify(r.trace), "");
  rewrite(r.trace, {.verify = true});
  EXPECT_EQ(verify(r.trace), "");
}

TEST(Verify, FindsWhatIsBroken) {
  EXPECT_EQ(broken([](Trace& t) { t.sites.pop_back(); }), "there is not one site for each op");
  EXPECT_EQ(broken([](Trace& t) { t.parameters = 1000; }), "there are fewer numbers than parameters");
  EXPECT_EQ(broken([](Trace& t) { t.ops[3].n = 0; }), "op 3 (Gather) is of no numbers");
  EXPECT_EQ(broken([](Trace& t) { t.ops[0].kind = OpKind::Exp; }), "op 0 (of a tape) is of a kind that only tapes have");
  EXPECT_EQ(broken([](Trace& t) { t.ops[1].x[0] = t.ops[2].d; }), "op 1 (Map) reads number 18, which no op before it has made");
  EXPECT_EQ(broken([](Trace& t) { t.ops[1].d = t.ops[0].d; }), "op 1 (Map) writes number 16 again");
  EXPECT_EQ(broken([](Trace& t) { t.ops[1].d = p(0); }), "op 1 (Map) writes number 0 again") << "a parameter";
  EXPECT_EQ(broken([](Trace& t) { t.ops[1].x[0] = p(12345); }), "op 1 (Map) reads 1 numbers from 12345 on, of 33");
  EXPECT_EQ(broken([](Trace& t) { t.ops[6].x[1] = Ref::const_scalar(7); }), "op 6 (Guard) reads 1 constants from 7 on, of 1");
  EXPECT_EQ(broken([](Trace& t) { t.ops[3].set_table(1); }), "op 3 (Gather) has indexes beyond the table's end");
  EXPECT_EQ(broken([](Trace& t) { t.ops[0].map = kNoMap; }), "op 0 (Map) has no map");
  EXPECT_EQ(broken([](Trace& t) { t.ops[6].map = MapCode{0}; }), "op 6 (Guard) has a map for nothing");
  EXPECT_EQ(broken([](Trace& t) { t.ops[0].vector_mask = 1; }), "op 0 (Map) of scalars has vectors");
  EXPECT_EQ(broken([](Trace& t) { t.ops[1].x[1] = Ref::const_scalar(0); }), "op 1 (Map) takes derivatives of operand 1, a constant");
  EXPECT_EQ(broken([](Trace& t) { t.const_vectors.resize(8), t.index[1] = Ref::const_vector(0); }),
            "op 3 (Gather) adds to adjoints of a block of constants");
  EXPECT_EQ(broken([](Trace& t) { t.ops[3].d += 1; }), "op 3 (Gather) has a block that starts at 25");
  EXPECT_EQ(broken([](Trace& t) { t.ops[6].kind = OpKind::Call, t.ops[6].set_table(0); }), "op 6 (Call) is of no call");
}

TEST(RewritePasses, SayWhatTheyDoToNumbersAndWhyTheyStandWhereTheyDo) {
  for (const RewritePass& pass : rewrite_passes()) {
    EXPECT_GT(pass.summary.size(), 20u) << pass.name;
    EXPECT_GT(pass.why_here.size(), 10u) << pass.name;
  }
}

TEST(RewritePasses, StandInTheDocumentationInTheirOrder) {
  std::ifstream in(FERMIAC_SOURCE_DIR "/docs/phases/tape.md");
  const std::string page((std::istreambuf_iterator<char>(in)), {});
  std::size_t at = 0;
  for (const RewritePass& pass : rewrite_passes()) {
    const std::size_t row = page.find(fmt::format("\n   | `{}` |", pass.name), at);
    ASSERT_NE(row, std::string::npos) << pass.name;
    at = row;
  }
}

}  // namespace
}  // namespace fermiac::ad
