// Pieces of Stan evaluated one after the other. The variables and functions that earlier pieces left behind are in scope;
// a piece that fails changes nothing. A piece becomes a small program whose globals are the session's variables, and
// runs on the plain evaluator.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "autodiff/tape/ir/trace.h"
#include "compiler/compilation.h"
#include "frontend/ast/ast.h"
#include "frontend/check/check.h"
#include "frontend/parse/parse.h"
#include "inference/model/model.h"
#include "interp/exec/runs/code.h"
#include "interp/value/value.h"
#include "mir/ir/ir.h"
#include "support/base/diagnostics.h"
#include "support/base/errors.h"
#include "support/base/rng.h"
#include "support/base/source.h"

namespace fermiac::repl {

/// The text that a session prints for an exception: diagnostics and the output of a failed run as they are, otherwise `Error: message`.
std::string error_lines(const std::exception& error);
/// The errors of a program as an exception.
InputError program_error(const SourceMap& sources, const Diagnostics& diagnostics);

struct Typed {
  Type type;
  interp::Value value;
};

/// What the text of an input is.
struct Input {
  std::uint32_t file = 0;
  std::variant<ast::ExprPtr, std::vector<ast::StmtPtr>, std::vector<ast::FunctionDef>> piece;
};

/// What one statement did.
struct Effects {
  std::vector<std::string> changed;     // variables, in order of name
  std::optional<double> target;         // what it added to the target, if it may do so
};

class Evaluator {
 public:
  /// `sources`: where inputs are added; those of the compilations whose functions are defined.
  Evaluator(std::uint64_t seed, const std::atomic<bool>* stop, std::shared_ptr<SourceMap> sources = std::make_shared<SourceMap>());

  // -------- text
  /// Expression, statements or function definitions, whichever the text is. Throws InputError.
  Input parse(std::string_view text);
  ast::ExprPtr parse_expression(std::string_view text);
  std::uint32_t add_source(std::string name, std::string text);
  const SourceMap& sources() const { return *sources_; }
  const std::shared_ptr<SourceMap>& shared_sources() const { return sources_; }
  std::string place(Span span) const;

  // -------- checking and lowering
  Type check(ast::Expr& expr, ast::BlockKind block = ast::BlockKind::TransformedData);
  /// `expr` has been checked for the block, and stays as it is.
  mir::ExprPtr lower(ast::ExprPtr& expr, ast::BlockKind block = ast::BlockKind::TransformedData);
  mir::ExprPtr lower(ast::ExprPtr&& expr, ast::BlockKind block = ast::BlockKind::TransformedData) { return lower(expr, block); }

  // -------- evaluating
  Typed evaluate(std::string_view text);
  Typed evaluate(ast::ExprPtr expr);
  Effects execute(ast::StmtPtr stmt);
  /// Names of the functions defined, which may have been defined before.
  std::vector<std::string> define(std::vector<ast::FunctionDef> functions);
  /// The functions of a program without errors, whose sources are those of the evaluator. Nothing is parsed, checked or lowered again.
  void define(Compilation& program);

  // -------- what there is
  const std::map<std::string, Typed>& variables() const { return variables_; }
  const Typed* find(const std::string& name) const;
  /// Sets a variable, whatever it was before. Throws InputError if the name belongs to something else.
  void set(const std::string& name, Typed value);
  bool forget(const std::string& name);
  const std::vector<mir::Function>& functions() const { return functions_; }
  /// The functions that these names reach, directly or through others.
  std::vector<mir::Function> reachable(std::set<std::string> names) const;

  Rng& rng() { return rng_; }
  void seed(std::uint64_t seed) { rng_ = Rng(seed); }
  void set_print(PrintSink print) { print_ = std::move(print); }
  const PrintSink& print() const { return print_; }
  /// Where warnings about types go (an int division, say).
  void set_warn(PrintSink warn) { warn_ = std::move(warn); }
  const std::atomic<bool>* stop() const { return stop_; }
  /// Height of the trees that the stack suffices for on which the session runs.
  void set_tallest(int height) { tallest_ = height; }
  int tallest() const { return tallest_; }
  /// Throws ad::Interrupted if what is running is to end: for loops over many short runs.
  void poll() const;

  /// A piece ready to run, as often as one likes.
  struct Prepared {
    std::unique_ptr<const interp::Code> code;
    std::vector<std::string> used;       // session variables: the first slots, in this order
  };
  /// Throws InputError with the place where a program cannot run.
  std::unique_ptr<const interp::Code> prepare(const mir::Program& program) const;
  Prepared prepare(const std::vector<mir::StmtPtr>& body) const;
  Prepared prepare(const mir::ExprPtr& expr) const;
  /// Slots after the run; `result` is what it returned.
  struct Outcome {
    std::vector<interp::Value> slots;
    interp::Value result;
    double target = 0;
  };
  Outcome run(const Prepared& prepared);
  /// Runs `body`, turning errors of the evaluation into an InputError that names the place.
  void guard(const interp::Machine& machine, const std::vector<Span>& sites, const std::function<void()>& body) const;

  /// No warnings while it lives: for an expression that is checked a second time.
  class Quiet {
   public:
    explicit Quiet(Evaluator& evaluator) : evaluator_(evaluator), before_(evaluator.quiet_) { evaluator.quiet_ = true; }
    ~Quiet() { evaluator_.quiet_ = before_; }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

   private:
    Evaluator& evaluator_;
    bool before_;
  };
  /// Takes the names out of scope while it lives, or puts them into another block.
  class Reclassified {
   public:
    Reclassified(Evaluator& evaluator, std::vector<std::string> names, std::optional<ast::BlockKind> block);
    ~Reclassified();
    Reclassified(const Reclassified&) = delete;
    Reclassified& operator=(const Reclassified&) = delete;

   private:
    Evaluator& evaluator_;
    std::vector<std::string> names_;
  };
  void tell_warnings(const Diagnostics& diagnostics) const;

 private:
  Effects assign(const std::string& name, ast::ExprPtr right);
  std::vector<mir::StmtPtr> lower_statements(std::vector<ast::StmtPtr>& stmts, ast::BlockKind block);
  class VariablesAside;
  void modernise(ast::Program& pieces, Diagnostics& diagnostics) const;
  ast::ExprPtr modern(ast::ExprPtr expr, Diagnostics& diagnostics) const;
  void check_annotations(std::vector<ast::StmtPtr>& statements, Diagnostics& diagnostics);
  void check_annotations(std::vector<ast::FunctionDef>& fresh);
  void declare(const std::string& name, const Type& type);
  bool forget_functions(const std::string& name);
  void keep(const std::vector<ast::FunctionDef>& definitions, std::vector<mir::Function> lowered);

  std::shared_ptr<SourceMap> sources_;
  CheckSession session_;
  std::map<std::string, Typed> variables_;
  std::set<std::string> constants_;    // variables declared @const
  std::vector<mir::Function> functions_;
  std::vector<ast::FunctionDef> declarations_;  // of functions_, without bodies
  Rng rng_;
  PrintSink print_, warn_;
  ParseOptions parsing() const { return {.include_paths = {}, .tallest = tallest_}; }

  bool quiet_ = false;
  int tallest_ = kPlainTreeHeight;
  const std::atomic<bool>* stop_;
};

/// Session variables and functions that MIR mentions.
std::set<std::string> mentioned_variables(const std::vector<mir::StmtPtr>& body);
std::set<std::string> mentioned_functions(const std::vector<mir::StmtPtr>& body);

}  // namespace fermiac::repl
