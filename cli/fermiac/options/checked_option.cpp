#include "cli/fermiac/options/checked_option.h"

#include <cstdlib>

namespace fermiac::cli {
namespace {

using Kind = OptionRow::Kind;

/// `what` names the option in messages.
void set_or_refuse(const OptionRow& row, const std::string& what, const std::string& text) {
  if (row.set(text)) return;
  throw CLI::ValidationError(row.refusal(what, row.kind == Kind::Init ? text : "'" + text + "'"), CLI::ExitCodes::ValidationError);
}

/// An empty name of a file would be taken for an option that was not given.
std::string empty_problem(const std::string& text) {
  return text.empty() ? "the value is '', but must be a name" : "";
}

}  // namespace

CLI::Option* add_option(CLI::App& command, const OptionRow& row) {
  const std::string flag = "--" + row.name;
  if (row.kind == Kind::Retired) return add_retired_option(command, flag, true);
  if (row.kind == Kind::Flag) return command.add_flag_function(flag, [row](std::int64_t times) { row.assign(times > 0); }, row.about);
  if (row.kind == Kind::Files)
    return command.add_option_function<std::vector<std::string>>(flag, row.set_all, row.about)->required(row.required)->type_name(row.value);
  const std::string about = row.about + (row.otherwise.empty() ? "" : " (default: " + row.otherwise + ")");
  const auto read = [row, flag](const std::string& text) { set_or_refuse(row, flag, text); };
  CLI::Option* const option = command.add_option_function<std::string>(flag, read, about)->type_name(row.value);
  if (!row.standard.empty()) option->default_str(row.standard);
  if (row.kind == Kind::Threads)
    command.parse_complete_callback([row, option] {
      const char* const wish = std::getenv("STAN_NUM_THREADS");
      if (wish && option->empty()) set_or_refuse(row, "STAN_NUM_THREADS", wish);
    });
  return option;
}

void add_options(CLI::App& command, const OptionRows& rows) {
  for (const OptionRow& row : rows) add_option(command, row);
}

void add_timestamp(CLI::App& command, inference::CommonOptions& options) {
  command.add_flag("--timestamp", options.timestamp, "Name the new output folder by date and time")
      ->excludes(command.get_option("--output"));
}

void refuse_empty_names(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    const std::string type = option->get_type_name();
    const bool number = type == "UINT" || type == "INT" || type == "FLOAT" || type == "SECONDS" || type == "N";
    if (!number && option->get_items_expected_max() > 0) option->check(empty_problem, "");
  }
}

}  // namespace fermiac::cli
