// The tape: a trace laid out for replay, its Refs (ir/ref.h) replaced by indexes of the arena. Immutable and shared by
// threads; a Workspace holds one thread's numbers.
//
// Arena, in doubles:  [constant vectors | constant scalars | weights | parameters | results]
// Adjoints exist from the constant scalars on (those of constants are scratch: writing them is cheaper than a branch);
// only parameters and results are cleared before a sweep.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "autodiff/kernels/kernel.h"
#include "autodiff/tape/ir/trace.h"
#include "autodiff/tape/replay/sweep.h"
#include "autodiff/tape/replay/tiles.h"
#include "support/base/aligned_numbers.h"
#include "support/platform/jit.h"

namespace fermiac::ad {

struct ScalarCode;
namespace device {
class DeviceUse;
struct TapeView;
}  // namespace device

class Tape {
 public:
  /// `jit`: when runs of scalar ops become machine code. `device`: does what pays there, and what is asked for by
  /// site; null for none.
  explicit Tape(Trace trace, Jit jit = jit_by_environment(), std::shared_ptr<device::DeviceUse> device = nullptr,
                const std::vector<bool>* asked = nullptr);
  ~Tape();

  std::uint32_t parameters() const { return parameters_; }
  /// Number of results of a function (Recorder::outputs).
  std::uint32_t outputs() const { return outputs_; }
  /// Where they stand among the numbers of a workspace.
  std::vector<std::uint32_t> output_places() const;
  /// It stops at points that take another path through the program, or may fail where the program does not.
  bool has_guards() const { return has_guards_; }
  /// Weights of terms of target that a workspace may change, unless numbers were recorded that depend on what they were.
  std::uint32_t settable_weights() const { return settable_weights_; }
  bool reads_weights() const { return reads_weights_; }
  /// Those in tiles included, which count behind the others.
  std::size_t op_count() const { return ops().size() + tiled_.size(); }
  std::span<const TapeOp> ops() const { return list_.ops; }
  Site site(std::size_t op) const { return op < ops().size() ? sites_[op] : tiled_sites_[op - ops().size()]; }
  /// Bytes of the tape and of one workspace.
  std::size_t bytes() const;
  std::size_t workspace_bytes() const;
  /// Ops that a device does.
  std::size_t placed_count() const;
  /// By site: whether any of its ops is one of these.
  std::vector<bool> placed_sites() const;
  /// One line per op, for --dump-tape.
  std::string dump() const;

 private:
  friend class Workspace;
  friend class TangentBuilder;
  friend class SecondOrder;
  std::uint32_t arena_index(Ref r) const;
  std::uint32_t place(Weight weight) const { return weights_begin_ + index_of(weight) - 1; }
  void note(const Op& op);
  void find_closing_ops();
  /// Places of the results where a closing gather would bring them together.
  std::span<const std::uint32_t> gathered_outputs() const { return std::span(index_).subspan(list_.ops[list_.ops.size() - 2].table(), outputs_); }
  TapeOp laid_out(const Op& op) const;
  TapeOp laid_out_tiled(const Op& op) const;
  TapeCall laid_out(CallInfo&& call) const;
  TapeCallOperand laid_out(const CallOperand& operand) const;
  std::string line(const TapeOp& op) const;
  std::string name(std::uint32_t slot) const;
  std::string weight(const TapeOp& op) const;
  bool is_weight(std::uint32_t slot) const { return slot >= weights_begin_ && slot < parameters_begin_; }
  device::TapeView view(const std::vector<bool>* asked) const;
  /// What a sweep walks over, and the same with machine code.
  struct OpList {
    std::vector<TapeOp> ops;
    /// Made by the first workspace that wants it.
    mutable std::once_flag made;
    mutable std::unique_ptr<const ScalarCode> code;
  };
  const ScalarCode* code(const OpList& list) const;
  struct Placed;
  void place(std::shared_ptr<device::DeviceUse> device, const std::vector<bool>* asked);

