// The subcommands of the program, by name.
#pragma once

#include <CLI/CLI.hpp>
#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/fermiac/options/conditioning_options.h"
#include "cli/fermiac/shared/invocation.h"

namespace fermiac::cli {

/// Declaring the options of all commands takes four times as long as a short command does: only the one that is asked for gets them,
/// the others a name and a line for the list of commands.
class Commands {
 public:
  /// `wanted`: the name of that command. It sets `call` when it has been parsed.
  Commands(CLI::App& app, std::string wanted, Invocation& call) : app_(app), wanted_(std::move(wanted)), call_(call) {}

  /// Adds a command. `options` declares the options that fill its arguments; `run(args, stop)`, `run(args)` or `run()` returns the exit
  /// status. Members `timeout` and `threads` of the arguments limit the command.
  template <class Args, class Options, class Run>
  void add(const std::string& name, const std::string& about, Options options, Run run) {
    CLI::App* const command = offer(name, about);
    if (!command) return;
    auto args = std::make_shared<Args>();
    options(*command, *args);
    command->callback([this, args, run] { call_ = invocation<Args>(args, run); });
  }
  template <class Run>
  void add(const std::string& name, const std::string& about, Run run) {
    struct None {};
    add<None>(name, about, [](CLI::App&, None&) {}, [run](const None&) { return run(); });
  }
  /// Adds a command that evaluates `args.model`, whose options come first.
  template <class Args, class Options, class Run>
  void add_for_model(const std::string& name, const std::string& about, Options options, Run run) {
    CLI::App* const command = offer(name, about);
    if (!command) return;
    auto args = std::make_shared<Args>();
    add_model_options(*command, args->model);
    options(*command, *args);
    command->callback([this, args, run] {
      call_ = invocation<Args>(args, run);
      call_.model = &args->model;
      call_.timeout = &args->model.timeout;
    });
  }

  /// Null where no options are needed.
  CLI::App* offer(const std::string& name, const std::string& about) {
    CLI::App* const command = app_.add_subcommand(name, about);
    if (wanted_ != name && !describes_all()) return nullptr;
    offered_.push_back(command);
    return command;
  }
  /// Those that get options.
  const std::vector<CLI::App*>& offered() const { return offered_; }
  CLI::App& app() { return app_; }
  Invocation& call() { return call_; }

 private:
  /// Pages and completions are made from the options of all.
  bool describes_all() const { return wanted_ == "manual" || wanted_ == "completion"; }

  template <class Args, class Run>
  static Invocation invocation(const std::shared_ptr<Args>& args, Run run) {
    Invocation out;
    if constexpr (std::invocable<Run, Args&, Stop&>) out.run = [args, run](Stop& stop) { return run(*args, stop); };
    else out.run = [args, run](Stop&) { return run(*args); };
    if constexpr (requires { { args->threads } -> std::same_as<unsigned&>; }) out.threads = &args->threads;
    if constexpr (requires { { args->timeout } -> std::same_as<double&>; }) out.timeout = &args->timeout;
    return out;
  }

  CLI::App& app_;
  std::string wanted_;
  Invocation& call_;
  std::vector<CLI::App*> offered_;
};

}  // namespace fermiac::cli
