// Which chains of a run this process draws: all, or those of a list (`--chain-ids 5,9`), so that many processes share a run.
#include <algorithm>
#include <charconv>
#include <numeric>

#include "inference/mcmc/chain_plan.h"

namespace fermiac::inference {
namespace {

/// Empty where the number is one of the run.
std::string outside(const SampleOptions& o, unsigned id) {
  const unsigned last = o.id + o.chains - 1;
  if (id >= o.id && id <= last) return {};
  return "chain_ids has " + std::to_string(id) + ", but the run has chains " + std::to_string(o.id) + " to " + std::to_string(last);
}

}  // namespace

Status read_chain_ids(std::string_view text, std::vector<unsigned>* out) {
  const auto fail = [&] { return Status::failed("'" + std::string(text) + "' is no list of chains, as 5,9 is"); };
  out->clear();
  for (const char *at = text.data(), *const end = at + text.size();;) {
    unsigned id = 0;
    const auto [after, error] = std::from_chars(at, end, id);
    if (error != std::errc() || (after != end && *after != ',')) return fail();
    out->push_back(id);
    if (after == end) break;
    at = after + 1;
  }
  std::ranges::sort(*out);
  const auto twice = std::ranges::adjacent_find(*out);
  return twice == out->end() ? Status{} : Status::failed("chain " + std::to_string(*twice) + " is there twice");
}

std::string chain_ids_text(const std::vector<unsigned>& ids) {
  std::string out;
  for (const unsigned id : ids) out += (out.empty() ? "" : ",") + std::to_string(id);
  return out;
}

Status check_chain_ids(const SampleOptions& o) {
  if (o.chain_ids.empty()) return {};
  for (const unsigned id : o.chain_ids)
    if (std::string bad = outside(o, id); !bad.empty()) return Status::failed(std::move(bad));
  if (!o.seed) return Status::failed("chain_ids draws some chains of a run, all of which have one seed: give it");
  if (o.target_ess > 0) return Status::failed("target_ess judges all chains of a run together: chain_ids cannot draw some of them");
  if (o.netcdf) return Status::failed("format is netcdf, one file of all chains, but chain_ids draws some of them; fermiac convert makes the file when all are there");
  if (o.max_restarts > 0) return Status::failed("max_restarts compares all chains of a run: chain_ids cannot draw some of them");
  return {};
}

std::vector<unsigned> drawn_chains(const SampleOptions& options) {
  if (!options.chain_ids.empty()) return options.chain_ids;
  std::vector<unsigned> all(options.chains);
  std::iota(all.begin(), all.end(), options.id);
  return all;
}

}  // namespace fermiac::inference
