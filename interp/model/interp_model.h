// A Stan program with data as a Model: the interpreter records its log density on a tape and replays it; everything else
// (transformed data, transformed parameters, generated quantities) runs on the plain evaluator.
// docs/phases/interpreter.md describes the way from text to a first gradient.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "frontend/lex/includes.h"
#include "inference/model/model.h"
#include "interp/conditioning/conditioned.h"
#include "interp/exec/runs/code.h"
#include "interp/exec/runs/profile.h"
#include "interp/io/data.h"
#include "interp/model/layout.h"
#include "mir/ir/ir.h"
#include "mir/passes/pass.h"
#include "support/base/diagnostics.h"
#include "support/base/memory.h"
#include "support/base/source.h"

namespace fermiac::ad::device {
class DeviceUse;
}

namespace fermiac::interp {

/// Optimization level of the MIR before a program is prepared. Rewriting the tape finds what the passes find, so the lowest level is the
/// fastest from program text to draws (docs/design/performance.md).
inline constexpr mir::OptLevel kDefaultLevel = mir::OptLevel::O0;

struct ModelSource {
  std::string text;
  std::string path;                        // as messages print it
  std::string name = "model";
  std::vector<std::string> include_paths;
  IncludeRule include_rule = IncludeRule::Anywhere;
  const CarriedFiles* carried_includes = nullptr;  // stand for the files that it includes
  bool allow_undefined = false;
  bool all_errors = false;                 // go on after the first
  mir::OptLevel level = kDefaultLevel;
  std::shared_ptr<const native::Module> native;  // machine code that was made of this program (interp/native/module.h)
  Jit jit = jit_by_environment();          // without it
};

/// A checked and prepared program, not bound to data. Shared by any number of models.
struct CompiledModel {
  SourceMap sources;
  Diagnostics diagnostics;                 // errors and warnings
  mir::Program program;
  std::unique_ptr<const mir::SiteTable> sites;  // of a program that is conditioned (conditioned_program); else null
  std::unique_ptr<const Code> code;        // null if there were errors
  double milliseconds = 0;                 // spent on all of it
  explicit operator bool() const { return code != nullptr; }
  /// ` (in 'm.stan', line 3, column 2 to column 20)`, empty for statements without a place.
  std::string place(ad::Site site) const;
};

/// What machine code says it was made of: the texts, the level and the version of the format.
std::string program_sum(const CompiledModel& compiled, mir::OptLevel level);

/// Parses, checks, lowers and prepares. Machine code of another program is an error.
std::shared_ptr<const CompiledModel> compile_model(const ModelSource& source);

/// Data that do not fit the program, or transformed data that fail.
struct BindError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What `bench` and --timings report, of the tape that was recorded first for the options asked about.
struct TapeStatistics {
  std::size_t tapes = 0;
  std::size_t ops_recorded = 0;
  std::size_t ops = 0;                     // after rewriting
  std::size_t bytes = 0;
  std::size_t workspace_bytes = 0;
  double record_ms = 0;
  double rewrite_ms = 0;                   // rewriting and laying out
  std::size_t placed = 0;                  // ops on a device
};

/// The same of draws.
struct DrawStatistics {
  std::size_t ops_recorded = 0;            // 0: there is no tape
  std::size_t ops = 0;
  std::size_t taped = 0;                   // statements of generate_quantities that the tape computes
  std::size_t by_nodes = 0;                // and those that run as nodes
  double milliseconds = 0;                 // of recording and rewriting
};

class Cluster;
class DrawTapes;
class Enumeration;
class TapeCache;
struct RemoteJobs;

/// Further columns behind the generated quantities.
class ExtraOutputs {
 public:
  virtual ~ExtraOutputs() = default;
  virtual std::vector<std::string> names() const = 0;
  virtual EvalStatus write(std::span<const double> theta, std::span<double> out) const = 0;
};

class InterpModel final : public Model {
 public:
  /// Binds data. Throws BindError, DataError, and ad::Interrupted where `stop` is set meanwhile. `seed` is for random
  /// numbers in transformed data. The limit on memory under which a model is made (ad::MemoryScope) holds wherever it is
  /// evaluated.
  InterpModel(std::shared_ptr<const CompiledModel> compiled, const DataSource& data, std::uint64_t seed,
              PrintSink print = {}, const std::atomic<bool>* stop = nullptr);
  /// The same under a conditioning; `compiled` is what conditioned_program made.
  InterpModel(std::shared_ptr<const CompiledModel> compiled, const DataSource& data, const Conditioning& conditioning,
              std::uint64_t seed, PrintSink print = {}, const std::atomic<bool>* stop = nullptr);
  ~InterpModel() override;

