#include "cli/fermiac/runs/methods.h"

#include <CLI/CLI.hpp>
#include <type_traits>

#include "cli/fermiac/options/checked_option.h"
#include "cli/fermiac/options/conditioning_options.h"
#include "cli/fermiac/options/setting_options.h"
#include "cli/fermiac/shared/command_list.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/questions.h"
#include "cli/fermiac/shared/run_model.h"
#include "inference/methods/settings.h"
#include "inference/output/run_io.h"

namespace fermiac::cli {
namespace {

using namespace inference;

/// One method: its options, and the function that runs it.
template <class Options>
struct Method {
  ModelArgs model;
  Options options;
};

template <class Options>
using RunMethod = Status (*)(const Model&, const Options&, const RunIo&);

template <class Options>
int run_method(const Method<Options>& method, RunMethod<Options> run, Stop& stop) {
  const std::unique_ptr<interp::InterpModel> model = load_interp_model(method.model, stop);
  if (!model) return 1;
  Options options = method.options;
  describe_model(method.model, &options);
  explain_starts(method.model, *model, &options);
  return exit_status(run(*model, options, terminal_io(stop)));
}

template <class Options>
void add_method(Commands& commands, Invocation& call, const char* name, const char* about, RunMethod<Options> function) {
  CLI::App* const command = commands.offer(name, about);
  if (!command) return;
  auto method = std::make_shared<Method<Options>>();
  add_model_options(*command, method->model);
  if (std::is_same_v<Options, GenerateOptions>) add_pointwise_options(*command, method->model.conditioning);
  SettingOptions settings(*command);
  visit_settings(settings, method->options);
  add_timestamp(*command, method->options);
  command->callback([&call, method, function] {
    call = {[method, function](Stop& stop) { return run_method(*method, function, stop); }, &method->model,
            &method->options.threads, &method->model.timeout};
  });
}

}  // namespace

void add_methods(Commands& commands, Invocation& call) {
  each_method([&]<class Options>(const char* name, const char* about, RunMethod<Options> run) {
    add_method<Options>(commands, call, name, about, run);
  });
}

}  // namespace fermiac::cli
