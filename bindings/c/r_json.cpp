// Arrays of R as JSON.
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "bindings/c/answer.h"
#include "bindings/c/fermiac_r.h"
#include "support/base/json.h"

using namespace fermiac;
using namespace fermiac::capi;

namespace {

/// What R has for a number that is not known: a NaN with 1954 in its low word (R Internals, 1.1 SEXPs).
bool is_na(double x) {
  return std::isnan(x) && (std::bit_cast<std::uint64_t>(x) & 0xffffffffu) == 1954;
}

/// Writes arrays that are stored column by column as lists of rows.
class ArrayWriter {
 public:
  ArrayWriter(std::string& out, bool reals) : out_(out), reals_(reals) {}

  /// `stride`: between two elements along the first of `dims`.
  void write(const double* numbers, std::span<const double> dims, std::size_t stride) {
    if (dims.empty()) return write_number(*numbers);
    const std::size_t n = count_of(dims[0]);
    JsonGroup items(out_, JsonGroup::Kind::Array, kJsonTight);
    for (std::size_t i = 0; i < n; ++i) {
      items.item();
      write(numbers + i * stride, dims.subspan(1), stride * n);
    }
    items.end();
  }

 private:
  void write_number(double x) {
    const std::string text = is_na(x) ? "null" : json_number(x);
    out_ += text;
    if (reals_ && text.find_first_not_of("-0123456789") == std::string::npos) out_ += ".0";
  }

  std::string& out_;
  const bool reals_;
};

}  // namespace

void fermiac_json_array_R(const double* numbers, const double* dims, const int* rank, const int* reals,
                          fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.of([&](fermiac_error** error) {
    at_border(error, [&] {
      if (*rank < 0) throw InputError(StatusCode::InvalidArgument, "rank is negative");
      const std::span sizes_of_dims(dims, count_of(*rank));
      for (const double size : sizes_of_dims)
        if (count_of(size) == SIZE_MAX) throw InputError(StatusCode::InvalidArgument, "dims has a number that is no size");
      ArrayWriter((*answer)->text, *reals != 0).write(numbers, sizes_of_dims, 1);
    });
  });
}
