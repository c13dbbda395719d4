#include "cli/stanc/options.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "mir/passes/pass.h"
#include "support/base/text.h"

namespace fermiac::stanc {
namespace {

enum class Arity : std::uint8_t { Flag, Debug /* a flag that may not be repeated */, Value, List, Maybe };

struct OptionRow {
  std::string_view name;
  char letter;
  Arity arity;
  std::string_view value;
  std::string_view help;
};
constexpr OptionRow kOptions[] = {
    {"help", '?', Arity::Maybe, "FMT", "show this help and stop"},
    {"version", 0, Arity::Flag, "", "print the version and stop"},
    {"allow-undefined", 0, Arity::Flag, "", "functions that are only declared are external"},
    {"auto-format", 0, Arity::Flag, "", "print the formatted program instead of compiling it"},
    {"canonicalize", 0, Arity::List, "LIST",
     "with --auto-format: deprecations, parentheses, braces, includes, strip-comments"},
    {"print-canonical", 0, Arity::Flag, "",
     "the same as --auto-format --canonicalize=deprecations,includes,parentheses,braces"},
    {"max-line-length", 0, Arity::Value, "N", "margin of the formatter (78)"},
    {"color", 0, Arity::Value, "WHEN", "colours in messages: auto, always or never"},
    {"filename-in-msg", 0, Arity::Value, "F", "name of the model file in messages"},
    {"include-paths", 'I', Arity::List, "DIRS", "folders to search for includes, separated by commas"},
    {"include-confined", 0, Arity::Flag, "", "refuse includes that lead out of the include paths"},
    {"no-include", 0, Arity::Flag, "", "#include is an error"},
    {"info", 0, Arity::Flag, "", "print what the program declares and calls as JSON, and stop"},
    {"name", 0, Arity::Value, "N", "name of the model"},
    {"output", 'o', Arity::Value, "F", "file to write"},
    {"O0", 0, Arity::Flag, "", "no optimisation (default)"},
    {"O1", 0, Arity::Flag, "", "optimisations that are known to help"},
    {"Oexperimental", 0, Arity::Flag, "", "all optimisations"},
    {"print-cpp", 0, Arity::Flag, "", "print the C++"},
    {"standalone-functions", 0, Arity::Flag, "", "C++ of the functions only"},
    {"use-opencl", 0, Arity::Flag, "", "use OpenCL where possible"},
    {"warn-pedantic", 0, Arity::Maybe, "FMT",
     "warn about what may be a mistake; with json: on standard output, for editors"},
    {"warn-uninitialized", 0, Arity::Flag, "", "warn about variables that may be used before they are set"},
    {"dump-stan-math-signatures", 0, Arity::Flag, "", "print the signatures of all built-in functions and stop"},
    {"dump-stan-math-distributions", 0, Arity::Flag, "", "print all distributions and stop"},
    {"strict", 0, Arity::Flag, "", "features that were removed from the language are errors"},
    {"all-errors", 0, Arity::Flag, "", "go on after the first error and report up to 20"},
    {"debug-lex", 0, Arity::Debug, "", "print the tokens"},
    {"debug-parse", 0, Arity::Debug, "", "print the parser's steps"},
    {"debug-ast", 0, Arity::Debug, "", "print the syntax tree"},
    {"debug-decorated-ast", 0, Arity::Debug, "", "print the typed syntax tree"},
    {"debug-mir", 0, Arity::Debug, "", "print the MIR"},
    {"debug-mir-pretty", 0, Arity::Debug, "", "print the MIR for people"},
    {"debug-transformed-mir", 0, Arity::Debug, "", "print the MIR after the back end's transformation"},
    {"debug-transformed-mir-pretty", 0, Arity::Debug, "", "the same for people"},
    {"debug-optimized-mir", 0, Arity::Debug, "", "print the MIR after optimisation"},
    {"debug-optimized-mir-pretty", 0, Arity::Debug, "", "the same for people"},
    {"pass", 0, Arity::List, "NAMES", "run these passes of the optimiser instead of those of a level"},
    {"dump-mir-after", 0, Arity::List, "NAMES", "print the MIR after each run of these passes, or after all"},
    {"debug-mem-patterns", 0, Arity::Debug, "", "print the memory pattern of every variable"},
    {"debug-lir", 0, Arity::Debug, "", "refused: this compiler has no C++ tree; see --print-cpp"},
    {"debug-generate-data", 0, Arity::Debug, "", "print random data for the model and stop"},
    {"debug-generate-inits", 0, Arity::Debug, "", "print random initial values and stop"},
    {"debug-data-file", 0, Arity::Value, "F", "data for the two above"},
    {"force-soa", 'f', Arity::Value, "soa|no-soa", "memory patterns on or off whatever the level"},
};
constexpr std::string_view kHiddenLong = "force-soa";  // only has a short form

std::string shown(const OptionRow& row) {
  return row.name == kHiddenLong ? "'-f'" : "'--" + std::string(row.name) + "'";
}

const OptionRow* find_long(std::string_view name) {
  for (const OptionRow& row : kOptions)
    if (row.name == name && name != kHiddenLong) return &row;
  return nullptr;
}
const OptionRow* find_short(char letter) {
  for (const OptionRow& row : kOptions)
    if (row.letter == letter && letter != 0) return &row;
  return nullptr;
}

std::string unknown_option(std::string_view name) {
  std::string text = "unknown option '--" + std::string(name) + "'";
  const OptionRow* best = nullptr;
  std::size_t least = std::min<std::size_t>(2, name.size() / 2) + 1;  // further away is no misspelling
  for (const OptionRow& row : kOptions)
    if (const std::size_t distance = edit_distance(name, row.name); row.name != kHiddenLong && distance < least) {
      least = distance;
      best = &row;
    }
  return best ? text + ". Did you mean '--" + std::string(best->name) + "'?" : text;
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> result;
  for (;;) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (comma > 0) result.emplace_back(list.substr(0, comma));
    if (comma == list.size()) return result;
    list.remove_prefix(comma + 1);
  }
}

/// Old and short spellings.
std::string rewritten(const std::string& arg) {
  if (arg == "--O") return "--O1";
  if (arg == "--o") return "-o";
  if (arg.starts_with("--o=")) return "-o" + arg.substr(4);
  if (!arg.starts_with("--")) return arg;
  std::string result = arg;  // both `--include_paths` and `--include-paths`
  std::replace(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(std::min(arg.find('='), arg.size())), '_',
               '-');
  return result;
}

class CommandLine {
 public:
  explicit CommandLine(const std::vector<std::string>& args) {
    for (const std::string& arg : args) args_.push_back(rewritten(arg));
    raw_ = args;
  }

