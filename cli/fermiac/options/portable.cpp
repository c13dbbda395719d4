#include "cli/fermiac/options/process_options.h"

#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "autodiff/kernels/isa.h"
#include "support/platform/process.h"

namespace fermiac::cli {
namespace {

constexpr const char* kMark = "FERMIAC_PORTABLE";  // in the environment of a program that was started anew
constexpr const char* kIsa = "sse2";
/// The names of the features since glibc 2.33 and before.
constexpr std::string_view kPlainLibrary = "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-FMA_Usable,-FMA4_Usable,-AVX2_Usable";

/// Arguments at which the results with and without fused multiply-add differ in the last bit.
bool is_plain_library() {
  volatile double x = 58.72, y = 75.62;  // computed now, not by the compiler
  return std::exp(x) == 0x1.a43c2e6f9a226p+84 && std::pow(y, 1.25) == 0x1.bdfda0d1e9a6cp+7;
}

void choose_plain() {
  const char* const other = std::getenv("GLIBC_TUNABLES");
  const std::string tunables = (other ? std::string(other) + ":" : "") + std::string(kPlainLibrary);
  set_environment("GLIBC_TUNABLES", tunables);
  set_environment("FERMIAC_ISA", kIsa);
  set_environment(kMark, "1");
}

}  // namespace

bool asks_for_portable() {
  const char* const isa = std::getenv("FERMIAC_ISA");
  return isa && std::string_view(isa) == "portable";
}

Status become_portable() {
  if (!std::getenv(kMark)) {
    choose_plain();
    return Status::failed("--portable: the program cannot be started anew: " + start_anew(own_arguments()));
  }
  if (ad::isa_name(ad::active_isa()) != kIsa) return Status::failed("--portable: this machine has no SSE2");
  if (is_plain_library()) return {};
  return Status::failed("--portable: the C library does not let its variants of exp and pow be chosen (glibc 2.28 or later is needed)");
}

}  // namespace fermiac::cli
