// What a program's command line is, as data: manual pages and completions are made from it.
#pragma once

#include <string>
#include <vector>

namespace fermiac::cli {

/// What an option takes, which is what a shell offers behind it.
struct ValueText {
  enum class Kind : unsigned char { None, Anything, File, Folder, Choice } kind = Kind::None;
  std::string name;                  // "D.json", "N"
  std::vector<std::string> endings;  // File: offered first ("json"); none: all files
  std::vector<std::string> choices;
};

struct OptionText {
  std::vector<std::string> flags;  // "-o", "--output"; of a positional argument none
  ValueText value;
  std::string about;
  std::string otherwise;  // the default; empty: nothing worth saying
  bool required = false;
  bool repeats = false;
};

struct CommandText {
  std::string name;  // empty: of the program itself
  std::string about;
  std::vector<OptionText> options;  // positional arguments among them
};

struct ProgramText {
  std::string name;
  std::string version;
  std::vector<CommandText> commands;  // one without a name: a program without subcommands
};

/// The kind of value that stands behind a name as help prints it: "D.json" is a file, "DIR" a folder, "a|b" a choice.
ValueText value_of(const std::string& name);

// Manual pages, in the macros of man(7).

/// The page NAME(1) of the program, which lists its commands, or its options if it has no commands.
std::string program_page(const ProgramText& program);
/// The page NAME-COMMAND(1).
std::string command_page(const ProgramText& program, const CommandText& command);

// Scripts with which shells complete commands, options and their values.

std::string bash_completion(const std::vector<ProgramText>& programs);
std::string zsh_completion(const std::vector<ProgramText>& programs);
std::string fish_completion(const std::vector<ProgramText>& programs);

}  // namespace fermiac::cli
