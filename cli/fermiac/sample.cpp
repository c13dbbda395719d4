#include "inference/sample.h"

#include <cstdio>

#include "cli/cmdstan/profile_file.h"
#include "cli/fermiac/load.h"
#include "cli/fermiac/run_model.h"
#include "interp/model/conditioned_model.h"
#include "support/write_file.h"

namespace fermiac::cli {
namespace {

int fail(const std::string& why) {
  std::fprintf(stderr, "fermiac: %s\n", why.c_str());
  return 1;
}

/// What the blocks cost, in the file that the draws name.
int write_profile(const interp::InterpModel& model, const std::string& path) {
  const std::string rows = cmdstan::profile_csv(model);
  if (rows.empty()) return fail("the program has no profile block: '" + path + "' was not written");
  const std::string why = write_whole_file(path, rows);
  return why.empty() ? 0 : fail("cannot write '" + path + "': " + why);
}

}  // namespace

int run_sample(const ModelArgs& args, inference::SampleOptions options, Stop& stop) {
  // Wrong options are told before a model is read.
  if (const inference::Result bad = inference::check_options(options); !bad) return fail(bad.error);
  const std::unique_ptr<interp::InterpModel> model = load_interp_model(args, stop);
  if (!model) return 1;
  try {
    const bool prior = model->conditioned() && read_conditioning(args.conditioning).context == interp::ContextKind::Prior;
    if (prior && !args.conditioning.allow_improper) interp::refuse_improper(*model);
  } catch (const interp::BindError& e) {
    std::fprintf(stderr, "fermiac: %s\n", e.what());
    return 1;
  }
  describe_model(args, &options);
  if (!options.profile_file.empty()) model->measure_profiles();
  const int status = inference::run_sample(*model, options, terminal_io(stop));
  if (status != 0 || options.profile_file.empty()) return status;
  return write_profile(*model, options.profile_file);
}

}  // namespace fermiac::cli