  ParsedCommandLine run() {
    if (const char* color = std::getenv("STANC_COLORS"); color && known_color(color)) result_.options.color = color;
    bool options_over = false;
    for (; next_ < args_.size() && result_.error.empty(); ++next_) {
      const std::string& arg = args_[next_];
      if (options_over || arg == "-" || !arg.starts_with('-'))
        positional(raw_[next_]);
      else if (arg == "--")
        options_over = true;
      else if (arg.starts_with("--"))
        long_option(arg);
      else
        short_option(arg);
    }
    check();
    result_.options.command_line = recorded();
    return std::move(result_);
  }

 private:
  /// What the compiled model says of how it was made: neither names of models nor where the text went.
  std::string recorded() const {
    std::string out;
    for (const std::string& arg : raw_) {
      if ((arg.ends_with(".stan") && !arg.starts_with("--filename-in-msg")) || arg.starts_with("--o")) continue;
      out += (out.empty() ? "" : " ") + arg;
    }
    return out;
  }

  void fail(std::string reason) {
    if (result_.error.empty()) result_.error = std::move(reason);
  }

  void positional(const std::string& arg) {
    if (result_.options.model) return fail("too many arguments, don't know what to do with '" + arg + "'");
    result_.options.model = arg;
  }

  void long_option(const std::string& arg) {
    const std::size_t equals = std::min(arg.find('='), arg.size());
    const std::string name = arg.substr(2, equals - 2);
    const OptionRow* row = find_long(name);
    if (!row) return fail(unknown_option(raw_[next_].substr(2, equals - 2)));
    std::optional<std::string> value;
    if (equals < arg.size()) value = arg.substr(equals + 1);
    apply(*row, std::move(value));
  }

