// Shapes of values: array dimensions around a scalar, vector, row vector or matrix. Shared by kernels, tape and
// interpreter values.
//
// Layout of the elements: array elements one after the other, the last array index fastest; inside an element a matrix
// is column-major; a complex number is (re, im).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace fermiac::ad {

enum class Inner : std::uint8_t { Scalar, Vector, RowVector, Matrix };

struct Shape {
  static constexpr int kMaxRank = 10;  // array dimensions: as many as the function table has

  Inner inner = Inner::Scalar;
  bool complex = false;
  std::uint8_t rank = 0;                                // number of array dimensions
  std::array<std::uint32_t, kMaxRank> array_dims{};     // outermost first
  std::uint32_t rows = 1;                               // of the element; 1 for scalars and row vectors
  std::uint32_t cols = 1;                               // 1 for scalars and vectors

  static Shape scalar() { return {}; }
  static Shape vector(std::uint32_t n) { return {.inner = Inner::Vector, .rows = n}; }
  static Shape row_vector(std::uint32_t n) { return {.inner = Inner::RowVector, .cols = n}; }
  static Shape matrix(std::uint32_t r, std::uint32_t c) { return {.inner = Inner::Matrix, .rows = r, .cols = c}; }
  static Shape array(std::uint32_t n, Shape element);  // puts one dimension in front of `element`'s

  bool is_scalar() const { return rank == 0 && inner == Inner::Scalar; }
  /// Number of scalars (complex ones count once) in one element.
  std::uint32_t inner_size() const { return rows * cols; }
  /// Number of elements: the product of the array dimensions.
  std::uint32_t count() const;
  /// Number of scalars, complex ones counted once.
  std::uint32_t scalars() const { return count() * inner_size(); }
  /// Number of doubles.
  std::uint32_t size() const { return scalars() * (complex ? 2 : 1); }
  /// Length as `size(x)` counts it: the first array dimension, else the number of scalars.
  std::uint32_t length() const { return rank > 0 ? array_dims[0] : inner_size(); }
  Shape element() const;  // drops the first array dimension
  /// `vector[3]`, `array[2,4] matrix[3,3]`, for messages.
  std::string str() const;
  friend bool operator==(const Shape&, const Shape&) = default;
};

}  // namespace fermiac::ad
