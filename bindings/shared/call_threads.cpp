#include "bindings/shared/call_threads.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace fermiac::capi {
namespace {

constexpr int kMostThreads = 4096;

}  // namespace

/// What is no number of threads is none: there is nobody to tell.
unsigned wanted_threads(unsigned otherwise) {
  const char* wish = std::getenv("STAN_NUM_THREADS");
  const std::string_view text = wish ? wish : "";
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return otherwise;
  if (count == -1) return 0;
  return count >= 1 && count <= kMostThreads ? static_cast<unsigned>(count) : otherwise;
}

const ad::PieceThreads& call_threads() {
  static const ad::PieceThreads threads(wanted_threads(1));
  return threads;
}

}  // namespace fermiac::capi
