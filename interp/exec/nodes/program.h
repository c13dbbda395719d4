// Loops and branches over scalars as instructions: one switch instead of a tree of calls for what programs do most in
// loops. Whatever has no instruction runs as the node that it is. Nodes say what they become (ExprNode::emit,
// StmtNode::emit); loops hold the programs (Body).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "interp/exec/nodes/instruction.h"
#include "interp/exec/runs/node.h"

namespace fermiac::interp {

class Program {
 public:
  Flow run(Frame& f) const;

 private:
  friend class ProgramBuilder;
  static constexpr std::size_t kTemporaries = 16;

  Flow execute(Frame& f, Value* temporaries) const;

  std::vector<Instruction> code_;
  std::vector<Value> constants_;
  std::size_t temporaries_ = 0;
};

class ProgramBuilder {
 public:
  /// The program of a statement; null if there is nothing in it but nodes to run.
  static std::unique_ptr<const Program> build(const StmtNode& statement);

  /// The variable or literal that the expression is, or a temporary that it was computed to.
  Place operand(const ExprNode& e);
  static Place slot(std::size_t index) { return place(kSlot, index); }
  void binary(OpCode code, Place to, Place x, Place y) { push({.code = code, .to = raw(to), .x = raw(x), .y = raw(y)}); }
  /// `to` = a number: converts ints for reals.
  void assign(Place to, const ExprNode& e, bool is_int);
  void eval(Place to, const ExprNode& e, bool is_int);

  Label label();
  void bind(Label label) { positions_[raw(label)] = static_cast<std::uint32_t>(program_->code_.size()); }
  void jump(Label to) { push({.code = OpCode::Jump, .to = raw(to)}); }
  /// Jumps to `otherwise` unless x OP y.
  void compare(OpCode code, const ExprNode& x, const ExprNode& y, Label otherwise);
  void unless(const ExprNode& condition, Label otherwise) { push({.code = OpCode::Unless, .to = raw(otherwise), .expression = &condition}); }
  void again(Label next) { push({.code = OpCode::Again, .to = raw(next)}); }

  void statement(const StmtNode& s);
  /// The statements of a loop, whose `break` and `continue` go to the labels.
  void loop_body(const StmtNode& s, Label next, Label end);
  /// Where a loop begins, for hoist().
  struct Mark {
    std::size_t code, labels;
  };
  Mark mark() const { return {program_->code_.size(), positions_.size()}; }
  /// Takes what its branches compare out of a loop, as far as no round changes it.
  void hoist(Mark loop);
  /// Break or Continue.
  void leave(Flow flow) { jump(target(flow)); }

 private:
  static constexpr std::uint32_t kSlot = 0, kConstant = 1, kTemporary = 2;
  static constexpr std::size_t kUsual = 8;  // temporaries of statements; the others are for hoist()
  struct Loop {
    Label next, end;
  };

  ProgramBuilder() : program_(std::make_unique<Program>()) {}
  static Place place(std::uint32_t base, std::size_t index) { return static_cast<Place>(static_cast<std::uint32_t>(index) << 2 | base); }
  template <class T>
  static std::uint32_t raw(T x) { return static_cast<std::uint32_t>(x); }
  Place constant(Value value);
  void compute(Place to, const ExprNode& e);
  Place temporary();
  Label target(Flow flow);
  Label exit(std::optional<Label>& known);
  void push(Instruction i);
  void resolve();
  void compare_elements();
  void turn_loops();
  void finish();

  std::unique_ptr<Program> program_;
  std::vector<std::uint32_t> positions_;  // of labels
  std::vector<Loop> loops_;
  std::optional<Label> broken_, continued_;  // where a program without a loop ends
  Site site_ = kNoSite;
  std::size_t temporaries_ = 0;  // in use
  std::size_t hoisted_ = 0;
  bool passive_ = false;
  bool overflow_ = false;        // more than there are
  bool useful_ = false;          // more than nodes to run
};

/// The statements of a loop.
class Body {
 public:
  explicit Body(StmtPtr node) : node_(std::move(node)), program_(ProgramBuilder::build(*node_)) {}
  Flow run(Frame& f) const { return program_ ? program_->run(f) : node_->run(f); }

 private:
  StmtPtr node_;
  std::unique_ptr<const Program> program_;
};

}  // namespace fermiac::interp
