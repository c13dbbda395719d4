// Types of the language as the checker and MIR see them: no sizes, no constraints.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fermiac {

/// Order matters: the signature dump sorts by it.
enum class BaseType : std::uint8_t {
  Int,
  Real,
  Vector,
  Complex,
  RowVector,
  Matrix,
  ComplexVector,
  ComplexRowVector,
  ComplexMatrix,
  Tuple,
  Function,
  Void,  // result of a procedure
  Error  // poison: an ill-typed expression; converts to and from everything so that one mistake gives one message
};

/// Complex scalars and containers of them.
constexpr bool is_complex(BaseType base) {
  return base == BaseType::Complex || base == BaseType::ComplexVector || base == BaseType::ComplexRowVector || base == BaseType::ComplexMatrix;
}
constexpr bool is_number(BaseType base) { return base == BaseType::Int || base == BaseType::Real; }
/// Indexes down to a scalar: 2 for matrices, 1 for vectors and row vectors, else 0.
constexpr int inner_dimensions(BaseType base) {
  if (base == BaseType::Matrix || base == BaseType::ComplexMatrix) return 2;
  return base == BaseType::Vector || base == BaseType::RowVector || base == BaseType::ComplexVector || base == BaseType::ComplexRowVector ? 1 : 0;
}

struct FunctionType;

/// `array[,] vector` is {Vector, array_dims = 2}. A tuple keeps its slot types, a function its signature.
class Type {
 public:
  Type() = default;
  /*implicit*/ Type(BaseType base, std::uint8_t array_dims = 0) : base_(base), array_dims_(array_dims) {}
  static Type tuple(std::vector<Type> slots);
  static Type function(FunctionType signature);

  BaseType base() const { return base_; }
  int array_dims() const { return array_dims_; }
  bool is_array() const { return array_dims_ > 0; }
  bool is(BaseType base) const { return base_ == base && array_dims_ == 0; }
  const std::vector<Type>& slots() const { return *slots_; }            // only for (arrays of) tuples
  const FunctionType& signature() const { return *function_; }          // only for functions

  Type with_array_dims(int dims) const;                                  // same element, other depth
  Type element() const { return with_array_dims(array_dims_ - 1); }      // only for arrays
  /// True for int and arrays/tuples of only int: such values never carry derivatives.
  bool is_discrete() const;
  bool is_number() const { return array_dims_ == 0 && fermiac::is_number(base_); }  // int, real
  bool is_scalar() const { return is_number() || is(BaseType::Complex); }
  int depth() const { return array_dims_ + inner_dimensions(base_); }  // indexes down to a scalar
  bool is_error() const { return base_ == BaseType::Error; }
  /// As messages and the signature dump print it: `array[,] real`, `tuple(int, vector)`, `(vector, data real) => real`.
  std::string str() const;

  friend bool operator==(const Type& a, const Type& b);

 private:
  BaseType base_ = BaseType::Error;
  std::uint8_t array_dims_ = 0;
  std::shared_ptr<const std::vector<Type>> slots_;
  std::shared_ptr<const FunctionType> function_;
};

/// A formal argument; `data_only` rejects values that carry derivatives.
struct Formal {
  Type type;
  bool data_only = false;
  friend bool operator==(const Formal&, const Formal&) = default;
};

struct FunctionType {
  std::vector<Formal> formals;
  Type result;
  friend bool operator==(const FunctionType&, const FunctionType&) = default;
};

/// Whether a value carries derivatives; tuples carry one level per slot.
struct AdLevel {
  bool autodiff = false;
  std::vector<AdLevel> slots;  // only for tuples
  bool any() const;
  friend bool operator==(const AdLevel&, const AdLevel&) = default;
};

/// The kind of a function name, from its suffix.
enum class Suffix : std::uint8_t { Plain, Rng, Lpdf, Lpmf, Target /* _lp */, Jacobian };

}  // namespace fermiac