  std::uint32_t parameters_ = 0;
  std::uint32_t scalars_begin_ = 0;     // constant scalars
  std::uint32_t weights_begin_ = 0;
  std::uint32_t parameters_begin_ = 0;
  std::uint32_t results_begin_ = 0;
  std::uint32_t end_ = 0;
  OpList list_;
  std::unique_ptr<const Placed> placed_;  // null: nothing
  std::vector<Site> sites_;
  std::vector<TapeOp> tiled_;
  std::vector<Site> tiled_sites_;
  std::vector<double> constants_;       // values of [0, parameters_begin_)
  std::vector<std::uint32_t> index_;
  std::vector<double> codes_;           // of gathers from few sources
  std::vector<std::int32_t> ints_;
  std::vector<TapeCall> calls_;
  std::vector<TapeCallOperand> call_operands_;
  std::uint32_t outputs_begin_ = 0;     // operand of the last Target op
  std::uint32_t outputs_ = 0;
  std::uint32_t closing_ops_ = 0;       // the last ones, which do no more than put results next to each other and add them up
  std::size_t scratch_ = 0;             // doubles of scratch space of all calls
  double constant_ = 0;
  std::vector<WeightRow> weights_;
  std::uint32_t settable_weights_ = 0;
  bool reads_weights_ = false;
  std::size_t vector_ops_ = 0;
  bool has_guards_ = false;
  Jit jit_;
};

/// Outcome of a sweep.
struct ReplayStatus {
  enum class Kind : std::uint8_t { Ok, GuardFailed, DomainError, FatalError } kind = Kind::Ok;
  std::uint32_t op = 0;      // where it stopped
  std::string message;       // of the error
  bool finite = true;        // of value() and gradient() that did not stop: the log density is finite, and so is its gradient
};

class Workspace {
 public:
  explicit Workspace(std::shared_ptr<const Tape> tape);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  const Tape& tape() const { return *tape_; }
  /// Log density at theta [parameters()].
  ReplayStatus value(std::span<const double> theta, double* lp);
  /// Log density and gradient [parameters()]. Allocates nothing unless it fails, or makes the machine code.
  ReplayStatus gradient(std::span<const double> theta, double* lp, std::span<double> grad);
  /// Results [tape().outputs()] of a function.
  ReplayStatus outputs(std::span<const double> theta, std::span<double> results);
  /// The same without copies: of what stands in operands() [parameters()]. Until the next evaluation results are those
  /// of numbers() at tape().output_places().
  ReplayStatus outputs_in_place();
  /// The same of a tape without calls of kernels, in the shortest time. False: it stopped somewhere; outputs_in_place() says why.
  bool try_outputs_in_place();
  const double* numbers() const { return values_.data(); }
  std::span<double> operands() { return {values_.data() + tape_->parameters_begin_, tape_->parameters_}; }
  /// After outputs(): the gradient [parameters()] of the results' sum with weights `seed`.
  void pull_back(std::span<const double> seed, std::span<double> grad);
  /// What the tape's settable weights are from now on [settable_weights()]; finite, not negative. What does not count is not
  /// evaluated, and its rules do not matter. Costs a few nanoseconds a weight and term; allocates nothing.
  void set_weights(std::span<const double> values);
  /// Fills every result and adjoint with NaN: nothing may depend on an earlier evaluation. For tests.
  void poison();

 private:
  friend class SecondOrder;
  ReplayStatus sweep(std::span<const double> theta, double* lp, bool with_gradient);
  ReplayStatus sweep_operands(double* lp, bool with_gradient);
  bool forward(Sweep& sweep, bool with_gradient);
  void reverse(const Sweep& sweep);
  void throw_failure();
  bool sweep_placed(double* lp, bool with_gradient, ReplayStatus* status);
  void bind_placed();
  void bind_matrices();
  ReplayStatus guard_failed() const;
  [[noreturn]] void explain();
  [[noreturn]] void explain_tiled(const BoundTiles& tiles, std::uint32_t tiled) const;
  MapArgs bind(const TapeOp& op);
  void bind_tiles(const TapeOp& op);
  void bind_calls();
  void bind_maps();
  void weigh(double* g, std::uint32_t place);
  void use_weights();
  void clear_adjoints();
  void clear_adjoints(std::size_t first, std::size_t end);
  void clear_placed_adjoints();
  void count_sweep(Sweep& sweep, const Tape::OpList& list);

  std::shared_ptr<const Tape> tape_;
  AlignedNumbers values_;
  AlignedNumbers adjoints_;             // of slot s: adjoints_[s - scalars_begin]
  AlignedNumbers scratch_;              // of the calls
  std::vector<KernelArg> call_args_;
  std::vector<KernelCall> calls_;       // bound to this arena
  std::vector<const Kernel*> kernels_;
  std::vector<BoundMap> maps_;
  std::vector<BoundTiles> tiles_;
  std::vector<TilesStorage> tiles_storage_;
  /// Where ops look for their weights, beside the arena.
  struct Weighed {
    double* g;
    std::uint32_t place;  // in the arena
  };
  std::vector<Weighed> weighed_;
  double constant_ = 0;                 // where target begins
  Sweep sweep_;
  std::exception_ptr failure_;
  std::uint32_t sweeps_left_ = 0;       // until it asks for machine code; 0: it has
  struct OnDevice;
  std::unique_ptr<OnDevice> on_device_;  // null: nothing is placed
  bool uses_device_ = false;
};

}  // namespace fermiac::ad
