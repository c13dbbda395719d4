#include "interp/exec/runs/solver_callback.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "interp/value/numbers.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::interp {
std::vector<Ref> result_references(ad::Recorder& recorder, const Value& result) {
  const Value v = promoted(result, BaseType::Real, &recorder);
  if (v.kind() == Value::Kind::Refs) return v.ref_data();
  if (v.kind() != Value::Kind::Reals) return {to_ref(recorder, v)};
  std::vector<Ref> refs(v.real_data().size());
  for (std::size_t i = 0; i < refs.size(); ++i) refs[i] = recorder.constant(v.real_data()[i]);
  return refs;
}

Callback::Callback(const FunctionCode& function, Signature signature, const std::vector<Value>& rest,
                   const Frame& caller)
    : function_(function), signature_(std::move(signature)), print_(caller.m.print), stop_(caller.m.stop) {
  for (const Shape& shape : signature_.varied) varied_ += shape.size();
  std::unordered_map<Ref, Ref> known;
  const auto local = [&](Ref outer) {
    const auto [it, inserted] = known.try_emplace(outer);
    if (!inserted) return it->second;
    if (outer.is_constant()) {
      it->second = Ref::const_scalar(constants_.size());
      constants_.push_back(caller.m.recorder->value(outer));
    } else {
      it->second = Ref::slot(varied_ + references_.size());
      references_.push_back(outer);
    }
    return it->second;
  };
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const Type& formal = function.formals[signature_.varied.size() + i];
    rest_.push_back(with_references(promoted(rest[i], formal, caller.m.recorder), local));
  }
}

Value Callback::others() const {
  const Shape shape = Shape::vector(static_cast<std::uint32_t>(references_.size()));
  return references_.empty() ? Value::reals(shape, 0.0) : Value::refs(shape, references_);
}

std::vector<Value> Callback::arguments(ad::Recorder& recorder) const {
  std::vector<Value> args;
  Ref next;
  for (const Shape& shape : signature_.varied) {
    std::vector<Ref> refs = filled<Ref>(shape.size());
    std::iota(refs.begin(), refs.end(), next);
    args.push_back(shape.is_scalar() ? Value::reference(next) : Value::refs(shape, std::move(refs)));
    next += shape.size();
  }
  const auto now = [&](Ref r) { return r.is_constant() ? recorder.constant(constants_[r.index()]) : r; };
  for (const Value& v : rest_) args.push_back(constants_.empty() ? v : with_references(v, now));
  return args;
}

void Callback::poll() const {
  ad::stop_if(stop_);
}

std::shared_ptr<const ad::Tape> Callback::record(std::span<const double> x) const {
  return record_function(x, function_.jit, print_, stop_, [&](Frame& f) {
    const std::vector<Ref> refs = result_references(*f.m.recorder, call_with_adjoints(function_, f, arguments(*f.m.recorder)));
    if (refs.size() != signature_.outputs)
      throw ad::SizeError(fmt::format("{}: {} returned {} values, but there must be {}", signature_.solver, function_.name,
                                      refs.size(), signature_.outputs));
    return refs;
  });
}

std::shared_ptr<const ad::Tape> record_function(std::span<const double> x, Jit jit, const PrintSink* print,
                                                const std::atomic<bool>* stop,
                                                const std::function<std::vector<Ref>(Frame&)>& results) {
  ad::Recorder recorder(x);
  Machine m;
  m.recorder = &recorder;
  m.print = print;
  m.stop = stop;
  Frame f{.m = m, .recording = true};
  recorder.outputs(results(f));
  ad::Trace trace = std::move(recorder).finish();
  ad::rewrite(trace, {.links = false});
  return std::make_shared<const ad::Tape>(std::move(trace), jit);
}

}  // namespace fermiac::interp
