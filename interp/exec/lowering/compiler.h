// Turns MIR into nodes. Private to interp/exec; one .cpp per kind of construct.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "interp/exec/runs/code.h"
#include "interp/exec/runs/dropping.h"
#include "interp/exec/runs/site_node.h"
#include "interp/functions/functions.h"

namespace fermiac::interp {

class Inlining;
class JitShare;

enum class SectionKind : std::uint8_t { PrepareData, LogProb, GenerateQuantities, Function };

struct IndexNode {
  mir::Index::Kind kind = mir::Index::Kind::All;
  ExprPtr low, high;
};

/// One step into a variable that is assigned: indexes, or a slot of a tuple.
struct AccessStep {
  std::vector<IndexNode> indexes;
  int slot = 0;  // from 1; 0: indexes
};

class Compiler {
 public:
  Compiler(const mir::Program& program, std::shared_ptr<const native::Module> header, Jit jit, const mir::SiteTable* sites);
  std::unique_ptr<const Code> run();

  struct Variable {
    std::size_t slot = 0;
    bool may_ref = false;
    Type type;
    bool resizable = false;              // declared without sizes, by a pass: takes those of what it is assigned
  };

  // compile_expressions.cpp
  ExprPtr expr(const mir::Expr& e);
  ExprPtr node(const mir::Expr& e);
  ExprPtr expr_or_null(const mir::ExprPtr& e) { return e ? expr(*e) : nullptr; }
  std::vector<ExprPtr> exprs(const std::vector<mir::ExprPtr>& list);
  std::vector<IndexNode> indexes(const std::vector<mir::Index>& list);

  // compile_pieces.cpp
  /// Null for trees that are not too high.
  ExprPtr in_pieces(const mir::Expr& e);
  std::vector<const mir::Expr*> first_operands(const mir::Expr& e) const;

  // compile_calls.cpp
  ExprPtr call(const mir::Expr& e, const mir::FunApp& app);
  ExprPtr internal_call(const mir::Expr& e, const mir::CompilerInternal& fn, const std::vector<mir::ExprPtr>& args);
  ExprPtr library_call(const mir::Expr& e, const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args);
  ExprPtr user_call(Span span, const mir::UserDefined& fn, const std::vector<mir::ExprPtr>& args, const Type& result);
  ExprPtr higher_order_call(const mir::Expr& e, const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args);
  ExprPtr laplace_call(const mir::Expr& e, const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args);
  /// Of a function of the program; null for a built-in one that is passed on.
  const mir::Function* definition(const FunctionCode& function) const;
  const mir::Program& program() const { return program_; }
  const FunctionCode& user_function(Span span, const std::string& name, const std::vector<Type>& arguments);
  Dropping dropping(bool drops, std::span<const mir::ExprPtr> args) const { return {drops, {args, activity_}}; }
  static const LibraryFunction& builtin(Span span, Builtin fn);
  /// A function that is passed on; of a built-in one that calls it.
  const FunctionCode& callback(const mir::Expr& function, const std::string& name, const std::vector<Type>& arguments);
  const FunctionCode& builtin_callback(const mir::Expr& function, const std::string& name,
                                       const std::vector<Type>& arguments);

  // compile_while.cpp
  StmtPtr while_loop(Site at, const mir::While& node);

  // compile_statements.cpp
  ExprPtr term(const mir::Expr& e);
  StmtPtr stmt(const mir::Stmt& s);
  std::vector<StmtPtr> stmts(const std::vector<mir::StmtPtr>& list);
  /// The node of list[i], or of list[i] and list[i + 1] together, and moves i behind what it took; null for nothing.
  StmtPtr next_stmt(const std::vector<mir::StmtPtr>& list, std::size_t& i);
  /// Appends the statements of generate_quantities, those of blocks one by one, with what each does to the frame.
  void draw_stmts(const std::vector<mir::StmtPtr>& list, Section& section);
  DrawStep draw_step(std::span<const mir::StmtPtr> statements) const;
  StmtPtr statement(const mir::Stmt& s);
  /// The statement as a unit that becomes machine code while it runs, where it can; `label` is for people.
  StmtPtr in_unit(const mir::Stmt& s, std::string label, bool may_inline = true);
  StmtPtr void_call(const mir::Stmt& s, const mir::NRFunApp& app);
  StmtPtr assignment(const mir::Stmt& s, const mir::Assignment& node);
  StmtPtr declaration(const mir::Stmt& s, const mir::Decl& node, const mir::Stmt* next, bool& took_next);
  SizedNode sized(const mir::SizedType& type);
  Site site(Span span);

  // compile_select.cpp
  /// `test ? yes : no`; recorded on both sides where both may be computed whatever the test says.
  ExprPtr ternary(const mir::Expr& e, const mir::TernaryIf& t);
  /// An `if` whose branches do no more than give one variable a value, return or add to target; else null.
  StmtPtr select(const mir::Stmt& s, const mir::IfElse& node);