  /// The same program with the same data, which both share, and with a `print` and a stop flag of its own. It records its own
  /// tapes; nothing is read again and no random numbers are drawn.
  std::unique_ptr<InterpModel> twin(PrintSink print, const std::atomic<bool>* stop) const;

  std::string_view name() const override;
  std::size_t unconstrained_size() const override { return unconstrained_size_; }
  std::vector<std::string> names(bool transformed, bool generated) const override;
  std::vector<std::string> unconstrained_names() const override;
  std::unique_ptr<ModelWorkspace> workspace() const override;
  EvalStatus unconstrain_json(std::string_view json, GivenValues given, std::span<double> theta) const override;
  EvalStatus unconstrain_array(std::span<const double> constrained, GivenValues given, std::span<double> theta) const override;
  void set_print(PrintSink sink) override { print_ = std::move(sink); }
  void set_stop(const std::atomic<bool>* stop) override { stop_ = stop; }
  std::shared_ptr<void> stricter_solvers(double factor) const override;

  /// Jobs of map_rect run in these processes too, where that pays; each has loaded the same program (serve()). The
  /// cluster outlives the model. Log densities and gradients are the same bit for bit with any number of processes.
  void set_cluster(Cluster& cluster);

  /// The log density by the plain evaluator, with all constants: what the tape is tested against.
  EvalStatus log_density_plain(std::span<const double> theta, bool jacobian, double* lp) const;

  /// What is known of its numbers and how much its sites count; null for a program as it is.
  const Conditioned* conditioned() const { return conditioned_.get(); }
  /// The same program and data under a changed conditioning, with tapes of its own.
  std::unique_ptr<InterpModel> with(std::shared_ptr<const Conditioned> conditioned) const;
  /// What a run may have in place of the model's own.
  struct RunWith {
    const std::vector<const HeldNumbers*>* held = nullptr;  // null: those of the conditioning
    Rng* rng = nullptr;
    bool lenient = false;   // checks and reject() do nothing
    bool print = false;     // what the program prints is not dropped
    Enumeration* enumeration = nullptr;           // the handler gives it elements that read unknown ints
    std::function<void(Frame& f)> sums = {};      // called behind the last run of an enumeration
    ad::Recorder* recorder = nullptr;             // started at theta: the run is recorded there, in place of plain numbers
    std::function<void(Frame& f)> ended = {};     // called when all is done, or where an error ended it
  };
  /// Runs the log density on plain numbers, sites by `handler`; `target` receives what was added to target there.
  /// Of a conditioned model.
  EvalStatus run_sites(std::span<const double> theta, bool jacobian, SiteHandler& handler, double* target, const RunWith& with) const;
  EvalStatus run_sites(std::span<const double> theta, bool jacobian, SiteHandler& handler, double* target) const {
    return run_sites(theta, jacobian, handler, target, RunWith());
  }
  /// All parameters, data that are no constants, transformed parameters and generated quantities of values that are held, by
  /// output. `out` has names_of_all().size() entries.
  EvalStatus write_held(std::span<const double> theta, const RunWith& with, std::span<double> out) const;
  std::vector<std::string> names_of_all() const;
  /// Constrained values of the parameters, and of data that are no constants.
  std::vector<Value> parameter_values(std::span<const double> theta) const;
  /// Declared bounds by offset, or one for all numbers, where they depend on constants alone; none of other constraints.
  std::optional<std::pair<std::vector<double>, std::vector<double>>> constant_bounds(std::size_t position) const;
  /// Throws DomainError where a held value breaks the constraint of parameter `position`.
  EvalStatus check_held(std::span<const double> theta, const RunWith& with) const;
  /// Columns of all parameters and missing data that have free numbers, or of these numbers where others are known.
  std::vector<std::string> names_of_free_numbers() const;
  /// Written with the generated quantities of every workspace made from now on.
  void add_outputs(std::shared_ptr<const ExtraOutputs> outputs) { extra_ = std::move(outputs); }
  /// Missing data are written by their missing numbers alone, not whole.
  void write_missing_only();

