// Rearranging elements: one index list serves ints, reals, references, complex numbers and tuples.
#include <algorithm>
#include <numeric>

#include "autodiff/tape/record/recorder.h"
#include "interp/functions/builtin_tools.h"
#include "support/base/check.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

enum class Stuff : std::uint8_t { Ints, Reals, Refs, Tuples };

Stuff stuff_of(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::Int:
    case Value::Kind::Ints: return Stuff::Ints;
    case Value::Kind::Real:
    case Value::Kind::Reals: return Stuff::Reals;
    case Value::Kind::Ref:
    case Value::Kind::Refs: return Stuff::Refs;
    default: return Stuff::Tuples;
  }
}

/// The numbers of a source in the wanted form, borrowed if it has that form already. A real source in a complex result
/// becomes pairs, so that one scalar is `width` numbers everywhere.
template <class T>
struct Source {
  std::vector<T> own;
  std::span<const T> numbers;
  std::uint32_t scalars = 0;
};

template <class T>
void widen(Source<T>& s, std::uint32_t width, bool complex, T zero) {
  if (width == 1 || complex) return;
  std::vector<T> pairs;
  ad::memory_point(2 * s.numbers.size() * sizeof(T));
  pairs.reserve(2 * s.numbers.size());
  for (const T& x : s.numbers) pairs.insert(pairs.end(), {x, zero});
  s.own = std::move(pairs);
  s.numbers = s.own;
}

Source<std::int32_t> ints_of(const Value& v) {
  Source<std::int32_t> s{.scalars = scalar_count(v)};
  if (v.is_int()) s.own = {v.as_int()};
  s.numbers = v.is_int() ? std::span<const std::int32_t>(s.own) : std::span<const std::int32_t>(v.int_data());
  return s;
}

Source<double> reals_of(const Value& v, std::uint32_t width) {
  Source<double> s{.scalars = scalar_count(v)};
  switch (v.kind()) {
    case Value::Kind::Int:
    case Value::Kind::Real: s.own = {plain_scalar(v)}; break;
    case Value::Kind::Ints: s.own.assign(v.int_data().begin(), v.int_data().end()); break;
    default: s.numbers = {v.real_data().data(), v.real_data().size()};
  }
  if (!s.own.empty()) s.numbers = s.own;
  widen(s, width, is_complex(v), 0.0);
  return s;
}

Source<Ref> refs_of(ad::Recorder& recorder, const Value& v, std::uint32_t width) {
  Source<Ref> s{.scalars = scalar_count(v)};
  if (v.kind() == Value::Kind::Ref) {
    s.own = {v.as_ref()};
  } else if (is_plain_scalar(v)) {
    s.own = {recorder.constant(plain_scalar(v))};
  } else if (v.kind() != Value::Kind::Refs) {
    const Value reals = to_reals(v);
    s.own.resize(reals.real_data().size());
    std::iota(s.own.begin(), s.own.end(),
              recorder.constant_block(reals.real_data().data(), static_cast<std::uint32_t>(s.own.size())));
  }
  s.numbers = v.kind() == Value::Kind::Refs ? std::span<const Ref>(v.ref_data()) : std::span<const Ref>(s.own);
  widen(s, width, is_complex(v), width == 2 ? recorder.constant(0) : Ref{});
  return s;
}

Source<Value> tuples_of(const Value& v) {
  Source<Value> s{.scalars = scalar_count(v)};
  if (v.kind() == Value::Kind::Tuple) s.own = {v};
  s.numbers = v.kind() == Value::Kind::Tuple ? std::span<const Value>(s.own) : std::span<const Value>(v.values());
  return s;
}

/// Calls use(k, numbers of scalar index[k]).
template <class T, class Use>
void gather(const std::vector<Source<T>>& sources, std::span<const std::uint32_t> index, std::uint32_t width, Use use) {
  ad::each_stoppable(index.size(), [&](std::size_t k) {
    std::uint32_t e = index[k];
    std::size_t s = 0;
    while (e >= sources[s].scalars) {
      e -= sources[s++].scalars;
      FERMIAC_CHECK(s < sources.size(), "an index list stays within the arguments");
    }
    for (std::uint32_t w = 0; w < width; ++w) use(k * width + w, sources[s].numbers[std::size_t{e} * width + w]);
  });
}

template <class T, class Out>
Out gather_into(Out out, Args values, std::span<const std::uint32_t> index, std::uint32_t width, auto source_of) {
  std::vector<Source<T>> sources;
  sources.reserve(values.size());
  for (const Value& v : values) {
    sources.push_back(source_of(v));
    if (!sources.back().own.empty()) sources.back().numbers = sources.back().own;
  }
  gather<T>(sources, index, width, [&](std::size_t k, const T& x) { out[k] = x; });
  return out;
}

Stuff widest(Args sources) {
  Stuff stuff = Stuff::Ints;
  for (const Value& v : sources) stuff = std::max(stuff, stuff_of(v));
  return stuff;
}

}  // namespace

Value pick(CallContext& context, const Shape& out, Args sources, std::span<const std::uint32_t> index) {
  const std::uint32_t width = out.complex ? 2 : 1;
  const std::size_t n = index.size() * width;
  switch (widest(sources)) {
    case Stuff::Ints:
      if (out.inner != ad::Inner::Scalar || out.complex) break;
      return Value::ints(out, gather_into<std::int32_t>(filled<std::int32_t>(n), sources, index, width, ints_of));
    case Stuff::Reals: break;
    case Stuff::Refs:
      return Value::refs(out, gather_into<Ref>(filled<Ref>(n), sources, index, width,
                                               [&](const Value& v) { return refs_of(*context.recorder, v, width); }));
    case Stuff::Tuples:
      return Value::tuples(out, gather_into<Value>(filled<Value>(n), sources, index, 1, tuples_of));
  }
  return Value::reals(out, gather_into<double>(RealBuffer(n), sources, index, width,
                                               [&](const Value& v) { return reals_of(v, width); }));
}

Value reshape(const Value& v, const Shape& shape) {
  if (v.kind() != Value::Kind::Tuple && v.shape() == shape) return v;
  switch (v.kind()) {
    case Value::Kind::Ints:
      if (shape.inner == ad::Inner::Scalar) return Value::ints(shape, v.int_data());
      return Value::reals(shape, to_reals(v).real_data());
    case Value::Kind::Reals: return Value::reals(shape, v.real_data());
    case Value::Kind::Refs: return Value::refs(shape, v.ref_data());
    case Value::Kind::Tuples: return Value::tuples(shape, v.values());
    case Value::Kind::Int:
      if (shape.inner == ad::Inner::Scalar) return Value::ints(shape, {v.as_int()});
      return Value::reals(shape, v.as_int());
    case Value::Kind::Real: return Value::reals(shape, v.as_real());
    case Value::Kind::Ref: return Value::refs(shape, {v.as_ref()});
    default: FERMIAC_CHECK(false, "only numbers and arrays have a shape");
  }
}

}  // namespace fermiac::interp