  // compile_parameters.cpp
  StmtPtr parameter_declaration(const mir::Stmt& s, const mir::Decl& node, const mir::OutputVar& output);
  ParameterNode parameter(const mir::SizedType& type, const mir::Transform& transform,
                          const std::vector<mir::Transform>& slot_transforms, std::size_t& next_slot,
                          const std::string& name);

  // compile_sites.cpp
  StmtPtr site_statement(const mir::Stmt& s, std::shared_ptr<const mir::Site> marked);
  SiteParts site_parts(std::shared_ptr<const mir::Site> site);
  ExprPtr names_of(const mir::Expr& e);
  DensityFunction density_function(const mir::Expr& call, const std::string& name, bool required);
  bool has_sites(const mir::Stmt& s) const;

  // scopes
  Variable& declare(const std::string& name, Type type, bool may_ref);
  /// The name stands for a variable that is there already.
  void alias(const std::string& name, const Variable& variable);
  const Variable& lookup(Span span, const std::string& name) const;
  const Variable* find(const std::string& name) const;
  /// Slots of the frame that are taken.
  std::size_t slot_count() const { return slots_; }
  bool derivatives_possible() const { return kind_ != SectionKind::PrepareData; }

  class Scope {
   public:
    explicit Scope(Compiler& c) : c_(c), mark_(c.names_.size()) {}
    ~Scope() {
      while (c_.names_.size() > mark_) {
        c_.by_name_[c_.names_.back()].pop_back();
        c_.names_.pop_back();
      }
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Compiler& c_;
    std::size_t mark_;
  };

  /// What is prepared stands in a function, whatever is around it: its names are no parameters and no data.
  class InFunction {
   public:
    explicit InFunction(Compiler& c) : c_(c), before_(std::exchange(c.kind_, SectionKind::Function)) {}
    ~InFunction() { c_.kind_ = before_; }
    InFunction(const InFunction&) = delete;
    InFunction& operator=(const InFunction&) = delete;

   private:
    Compiler& c_;
    SectionKind before_;
  };

 private:
  void define_externals(const native::Module& header);
  void declare_functions();
  void function(std::size_t index);
  Section section(SectionKind kind, const std::vector<mir::StmtPtr>& body);

