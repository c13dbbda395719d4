#include "autodiff/parallel/shards.h"

#include <algorithm>
#include <exception>
#include <numeric>

#include "autodiff/tape/ir/operands.h"

namespace fermiac::ad {
namespace {

constexpr std::size_t kWorkOfACall = 512;  // of a kernel, which may be anything

std::span<const double> operand(const KernelCall& call) {
  return {call.in[0].v, call.in[0].shape.size()};
}

}  // namespace

Shards::Shards(Groups groups, Join join) : groups_(std::move(groups)), join_(join) {
  for (const auto& group : groups_) {
    places_.push_back({results_, scratch_});
    results_ = checked_count(std::uint64_t{results_} + group->results(), "the results of all shards");
    scratch_ = checked_count(std::uint64_t{scratch_} + group->scratch(), "the work space of all shards");
  }
}

// Scratch: that of the groups, then the results, or the adjoints of the results, where those of the call are a sum.
Plan Shards::plan(const KernelCall&) const {
  if (join_ == Join::Sum) return {Shape::scalar(), std::uint64_t{scratch_} + results_};
  return {Shape::vector(results_), scratch_};
}

void Shards::forward(const KernelCall& call) const {
  double* results = join_ == Join::Sum ? call.scratch + scratch_ : call.out;
  std::vector<ShardGroup::Ticket> tickets;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    tickets.push_back(groups_[g]->start_forward(operand(call), call.scratch + places_[g].scratch));
  std::exception_ptr first;
  for (std::size_t g = 0; g < groups_.size(); ++g) try {
      groups_[g]->finish_forward(tickets[g], operand(call), results + places_[g].results,
                                 call.scratch + places_[g].scratch);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  if (first) std::rethrow_exception(first);
  if (join_ == Join::Sum) *call.out = std::accumulate(results, results + results_, 0.0);
}

void Shards::reverse(const KernelCall& call) const {
  if (call.in[0].a == nullptr) return;
  const double* seeds = call.out_a;
  if (join_ == Join::Sum) {
    std::fill_n(call.scratch + scratch_, results_, *call.out_a);
    seeds = call.scratch + scratch_;
  }
  std::vector<ShardGroup::Ticket> tickets;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    tickets.push_back(
        groups_[g]->start_reverse(operand(call), seeds + places_[g].results, call.scratch + places_[g].scratch));
  for (std::size_t g = 0; g < groups_.size(); ++g)  // in this order, whoever computed them
    for (const PartSlopes& part : groups_[g]->finish_reverse(tickets[g], operand(call), seeds + places_[g].results,
                                                             call.scratch + places_[g].scratch)) {
      const double* slopes = part.kept ? part.kept : part.again.data();
      for (std::size_t k = 0; k < part.used.size(); ++k) call.in[0].a[part.used[k]] += part.scale * slopes[k];
    }
}

bool has_shards(const Trace& trace) {
  return std::ranges::any_of(trace.calls, [](const CallInfo& c) {
    return c.kernel == &solver_kernel() &&
           dynamic_cast<const Shards*>(static_cast<const SolverCall*>(c.context.get())) != nullptr;
  });
}

std::vector<std::uint32_t> parameters_read(const Trace& trace) {
  std::vector<bool> read(trace.parameters);
  const auto note = [&](Ref r, std::uint32_t n) {
    if (r.is_constant()) return;
    for (std::uint32_t i = r.index(); i < r.index() + n && i < trace.parameters; ++i) read[i] = true;
  };
  for (const Op& op : trace.ops) for_each_operand(trace, op, note);
  for (const Op& op : trace.tiled) for_each_outer_operand(op, note);
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < trace.parameters; ++i)
    if (read[i]) out.push_back(i);
  return out;
}

std::size_t work_of(const Tape& tape) {
  std::size_t work = 0;
  for (const TapeOp& op : tape.ops())
    work += is_call(op.kind) ? kWorkOfACall : op.kind == OpKind::Tiles ? std::size_t{op.n} * op.tiles().count : op.n;
  return work;
}

}  // namespace fermiac::ad
