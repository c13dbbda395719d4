// Loops and functions of scalars that become machine code while the program runs, without a compiler: where nothing is recorded.
// The nodes stay: they record, they run until the code pays, and they run where there is no machine code.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "interp/exec/runs/code.h"
#include "interp/exec/runs/dropping.h"
#include "interp/exec/runs/jit_maps.h"
#include "jit/code.h"
#include "jit/emit.h"

namespace fermiac::ad {
struct RngOp;
}

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
  const LibraryFunction* builtin = nullptr;
  const ad::RngOp* draw = nullptr;  // the function draws one number from its operands
  Dropping dropping;
  std::uint32_t count = 0;  // operands
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
  std::vector<std::unique_ptr<const JitMap>> maps;

  /// Runs the machine code, or the nodes and measures them until it pays to make it. Recording is no matter of machine code,
  /// but an evaluation with derivatives is (autodiff/tape/record/direct_sink.h).
  Flow run(Frame& f, const StmtNode& nodes) const;
  /// The instructions as text; of the machine, too, if `with_machine`.
  std::string text(bool with_machine) const;

 private:
  /// Machine code for one kind of real.
  struct Kind {
    std::mutex mutex;                         // around making it
    jit::MachineCode machine;
    std::atomic<jit::Entry> entry{nullptr};
    std::atomic<std::uint64_t> spent{0};      // nanoseconds in the nodes
    std::atomic<bool> refused{false};         // there is none to be had
  };
  Flow run_code(Frame& f, const Kind& kind, jit::Entry entry) const;
  Flow measure(Frame& f, const StmtNode& nodes, Kind& kind) const;
  void compile(Kind& kind) const;
  [[noreturn]] static void fail(Frame& f, const jit::Context& context, const jit::Check& check, const std::string& name);
  std::uint64_t price() const;

  std::shared_ptr<JitShare> share_;
  mutable Kind plain_, traced_;
};

/// Runs as the unit says wherever nothing is recorded.
StmtPtr make_jit(Site site, std::unique_ptr<const JitUnit> unit, StmtPtr nodes);

}  // namespace fermiac::interp