  const mir::Program& program_;
  const mir::SiteTable* marks_;                            // of a conditioned program; else null
  std::unordered_map<std::string_view, const mir::OutputVar*> parameters_;
  std::unordered_set<std::string_view> inputs_;
  std::set<std::string> unrecorded_;                       // unrecorded_functions
  std::map<std::string, std::vector<const FunctionCode*>> builtin_callbacks_;
  std::unordered_map<const mir::Expr*, Variable> pieces_;  // computed already
  const mir::Expr* low_ = nullptr;                         // a tree known to be not too high
  std::unique_ptr<Code> code_;
  std::unordered_map<const FunctionCode*, const mir::Function*> definitions_;
  std::shared_ptr<JitShare> jit_;     // null: no units
  std::shared_ptr<Inlining> inlining_;
  bool in_unit_ = false;              // what is prepared is part of one already
  std::size_t nodes_lowered_ = 0;     // so far, whether units came of it or not
  SectionKind kind_ = SectionKind::PrepareData;
  mir::ActivityScope activity_;            // of the function being compiled
  std::size_t slots_ = 0;  // of the frame being laid out
  std::vector<std::pair<std::string, std::size_t>> log_prob_names_;
  std::size_t depth_ = 0;  // nesting of blocks; 0: top level of a section
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::vector<Variable>> by_name_;
  std::map<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>>, Site> sites_;
};

/// Names that a statement assigns or declares (anywhere inside it).
void collect_assigned(const mir::Stmt& s, std::set<std::string>& out);
/// Whether the value may differ between two evaluations in a row: it mentions one of `changing`, or has effects.
bool depends_on(const mir::Expr& e, const std::set<std::string>& changing);

// Node factories, by file.

// scalar_nodes.cpp: operators and element-wise functions of scalars; null when the call is none of these.
ExprPtr make_scalar_call(Builtin fn, Dropping dropping, const Type& result, std::vector<ExprPtr>& args);
/// Map that computes the function for scalars, if it is one.
ad::MapCode scalar_map_code(Builtin fn, std::size_t arity);
ExprPtr make_int_literal(std::int32_t value);
ExprPtr make_real_literal(double value);
ExprPtr make_complex_literal(double re, double im);
ExprPtr make_string_literal(std::string text);
ExprPtr make_int_to_real(ExprPtr operand);
ExprPtr make_and(ExprPtr left, ExprPtr right);
ExprPtr make_or(ExprPtr left, ExprPtr right);
ExprPtr make_ternary(const Type& type, ExprPtr test, ExprPtr yes, ExprPtr no);

// select_nodes.cpp
ExprPtr make_select(ExprPtr test, ExprPtr yes, ExprPtr no);
/// `result` takes the selected value and `store` does what the branches do with it; `otherwise` is the statement as
/// written.
StmtPtr make_select_statement(Site site, ExprPtr test, ExprPtr yes, ExprPtr no, const Compiler::Variable& result,
                              StmtPtr store, StmtPtr otherwise);

// container_nodes.cpp
ExprPtr make_variable(const Compiler::Variable& variable);
ExprPtr make_promotion(const Type& type, const Type& scalar, ExprPtr operand);
ExprPtr make_projection(const Type& type, ExprPtr tuple, int slot);
ExprPtr make_indexed(const Type& type, std::string name, ExprPtr base, std::vector<IndexNode> indexes);
ExprPtr make_array(const Type& type, std::vector<ExprPtr> items);
ExprPtr make_row(const Type& type, std::vector<ExprPtr> items);
ExprPtr make_tuple(const Type& type, std::vector<ExprPtr> items);
ExprPtr make_length(ExprPtr operand);
/// Evaluates indexes to positions.
void positions(Frame& f, const std::vector<IndexNode>& indexes, std::vector<struct Position>& out);

// call_nodes.cpp
ExprPtr make_builtin_call(const LibraryFunction& builtin, Dropping dropping, const Type& result, std::vector<ExprPtr> args);
ExprPtr make_user_call(const FunctionCode& function, Dropping dropping, const Type& result, std::vector<ExprPtr> args);
/// The same for a function with adjoints of its own (adjoint_call.cpp).
ExprPtr make_adjoint_call(const FunctionCode& function, const Type& result, std::vector<ExprPtr> args);
/// Sets FunctionCode::adjoints from the annotations; functions are declared already.
void connect_adjoints(const mir::Program& program, const Code& code);
ExprPtr make_target_value();
ExprPtr make_constant(double value);
// statement_nodes.cpp
StmtPtr make_scalar_assignment(Site site, const Compiler::Variable& to, ExprPtr right);
StmtPtr make_assignment(Site site, const Compiler::Variable& to, std::string name, ExprPtr right);
StmtPtr make_element_assignment(Site site, const Compiler::Variable& to, std::string name, std::vector<ExprPtr> index,
                                ExprPtr right);
StmtPtr make_part_assignment(Site site, const Compiler::Variable& to, std::string name, std::vector<AccessStep> steps,
                             ExprPtr right);
StmtPtr make_target(Site site, ExprPtr value, bool jacobian);
StmtPtr make_call_statement(Site site, ExprPtr call);
StmtPtr make_print(Site site, mir::Internal kind, std::vector<ExprPtr> items);
StmtPtr make_break(Site site);
StmtPtr make_continue(Site site);
StmtPtr make_return(Site site, ExprPtr value);
StmtPtr make_if(Site site, ExprPtr test, StmtPtr yes, StmtPtr no);
StmtPtr make_while(Site site, ExprPtr test, StmtPtr body);
StmtPtr make_for(Site site, std::size_t slot, ExprPtr lower, ExprPtr upper, bool moving_upper, StmtPtr body);
StmtPtr make_block(Site site, std::vector<StmtPtr> body);
StmtPtr make_profile(Site site, std::string name, StmtPtr body);
/// Text of a string literal node; null for other nodes.
const std::string* literal_text(const ExprNode& node);

// declaration_nodes.cpp
StmtPtr make_declaration(Site site, std::size_t slot, SizedNode type);
StmtPtr make_unsized_declaration(Site site, std::size_t slot, const Type& type);
StmtPtr make_initialised_declaration(Site site, std::size_t slot, std::string name, SizedNode type, ExprPtr value);
StmtPtr make_data_declaration(Site site, std::size_t slot, std::string name, SizedNode type);
/// `type`: the keyword of the declared type where that is constrained, or empty.
StmtPtr make_size_check(Site site, mir::Internal kind, std::string name, std::string text, std::string_view type, ExprPtr size);
StmtPtr make_shape_check(Site site, std::string name, std::string role, ExprPtr value, ExprPtr bound);
StmtPtr make_order_check(Site site, std::string what, std::string label, ExprPtr value, ExprPtr least);

// check_nodes.cpp, parameter_nodes.cpp
StmtPtr make_value_check(Site site, mir::TransformKind kind, std::string name, ExprPtr value, ExprPtr first,
                         ExprPtr second);
StmtPtr make_parameter_declaration(Site site, std::size_t slot, std::size_t position, ParameterNode parameter,
                                   const ParameterNode*& kept);

ExprPtr make_reduce_sum(const FunctionCode& function, Dropping dropping, std::vector<ExprPtr> args);
ExprPtr make_map_rect(const FunctionCode& function, std::vector<ExprPtr> args);

// solver_nodes.cpp: differential equations, algebraic systems, integrals
bool is_solver(Builtin fn);
/// Types of the arguments with which a solver calls its function, from the types of the solver's own (without the function).
std::vector<Type> solver_callback_types(Builtin fn, std::span<const Type> arguments);
ExprPtr make_solver_call(Builtin fn, const FunctionCode& function, const Type& result,
                         std::vector<ExprPtr> args);

// laplace_nodes.cpp: the embedded Laplace approximation
/// `functions`: the likelihood unless it is built in, then the covariance function; `args`: everything else in order.
ExprPtr make_laplace_call(Builtin fn, const std::vector<const FunctionCode*>& functions, const Type& result,
                          std::vector<ExprPtr> args);

}  // namespace fermiac::interp