  void short_option(const std::string& arg) {
    const OptionRow* row = find_short(arg[1]);
    if (!row) return fail("unknown option '-" + std::string(1, arg[1]) + "'");
    std::optional<std::string> value;
    if (arg.size() > 2) value = arg.substr(2);
    apply(*row, std::move(value));
  }

  void apply(const OptionRow& row, std::optional<std::string> value) {
    if (row.arity == Arity::Flag || row.arity == Arity::Debug) {
      if (value) return fail("option " + shown(row) + " is a flag, it cannot take the argument '" + *value + "'");
      return flag(row);
    }
    if (row.arity == Arity::Maybe) return optional(row, value);
    if (!value) {
      if (next_ + 1 == args_.size()) return fail("option " + shown(row) + " needs an argument");
      value = raw_[++next_];
    }
    if (row.arity == Arity::Value && std::find(given_.begin(), given_.end(), row.name) != given_.end())
      return fail("option " + shown(row) + " cannot be repeated");
    given_.push_back(row.name);
    store(row, *value);
  }

  void help(const std::string& format) {
    if (format != "auto" && format != "pager" && format != "groff" && format != "plain")
      return fail("option '--help': invalid value '" + format +
                  "', expected one of 'auto', 'pager', 'groff' or 'plain'");
    result_.options.help = true;
  }

  void flag(const OptionRow& row) {
    Options& options = result_.options;
    if (!options.has(row.name)) return options.flags.emplace_back(row.name), void();
    if (row.arity == Arity::Debug) return fail("option " + shown(row) + " cannot be repeated");
    options.warnings +=
        "Warning: Duplicated flag " + shown(row) + " ignored, consider updating your call to stanc!";
  }

  void optional(const OptionRow& row, const std::optional<std::string>& value) {
    Options& options = result_.options;
    if (row.name == "help") return help(value.value_or("auto"));
    if (value && *value != "json")
      return fail("option " + shown(row) + ": invalid value '" + *value + "', expected 'json' or nothing");
    options.pedantic_json = options.pedantic_json || value;
    flag(row);
  }

  static void known_passes(const std::string& value, const OptionRow& row, std::vector<std::string>& to,
                           std::string& error) {
    for (std::string& name : split(value)) {
      const bool all = name == "all" && row.name == "dump-mir-after";
      if (!all && !mir::find_pass(name) && error.empty()) {
        error = "option " + shown(row) + ": no pass is called '" + name + "', expected one of";
        for (const mir::Pass* pass : mir::all_passes()) error += " " + std::string(pass->name);
      }
      to.push_back(std::move(name));
    }
  }

  void store(const OptionRow& row, const std::string& value) {
    Options& options = result_.options;
    if (row.name == "pass") return known_passes(value, row, options.passes, result_.error);
    if (row.name == "dump-mir-after") return known_passes(value, row, options.dump_after, result_.error);
    if (row.name == "canonicalize") return canonicalize(value);
    if (row.name == "include-paths") {
      for (std::string& path : split(value)) options.include_paths.push_back(std::move(path));
    } else if (row.name == "max-line-length") {
      integer(row, value);
    } else if (row.name == "color") {
      if (!known_color(value))
        return fail("option '--color': invalid value '" + value + "', expected one of 'auto', 'always' or 'never'");
      options.color = value;
    } else if (row.name == "force-soa") {
      if (value != "soa" && value != "no-soa")
        return fail("option '-f': invalid value '" + value + "', expected either 'soa' or 'no-soa'");
      options.force_soa = value;
    } else {
      text_slot(row.name) = value;
    }
  }

