// All state of an interactive session. One input is a command (`:plot normal(0, 1)`), a block of a model, or a Stan
// declaration, statement, expression or function definition. `fermiac repl` and `fermiac eval` feed it; it prints
// through two sinks and never ends the program.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inference/model/model.h"
#include "inference/model/time_limit.h"
#include "repl/session/data_trail.h"
#include "repl/session/draws.h"
#include "repl/session/evaluator.h"
#include "repl/session/input_lines.h"
#include "repl/session/loaded_model.h"

namespace fermiac::repl {

/// Something that a notebook can show better than text does.
struct Display {
  std::string_view mime;                    // of `data`
  std::function<std::string()> data;        // made only where it is shown
  std::string text;                         // what a terminal shows
};

struct SessionOptions {
  std::uint64_t seed = 1;
  bool bare = false;                        // values as `print` writes them, without names and types
  bool terminal = false;                    // progress of long runs may be drawn on standard error
  std::size_t columns = 100;                // of the screen
  bool breaks_lines = false;                // at blanks, where prose is wider than the screen
  PrintSink out, err;                       // empty: standard output, standard error
  std::function<void(const Display&)> display;  // empty: its text is printed
  PrintSink progress;                       // lines of long runs; empty: none, or what `terminal` says
  std::atomic<bool>* stop = nullptr;        // set to end what is running
  const inference::TimeLimit* limit = nullptr;  // what may have set it, if not somebody
  double timeout = inference::kNoLimit;     // seconds for one input
  IncludeRule include_rule = IncludeRule::Anywhere;  // of models
};

class Session {
 public:
  explicit Session(SessionOptions options);

  enum class Outcome { Ok, Failed, Quit };
  Outcome run(std::string_view input);

  /// More lines are needed, see OpenText.
  static bool incomplete(std::string_view text);
  /// What may stand instead of the word that ends at `line`'s end.
  struct Completion {
    std::size_t start = 0;  // of the word
    std::vector<std::string> words;
  };
  Completion complete(std::string_view line) const;
  /// The line is a command with the name of a file behind it.
  static bool takes_file(std::string_view line);
  /// What is typed behind it is the name of a parameter.
  static bool names_parameter(std::string_view before);
  /// What the model's program outputs: parameters and what is made of them.
  std::vector<std::string> model_names() const;
  std::vector<std::string> parameter_names() const;
  /// Built in, or defined in this session.
  bool is_function(std::string_view name) const;
  bool is_own_function(std::string_view name) const;  // defined in this session
  /// Lines with the signatures of the call that is open at the end of `line`; empty outside of a call.
  std::string call_hint(std::string_view line) const;

  // -------- for commands
  Evaluator& evaluator() { return evaluator_; }
  const Evaluator& evaluator() const { return evaluator_; }
  const SessionOptions& options() const { return options_; }
  void print(std::string_view text) const;
  void complain(std::string_view text) const;
  void display(const Display& what) const;
  void quit() { quit_ = true; }
  /// What was typed, commands too; what files were loaded for is not in it.
  const std::vector<std::string>& inputs() const { return inputs_; }
  /// Sessions in which `:load` reads a file that loads itself end somewhere.
  Outcome run_file(const std::string& path);

  void load_model(std::string text, const std::string& path);
  void load_model_file(const std::string& path);
  /// Files with data, for what they lack the session's variables; no file: those alone. Without a model the files' variables become the
  /// session's, and the next model is bound to them.
  void bind_data(const std::vector<std::string>& paths);
  /// Changes what is known of the model's numbers and how much its sites count, and tells. Throws InputError where the program does not
  /// allow it: then all is as it was.
  void condition(const std::function<void(interp::Conditioning&)>& change);
  void tell_conditioned() const;
  /// What stands in front of an input: `> `, or which context it is in.
  std::string prompt() const;
  /// The model's file as it is now; blocks that were typed are gone.
  void reload_model();
  /// Writes the model's text, which from now on is that of the file.
  void save_model(const std::string& path);
  /// Has the user's editor ($VISUAL, $EDITOR, vi) change the model's file, or its text where there is none, and loads it. A text that
  /// cannot be loaded is what the editor opens the next time.
  void edit_model();
  /// No model, and no variables that its data left behind.
  void new_model();
  /// Prints that the model's data are older than variables of the same names, if they are.
  void tell_older_data() const;
  bool has_model() const { return model_ != nullptr; }
  /// Null as long as there are none.
  const Draws* draws() const { return draws_.get(); }
  /// Throws InputError if there are none.
  const Draws& some_draws() const;
  void keep_draws(inference::ChainSet chains);
  /// Prints that the draws are older than the model or its data, if they are.
  void tell_older_draws() const;
  /// Throws InputError without one.
  LoadedModel& model();
  std::uint64_t next_seed() { return seed_++; }
  /// Width that lines should keep to.
  std::size_t columns() const { return options_.columns; }
  void set_columns(std::size_t columns) { options_.columns = columns; }
  /// Somebody wants what is running to end.
  bool interrupted() const;

 private:
  Outcome run_part(std::string_view input);
  void put(std::string_view text) const;
  /// Why it was interrupted.
  std::string reason() const;
  void dispatch(std::string_view input);
  void program(std::string_view text);
  void expression(ast::ExprPtr expr, std::string_view text);
  void show_variable(const std::string& name) const;
  void statement(ast::StmtPtr stmt, std::string_view text);
  /// The variable has a new value now.
  void note_change(const std::string& name);
  void bind_from_session();
  void keep_data(const std::vector<std::string>& paths);

  SessionOptions options_;
  std::atomic<bool> own_stop_{false};       // where the options give none
  std::atomic<bool>& stop_;
  const inference::TimeLimit* limit_ = nullptr;  // of the input that is running
  mutable bool output_lost_ = false;
  Evaluator evaluator_;
  std::unique_ptr<LoadedModel> model_;
  std::string draft_;                       // what came out of the editor and could not be loaded
  std::unique_ptr<const Draws> draws_;
  bool draws_older_ = false;                // than the model or its data
  DataTrail trail_;
  std::vector<std::string> waiting_files_;  // with data for the next model
  std::vector<std::string> waiting_names_;  // variables that the session has from them
  std::uint64_t seed_;
  std::vector<std::string> inputs_;
  int depth_ = 0;                           // of :load
  bool failed_in_file_ = false;
  bool quit_ = false;
};

/// The name of the innermost call whose bracket is open at the end of a text; empty if there is none.
std::string open_call(std::string_view text);

/// Reads a whole file. Throws InputError.
std::string read_file(const std::string& path);

}  // namespace fermiac::repl