  /// Log densities are evaluated there from now on as far as that pays or the program asks for it with @gpu (autodiff/tape/opencl);
  /// null: nowhere but here. Models made of this one use it too.
  void use_device(std::shared_ptr<ad::device::DeviceUse> device);
  /// Rewriting passes can be switched off, by all or by name; for tests and for finding a wrong pass.
  void set_rewrite(bool enabled, std::vector<std::string> skip = {});
  /// Vectors of a few elements run in tiles too; for tests.
  void set_short_tiles(bool enabled);
  /// Without tapes every point is evaluated by running the program (autodiff/tape/record/direct_sink.h), as otherwise only points on
  /// paths that do not last; for tests.
  void set_tapes(bool enabled) { uses_tapes_ = enabled; }
  TapeStatistics statistics(DensityOptions options) const;
  /// Of draws, after some have been written.
  DrawStatistics draw_statistics() const;
  /// Measures `profile` blocks from now on, which costs the tapes: points take several times as long. Without such blocks
  /// nothing changes.
  void measure_profiles();
  /// What workspaces have measured that are gone now, by thread.
  std::map<std::thread::id, ProfileCosts> profiles() const;
  /// The tape as text, recorded at `theta`; or the reason why there is none.
  std::string dump_tape(std::span<const double> theta, DensityOptions options) const;

  struct Output {
    std::string name;
    mir::BlockKind block;
    ExpectedType type;
    ExpectedType unconstrained;
    std::size_t count = 0;                 // doubles of the whole
    const HeldNumbers* held = nullptr;     // of parameters: null if all is free
    std::vector<std::uint32_t> columns{};  // what is written of it, in the order of the output, if not all is
    bool in_part = false;
    bool written() const { return !held || !held->free.empty() || !held->drawn.empty(); }
    std::size_t free_count() const { return held ? held->free.size() : number_count(unconstrained); }
  };
  const std::vector<Output>& outputs() const { return outputs_; }
  const CompiledModel& compiled() const { return *compiled_; }
  /// Data and transformed data, by slot (Code::global_slots).
  const std::vector<Value>& globals() const { return globals_; }

 private:
  friend class DrawRecording;
  friend class Draws;
  friend class InterpWorkspace;
  friend class LogProbRun;
  friend class TapeCache;
  InterpModel(const InterpModel& other, PrintSink print, const std::atomic<bool>* stop);
  void bind(const DataSource& data, std::uint64_t seed, const Conditioning* conditioning);
  void bind_conditioning(const Conditioning& conditioning, const DataChanges& changes);
  void use_conditioning();
  double* write_output(const Output& output, const Value& value, double* to) const;
  void bind_outputs(Frame& f);
  void keep_profile(const Profile& profile) const;
  bool stopped() const { return stop_ && stop_->load(std::memory_order_relaxed); }
  /// `value(i, type, out)` supplies the value of parameter i, or says that theta holds it already.
  EvalStatus unconstrain_with(double rounding, std::span<double> theta,
                              const std::function<bool(std::size_t, const ExpectedType&, Value&)>& value) const;

  std::shared_ptr<const CompiledModel> compiled_;
  PrintSink print_;
  const std::atomic<bool>* stop_ = nullptr;
  std::size_t max_memory_ = ad::memory_limit();
  std::vector<Value> globals_;
  std::vector<Output> outputs_;
  std::size_t unconstrained_size_ = 0;
  std::shared_ptr<const Conditioned> conditioned_;
  std::shared_ptr<const ExtraOutputs> extra_;
  bool uses_tapes_ = true;
  struct Profiles;
  std::unique_ptr<Profiles> profiles_;    // null: not measured
  bool stans_words_ = false;  // as the data had it
  std::unique_ptr<const RemoteJobs> remote_;  // tapes refer to it
  std::unique_ptr<TapeCache> tapes_;
  std::unique_ptr<DrawTapes> draw_tapes_;
  std::shared_ptr<ad::device::DeviceUse> device_;
  std::vector<bool> asked_of_device_;     // by site
};

}  // namespace fermiac::interp
