// Small reductions as scalar ops. A kernel call on three numbers costs more than the arithmetic, and calls of one source
// site cannot share vector lanes; scalar maps can (group.cpp). So log_sum_exp over the four states of a hidden Markov
// model is recorded as one map, and a loop over observations runs eight of them at a time.
#include <array>
#include <cmath>

#include "autodiff/kernels/known_kernels.h"
#include "autodiff/tape/record/recorder.h"

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kLargest = 16;  // elements; beyond, the kernel's own loop wins

using Result = std::optional<Recorder::CallResult>;
using Operands = std::span<const KernelOperand>;

Ref apply(Recorder& r, MapCode code, std::initializer_list<Ref> x) {
  return r.map(code, std::span(x.begin(), x.size()));
}

bool is_small(const KernelOperand& o) {
  const std::uint32_t n = o.shape.size();
  const bool is_one_container = o.shape.rank == 0 || (o.shape.rank == 1 && o.shape.inner == Inner::Scalar);
  return o.ints == nullptr && !o.shape.complex && is_one_container && n >= 1 && n <= kLargest;
}

Result scalar(Ref ref) {
  return Recorder::CallResult{Shape::scalar(), ref};
}

/// A container of the numbers.
Result container(const Shape& shape, std::vector<Ref> refs) {
  bool consecutive = true;
  for (std::uint32_t i = 1; i < refs.size(); ++i) consecutive &= refs[i] == refs[0] + i;
  const Ref first = refs[0];
  return Recorder::CallResult{shape, first, consecutive ? std::vector<Ref>() : std::move(refs)};
}

/// Element i as a scalar operand: elements of constant blocks become interned scalars.
Ref element(Recorder& r, const KernelOperand& o, std::uint32_t i) {
  const Ref ref = o.element(i);
  return ref.is_constant() ? r.constant(r.value(ref)) : ref;
}

Result sum(Recorder& r, Operands x) {
  static const MapCode kAdd = find_map("add");
  Ref total = element(r, x[0], 0);
  for (std::uint32_t i = 1; i < x[0].shape.size(); ++i) total = apply(r, kAdd, {total, element(r, x[0], i)});
  return scalar(total);
}

Result dot_product(Recorder& r, Operands x) {
  static const MapCode kMultiply = find_map("multiply");
  static const MapCode kFma = find_map("fma");
  if (!is_small(x[0]) || x[1].shape.size() != x[0].shape.size()) return std::nullopt;
  Ref total = apply(r, kMultiply, {element(r, x[0], 0), element(r, x[1], 0)});
  for (std::uint32_t i = 1; i < x[0].shape.size(); ++i)
    total = apply(r, kFma, {element(r, x[0], i), element(r, x[1], i), total});
  return scalar(total);
}

/// Only where a call would end the recording by columns: elsewhere it costs no more than the scalar ops.
Result dot_self(Recorder& r, Operands x) {
  if (!r.by_columns()) return std::nullopt;
  return dot_product(r, std::array{x[0], x[0]});
}

/// The product of a row vector and a vector; other products stay calls.
Result multiply(Recorder& r, Operands x) {
  const bool inner = x[0].shape.rank == 0 && x[0].shape.inner == Inner::RowVector && x[1].shape.inner == Inner::Vector;
  return inner ? dot_product(r, x) : std::nullopt;
}

Result cumulative_sum(Recorder& r, Operands x) {
  static const MapCode kAdd = find_map("add");
  std::vector<Ref> sums(x[0].shape.size());
  sums[0] = element(r, x[0], 0);
  for (std::uint32_t i = 1; i < sums.size(); ++i) sums[i] = apply(r, kAdd, {sums[i - 1], element(r, x[0], i)});
  return container(x[0].shape, std::move(sums));
}

/// The map of so many operands.
using BySize = std::array<MapCode, 5>;

const BySize& plain_sums() {
  static const BySize kMaps = {kNoMap, kNoMap, find_map("log_sum_exp"), find_map("log_sum_exp_3__"),
                               find_map("log_sum_exp_4__")};
  return kMaps;
}

/// Four at a time by `first`, then the results again.
Ref log_sum_exp_of(Recorder& r, std::vector<Ref> terms, const BySize& first = plain_sums()) {
  const BySize* maps = &first;
  while (terms.size() > 1) {
    std::vector<Ref> next;
    for (std::size_t i = 0; i < terms.size(); i += 4) {
      const std::size_t n = std::min<std::size_t>(4, terms.size() - i);
      next.push_back(n == 1 ? terms[i] : r.map((*maps)[n], std::span(terms).subspan(i, n)));
    }
    terms = std::move(next);
    maps = &plain_sums();
  }
  return terms[0];
}

