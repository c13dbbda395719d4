// The sweeps of replay.isa.cpp, one pair per instruction set.
#pragma once

namespace fermiac::ad {

struct Sweep;

namespace isa_sse2 {
void forward(Sweep& s);
void reverse(const Sweep& s);
}  // namespace isa_sse2
namespace isa_avx2 {
void forward(Sweep& s);
void reverse(const Sweep& s);
}  // namespace isa_avx2
namespace isa_avx512 {
void forward(Sweep& s);
void reverse(const Sweep& s);
}  // namespace isa_avx512

/// The pair for the instruction set in use.
struct Sweeps {
  void (*forward)(Sweep&) = nullptr;
  void (*reverse)(const Sweep&) = nullptr;
};
const Sweeps& active_sweeps();

}  // namespace fermiac::ad
