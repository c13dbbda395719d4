// The file of a calibration: a row for each quantity of each simulation, written when the simulation is over.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inference/diagnostics/sbc.h"
#include "inference/output/csv.h"

namespace fermiac::inference {

/// How such files begin.
inline constexpr std::string_view kSbcMark = "# fermiac sbc\n";

/// What stands in one.
struct SbcFileText {
  std::uint64_t seed = 0;
  std::size_t draws = 0;
  std::vector<std::vector<SbcRow>> simulations;  // those that are whole
  std::int64_t whole = 0;                        // bytes of them and of what comes before
};

/// Errors name the file and the line. False in `*is_one` where it is no such file.
Status read_sbc_file(const std::string& path, bool* is_one, SbcFileText* out);

class SbcFile {
 public:
  /// Makes options.file, or goes on with it: `out` then has the simulations that it has. Nothing where the options name none. A
  /// file of another seed or of another number of draws is an error, and so is one that exists where it is not to be resumed.
  Status open(const SbcOptions& options, std::uint64_t seed, SbcResult* out);
  Status append(std::size_t simulation, const std::vector<SbcRow>& rows);

 private:
  Status resume(const SbcOptions& options, std::uint64_t seed, SbcResult* out);
  TextFile file_;
};

}  // namespace fermiac::inference
