// Rewriting passes over a trace: each a named entry that can be switched off (--disable-pass).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

class TraceGraph;
enum class Change : std::uint8_t;

/// What a pass may do to numbers.
enum class Exactness : std::uint8_t {
  Exact,      // every value keeps its bits, and every derivative up to the order in which adjoints of several readers are added
  Reordered,  // additions come in another order, or products are fused with sums
  Reworked,   // other formulas of the same value: differences of some units in the last place of the largest term
};

struct RewritePass {
  std::string_view name;      // is the flag: --disable-pass=NAME
  std::string_view summary;   // one line, for --help
  Exactness exactness;
  std::string_view why_here;  // in this place of the order
  Change (*run)(Trace&, TraceGraph&);
};

/// All passes, in the order in which they run.
std::span<const RewritePass> rewrite_passes();

struct RewriteOptions {
  bool enabled = true;
  std::span<const std::string_view> skip;  // names of passes not to run
  bool short_tiles = false;                // tiles of vectors that gain nothing by them; for tests
  /// exp and inv_logit may be fused with what reads them. Only where the program is evaluated without a tape at points that the tape
  /// refuses or whose density is not finite.
  bool links = true;
#ifdef FERMIAC_VERIFIES
  bool verify = true;
#else
  bool verify = false;                     // the trace after each pass, see verify()
#endif
};

/// Throws std::logic_error where a pass (or the recording) broke an invariant, if `verify` is on.
void rewrite(Trace& trace, const RewriteOptions& options = {});

}  // namespace fermiac::ad