std::vector<Ref> elements(Recorder& r, const KernelOperand& o) {
  std::vector<Ref> refs(o.shape.size());
  for (std::uint32_t i = 0; i < refs.size(); ++i) refs[i] = element(r, o, i);
  return refs;
}

Result log_sum_exp(Recorder& r, Operands x) {
  return scalar(log_sum_exp_of(r, elements(r, x[0])));
}

Result log_softmax(Recorder& r, Operands x) {
  static const MapCode kSubtract = find_map("subtract");
  const std::vector<Ref> refs = elements(r, x[0]);
  for (const Ref ref : refs)
    if (r.value(ref) == HUGE_VAL) return std::nullopt;  // no element has a share: the kernel says so
  const Ref total = log_sum_exp_of(r, refs);
  std::vector<Ref> results;
  for (const Ref ref : refs) results.push_back(apply(r, kSubtract, {ref, total}));
  return container(x[0].shape, std::move(results));
}

Result softmax(Recorder& r, Operands x) {
  static const MapCode kExp = find_map("exp");
  const Result logs = log_softmax(r, x);
  if (!logs) return std::nullopt;
  std::vector<Ref> results;
  for (std::uint32_t i = 0; i < x[0].shape.size(); ++i)
    results.push_back(apply(r, kExp, {logs->list.empty() ? logs->ref + i : logs->list[i]}));
  Result result = container(x[0].shape, std::move(results));
  if (result->list.empty()) r.note_simplex(result->ref, x[0].shape.size());
  return result;
}

/// One outcome whose category exists.
std::optional<std::uint32_t> category(Operands x) {
  if (x[0].ints == nullptr || !x[0].shape.is_scalar()) return std::nullopt;
  const std::int32_t y = *x[0].ints;
  if (y < 1 || static_cast<std::uint32_t>(y) > x[1].shape.size()) return std::nullopt;
  return static_cast<std::uint32_t>(y - 1);
}

/// Only of probabilities that are a simplex at every point: the check of one is worth a call.
Result categorical(Recorder& r, Operands x) {
  static const MapCode kLog = find_map("log");
  const auto y = category(x);
  if (!y || !x[1].autodiff || !r.is_simplex(x[1])) return std::nullopt;
  return scalar(apply(r, kLog, {element(r, x[1], *y)}));
}

Result categorical_logit(Recorder& r, Operands x) {
  static const MapCode kSubtract = find_map("subtract");
  static const BySize kChecked = {kNoMap, kNoMap, find_map("categorical_logit_lpmf__2"),
                                  find_map("categorical_logit_lpmf__3"), find_map("categorical_logit_lpmf__4")};
  const auto y = category(x);
  const std::vector<Ref> logits = elements(r, x[1]);
  if (!y || !x[1].autodiff || logits.size() % 4 == 1) return std::nullopt;  // a single one would go unchecked
  for (const Ref ref : logits)
    if (!std::isfinite(r.value(ref))) return std::nullopt;  // the kernel names it
  const Ref total = log_sum_exp_of(r, logits, kChecked);
  return scalar(apply(r, kSubtract, {element(r, x[1], *y), total}));
}

struct Expansion {
  const Kernel* KnownKernels::*kernel;
  std::size_t operands;
  Result (*record)(Recorder&, Operands);
};
constexpr Expansion kExpansions[] = {
    {&KnownKernels::sum, 1, sum},
    {&KnownKernels::dot_product, 2, dot_product},
    {&KnownKernels::dot_self, 1, dot_self},
    {&KnownKernels::multiply, 2, multiply},
    {&KnownKernels::cumulative_sum, 1, cumulative_sum},
    {&KnownKernels::log_sum_exp, 1, log_sum_exp},
    {&KnownKernels::log_softmax, 1, log_softmax},
    {&KnownKernels::softmax, 1, softmax},
    {&KnownKernels::categorical, 2, categorical},
    {&KnownKernels::categorical_logit, 2, categorical_logit},
};

}  // namespace

Result expand_small_call(Recorder& recorder, const Kernel& kernel, Operands x) {
  const KnownKernels& known = known_kernels();
  for (const Expansion& e : kExpansions)
    if (known.*e.kernel == &kernel && e.operands == x.size() && is_small(x[e.operands - 1])) return e.record(recorder, x);
  return std::nullopt;
}

}  // namespace fermiac::ad
