// A user function that a solver evaluates: recorded as a tape over the solver's own arguments (time, state, …) and over
// whatever else carries derivatives; everything that does not is a constant of that tape.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "autodiff/solvers/function.h"
#include "interp/exec/runs/code.h"
#include "interp/exec/runs/frame.h"

namespace fermiac::interp {

/// The same value with every reference replaced.
template <class Map>
Value with_references(const Value& v, const Map& map) {
  switch (v.kind()) {
    case Value::Kind::Ref: return Value::reference(map(v.as_ref()));
    case Value::Kind::Refs: {
      std::vector<Ref> refs(v.ref_data().size());
      std::ranges::transform(v.ref_data(), refs.begin(), map);
      return Value::refs(v.shape(), std::move(refs));
    }
    case Value::Kind::Tuple:
    case Value::Kind::Tuples: {
      if (!v.is_autodiff()) return v;
      std::vector<Value> parts;
      for (const Value& part : v.values()) parts.push_back(with_references(part, map));
      return v.kind() == Value::Kind::Tuple ? Value::tuple(std::move(parts)) : Value::tuples(v.shape(), std::move(parts));
    }
    default: return v;
  }
}

/// The same as call_function, except that a recorded call of a function with adjoints of its own (`@grad_adj_jac`) is one
/// operation (adjoint_call.cpp).
Value call_with_adjoints(const FunctionCode& function, Frame& f, std::vector<Value> arguments, CallActivity activity = {});

/// The numbers of a result, as references.
std::vector<Ref> result_references(ad::Recorder& recorder, const Value& result);

/// A tape of a function of numbers: `results` computes them at x while its frame records.
std::shared_ptr<const ad::Tape> record_function(std::span<const double> x, Jit jit, const PrintSink* print,
                                                const std::atomic<bool>* stop,
                                                const std::function<std::vector<Ref>(Frame&)>& results);

class Callback final : public ad::FunctionSource {
 public:
  /// What the solver varies, and the number of results it needs.
  struct Signature {
    std::string_view solver;       // for messages
    std::vector<Shape> varied;
    std::size_t outputs = 1;
  };
  /// `rest`: the arguments behind the varied ones, as the call has them; references belong to the caller's recording.
  Callback(const FunctionCode& function, Signature signature, const std::vector<Value>& rest, const Frame& caller);

  std::size_t inputs() const override { return varied_ + references_.size(); }
  std::size_t outputs() const override { return signature_.outputs; }
  std::shared_ptr<const ad::Tape> record(std::span<const double> x) const override;
  void poll() const override;

  /// The caller's references for the inputs behind the varied ones, as an operand: reals without elements if there are none.
  Value others() const;

 private:
  std::vector<Value> arguments(ad::Recorder& recorder) const;

  const FunctionCode& function_;
  Signature signature_;
  const PrintSink* print_;
  const std::atomic<bool>* stop_;
  std::size_t varied_ = 0;         // number of varied inputs
  std::vector<Ref> references_;    // of the caller
  std::vector<Value> rest_;        // references count inputs; constants count constants_
  std::vector<double> constants_;
};

}  // namespace fermiac::interp
