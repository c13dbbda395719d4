// What a report shows, as the text that its page carries.
#pragma once

#include <string>

#include "inference/diagnostics/summary.h"
#include "inference/output/sbc_file.h"

namespace fermiac::inference {

/// The program that was sampled, where it is known.
struct ProgramText {
  std::string path, text;  // no path: not known
};

/// Every `stride`-th draw of each chain goes into the page, `kept` of each.
struct KeptDraws {
  std::size_t stride = 1, kept = 0;
};
/// As many draws as make a page of at most some 64 MiB: all of 1000 columns with four chains of 4000.
KeptDraws kept_draws(const ChainSet& chains);

/// One JSON object without the character `<`, so that it may stand in a script element: names, summaries, effective sample
/// sizes as the chains grow, problems in words, settings, the program, and leave-one-out where there are columns log_lik.
/// Cost: of the summary about five times, on `threads` threads (0: all).
std::string report_json(const ChainSet& chains, const ProgramText& program, KeptDraws kept, unsigned threads);

/// Column by column, each in letters of its own and of equal number: differences from its centre (which the JSON has) in 32
/// bits, the least significant byte first, chain after chain, in base64.
std::string packed_draws(const ChainSet& chains, KeptDraws kept);

/// What the page shows, as report_data.h has it for draws: quantities with their ranks, the band of their ECDFs.
/// Cost: of the band some 20 n² L for n simulations and ranks among L draws.
std::string sbc_report_json(const SbcFileText& file);

}  // namespace fermiac::inference
