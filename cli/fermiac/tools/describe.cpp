#include "cli/fermiac/tools/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

#include "cli/fermiac/shared/refuse.h"
#include "cli/fermiac/spec/program_text.h"
#include "cli/stanc/options.h"
#include "support/base/text_file.h"
#include "support/platform/output.h"

namespace fermiac::cli {
namespace {

OptionText option_text(const CLI::Option& option) {
  OptionText out{.flags = {}, .value = {}, .about = option.get_description(), .otherwise = option.get_default_str(),
                 .required = option.get_required(), .repeats = option.get_items_expected_max() > 1};
  for (const std::string& letter : option.get_snames()) out.flags.push_back("-" + letter);
  for (const std::string& name : option.get_lnames()) out.flags.push_back("--" + name);
  if (option.get_items_expected_max() > 0) out.value = value_of(option.get_type_name());
  return out;
}

CommandText command_text(const CLI::App& command, std::string name) {
  CommandText out{.name = std::move(name), .about = command.get_description(), .options = {}};
  for (const CLI::Option* option : command.get_options())
    if (!option->get_group().empty()) out.options.push_back(option_text(*option));  // else hidden
  return out;
}

int wrong_page(const std::string& page, const ProgramText& program) {
  std::string names = "stanc, fermiac";
  for (const CommandText& command : program.commands)
    if (!command.name.empty()) names += ", " + command.name;
  std::fprintf(stderr, "fermiac: there is no page '%s'; the pages are %s\n", page.c_str(), names.c_str());
  return 1;
}

using Pages = std::vector<std::pair<std::string, std::string>>;

/// By the name without the section.
Pages all_pages(const ProgramText& program) {
  Pages out = {{program.name, program_page(program)}, {"stanc", program_page(stanc_text())}};
  for (const CommandText& command : program.commands)
    if (!command.name.empty()) out.emplace_back(program.name + "-" + command.name, command_page(program, command));
  return out;
}

int write_pages(const Pages& pages, const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  for (const auto& [name, text] : pages) {
    if (const Status problem = write_whole_file(folder + "/" + name + ".1", text); !problem) {
      return refuse(problem.message);
    }
  }
  return 0;
}

}  // namespace

ProgramText fermiac_text(const CLI::App& app) {
  ProgramText out{.name = "fermiac", .version = FERMIAC_VERSION, .commands = {command_text(app, "")}};
  out.commands[0].about = "Stan models without a compiler";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    out.commands.push_back(command_text(*command, command->get_name()));
  return out;
}

ProgramText stanc_text() {
  CommandText out{.name = "", .about = "compiler of Stan programs: checks, formats, writes C++", .options = {}};
  out.options.push_back({.flags = {}, .value = value_of("M.stan"), .about = "Stan program", .otherwise = "", .required = true});
  for (const stanc::OptionLine& line : stanc::option_lines()) {
    OptionText option{.flags = line.flags, .value = value_of(line.value), .about = line.help, .otherwise = ""};
    out.options.push_back(std::move(option));
  }
  return {.name = "stanc", .version = FERMIAC_VERSION, .commands = {std::move(out)}};
}

int run_manual(const CLI::App& app, const std::string& page, const std::string& folder) {
  const ProgramText program = fermiac_text(app);
  const Pages pages = all_pages(program);
  if (!folder.empty()) return write_pages(pages, folder);
  for (const auto& [name, text] : pages)
    if (name == page || name == "fermiac-" + page) return write_output(text) ? 0 : 1;
  return wrong_page(page, program);
}

int run_completion(const CLI::App& app, const std::string& shell) {
  const std::vector<ProgramText> programs = {fermiac_text(app), stanc_text()};
  const auto make = shell == "bash" ? bash_completion : shell == "zsh" ? zsh_completion : fish_completion;
  return write_output(make(programs)) ? 0 : 1;
}

}  // namespace fermiac::cli
