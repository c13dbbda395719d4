// What a run leaves beside its draws so that it can go on after its end, whatever that was:
//   NAME_run.json       how it was started and on what, written before anything else
//   NAME_<id>.state     a chain after one of its iterations, replaced now and then and at its end
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inference/model/options.h"
#include "support/base/status.h"

namespace fermiac::inference {

/// What the record of a run is called after the name of the run.
inline constexpr std::string_view kRecordEnding = "_run.json";

/// The name that the Stan program, the only argument that is not an option, has among the options of a record.
inline constexpr std::string_view kModelArgument = "model";

/// The options as words of the command `fermiac sample`.
std::vector<std::string> recorded_words(const RunRecord& record);
std::string run_record_text(const RunRecord& record);
/// Of the one run in the folder. Errors: there is none, or several, or the file is damaged.
Status read_run_record(const std::string& folder, RunRecord* out);
/// Of this file. False where there is none that can be read.
bool read_run_record_file(const std::string& path, RunRecord* out);
/// Fails unless chains of both are chains of one run: program, data, seed, number of draws and options must agree. Threads, folders and what
/// is printed do not matter.
Status check_same_run(const RunRecord& there, const RunRecord& here);
/// The part of a run's identity that sums up its data.
inline constexpr std::string_view kDataSum = "the data";
/// Fails if a part of the identity is another one now: `the data (D.json) is not what the run was started with`.
Status check_identity(const RunRecord& record, const std::vector<std::pair<std::string, std::string>>& now);

/// A chain after one of its iterations.
struct ChainState {
  std::string bytes;        // Chain::save
  std::uint64_t rows = 0;   // bytes of its CSV file from the header line to the last row before
  std::uint64_t restarts = 0;  // times that it had begun anew
};
std::string chain_state_text(const ChainState& state);
/// Cuts the CSV file of a chain to what it had at a state, and has it say that there are to be `samples` draws; where the number may
/// change later (`is_open`), with room for others. `header_end` and `size` are then where its header line and it end. Errors: it is
/// not there, or is shorter than it was.
Status rewind_csv(const std::string& path, std::uint64_t rows, unsigned samples, bool is_open, std::int64_t* header_end, std::int64_t* size);

/// `found` is false where there is no such file. Errors: it is damaged.
Status read_chain_state(const std::string& path, ChainState* out, bool* found);

}  // namespace fermiac::inference
