#include "inference/sample.h"

#include "cli/fermiac/run_model.h"

namespace fermiac::cli {

int run_sample(const ModelArgs& args, inference::SampleOptions options, Stop& stop) {
  // Wrong options are told before a model is read.
  if (const inference::Result bad = inference::check_options(options); !bad) {
    std::fprintf(stderr, "%s\n", bad.error.c_str());
    return 1;
  }
  const std::unique_ptr<Model> model = load_model(args, stop);
  if (!model) return 1;
  describe_model(args, &options);
  return inference::run_sample(*model, options, terminal_io(stop));
}

}  // namespace fermiac::cli
