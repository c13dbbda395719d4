// Chains that run again from other random numbers (`max_restarts`). How often each has is in the record of the run, which is written
// before such a chain begins: a run that goes on knows whose state it finds.
#pragma once

#include <algorithm>
#include <cstdint>

#include "inference/model/init.h"
#include "inference/output/checkpoint.h"

namespace fermiac::inference {

/// Of a chain by its position in the run.
inline unsigned restarts_of(const RunRecord& record, std::size_t chain) { return chain < record.restarts.size() ? record.restarts[chain] : 0; }

inline unsigned most_restarts(const RunRecord& record) {
  return record.restarts.empty() ? 0 : *std::max_element(record.restarts.begin(), record.restarts.end());
}

/// The seed of a chain that has run again so often.
inline std::uint64_t restarted_seed(std::uint64_t seed, unsigned restarts) { return seed ^ (restarts * 0xa0761d6478bd642fULL); }

/// Where it starts: values that were given are where it was stuck, so it looks for others.
inline InitSpec restarted_start(const InitSpec& first, unsigned restarts) {
  return restarts > 0 && !first.json.empty() ? InitSpec{.search = true} : first;
}

}  // namespace fermiac::inference
