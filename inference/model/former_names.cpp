#include "inference/model/former_names.h"

#include <algorithm>
#include <iterator>

namespace fermiac::inference {
namespace {

struct Renamed {
  std::string_view former, present;
};
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

std::string_view present_option_name(std::string_view name) {
  const auto* const found = std::ranges::find(kOptions, name, &Renamed::former);
  return found == std::end(kOptions) ? name : found->present;
}

}  // namespace fermiac::inference
