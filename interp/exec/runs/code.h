// A prepared program: MIR turned into node trees with every name resolved. Immutable, shared by threads.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "interp/exec/runs/draw_steps.h"
#include "interp/exec/runs/node.h"
#include "interp/io/data.h"
#include "mir/ir/ir.h"
#include "support/base/errors.h"
#include "support/platform/jit.h"

namespace fermiac::mir {
struct SiteTable;
}  // namespace fermiac::mir

namespace fermiac::native {
struct Module;
}  // namespace fermiac::native

namespace fermiac::interp {

class JitUnit;

/// A declared type whose sizes are expressions.
struct SizedNode {
  BaseType base = BaseType::Real;
  std::vector<ExprPtr> array_dims;
  std::vector<ExprPtr> sizes;
  std::vector<SizedNode> slots;

  /// A value of this type: smallest int, NaN.
  Value make(Frame& f) const;
  /// The shape of the value; of an array of tuples only the array dimensions count.
  Shape shape(Frame& f) const;
  ExpectedType expected(Frame& f) const;
};

/// How the values of a parameter (or of one slot of a tuple) come from free ones. Expressions belong to one section.
struct ParameterNode {
  SizedNode type;
  mir::TransformKind transform = mir::TransformKind::None;
  ExprPtr first, second;               // bounds, or offset and multiplier; null if absent
  std::vector<ParameterNode> slots;    // of a tuple
  std::string name;
};

/// Takes the free values of a parameter (theta of a plain run, or the first references of a recording) and constrains
/// them; log Jacobians go to target if the machine asks for them.
Value constrain_parameter(const ParameterNode& parameter, Frame& f);
/// The same of one whose numbers are free in part: the others have the values of `held`.
Value constrain_parameter(const ParameterNode& parameter, Frame& f, const HeldNumbers& held);
/// Appends the free values of a constrained value. Throws DomainError when the value breaks its constraint.
void unconstrain_parameter(const ParameterNode& parameter, Frame& f, const Value& value, std::vector<double>& free,
                           const HeldNumbers* held = nullptr);

struct FunctionCode {
  std::string name;
  Suffix suffix = Suffix::Plain;
  std::vector<Type> formals;
  std::vector<bool> data_only;
  Type result = BaseType::Void;
  std::size_t slots = 0;               // arguments first
  StmtPtr body;                        // null: declared but defined elsewhere
  bool defined = false;
  Span span;
  Jit jit = Jit::Never;                // of the tapes of its calls
  std::vector<const FunctionCode*> adjoints;  // by argument: its adjoint-Jacobian product, or null; empty: none at all

  /// Runs the body on arguments that are in place already.
  Value run(Frame& frame) const;
};

/// Statements of one section of the program over one frame.
struct Section {
  std::vector<StmtPtr> body;
  std::size_t slots = 0;
  std::vector<std::pair<std::string, std::size_t>> names;  // of log_prob: variables and their slots, in the order of declaration
};

struct OutputInfo {
  std::string name;
  mir::BlockKind block = mir::BlockKind::Parameters;
  SizedNode type;                      // sizes over the frame of prepare_data
  SizedNode unconstrained;
  std::size_t slot = 0;                // in the frame of generate_quantities
};

struct Code {
  Code();
  ~Code();
  std::string name;
  Jit jit = Jit::Never;                // of its tapes, loops and functions
  std::vector<std::unique_ptr<FunctionCode>> functions;
  Section prepare_data;
  std::size_t globals = 0;             // slots [0, globals): data and transformed data, shared by all sections
  Section log_prob;
  Section generate_quantities;          // blocks are taken apart
  std::vector<DrawStep> draw_steps;     // one per statement of it
  std::size_t emit_transformed = 0;    // slots of the flags in generate_quantities
  std::size_t emit_generated = 0;
  std::vector<OutputInfo> outputs;
  /// Parameters in declaration order, with bounds over the frames of log_prob and of generate_quantities.
  std::vector<const ParameterNode*> log_prob_parameters;
  std::vector<const ParameterNode*> generate_parameters;
  std::vector<std::size_t> parameter_slots;   // in generate_quantities
  std::vector<std::size_t> log_prob_slots;    // of the same in log_prob
  std::vector<std::string> input_names;
  std::vector<Span> sites{Span{}};     // site 0: nowhere
  bool reads_target = false;           // calls target()
  bool has_profiles = false;           // has `profile` blocks
  std::shared_ptr<const native::Module> header;  // defines functions of the program; may be null
  std::unordered_map<std::string, std::size_t> global_slots;  // by name, for inspection
  std::vector<const JitUnit*> jit_units;  // of the nodes above, for inspection

  /// Of the program, by name; not the built-in ones that it passes on.
  std::unordered_map<std::string, std::vector<const FunctionCode*>> functions_by_name;
  void add_function(std::unique_ptr<FunctionCode> function);
  const FunctionCode* find_function(const std::string& name, const std::vector<Type>& arguments) const;
};

/// Prepares every section and function; `header`: a user's header that was compiled for this very program, `sites`: those that
/// open_sites found in it, for a program that is conditioned, which has no units of machine code. Throws ProgramError.
std::unique_ptr<const Code> prepare(const mir::Program& program, std::shared_ptr<const native::Module> header = nullptr,
                                    Jit jit = Jit::Never, const mir::SiteTable* sites = nullptr);

/// Three-address code of every loop and function that may become machine code; the instructions of this machine, too, if
/// `with_machine`.
std::string jit_text(const Code& code, bool with_machine);

/// What `print` (FnPrint), `reject` and `fatal_error` do with their text.
void say(Machine& m, mir::Internal kind, std::string text);

/// Runs a section's statements until its end or a return.
void run_section(const Section& section, Frame& frame);

/// A call from outside the language (solvers, the REPL): arguments by value, result by value.
Value call_function(const FunctionCode& function, Frame& caller, std::vector<Value> arguments, CallActivity activity = {});
/// The same of arguments that stay where they are.
Value call_function(const FunctionCode& function, Frame& caller, std::span<const Value> arguments, CallActivity activity);
/// The same, the result added to target; for recordings.
void add_call_to_target(const FunctionCode& function, Frame& caller, std::vector<Value> arguments, CallActivity activity);

}  // namespace fermiac::interp
