// Numbers that go from where they stand to columns of a row: stretches of neighbours at once, the others one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermiac::interp {

class ColumnCopies {
 public:
  /// The number at `from` (less than 2^32) goes to column `to`; best in the order of both.
  void add(std::size_t from, std::size_t to);
  /// Nothing is added any more.
  void settle();
  void run(const double* numbers, double* row) const;

 private:
  struct Stretch {
    std::size_t from = 0, to = 0, count = 0;
  };
  struct Single {
    std::uint32_t from = 0, to = 0;
  };
  std::vector<Stretch> stretches_;
  std::vector<Single> singles_;
};

}  // namespace fermiac::interp
