#include "autodiff/tape/opencl/part.h"

#include <algorithm>
#include <cmath>

#include "autodiff/tape/opencl/find_chains.h"

namespace fermiac::ad::device {
namespace {

constexpr std::size_t kMostSteps = 48;  // in one kernel: numbers that live at once are few, but the compiler's time is not

bool has_text(const TapeView& tape, const std::vector<Chain>& chains, const Cut& cut) {
  try {
    write_program(tape, chains, cut);
    return true;
  } catch (const symbols::NoFormula&) {
    return false;
  }
}

std::vector<Chain> placed_chains(const TapeView& tape, DeviceUse& use) {
  std::vector<Chain> chains = find_chains(tape);
  const Cut cut = cut_for(use.device().info());
  std::erase_if(chains, [&](const Chain& chain) { return !has_text(tape, {chain}, cut); });
  if (chains.empty() || use.placing() == Placing::All) return chains;
  std::vector<Work> work;
  for (const Chain& chain : chains) work.push_back(work_of(chain));
  const std::vector<bool> worth = worth_placing(use.profile(), work);
  std::vector<Chain> out;
  for (std::size_t k = 0; k < chains.size(); ++k)
    if (worth[k] || chains[k].asked) out.push_back(std::move(chains[k]));
  return out;
}

}  // namespace

std::unique_ptr<const Part> Part::make(const TapeView& tape, std::shared_ptr<DeviceUse> use) {
  if (!use || use->lost()) return nullptr;
  const std::vector<Chain> chains = join_chains(placed_chains(tape, *use), kMostSteps);
  std::vector<bool> taken(tape.ops.size());
  for (const Chain& chain : chains)
    for (const std::uint32_t op : chain.ops) taken[op] = true;
  std::vector<PlacedCall> matrices = plan_matrices(tape, taken, *use);
  if ((chains.empty() && matrices.empty()) || use->lost()) return nullptr;
  for (const PlacedCall& p : matrices) {
    for (const std::uint32_t op : p.inner) taken[op] = true;
    if (p.formula) taken[p.op] = true;
  }
  return std::unique_ptr<const Part>(new Part(use, write_program(tape, chains, cut_for(use->device().info())), std::move(taken), std::move(matrices)));
}

Status Part::prepare() const {
  const std::lock_guard lock(mutex_);
  if (!prepared_) status_ = fill();
  prepared_ = true;
  return status_;
}

Status Part::fill() const {
  Device& device = use_->device();
  Status status = use_->build(text_.source, &program_);
  std::unique_ptr<DeviceQueue> queue;
  if (status) status = device.queue(&queue);
  const auto put = [&](const auto& numbers, std::unique_ptr<DeviceBuffer>* to) {
    const std::size_t bytes = numbers.size() * sizeof numbers[0];
    if (status) status = device.buffer(bytes, to);
    if (status) status = queue->write(**to, 0, numbers.data(), bytes);
  };
  put(text_.constants, &constants_);
  put(text_.integers, &integers_);
  return status;
}

Run::Run(const Part& part) : part_(part) {}

Status Run::prepare() {
  const ProgramText& text = part_.text_;
  Status status = part_.prepare();
  Device& device = part_.use_->device();
  if (status) status = device.queue(&queue_);
  if (status) status = device.buffer((std::size_t{text.out_at} + text.out + 1) * sizeof(double), &numbers_);
  for (const KernelLaunch& launch : text.launches) {
    std::vector<DeviceArgument> arguments;
    if (launch.constants) arguments.push_back(part_.constants_.get());
    arguments.push_back(numbers_.get());
    if (launch.integers) arguments.push_back(part_.integers_.get());
    arguments.insert(arguments.end(), launch.numbers.begin(), launch.numbers.end());
    if (status) status = device.kernel(*part_.program_, launch.name.c_str(), arguments, &kernels_.emplace_back());
  }
  in_.assign(text.in, 0.0);
  out_.assign(text.out, 0.0);
  prepared_ = true;
  return status;
}

bool Run::ascends(const double* v) const {
  const auto holds = [v](const Ascent& a) {
    if (a.weight != 0 && v[a.weight] == 0) return true;
    for (std::uint32_t i = 0; i < a.rows * a.n; ++i)
      if (!std::isfinite(v[a.from + i]) || (i % a.n > 0 && !(v[a.from + i] > v[a.from + i - 1]))) return false;
    return true;
  };
  return std::ranges::all_of(part_.text_.ascents, holds);
}

void Run::fill_in(const double* v) {
  const ProgramText& text = part_.text_;
  for (const auto& [from, to] : text.singles) in_[to] = v[from];
  for (const RunIn& run : text.runs) std::copy_n(v + run.from, run.n, in_.begin() + run.to);
  for (const SharedIn& shared : text.shared) {
    double x[kMaxMapArity]{};
    for (std::size_t j = 0; j < shared.x.size(); ++j) x[j] = v[shared.x[j]];
    in_[shared.to] = shared.map->share_numbers(shared.number, x, shared.keep);
  }
}

Status Run::launch() {
  const ProgramText& text = part_.text_;
  const Cut cut = cut_for(part_.use_->device().info());
  Status status;
  if (!in_.empty()) status = queue_->write(*numbers_, 0, in_.data(), in_.size() * sizeof(double));
  for (std::size_t k = 0; k < kernels_.size() && status; ++k) status = queue_->launch(*kernels_[k], text.launches[k].items, cut.group);
  return status ? queue_->read(*numbers_, text.out_at * sizeof(double), out_.data(), out_.size() * sizeof(double)) : status;
}

/// Sums in the order of groups, so that they are the same every time.
Run::Outcome Run::collect(const double* v, double* a, double* lp) const {
  const ProgramText& text = part_.text_;
  double terms = 0;
  for (const SumsOut& s : text.sums) {
    const std::size_t width = s.scalars.size() + 2;
    for (std::uint32_t g = 0; g < s.groups; ++g) {
      if (out_[s.at + g * width] != 0) return Outcome::AskHost;
      terms += out_[s.at + g * width + 1];
    }
  }
  for (const auto& [weight, constant] : text.target) terms += weight == 0 ? constant : v[weight] * constant;
  if (!std::isfinite(terms)) return Outcome::AskHost;
  *lp += terms;
  if (!a) return Outcome::Done;
  for (const SumsOut& s : text.sums)
    for (std::size_t k = 0; k < s.scalars.size(); ++k)
      for (std::uint32_t g = 0; g < s.groups; ++g) a[s.scalars[k]] += out_[s.at + g * (s.scalars.size() + 2) + 2 + k];
  for (const AdjointsOut& out : text.adjoints)
    for (std::size_t k = 0; k < out.to.size(); ++k)
      for (std::uint32_t i = 0; i < out.each; ++i) a[out.to[k]] += out_[out.at + k * out.each + i];
  for (const RunOut& run : text.adjoint_runs)
    for (std::uint32_t i = 0; i < run.n; ++i) a[run.to + i] += out_[run.at + i];
  return Outcome::Done;
}

Run::Outcome Run::evaluate(const double* v, double* a, double* lp) {
  if (part_.use_->lost()) return Outcome::Lost;
  if (part_.text_.launches.empty()) return Outcome::Done;
  if (!ascends(v)) return Outcome::AskHost;
  Status status = prepared_ ? Status() : prepare();
  if (status) fill_in(v);
  if (status) status = launch();
  if (status) return collect(v, a, lp);
  part_.use_->lose(status.message);
  return Outcome::Lost;
}

}  // namespace fermiac::ad::device
