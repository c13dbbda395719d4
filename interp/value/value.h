// Runtime values. Scalars sit inline; containers live in a shared box that is copied when a second owner writes.
// A container holds ints, doubles, or references into a recording (one Ref per double), so that the plain evaluator and
// the recorder run the same code and differ only where an operation has a Ref operand.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "autodiff/shape.h"
#include "autodiff/tape/ir/trace.h"
#include "support/base/memory.h"

namespace fermiac::interp {

using ad::Ref;
using ad::Shape;

/// Doubles with room for vector loops to run over: capacity is a multiple of 8 past the end, the rest is zero.
class RealBuffer {
 public:
  RealBuffer() = default;
  explicit RealBuffer(std::size_t n, double fill = 0) : data_(allowed(n + padding(n)), 0.0), size_(n) {
    for (std::size_t i = 0; i < n; ++i) data_[i] = fill;
  }
  std::size_t size() const { return size_; }
  double* data() { return data_.data(); }
  const double* data() const { return data_.data(); }
  double& operator[](std::size_t i) { return data_[i]; }
  double operator[](std::size_t i) const { return data_[i]; }

 private:
  static std::size_t padding(std::size_t n) { return (8 - n % 8) % 8 + 8; }
  static std::size_t allowed(std::size_t n) {
    ad::memory_point(n * sizeof(double));
    return n;
  }
  std::vector<double> data_;
  std::size_t size_ = 0;
};

/// n copies of `fill`, where the limit on memory allows them.
template <class T>
std::vector<T> filled(std::size_t n, const T& fill = {}) {
  ad::memory_point(n * sizeof(T));
  return std::vector<T>(n, fill);
}

class Value;

/// Storage of one container. Exactly one of the four is in use, as the owning Value's kind says. Machine code knows how it
/// begins (jit/layout.h).
struct Box {
  std::atomic<std::uint32_t> owners{1};
  Shape shape;                        // of Ints, Reals, Refs; for Tuples only rank and array_dims count
  void* numbers = nullptr;            // of those that are in use; none of a tuple
  std::vector<std::int32_t> ints;
  RealBuffer reals;
  std::vector<Ref> refs;
  std::vector<Value> values;          // slots of a tuple, or elements of an array of tuples
};

class Value {
 public:
  enum class Kind : std::uint8_t {
    None,
    Int,     // scalar int
    Real,    // scalar real
    Ref,     // scalar real that carries derivatives
    Ints,    // array of int
    Reals,   // any container of real or complex numbers, and the complex scalar
    Refs,    // the same, carrying derivatives
    Tuple,
    Tuples   // array of tuples
  };

  Value() = default;
  /*implicit*/ Value(std::int32_t i) : kind_(Kind::Int) { payload_.i = i; }
  /*implicit*/ Value(double r) : kind_(Kind::Real) { payload_.r = r; }
  static Value reference(Ref ref) {
    Value v;
    v.kind_ = Kind::Ref;
    v.payload_.ref = ref;
    return v;
  }
  static Value ints(Shape shape, std::vector<std::int32_t> values);
  static Value reals(Shape shape, RealBuffer values);
  static Value reals(Shape shape, double fill);
  static Value refs(Shape shape, std::vector<Ref> values);
  static Value tuple(std::vector<Value> slots);
  static Value tuples(Shape shape, std::vector<Value> elements);
  static Value complex(double re, double im);

  Value(const Value& other) : kind_(other.kind_), payload_(other.payload_) {
    if (boxed()) payload_.box->owners.fetch_add(1, std::memory_order_relaxed);
  }
  Value(Value&& other) noexcept : kind_(other.kind_), payload_(other.payload_) { other.kind_ = Kind::None; }
  Value& operator=(Value other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(payload_, other.payload_);
    return *this;
  }
  ~Value() {
    if (boxed()) release();
  }
  /// Like assigning the number, without a value in between: what loops do most.
  void assign(double r) {
    if (boxed()) release();
    kind_ = Kind::Real;
    payload_.r = r;
  }
  void assign(std::int32_t i) {
    if (boxed()) release();
    kind_ = Kind::Int;
    payload_.i = i;
  }

  void assign_reference(Ref ref) {
    if (boxed()) release();
    kind_ = Kind::Ref;
    payload_.ref = ref;
  }

  Kind kind() const { return kind_; }
  bool is_none() const { return kind_ == Kind::None; }
  bool is_int() const { return kind_ == Kind::Int; }
  /// Carries derivatives (a tuple: in any slot).
  bool is_autodiff() const;
  std::int32_t as_int() const { return payload_.i; }
  double as_real() const { return payload_.r; }           // Kind::Real only
  Ref as_ref() const { return payload_.ref; }             // Kind::Ref only
  /// Shape of a number or container of numbers; lives as long as the value keeps its container.
  const Shape& shape() const { return boxed() ? payload_.box->shape : kScalarShape; }

  const std::vector<std::int32_t>& int_data() const { return payload_.box->ints; }
  const RealBuffer& real_data() const { return payload_.box->reals; }
  const std::vector<Ref>& ref_data() const { return payload_.box->refs; }
  const std::vector<Value>& values() const { return payload_.box->values; }
  /// For writing: makes this the only owner first.
  std::span<std::int32_t> mutable_ints() { return unique().ints; }
  RealBuffer& mutable_reals() { return unique().reals; }
  std::span<Ref> mutable_refs() { return unique().refs; }
  std::span<Value> mutable_values() { return unique().values; }
  /// Machine code calls what follows.
  void unshare() { unique(); }
  void drop() {
    release();
    kind_ = Kind::None;
  }

 private:
  bool boxed() const { return kind_ >= Kind::Ints; }
  static Value boxed_value(Kind kind, Shape shape);
  Box& unique() {
    if (payload_.box->owners.load(std::memory_order_acquire) != 1) [[unlikely]] copy_box();
    return *payload_.box;
  }
  std::size_t bytes() const;  // of a boxed value
  void copy_box();
  void release();  // of a boxed value
  static constexpr Shape kScalarShape{};

  Kind kind_ = Kind::None;
  union {
    std::int32_t i;
    double r;
    Ref ref;
    Box* box;
  } payload_{};
};

}  // namespace fermiac::interp
