// Terms that are evaluated many at a time: sums and adjoints are those of one at a time, whatever varies among them.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "autodiff/kernels/map_op.h"
#include "autodiff/tape/record/pending_terms.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

struct Term {
  const MapOp* map;
  std::vector<double> x;
  std::vector<Ref> refs;
  std::uint8_t ad;
  Keep keep;
};

struct Result {
  double sum = 0;
  std::vector<double> adjoints = std::vector<double>(40);
};

Result one_by_one(const std::vector<Term>& terms) {
  Result out;
  for (const Term& t : terms) {
    double d[kMaxMapArity];
    Keep keep = t.keep;
    keep.ad &= t.ad;
    out.sum += t.map->value_and_partials(t.x.data(), keep, d);
    for (int j = 0; j < t.map->arity; ++j)
      if (t.ad >> j & 1u) out.adjoints[t.refs[static_cast<std::size_t>(j)].index()] += d[j];
  }
  return out;
}

Result together(const std::vector<Term>& terms) {
  Result out;
  PendingTerms pending;
  for (const Term& t : terms) {
    pending.add(*t.map, t.x.data(), t.refs.data(), t.ad, t.keep);
    if (pending.full()) out.sum += pending.take(out.adjoints.data());
  }
  out.sum += pending.take(out.adjoints.data());
  EXPECT_EQ(pending.take(out.adjoints.data()), 0);
  return out;
}

void expect_same(const std::vector<Term>& terms) {
  const Result a = one_by_one(terms), b = together(terms);
  EXPECT_NEAR(a.sum, b.sum, 1e-12 * (1 + std::abs(a.sum)));
  for (std::size_t i = 0; i < a.adjoints.size(); ++i)
    EXPECT_NEAR(a.adjoints[i], b.adjoints[i], 1e-12 * (1 + std::abs(a.adjoints[i]))) << i;
  PendingTerms values;
  for (const Term& t : terms) {
    values.add(*t.map, t.x.data(), t.refs.data(), t.ad, t.keep);
    if (values.full()) break;
  }
  EXPECT_TRUE(std::isfinite(values.take(nullptr)));
}

const MapOp& named(const char* name) { return map_op(find_map(name)); }

Term normal(double y, double mu, double sigma, std::uint32_t at, std::uint8_t ad = 7, bool propto = false) {
  return {&named("normal_lpdf"), {y, mu, sigma}, {Ref::slot(at), Ref::slot(at + 1), Ref::slot(2)}, ad,
          propto ? Keep::propto(ad) : Keep::everything()};
}

TEST(PendingTerms, OfOneKindVaryInAnyOperand) {
  std::vector<Term> same, moving;
  for (int i = 0; i < 150; ++i) {
    same.push_back(normal(0.5, 0.25, 1.5, 0));
    moving.push_back(normal(0.01 * i, std::sin(i), 1.5 + (i > 70 ? 0.1 : 0), static_cast<std::uint32_t>(i % 30) + 3));
  }
  expect_same(same);
  expect_same(moving);
  expect_same({moving[0]});
  expect_same({});
}

TEST(PendingTerms, OfManyKindsAreKeptApart) {
  std::mt19937 random(1);
  std::vector<Term> terms;
  const std::vector<std::pair<const char*, std::vector<double>>> kinds = {
      {"normal_lpdf", {0.1, 0.2, 1.2}},   {"cauchy_lpdf", {0.4, 0.2, 0.7}},       {"student_t_lpdf", {0.1, 3, 0.2, 1.1}},
      {"gamma_lpdf", {1.1, 2.2, 0.6}},    {"exponential_lpdf", {1.3, 0.4}},       {"beta_lpdf", {0.3, 1.2, 2.5}},
      {"lognormal_lpdf", {1.3, 0.1, 1}},  {"logistic_lpdf", {0.2, 0.1, 0.9}},     {"weibull_lpdf", {1.5, 0.8, 1.3}},
      {"poisson_log_lpmf", {3, 0.5}},     {"double_exponential_lpdf", {1, 2, 3}}, {"std_normal_lpdf", {0.4}},
  };
  for (int i = 0; i < 400; ++i) {
    const auto& [name, x] = kinds[random() % kinds.size()];
    Term t{&named(name), x, {}, 0, Keep::everything()};
    const bool first_is_int = std::string_view(name).ends_with("_lpmf");
    for (std::size_t j = 0; j < x.size(); ++j) {
      t.refs.push_back(Ref::slot(random() % 40));
      if (j == 0 && first_is_int) continue;
      t.x[j] += 0.001 * static_cast<double>(random() % 100);
      if (random() % 2 == 0) t.ad |= static_cast<std::uint8_t>(1u << j);
    }
    if (t.ad == 0) t.ad = static_cast<std::uint8_t>(1u << (x.size() - 1));
    if (random() % 3 == 0) t.keep = Keep::propto(t.ad);
    terms.push_back(std::move(t));
  }
  expect_same(terms);
}

TEST(PendingTerms, AreRefusedAtOnce) {
  PendingTerms pending;
  const Term good = normal(0, 0, 1, 0), bad = normal(0, 0, -1, 0);
  pending.add(*good.map, good.x.data(), good.refs.data(), good.ad, good.keep);
  EXPECT_THROW(pending.add(*bad.map, bad.x.data(), bad.refs.data(), bad.ad, bad.keep), DomainError);
  pending.clear();
  EXPECT_EQ(pending.take(nullptr), 0);
}

}  // namespace
}  // namespace fermiac::ad
