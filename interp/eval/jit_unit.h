// Loops and functions of scalars that become machine code while the program runs: plain evaluation only, no compiler needed.
// The nodes stay: they record, they run until the code pays, and they run where there is no machine code.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "interp/eval/code.h"
#include "interp/jit/code.h"
#include "interp/jit/emit.h"

namespace fermiac::interp {

/// What all units of a program share.
class JitShare {
 public:
  explicit JitShare(Jit when) : when_(when) {}
  bool always() const { return when_ == Jit::Always; }
  /// Takes so many bytes of machine code from what the program may have; false where they are used up.
  bool take(std::size_t bytes);

 private:
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  Jit when_;
  std::atomic<std::size_t> bytes_{0};
};

/// A call of which every operand is a number: of a function of the program, or of a built-in one.
struct JitCall {
  const FunctionCode* function = nullptr;
  const Builtin* builtin = nullptr;
  bool propto = false;
  std::size_t count = 0;  // operands
};

/// One loop or function body.
class JitUnit {
 public:
  explicit JitUnit(std::shared_ptr<JitShare> share) : share_(std::move(share)) {}

  jit::Code code;
  /// What `code` points to.
  std::vector<ExprPtr> expressions;
  std::vector<StmtPtr> statements;
  std::vector<std::unique_ptr<const JitCall>> calls;

  /// Runs the machine code, or the nodes and measures them until it pays to make it.
  Flow run(Frame& f, const StmtNode& nodes) const;
  /// Makes it now, unless there is none to be had.
  void compile() const;
  /// The instructions as text; of the machine, too, if `with_machine`.
  std::string text(bool with_machine) const;

 private:
  Flow run_code(Frame& f, jit::Entry entry) const;
  Flow measure(Frame& f, const StmtNode& nodes) const;
  [[noreturn]] void fail(Frame& f, jit::Context& context) const;
  std::uint64_t price() const;

  std::shared_ptr<JitShare> share_;
  mutable std::mutex mutex_;                       // around compile()
  mutable jit::MachineCode machine_;
  mutable std::atomic<jit::Entry> entry_{nullptr};
  mutable std::atomic<std::uint64_t> spent_{0};    // nanoseconds in the nodes
  mutable std::atomic<bool> refused_{false};       // there is none to be had
};

/// Runs as the unit says wherever nothing is recorded.
StmtPtr make_jit(Site site, std::unique_ptr<const JitUnit> unit, StmtPtr nodes);

}  // namespace fermiac::interp
