// What Tab offers: commands, files, names, the signatures of a call.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "frontend/builtins/builtins.h"
#include "frontend/builtins/language.h"
#include "interp/io/data_files.h"
#include "repl/session/commands.h"
#include "repl/session/program_text.h"
#include "repl/session/session.h"

namespace fermiac::repl {

namespace {

constexpr std::size_t kMostOverloads = 6;  // of a hint

/// A file that the command usually takes.
bool is_usual(std::string_view command, const std::string& file) {
  if (command == "model") return file.ends_with(".stan");
  return command != "data" || file.ends_with(".json") || interp::data_format(file) != interp::DataFormat::Json;
}

/// Folders, and files that the command usually takes; with an empty `command` all files.
std::vector<std::string> file_names(const std::string& word, std::string_view command) {
  const std::filesystem::path path(word);
  const std::filesystem::path folder = path.parent_path();
  const std::string start = path.filename().string();
  std::vector<std::string> out;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(start) || (name.starts_with('.') && start.empty())) continue;
    if (!entry.is_directory(error) && !is_usual(command, name)) continue;
    out.push_back((folder.empty() ? std::filesystem::path(name) : folder / name).string() +
                  (entry.is_directory(error) ? "/" : ""));
  }
  return out;
}

}  // namespace

/// What stands before a word of `:lp` that is the name of a parameter: the command alone, or a comma behind a value.
bool Session::names_parameter(std::string_view before) {
  const std::size_t blank = before.find_first_of(" \t");
  if (!before.starts_with(':') || blank == std::string_view::npos) return false;
  const Command* command = find_command(before.substr(1, blank - 1));
  if (!command || command->name != "lp") return false;
  const std::string_view rest = trimmed(before.substr(blank));
  return rest.empty() || (rest.ends_with(',') && !incomplete(rest.substr(0, rest.size() - 1)));
}

bool Session::takes_file(std::string_view line) {
  const std::size_t blank = line.find_first_of(" \t");
  if (!line.starts_with(':') || blank == std::string_view::npos) return false;
  const Command* command = find_command(line.substr(1, blank - 1));
  return command && command->arguments.find("FILE") != std::string_view::npos;
}

Session::Completion Session::complete(std::string_view line) const {
  Completion out;
  const std::size_t blank = line.find_first_of(" \t");
  if (line.starts_with(':') && blank == std::string_view::npos) {
    for (const Command& command : commands())
      if ((":" + std::string(command.name)).starts_with(line)) out.words.push_back(":" + std::string(command.name));
    return out;
  }
  if (takes_file(line)) {
    out.start = line.find_last_of(" \t") + 1;
    const std::string word(line.substr(out.start));
    out.words = file_names(word, find_command(line.substr(1, blank - 1))->name);
    if (out.words.empty()) out.words = file_names(word, "");
    std::ranges::sort(out.words);
    return out;
  }
  out.start = line.size();
  while (out.start > 0 && is_word(line[out.start - 1])) --out.start;
  const std::string_view word = line.substr(out.start);
  if (word.empty()) return out;
  const auto offer = [&](std::string_view candidate) {
    if (candidate.starts_with(word) && !candidate.ends_with("__")) out.words.emplace_back(candidate);
  };
  if (names_parameter(line.substr(0, out.start))) {
    for (const std::string& name : parameter_names()) offer(name);
    std::ranges::sort(out.words);
    return out;
  }
  for (const auto& [name, value] : evaluator_.variables()) offer(name);
  for (const mir::Function& f : evaluator_.functions()) offer(f.name);
  for (const std::string& name : builtin_names()) offer(name);
  for (const std::string& name : model_names()) offer(name);
  if (draws_)
    for (const Draws::Variable& v : draws_->variables()) offer(v.name);
  // Distributions stand without suffix after `~` and in commands.
  if (line.starts_with(':') || line.find('~') != std::string_view::npos)
    for (const std::string& name : distribution_names()) offer(name);
  for (const LanguageRow& row : language_rows())
    for (const std::string& part : split_arguments(row.name, " ")) offer(part);
  std::ranges::sort(out.words);
  out.words.erase(std::unique(out.words.begin(), out.words.end()), out.words.end());
  return out;
}

std::string open_call(std::string_view text) {
  std::vector<std::string_view> open;  // names before brackets, empty where there is none
  each_code_character(text, [&](char c, std::size_t at) {
    if (c == '(' || c == '[' || c == '{') {
      std::size_t begin = at;
      while (c == '(' && begin > 0 && is_word(text[begin - 1])) --begin;
      open.push_back(text.substr(begin, at - begin));
    }
    if ((c == ')' || c == ']' || c == '}') && !open.empty()) open.pop_back();
  });
  while (!open.empty() && open.back().empty()) open.pop_back();
  return open.empty() ? std::string() : std::string(open.back());
}

std::string Session::call_hint(std::string_view line) const {
  const std::string name = open_call(line);
  std::string out;
  for (const mir::Function& f : evaluator_.functions())
    if (f.name == name) out += function_text(f) + "\n";
  const std::vector<const Signature*> all = out.empty() ? plainest_first(name) : std::vector<const Signature*>();
  for (std::size_t i = 0; i < std::min(all.size(), kMostOverloads); ++i) out += signature_text(*all[i]) + "\n";
  if (all.size() > kMostOverloads) out += fmt::format("… {} overloads in all; :type {} lists them\n", all.size(), name);
  if (const LanguageRow* row = out.empty() ? find_language_row(name) : nullptr; row && row->kind == LanguageRow::Kind::TakesFunction)
    out = std::string(row->form) + "\n";
  return out;
}

}  // namespace fermiac::repl
