// The subcommands of the program, by name.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace fermiac::cli {

/// Declaring the options of all commands takes four times as long as a short command does: only the one that is asked for gets them,
/// the others a name and a line for the list of commands.
class Commands {
 public:
  /// `wanted`: the name of that command.
  Commands(CLI::App& app, std::string wanted) : app_(app), wanted_(std::move(wanted)) {}

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

 private:
  /// Pages and completions are made from the options of all.
  bool describes_all() const { return wanted_ == "manual" || wanted_ == "completion"; }

  CLI::App& app_;
  std::string wanted_;
  std::vector<CLI::App*> offered_;
};

}  // namespace fermiac::cli
