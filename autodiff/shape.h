// Shapes of values: array dimensions around a scalar, vector, row vector or matrix. Shared by kernels, tape and
// interpreter values.
//
// Layout of the elements: array elements one after the other, the last array index fastest; inside an element a matrix
// is column-major; a complex number is (re, im).
//
// Counts are products of sizes that data and arguments give freely: they are made in 64 bits and are a SizeError where
// they exceed kMaxNumbers. Nothing may be allocated or indexed by a product of sizes that was made another way.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace fermiac::ad {

/// The most numbers (doubles or ints) that one value may have: every count is an int of the language, the numbers of two
/// values together still have 32-bit positions.
inline constexpr std::uint32_t kMaxNumbers = 0x7fffffff;

/// A product of counts that stops growing beyond 2^62, so that a few of them may be added.
constexpr std::uint64_t saturated_product(std::initializer_list<std::uint64_t> factors) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
  std::uint64_t product = 1;
  for (const std::uint64_t factor : factors)
    if (__builtin_mul_overflow(product, factor, &product) || product > kMost) product = kMost;
  return std::ranges::find(factors, 0) == factors.end() ? product : 0;
}

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
  std::uint32_t inner_size() const { return checked(std::uint64_t{rows} * cols); }
  /// Number of elements: the product of the array dimensions.
  std::uint32_t count() const { return rank == 0 ? 1 : checked(array_product()); }
  /// Number of scalars, complex ones counted once.
  std::uint32_t scalars() const { return checked(product()); }
  /// Number of doubles.
  std::uint32_t size() const { return checked(product() * (complex ? 2 : 1)); }
  /// Length as `size(x)` counts it: the first array dimension, else the number of scalars.
  std::uint32_t length() const { return rank > 0 ? array_dims[0] : inner_size(); }
  Shape element() const;  // drops the first array dimension
  /// `vector[3]`, `array[2,4] matrix[3,3]`, for messages.
  std::string str() const;
  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  std::uint64_t array_product() const;
  std::uint64_t product() const {
    const std::uint64_t inner_numbers = std::uint64_t{rows} * cols;
    return rank == 0 ? inner_numbers : saturated_product({array_product(), inner_numbers});
  }
  std::uint32_t checked(std::uint64_t n) const {
    if (n > kMaxNumbers) [[unlikely]] too_large();
    return static_cast<std::uint32_t>(n);
  }
  [[noreturn]] void too_large() const;
};

/// A count that is not a shape's, checked like those. A SizeError says that `what` has too many numbers.
std::uint32_t checked_count(std::uint64_t n, std::string_view what);

}  // namespace fermiac::ad
