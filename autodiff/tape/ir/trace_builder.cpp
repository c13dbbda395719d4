#include "autodiff/tape/ir/trace_builder.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "autodiff/tape/ir/operands.h"
#include "autodiff/tape/ir/storage.h"
#include "support/base/memory.h"

namespace fermiac::ad {
namespace {

std::uint64_t hash_bytes(const void* data, std::size_t bytes) {  // FNV-1a over 8-byte words and a tail
  const auto* p = static_cast<const unsigned char*>(data);
  std::uint64_t h = 0xcbf29ce484222325ULL ^ bytes;
  for (; bytes >= 8; bytes -= 8, p += 8) {
    std::uint64_t w;
    std::memcpy(&w, p, 8);
    h = (h ^ w) * 0x100000001b3ULL;
    h ^= h >> 29;
  }
  for (; bytes > 0; --bytes, ++p) h = (h ^ *p) * 0x100000001b3ULL;
  return h;
}

}  // namespace

Ref TraceBuilder::allocate(std::uint32_t n) { return allocate_slots(t_, n); }

Ref TraceBuilder::allocate_block(std::uint32_t n) { return allocate_slots(t_, std::max(n, kPad)); }

Ref TraceBuilder::constant(double value) {
  const auto [it, inserted] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value));
  if (!inserted) return it->second;
  check_addressable(t_.const_scalars.size() + 1);
  it->second = Ref::const_scalar(t_.const_scalars.size());
  t_.const_scalars.push_back(value);
  return it->second;
}

Ref TraceBuilder::new_constant_block(const double* values, std::uint32_t n) {
  const std::size_t offset = t_.const_vectors.size();
  check_addressable(offset + padded(n));
  memory_point(padded(n) * sizeof(double));
  t_.const_vectors.resize(offset + padded(n));
  std::memcpy(&t_.const_vectors[offset], values, n * sizeof(double));
  return Ref::const_vector(offset);
}

Ref TraceBuilder::constant_block(const double* values, std::uint32_t n) {
  if (n == 0) return Ref::const_vector(0);
  const std::uint64_t hash = hash_bytes(values, n * sizeof(double));
  const auto [first, last] = constant_blocks_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const auto [known, length] = it->second;
    if (length == n && std::memcmp(numbers_at(t_, known), values, n * sizeof(double)) == 0) return known;
  }
  const Ref block = new_constant_block(values, n);
  constant_blocks_.emplace(hash, std::pair{block, n});
  return block;
}

std::optional<Ref> TraceBuilder::view(std::span<const Ref> refs) {
  if (refs.empty()) return Ref::const_vector(0);
  if (refs[0].is_constant() && !refs[0].is_const_vector()) return std::nullopt;
  for (std::uint32_t i = 1; i < refs.size(); ++i)
    if (refs[i] != refs[0] + i) return std::nullopt;
  return refs[0];
}

std::optional<Ref> TraceBuilder::known_gather(std::span<const Ref> refs, std::uint64_t hash) const {
  const auto [first, last] = gathers_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const auto [block, index] = it->second;
    if (index + refs.size() <= t_.index.size() && std::memcmp(&t_.index[index], refs.data(), refs.size_bytes()) == 0) return block;
  }
  return std::nullopt;
}

Op TraceBuilder::gather(std::span<const Ref> refs) {
  const auto n = static_cast<std::uint32_t>(refs.size());
  const auto index = static_cast<std::uint32_t>(t_.index.size());
  checked_count(t_.index.size() + refs.size(), "the index lists of one evaluation");
  Op op{.kind = OpKind::Gather, .n = n, .d = allocate_block(n)};
  op.set_table(index);
  t_.index.insert(t_.index.end(), refs.begin(), refs.end());
  for (std::uint32_t i = 0; i < n; ++i) t_.values[op.d.index() + i] = *numbers_at(t_, refs[i]);
  return op;
}

TraceBuilder::Gathered TraceBuilder::shared_gather(std::span<const Ref> refs) {
  const std::uint64_t hash = hash_bytes(refs.data(), refs.size_bytes());
  if (const auto known = known_gather(refs, hash)) return {*known, std::nullopt};
  const Op op = gather(refs);
  gathers_.emplace(hash, std::pair{op.d, op.table()});
  return {op.d, op};
}

std::uint32_t TraceBuilder::add_call(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> operands,
                                     Propto propto, std::shared_ptr<const void> context, std::optional<Ref> result) {
  CallInfo info{.kernel = &kernel,
                .name = name,
                .first = static_cast<std::uint32_t>(t_.call_operands.size()),
                .count = static_cast<std::uint32_t>(operands.size()),
                .propto = propto};
  for (const KernelOperand& k : operands) {
    t_.call_operands.push_back({.shape = k.shape, .place = k.ref, .autodiff = k.autodiff, .ints = k.ints != nullptr,
                                .int_offset = static_cast<std::uint32_t>(t_.ints.size())});
    if (k.ints) t_.ints.insert(t_.ints.end(), k.ints, k.ints + k.shape.size());
  }
  info.context = std::move(context);
  args_.resize(info.count);
  const auto at = [&](const CallOperand& o) { return Address{numbers_at(t_, o.place)}; };
  const Plan plan = checked_plan(kernel, bind_call(info, t_.call_operands, t_.ints, args_, at));
  info.out = plan.out;
  info.scratch_size = static_cast<std::uint32_t>(plan.scratch);
  const bool one = plan.out.is_scalar() && !plan.out.complex;
  info.out_place = result ? *result : one ? allocate(1) : allocate_block(plan.out.size());
  t_.calls.push_back(info);
  return static_cast<std::uint32_t>(t_.calls.size() - 1);
}

}  // namespace fermiac::ad
