#include "autodiff/tape/expand.h"

#include <array>
#include <cmath>

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
  return o.ints == nullptr && !o.shape.complex && o.shape.rank == 0 && n >= 1 && n <= kLargest;
}

Result scalar(Ref ref) {
  return Recorder::CallResult{Shape::scalar(), ref};
}

/// Element i as a scalar operand: elements of constant blocks become interned scalars.
Ref element(Recorder& r, const KernelOperand& o, std::uint32_t i) {
  return is_constant(o.ref) ? r.constant(r.value(o.ref + i)) : o.ref + i;
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
  if (!is_small(x[1]) || x[1].shape.size() != x[0].shape.size()) return std::nullopt;
  Ref total = apply(r, kMultiply, {element(r, x[0], 0), element(r, x[1], 0)});
  for (std::uint32_t i = 1; i < x[0].shape.size(); ++i)
    total = apply(r, kFma, {element(r, x[0], i), element(r, x[1], i), total});
  return scalar(total);
}

/// Four at a time, then the results again.
Ref log_sum_exp_of(Recorder& r, std::vector<Ref> terms) {
  static const MapCode kBySize[] = {kNoMap, kNoMap, find_map("log_sum_exp"), find_map("log_sum_exp_3__"),
                                    find_map("log_sum_exp_4__")};
  while (terms.size() > 1) {
    std::vector<Ref> next;
    for (std::size_t i = 0; i < terms.size(); i += 4) {
      const std::size_t n = std::min<std::size_t>(4, terms.size() - i);
      next.push_back(n == 1 ? terms[i] : r.map(kBySize[n], std::span(terms).subspan(i, n)));
    }
    terms = std::move(next);
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
  Ref first = 0;
  for (std::size_t i = 0; i < refs.size(); ++i) {
    const Ref ref = apply(r, kSubtract, {refs[i], total});
    if (i == 0) first = ref;
  }
  return Recorder::CallResult{x[0].shape, first};
}

Result softmax(Recorder& r, Operands x) {
  static const MapCode kExp = find_map("exp");
  const Result logs = log_softmax(r, x);
  if (!logs) return std::nullopt;
  Ref first = 0;
  for (std::uint32_t i = 0; i < x[0].shape.size(); ++i) {
    const Ref ref = apply(r, kExp, {logs->ref + i});
    if (i == 0) first = ref;
  }
  return Recorder::CallResult{x[0].shape, first};
}

struct Expansion {
  std::string_view kernel;
  std::size_t operands;
  Result (*record)(Recorder&, Operands);
};
constexpr Expansion kExpansions[] = {
    {"sum", 1, sum},
    {"dot_product", 2, dot_product},
    {"log_sum_exp", 1, log_sum_exp},
    {"log_softmax", 1, log_softmax},
    {"softmax", 1, softmax},
};

}  // namespace

Result expand_small_call(Recorder& recorder, std::string_view kernel, Operands x) {
  for (const Expansion& e : kExpansions)
    if (e.kernel == kernel && e.operands == x.size() && is_small(x[0])) return e.record(recorder, x);
  return std::nullopt;
}

}  // namespace fermiac::ad
