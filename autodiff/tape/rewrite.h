// Rewriting passes over a trace: each a named entry that can be switched off (FERMIAC_NO_REWRITE, --no-rewrite).
#pragma once

#include <span>
#include <string_view>

#include "autodiff/tape/trace.h"

namespace fermiac::ad {

struct RewritePass {
  std::string_view name;     // is the flag: --no-rewrite=NAME
  std::string_view summary;  // one line, for --help
  void (*run)(Trace&);
};

/// All passes, in the order in which they run.
std::span<const RewritePass> rewrite_passes();

struct RewriteOptions {
  bool enabled = true;
  std::span<const std::string_view> skip;  // names of passes not to run
  bool short_tiles = false;                // tiles of vectors that gain nothing by them; for tests
};

void rewrite(Trace& trace, const RewriteOptions& options = {});

}  // namespace fermiac::ad
