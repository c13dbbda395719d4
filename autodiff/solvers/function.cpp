#include "autodiff/solvers/function.h"

#include <algorithm>

#include "support/base/errors.h"

namespace fermiac::ad {

FunctionRun::Path::Path(std::shared_ptr<const Tape> tape) : reverse(tape) {
  if (auto program = TangentProgram::make(*tape)) forward = std::make_unique<TangentRun>(std::move(program));
}

FunctionRun::FunctionRun(const FunctionSource& source)
    : source_(source), inputs_(source.inputs()), outputs_(source.outputs()), seed_(outputs_, 0.0), row_(inputs_) {}

void FunctionRun::evaluate(const double* x, double* out, const Wanted& wanted) {
  source_.poll();
  for (std::size_t k = 0; k < paths_.size(); ++k) {
    if (!replay(*paths_[k], x, out, wanted)) continue;
    if (k > 0) std::swap(paths_[0], paths_[k]);
    return;
  }
  auto fresh = std::make_unique<Path>(source_.record({x, inputs_}));
  if (paths_.size() >= kMaxTapes) paths_.pop_back();
  paths_.insert(paths_.begin(), std::move(fresh));
  if (!replay(*paths_[0], x, out, wanted)) throw FatalError("a function does not take the same path twice");
}

/// False: the point takes another path.
bool FunctionRun::replay(Path& path, const double* x, double* out, const Wanted& wanted) {
  if (path.forward && !wanted.reverse) {
    if (tangents_.size() < path.forward->tangent_rows() * wanted.lanes) tangents_.resize(path.forward->tangent_rows() * wanted.lanes);
    by_forward_ = path.forward->run(x, tangents_.data(), wanted.lanes, out, wanted.rows);
    if (by_forward_) return true;
  }
  by_forward_ = false;
  const ReplayStatus status = path.reverse.outputs({x, inputs_}, {out, outputs_});
  switch (status.kind) {
    case ReplayStatus::Kind::Ok: return true;
    case ReplayStatus::Kind::GuardFailed: return false;
    case ReplayStatus::Kind::DomainError: throw DomainError(status.message);
    case ReplayStatus::Kind::FatalError: break;
  }
  throw FatalError(status.message);
}

void FunctionRun::value(const double* x, double* out) {
  evaluate(x, out, {});
}

void FunctionRun::value_and_pull_back(const double* x, double* out, const double* seed, double* grad) {
  evaluate(x, out, {.reverse = true});
  paths_[0]->reverse.pull_back({seed, outputs_}, {grad, inputs_});
}

void FunctionRun::value_and_jacobian(const double* x, double* out, double* rows) {
  evaluate(x, out, {.reverse = true});
  for (std::size_t i = 0; i < outputs_; ++i) {
    seed_[i] = 1;
    paths_[0]->reverse.pull_back(seed_, {rows + i * inputs_, inputs_});
    seed_[i] = 0;
  }
}

double* FunctionRun::seed_rows(std::size_t lanes) {
  if (tangents_.size() < inputs_ * lanes) tangents_.resize(inputs_ * lanes);
  return tangents_.data();
}

void FunctionRun::tangents(const double* x, std::size_t lanes, double* out, double* rows) {
  evaluate(x, out, {.lanes = lanes, .rows = rows});
  if (!by_forward_) tangents_by_reverse(lanes, rows);
}

void FunctionRun::tangents_by_reverse(std::size_t lanes, double* rows) {
  std::fill_n(rows, outputs_ * lanes, 0.0);
  for (std::size_t i = 0; i < outputs_; ++i) {
    seed_[i] = 1;
    paths_[0]->reverse.pull_back(seed_, row_);
    seed_[i] = 0;
    for (std::size_t j = 0; j < inputs_; ++j) {
      if (row_[j] == 0) continue;
      const double* seeds = tangents_.data() + j * lanes;
      for (std::size_t l = 0; l < lanes; ++l) rows[i * lanes + l] += row_[j] * seeds[l];
    }
  }
}

}  // namespace fermiac::ad
