#include "cli/fermiac/runs/methods.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/fermiac/options/arguments.h"
#include "cli/fermiac/options/checked_option.h"
#include "cli/fermiac/options/conditioning_options.h"
#include "cli/fermiac/shared/command_list.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/questions.h"
#include "cli/fermiac/shared/run_model.h"
#include "inference/methods/settings.h"
#include "inference/output/run_io.h"

namespace fermiac::cli {
namespace {

using namespace inference;

int run_method(const ModelArgs& args, inference::MethodCall& method, Stop& stop) {
  const std::unique_ptr<interp::InterpModel> model = load_interp_model(args);
  describe_model(args, &method.common());
  explain_starts(args, *model, &method.common());
  return exit_status(method.run(*model, terminal_io(stop)));
}

void add_method(Commands& commands, const Method& method) {
  CLI::App* const command = commands.offer(present_command_name(std::string(method.name)), std::string(method.about));
  if (!command) return;
  auto args = std::make_shared<ModelArgs>();
  const std::shared_ptr<MethodCall> run = method.make();
  add_model_options(*command, *args);
  if (method.output == Method::Output::Generated) add_pointwise_options(*command, args->conditioning);
  add_options(*command, run->rows());
  add_timestamp(*command, run->common());
  command->callback([&call = commands.call(), args, run] {
    call = {[args, run](Stop& stop) { return run_method(*args, *run, stop); }, args.get(), &run->common().threads, &args->timeout};
  });
}

}  // namespace

void add_methods(Commands& commands) {
  for (const Method& method : methods().subspan(1)) add_method(commands, method);  // sample has a command of its own
}

}  // namespace fermiac::cli
