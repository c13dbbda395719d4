// Numbers that go from where they stand to columns of a row: stretches of neighbours at once, the others one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermiac::interp {

/// A few are not worth a call. Many go piece by piece: what the C library does with more at once takes up to three times as long
/// where the two lie badly to each other. They do not overlap.
inline void copy_numbers(const double* from, std::size_t n, double* to) {
  constexpr std::size_t kFew = 8, kPiece = 128;
  if (n <= kFew)
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
  else
    for (std::size_t done = 0; done < n; done += kPiece) std::copy_n(from + done, std::min(kPiece, n - done), to + done);
}

class ColumnCopies {
 public:
  /// The number at `from` (less than 2^32) goes to column `to`; best in the order of both.
  void add(std::size_t from, std::size_t to);
  /// Nothing is added any more.
  void settle();
  void run(const double* numbers, double* row) const {
    for (const Single& s : singles_) row[s.to] = numbers[s.from];
    if (!stretches_.empty()) copy_stretches(numbers, row);
  }

 private:
  struct Stretch {
    std::size_t from = 0, to = 0, count = 0;
  };
  struct Single {
    std::uint32_t from = 0, to = 0;
  };
  void copy_stretches(const double* numbers, double* row) const;

  std::vector<Stretch> stretches_;
  std::vector<Single> singles_;
};

}  // namespace fermiac::interp
