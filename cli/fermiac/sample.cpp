#include "inference/sample.h"

#include "cli/fermiac/load.h"
#include "cli/fermiac/run_model.h"
#include "interp/model/conditioned_model.h"

namespace fermiac::cli {

int run_sample(const ModelArgs& args, inference::SampleOptions options, Stop& stop) {
  // Wrong options are told before a model is read.
  if (const inference::Result bad = inference::check_options(options); !bad) {
    std::fprintf(stderr, "%s\n", bad.error.c_str());
    return 1;
  }
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
  return inference::run_sample(*model, options, terminal_io(stop));
}

}  // namespace fermiac::cli
