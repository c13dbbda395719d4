// How a model is evaluated: settings, and what all evaluations of one model share.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "inference/model/model.h"
#include "interp/exec/runs/profile.h"
#include "interp/model/bound_program.h"

namespace fermiac::ad::device {
class DeviceUse;
}

namespace fermiac::interp {

class Cluster;
struct RemoteJobs;

struct EvaluationSettings {
  /// Without tapes every point is evaluated by running the program (autodiff/tape/record/direct_sink.h), as otherwise only points on
  /// paths that do not last.
  bool tapes = true;
  bool rewrite = true;                     // passes over tapes
  std::vector<std::string> skipped_passes{};  // by name
  bool short_tiles = false;                // vectors of a few elements run in tiles, too
  /// Evaluates log densities as far as that pays or the program asks for it with @gpu (autodiff/tape/opencl); null: the processor does.
  std::shared_ptr<ad::device::DeviceUse> device{};
  /// Jobs of map_rect run in these processes too if that pays; each has loaded the same program (serve()). The cluster outlives the
  /// model. Log densities and gradients are the same bit for bit with any number of processes.
  Cluster* cluster = nullptr;
  /// Measures `profile` blocks, which costs the tapes: points take several times as long. Changes nothing for programs without such blocks.
  bool profiles = false;
  bool missing_only = false;               // missing data are written by their missing numbers only, not whole
};

/// What `bench` and --timings report of the tape that was recorded first for the options in question.
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

/// Statistics of the tape of draws that was recorded last.
struct DrawStatistics {
  std::size_t ops_recorded = 0;            // 0: there is no tape
  std::size_t ops = 0;
  std::size_t taped = 0;                   // statements of generate_quantities that the tape computes
  std::size_t by_nodes = 0;                // and those that run as nodes
  double milliseconds = 0;                 // of recording and rewriting
};

/// Extra columns written after the generated quantities.
class ExtraOutputs {
 public:
  virtual ~ExtraOutputs() = default;
  virtual std::vector<std::string> names() const = 0;
  virtual EvalStatus write(std::span<const double> theta, std::span<double> out) const = 0;
};

/// Costs of `profile` blocks that workspaces measured before they ended, by thread.
class ProfileTable {
 public:
  /// Must be called on the thread that measured.
  void add(const Profile& profile);
  std::map<std::thread::id, ProfileCosts> costs() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::thread::id, ProfileCosts> by_thread_;
};

/// What the workspaces and tapes of one model read. The model owns it, and sets `print`, `stop` and `extra` while nothing is evaluated.
struct EvaluationContext {
  /// `origin`: the context of the model that this one is derived from; null if there is none.
  EvaluationContext(std::shared_ptr<const BoundProgram> bound, EvaluationSettings given, PrintSink sink, const std::atomic<bool>* stop_flag,
                    const EvaluationContext* origin = nullptr);
  ~EvaluationContext();
  EvaluationContext(const EvaluationContext&) = delete;
  EvaluationContext& operator=(const EvaluationContext&) = delete;

  const CompiledModel& compiled() const { return program->compiled(); }
  const Code& code() const { return program->code(); }
  const Conditioned* conditioned() const { return program->conditioned(); }
  bool stopped() const { return stop && stop->load(std::memory_order_relaxed); }
  /// What a derived model takes over: whether it has tapes, and the device.
  EvaluationSettings inherited() const { return {.tapes = uses_tapes, .device = settings.device}; }

  std::shared_ptr<const BoundProgram> program;
  EvaluationSettings settings;
  PrintSink print;
  const std::atomic<bool>* stop;
  std::size_t max_memory;                         // the program's
  std::unique_ptr<ProfileTable> profiles;         // null: nothing is measured
  bool uses_tapes;
  std::vector<bool> asked_of_device;              // by site
  std::unique_ptr<const RemoteJobs> remote;       // tapes refer to it; null: all jobs run in this process
  std::shared_ptr<const ExtraOutputs> extra{};
};

}  // namespace fermiac::interp
