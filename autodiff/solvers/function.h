// Functions that solvers evaluate many times: recorded once per path, replayed afterwards.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "autodiff/solvers/tangent_run.h"
#include "autodiff/tape/replay/tape.h"

namespace fermiac::ad {

/// Where the tapes of a function R^inputs -> R^outputs come from. Immutable, shared by threads.
class FunctionSource {
 public:
  virtual ~FunctionSource() = default;
  virtual std::size_t inputs() const = 0;
  virtual std::size_t outputs() const = 0;
  /// Records the path taken at x. Throws EvalError; a SizeError when there are not as many results as there should be.
  virtual std::shared_ptr<const Tape> record(std::span<const double> x) const = 0;
  /// Called before every evaluation, so that a long run of the solver can be ended. Throws Interrupted.
  virtual void poll() const {}
};

/// One thread's evaluations. Keeps a tape for each of the last paths.
class FunctionRun {
 public:
  explicit FunctionRun(const FunctionSource& source);
  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }

  /// Throws EvalError and FatalError like the function itself.
  void value(const double* x, double* out);
  /// Reverse mode at x: grad [inputs()] = sum of seed[i] times the gradient of output i.
  void value_and_pull_back(const double* x, double* out, const double* seed, double* grad);
  /// Row i [inputs()] is the gradient of output i.
  void value_and_jacobian(const double* x, double* out, double* rows);

  /// A number of lanes that holds that many directions.
  static std::size_t lanes_for(std::size_t directions) { return (directions + 7) / 8 * 8; }
  /// Directions for tangents(): row i holds the lanes of input i. Rows that are not written keep what they had.
  double* seed_rows(std::size_t lanes);
  /// Forward mode at x along the directions of seed_rows(lanes): row i holds the derivatives of output i.
  void tangents(const double* x, std::size_t lanes, double* out, double* rows);

 private:
  static constexpr std::size_t kMaxTapes = 64;
  struct Path {
    explicit Path(std::shared_ptr<const Tape> tape);
    Workspace reverse;
    std::unique_ptr<TangentRun> forward;  // null where the tape has kernel calls
  };
  /// What is wanted beside the results: a reverse sweep afterwards, or the tangents along so many lanes.
  struct Wanted {
    bool reverse = false;
    std::size_t lanes = 0;
    double* rows = nullptr;
  };
  /// Makes the path through x the first, evaluated; by forward mode if that is possible and wanted.
  void evaluate(const double* x, double* out, const Wanted& wanted);
  bool replay(Path& path, const double* x, double* out, const Wanted& wanted);
  void tangents_by_reverse(std::size_t lanes, double* rows);

  const FunctionSource& source_;
  std::size_t inputs_, outputs_;
  std::vector<std::unique_ptr<Path>> paths_;  // the last used first
  bool by_forward_ = false;                   // how the last point was evaluated
  std::vector<double> seed_, row_, tangents_;
};

/// Objects for the use of one thread at a time, kept for the next.
template <class T>
class Pool {
 public:
  template <class Make>
  std::unique_ptr<T> take(Make make) const {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<T> object = std::move(free_.back());
        free_.pop_back();
        return object;
      }
    }
    return make();
  }
  void give_back(std::unique_ptr<T> object) const {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(object));
  }

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<T>> free_;
};

}  // namespace fermiac::ad
