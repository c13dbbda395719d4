#include "autodiff/tape/record/pending_terms.h"

#include <algorithm>
#include <span>

#include "autodiff/kernels/fail_domain.h"

namespace fermiac::ad {

PendingTerms::Kind& PendingTerms::kind_of(const MapOp& f, std::uint8_t ad, Keep keep, double weight) {
  for (Kind& k : kinds_)
    if (k.map == &f && k.ad == ad && k.keep.terms == keep.terms && k.weight == weight) return k;
  Kind& k = kinds_.emplace_back();
  k.map = &f;
  k.ad = ad;
  k.keep = keep;
  k.weight = weight;
  return k;
}

/// From n equal numbers to as many that may differ.
void PendingTerms::spread(Column& column, std::uint32_t n) {
  column.varies = true;
  std::fill_n(column.x + 1, n - 1, column.x[0]);
  std::fill_n(column.ref + 1, n - 1, column.ref[0]);
}

void PendingTerms::put(Column& column, std::uint32_t n, double x, Ref ref) {
  if (n == 0) column.varies = false;
  else if (!column.varies && (column.x[0] != x || column.ref[0] != ref)) spread(column, n);
  if (n > 0 && !column.varies) return;
  column.x[n] = x;
  column.ref[n] = ref;
}

void PendingTerms::add(const MapOp& f, const double* x, const Ref* refs, std::uint8_t ad, Keep keep, double weight) {
  check_domain(f, x);
  Kind& k = kind_of(f, ad, keep, weight);
  for (int j = 0; j < f.arity; ++j) put(k.columns[j], k.n, x[j], refs[j]);
  full_ |= ++k.n == kMost || kinds_.size() == kKinds;
}

double PendingTerms::take(double* adjoints) {
  double sum = 0;
  for (Kind& k : kinds_)
    if (k.n > 0) sum += evaluate(k, adjoints);
  if (kinds_.size() == kKinds) kinds_.clear();
  full_ = false;
  return sum;
}

void PendingTerms::clear() {
  for (Kind& k : kinds_) k.n = 0;
  full_ = false;
}

double PendingTerms::evaluate(Kind& k, double* adjoints) {
  if (std::ranges::none_of(std::span(k.columns, k.map->arity), &Column::varies)) spread(k.columns[0], k.n);
  MapArgs m{.g = k.weight, .n = k.n, .keep = k.keep};
  for (int j = 0; j < k.map->arity; ++j) {
    Column& column = k.columns[j];
    m.x[j] = column.x;
    if (column.varies) m.vector_mask |= static_cast<std::uint16_t>(1u << j);
    if (adjoints == nullptr || (k.ad >> j & 1u) == 0) continue;
    std::fill_n(column.a, column.varies ? k.n : 1, 0.0);
    m.a[j] = column.a;
  }
  m.keep.ad &= k.ad;
  double sum = 0;
  if (!(adjoints ? k.map->fused : k.map->reduce)(m, &sum)) explain_domain(*k.map, m);
  if (adjoints) scatter(k, adjoints);
  k.n = 0;
  return m.g * sum;
}

void PendingTerms::scatter(const Kind& k, double* adjoints) {
  for (int j = 0; j < k.map->arity; ++j) {
    const Column& column = k.columns[j];
    if ((k.ad >> j & 1u) == 0) continue;
    const std::uint32_t n = column.varies ? k.n : 1;
    for (std::uint32_t i = 0; i < n; ++i) adjoints[column.ref[i].index()] += column.a[i];
  }
}

}  // namespace fermiac::ad