  std::optional<std::string>& text_slot(std::string_view name) {
    Options& options = result_.options;
    if (name == "name") return options.name;
    if (name == "output") return options.output;
    if (name == "filename-in-msg") return options.filename_in_msg;
    return options.debug_data_file;
  }

  static bool known_color(std::string_view value) { return value == "auto" || value == "always" || value == "never"; }

  void integer(const OptionRow& row, const std::string& value) {
    int number = 0;
    const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (failed != std::errc() || end != value.data() + value.size())
      return fail("option " + shown(row) + ": invalid value '" + value + "', expected an integer");
    result_.options.max_line_length = number;
  }

  void canonicalize(const std::string& list) {
    format::Canonical& canonical = result_.options.canonical;
    struct Row {
      std::string_view name;
      bool& on;
    };
    const Row rows[] = {{"deprecations", canonical.deprecations},
                        {"parentheses", canonical.parentheses},
                        {"braces", canonical.braces},
                        {"includes", canonical.includes},
                        {"strip-comments", canonical.strip_comments}};
    for (const std::string& item : split(list)) {
      std::string lower = item;
      std::transform(lower.begin(), lower.end(), lower.begin(),
                     [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
      const auto row = std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.name == lower; });
      if (row == std::end(rows))
        return fail("option '--canonicalize': invalid element in list ('" + item + "'): invalid value '" + item +
                    "', expected one of 'deprecations', 'parentheses', 'braces', 'includes' or 'strip-comments'");
      row->on = true;
    }
  }

  void check() {
    Options& options = result_.options;
    for (const std::string_view stage : {"debug-mir", "debug-transformed-mir", "debug-optimized-mir"})
      if (options.has(stage) && options.has(std::string(stage) + "-pretty"))
        fail("options '--" + std::string(stage) + "' and '--" + std::string(stage) +
             "-pretty' cannot be present at the same time");
    if (options.has("print-canonical")) options.canonical = {true, true, true, true, false};
  }

  std::vector<std::string> args_, raw_;
  std::size_t next_ = 0;
  std::vector<std::string_view> given_;
  ParsedCommandLine result_;
};

}  // namespace

bool Options::has(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

ParsedCommandLine parse_command_line(const std::vector<std::string>& args) { return CommandLine(args).run(); }

std::vector<OptionLine> option_lines() {
  std::vector<OptionLine> out;
  for (const OptionRow& row : kOptions) {
    OptionLine& line = out.emplace_back();
    if (row.letter) line.flags.push_back(std::string("-") + row.letter);
    if (row.name != kHiddenLong) line.flags.push_back("--" + std::string(row.name));
    if (row.arity != Arity::Maybe) line.value = row.value;  // a flag that may be followed by =VALUE
    line.help = row.help;
  }
  return out;
}

std::string help_text() {
  std::string text =
      "NAME\n       stanc - compile Stan programs\n\nSYNOPSIS\n       stanc [OPTION]… [MODEL_FILE]\n\n"
      "       MODEL_FILE ends in .stan or .stanfunctions, or is - for standard input.\n\nOPTIONS\n";
  for (const OptionRow& row : kOptions) {
    text += "       ";
    const std::string value = row.value.empty() ? "" : std::string(row.value);
    if (row.letter) text += std::string("-") + row.letter + (value.empty() ? "" : " " + value);
    if (row.letter && row.name != kHiddenLong) text += ", ";
    if (row.name != kHiddenLong)
      text += "--" + std::string(row.name) + (value.empty() ? "" : row.arity == Arity::Maybe ? "[=" + value + "]" : "=" + value);
    text += "\n           " + std::string(row.help) + "\n";
  }
  return text + "\nEXIT STATUS\n       0  success\n       1  the program or a file is wrong\n     124  the command line is wrong\n"
                "     125  an internal error\n";
}

}  // namespace fermiac::stanc
