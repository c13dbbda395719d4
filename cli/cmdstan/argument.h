// The rows of the table that declares CmdStan's command line. Parsing, help, the echo, comments in CSV files and the
// configuration as JSON all come from it.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace fermiac::cmdstan {

enum class Kind {
  Category,  // a name followed by its subarguments
  Plain,     // a value of a list that has no settings
  List,      // one of its children, each a Category or Plain
  Integer,
  Unsigned,
  Real,
  Boolean,
  Text,
};

struct Bounds {
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool open = false;     // the least value itself is out
  bool no_zero = false;  // 0 is out
};

struct Argument {
  Kind kind = Kind::Category;
  std::string name;
  std::string standard;  // the default, as a user would give it
  std::string valid;     // valid values as help and mistakes show them
  Bounds bounds;         // of numbers
  std::string about;
  std::vector<Argument> children;
};

/// How the model's program was made, as far as the command line shows it.
struct Build {
  bool threads = false;     // with STAN_THREADS
  std::string thread_wish;  // STAN_NUM_THREADS of the environment; empty: not set
  bool opencl = false;      // with STAN_OPENCL
};

/// The whole command line: a category whose children are the arguments of the top level.
Argument argument_tree(const Build& build);

/// `int`, `list element`: what stands for a value of that kind in help.
std::string type_name(Kind kind);

// Help texts, made from the table.

/// The help of one argument, indented by two spaces per level; with `all`, also of the arguments below it.
std::string help_text(const Argument& argument, int level, bool all);
/// The usage of the program: methods and the other top-level arguments.
std::string usage_text(const Argument& tree, const std::string& program);
/// The positions at which an argument of that name is valid, one per line: `  method=sample sample num_samples=<int>`.
std::string places_text(const Argument& tree, std::string_view name);

}  // namespace fermiac::cmdstan
