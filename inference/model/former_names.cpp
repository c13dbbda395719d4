#include "inference/model/former_names.h"

#include <algorithm>

namespace fermiac::inference {
namespace {

// The first block is accepted forever: records of runs that `resume` continues hold these names.
constexpr Renamed kOptions[] = {
    {"until-ess", "target-ess"},
    {"max-time", "target-ess-max-time"},
    {"restart-stuck", "max-restarts"},
    {"save-every", "checkpoint-interval"},
    {"gather", "gather-files"},
    {"context", "density"},
    {"max-table", "max-discrete-states"},
    {"missing-columns", "missing-output"},
    {"no-rewrite", "disable-pass"},

    {"engine", "evaluator"},
    {"refit", "reloo"},
    {"what", "variables"},
    {"num-warmup", "warmup"},
    {"num-samples", "samples"},
};

}  // namespace

std::string_view present_name(std::span<const Renamed> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Renamed::former);
  return found == table.end() ? name : found->present;
}

std::string_view present_option_name(std::string_view name) { return present_name(kOptions, name); }

}  // namespace fermiac::inference
