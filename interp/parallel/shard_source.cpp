#include "interp/parallel/shard_source.h"

#include <algorithm>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "interp/exec/runs/solver_callback.h"
#include "interp/exec/runs/solver_operands.h"
#include "interp/functions/functions.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::interp {
namespace {

/// One call.
class CallShard final : public ad::ShardSource {
 public:
  CallShard(std::shared_ptr<const ShardedFunction> function, std::vector<Value> arguments)
      : function_(std::move(function)), arguments_(std::move(arguments)) {
    for (const Value& v : arguments_)
      with_references(v, [&](Ref r) {
        if (!r.is_constant()) mentioned_.push_back(r.index());
        return r;
      });
    std::ranges::sort(mentioned_);
    mentioned_.erase(std::unique(mentioned_.begin(), mentioned_.end()), mentioned_.end());
  }

  /// Many a call is handed whole vectors and reads a few elements: then it is recorded once more with these alone.
  ad::ShardRecording record(std::span<const double> x) const override {
    Attempt attempt = run(x, mentioned_);
    if (!attempt.recording.error && 2 * attempt.read.size() < mentioned_.size()) {
      std::vector<std::uint32_t> read;
      for (const std::uint32_t i : attempt.read) read.push_back(mentioned_[i]);
      attempt = run(x, std::move(read));
    }
    return std::move(attempt.recording);
  }

  void poll() const override { ad::stop_if(function_->stop); }

 private:
  struct Attempt {
    ad::ShardRecording recording;
    std::vector<std::uint32_t> read;  // of the parameters of the tape
  };

  Attempt run(std::span<const double> x, std::vector<std::uint32_t> used) const {
    std::vector<double> theta;
    for (const std::uint32_t i : used) theta.push_back(x[i]);
    Attempt out;
    const PrintSink sink = [&](std::string_view text) { out.recording.printed += text; };
    ad::Recorder recorder(theta);
    Machine m;
    m.recorder = &recorder;
    m.print = &sink;
    m.stop = function_->stop;
    m.depth = function_->depth;
    Frame f{.m = m, .recording = true, .propto = function_->caller_propto};
    try {
      const std::uint32_t results = call(f, arguments(recorder, x.size(), used));
      ad::Trace trace = std::move(recorder).finish();
      out.read = ad::parameters_read(trace);
      ad::rewrite(trace, {.links = function_->fuses_links});
      out.recording.path = {std::make_shared<const ad::Tape>(std::move(trace), function_->function.jit), std::move(used), results};
    } catch (...) {
      out.recording.error = std::current_exception();
      out.recording.site = m.site;
    }
    return out;
  }

  /// Returns the number of results; a single one goes into target, where densities are quickest.
  std::uint32_t call(Frame& f, std::vector<Value> arguments) const {
    if (function_->function.result.is_scalar() && function_->function.adjoints.empty()) {
      add_call_to_target(function_->function, f, std::move(arguments), function_->activity);
      return 1;
    }
    const Value result = call_with_adjoints(function_->function, f, std::move(arguments), function_->activity);
    const std::vector<Ref> refs = result_references(*f.m.recorder, result);
    if (refs.size() == 1)
      f.m.recorder->target(refs[0]);
    else if (!refs.empty())
      f.m.recorder->outputs(refs);
    return static_cast<std::uint32_t>(refs.size());
  }

  std::vector<Value> arguments(ad::Recorder& recorder, std::size_t outer,
                               const std::vector<std::uint32_t>& used) const {
    std::vector<Ref> local(outer, Ref::none());
    for (std::size_t i = 0; i < used.size(); ++i) local[used[i]] = Ref::slot(i);
    const Ref nothing = recorder.constant(0);
    const auto now = [&](Ref r) {
      if (r.is_constant()) return recorder.constant(function_->constants[r.index()]);
      const Ref read = local[r.index()];
      return read == Ref::none() ? nothing : read;
    };
    std::vector<Value> out;
    for (const Value& v : arguments_) out.push_back(with_references(v, now));
    return out;
  }

  std::shared_ptr<const ShardedFunction> function_;
  std::vector<Value> arguments_;
  std::vector<std::uint32_t> mentioned_;  // outer numbers in the arguments
};

}  // namespace

std::shared_ptr<const ad::ShardSource> call_source(std::shared_ptr<const ShardedFunction> function,
                                                   std::vector<Value> arguments) {
  return std::make_shared<const CallShard>(std::move(function), std::move(arguments));
}

Ref OuterReferences::renumber(Ref outer) {
  const auto [it, inserted] = known_.try_emplace(outer);
  if (!inserted) return it->second;
  if (outer.is_constant()) {
    it->second = Ref::const_scalar(constants_.size());
    constants_.push_back(recorder_.value(outer));
  } else {
    it->second = Ref::slot(varying_.size());
    varying_.push_back(outer);
  }
  return it->second;
}

Value OuterReferences::renumbered(const Value& v) {
  return with_references(v, [this](Ref r) { return renumber(r); });
}

}  // namespace fermiac::interp
