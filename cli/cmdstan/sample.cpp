#include "inference/methods/sample.h"

#include <algorithm>

#include "cli/cmdstan/files.h"
#include "cli/cmdstan/method.h"

namespace fermiac::cmdstan {
namespace {

using namespace inference;

constexpr int kDeepestTree = 50;  // a trajectory of 2^50 steps does not end

}  // namespace

Status run_sample(Run& run) {
  SampleOptions o;
  fill_options(run, o);
  o.max_treedepth = std::min(o.max_treedepth, kDeepestTree);
  o.reports_zero_densities = false;
  if (run.method.text("algorithm") == "fixed_param") o.engine = Engine::FixedParam;
  if (Status bad = name_files(run, o.chains); !bad) return fail(run, bad);
  if (Status bad = fill_init(o.chains, o); !bad) return fail(run, bad);
  if (!o.metric_file.empty()) {
    std::vector<std::string> files;
    if (Status bad = input_files(o.metric_file, o.chains, o.id, &files); !bad) return fail(run, bad);
    warn_of_r_dump(files[0]);
    o.metric_file = joined(files);
  }
  return sample(run.model, o, run.io).status;
}

}  // namespace fermiac::cmdstan
