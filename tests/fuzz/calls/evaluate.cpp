#include "tests/fuzz/calls/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <typeinfo>
#include <vector>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "interp/functions/builtin_tools.h"
#include "interp/functions/functions.h"
#include "support/base/errors.h"
#include "support/base/memory.h"
#include "tests/conformance/oracle_values.h"
#include "tests/conformance/recorded_call.h"
#include "tests/conformance/sweep.h"

namespace fermiac::fuzz {
namespace {

using interp::CallContext;
using interp::Value;

constexpr double kTolerance = 1e-7;
constexpr double kHuge = 1e300;
constexpr std::size_t kMemory = std::size_t{1} << 30;  // sizes that ask for more are errors
constexpr double kRounding = 1e-13;

constexpr std::uint32_t kLargest = 20000;  // numbers of a result that are looked at one by one

enum class Ending { Done, Domain, Size, Index, Fatal, Memory, Anew /* the model would record anew */ };

constexpr std::string_view kEndings[] = {"a value",       "a domain error", "a size error", "an index error",
                                         "a fatal error", "out of memory",  "another path"};

struct Outcome {
  Ending ending = Ending::Done;
  std::string message;
  double sum = 0;    // Σ weight · number, and what the function adds to target
  double scale = 1;  // the largest of these terms
  std::string str() const {
    return ending == Ending::Done ? fmt::format("{:.17g}", sum)
                                  : fmt::format("{} ({})", kEndings[int(ending)], message);
  }
};

/// Runs `body`; errors of the program become its ending, others leave.
template <class Body>
Outcome outcome_of(const Body& body) {
  Outcome o;
  try {
    body(o);
  } catch (const ad::DomainError& e) {
    o = {Ending::Domain, e.what()};
  } catch (const ad::SizeError& e) {
    o = {Ending::Size, e.what()};
  } catch (const ad::IndexError& e) {
    o = {Ending::Index, e.what()};
  } catch (const ad::EvalError& e) {
    o = {Ending::Domain, e.what()};
  } catch (const ad::MemoryError& e) {
    o = {Ending::Memory, e.what()};
  } catch (const ad::FatalError& e) {
    o = {Ending::Fatal, e.what()};
  } catch (const std::bad_alloc& e) {
    o = {Ending::Memory, e.what()};
  }
  return o;
}

void sum_up(const Value& result, double extra, Outcome& o) {
  o.sum = extra;
  std::size_t k = 0;
  for (const double x : selfcheck::oracle::flatten(result)) {
    const double term = selfcheck::result_weight(k++) * x;
    o.sum += term;
    if (std::isfinite(term)) o.scale = std::max(o.scale, std::fabs(term));
  }
}

class Ways {
 public:
  explicit Ways(const Call& call) : call_(call), builtin_(*interp::LibraryFunction::find(call.signature->name)) {
    parameters_ = selfcheck::as_parameters(call.arguments, call.parameters, here_);
  }

  std::optional<std::string> first_fault() {
    const Outcome plain_here = plain(call_.arguments);
    if (call_.signature->name.ends_with("_rng") || here_.empty() || numbers_ > kLargest) return std::nullopt;
    if (auto fault = recorded_and_replayed(plain_here)) return fault;
    if (auto fault = directly("evaluated without a tape", here_, plain_here)) return fault;
    return directly("evaluated without a tape elsewhere", call_.elsewhere, plain(arguments_at(call_.elsewhere)));
  }

 private:
  Outcome plain(const std::vector<Value>& args) {
    return outcome_of([&](Outcome& o) {
      Rng rng(1);
      double extra = 0;
      CallContext context{.rng = &rng, .target = &extra};
      const Value result = builtin_.apply(context, args);
      numbers_ = interp::scalar_count(result);
      sum_up(result, extra, o);
    });
  }

  /// The arguments with the numbers of another point.
  std::vector<Value> arguments_at(const std::vector<double>& theta) const {
    std::vector<Value> args = call_.arguments;
    std::size_t at = 0;
    for (std::size_t j = 0; j < args.size(); ++j) {
      if (parameters_[j].kind() == Value::Kind::Ref) args[j] = Value(theta[at++]);
      if (parameters_[j].kind() != Value::Kind::Refs) continue;
      interp::RealBuffer& numbers = args[j].mutable_reals();
      for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = theta[at++];
    }
    return args;
  }

  std::optional<std::string> disagreement(std::string_view way, const Outcome& ours, const Outcome& plainly) const {
    const auto says_nothing = [](Ending e) { return e == Ending::Memory || e == Ending::Anew; };
    if (says_nothing(ours.ending) || says_nothing(plainly.ending)) return std::nullopt;
    const bool agree = ours.ending == plainly.ending && (ours.ending != Ending::Done || agree_in_value(ours, plainly));
    if (agree) return std::nullopt;
    return fmt::format("{}: {}, plainly {}", way, ours.str(), plainly.str());
  }
  /// Sums that are not finite hide which term was not; near the largest number they depend on the order of the terms.
  bool agree_in_value(const Outcome& ours, const Outcome& plainly) const {
    if (selfcheck::is_free_up_to_phase(*call_.signature) || plainly.scale > kHuge) return true;
    if (!std::isfinite(plainly.sum)) return !std::isfinite(ours.sum);
    const double rounding = kRounding * largest_argument();  // of sums in another order
    return std::fabs(ours.sum - plainly.sum) <= kTolerance * std::max(plainly.scale, std::fabs(plainly.sum)) + rounding;
  }

  double largest_argument() const {
    double largest = 0;
    for (const Value& v : call_.arguments)
      for (const double x : selfcheck::oracle::flatten(v))
        if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
    for (const double x : call_.elsewhere)
      if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
    return largest;
  }

  std::optional<std::string> recorded_and_replayed(const Outcome& plain_here) {
    ad::Recorder recorder(here_);
    const Outcome recorded = outcome_of([&](Outcome& o) {
      double extra = 0;
      CallContext context{.recorder = &recorder, .target = &extra};
      const Value result = builtin_.apply(context, parameters_);
      sum_up(selfcheck::plain_numbers(context, result), extra + recorder.target_value(), o);
      constant_ = unrecorded(result, extra);
      selfcheck::record_weighted_sum(context, result);
    });
    if (auto fault = disagreement("recorded", recorded, plain_here)) return fault;
    if (recorded.ending != Ending::Done || call_.signature->result.is_discrete()) return std::nullopt;
    const ad::Trace trace = std::move(recorder).finish();
    ad::Trace rewritten = trace;
    ad::rewrite(rewritten);
    const Outcome plain_elsewhere = plain(arguments_at(call_.elsewhere));
    for (const bool as_recorded : {true, false}) {
      const std::string_view name = as_recorded ? "replayed" : "rewritten and replayed";
      ad::Workspace workspace(std::make_shared<const ad::Tape>(as_recorded ? trace : rewritten));
      if (auto fault = replayed(name, workspace, here_, plain_here)) return fault;
      if (auto fault = replayed(fmt::format("{} elsewhere", name), workspace, call_.elsewhere, plain_elsewhere))
        return fault;
    }
    return std::nullopt;
  }

  /// What the result holds that is not on the tape.
  double unrecorded(const Value& result, double extra) const {
    double sum = extra;
    std::size_t k = 0;
    add_unrecorded(result, k, sum);
    return sum;
  }
  static void add_unrecorded(const Value& v, std::size_t& k, double& sum) {
    if (v.kind() == Value::Kind::Tuple) {
      for (const Value& slot : v.values()) add_unrecorded(slot, k, sum);
      return;
    }
    const bool recorded = v.kind() == Value::Kind::Ref || v.kind() == Value::Kind::Refs;
    if (recorded) return void(k += v.shape().size());
    for (const double x : selfcheck::oracle::flatten(v)) sum += selfcheck::result_weight(k++) * x;
  }

  std::optional<std::string> replayed(std::string_view way, ad::Workspace& workspace, const std::vector<double>& theta,
                                      const Outcome& plainly) {
    workspace.poison();
    std::vector<double> gradient(theta.size());
    Outcome o;
    const ad::ReplayStatus status = workspace.gradient(theta, &o.sum, gradient);
    o.sum += constant_;
    o.message = status.message;
    o.ending = ending_of(status.kind, workspace.tape().has_guards());
    return disagreement(way, o, plainly);
  }
  /// An error of a tape with guards may stand before the guard that would have stopped first.
  static Ending ending_of(ad::ReplayStatus::Kind kind, bool has_guards) {
    using Kind = ad::ReplayStatus::Kind;
    if (kind == Kind::Ok) return Ending::Done;
    if (kind == Kind::GuardFailed || has_guards) return Ending::Anew;
    return kind == Kind::FatalError ? Ending::Fatal : Ending::Domain;
  }

  std::optional<std::string> directly(std::string_view way, const std::vector<double>& theta, const Outcome& plainly) {
    ad::Recorder recorder(theta);
    recorder.evaluate(theta, true, false);
    const Outcome o = outcome_of([&](Outcome& out) {
      double extra = 0;
      CallContext context{.recorder = &recorder, .target = &extra};
      const Value result = builtin_.apply(context, parameters_);
      sum_up(selfcheck::plain_numbers(context, result), extra + recorder.target_value(), out);
      selfcheck::record_weighted_sum(context, result);
      std::vector<double> gradient(theta.size());
      recorder.pull_back(gradient);
    });
    return disagreement(way, o, plainly);
  }

  const Call& call_;
  const interp::LibraryFunction& builtin_;
  std::vector<double> here_;
  std::vector<Value> parameters_;
  double constant_ = 0;        // what a recording's results hold that is not on the tape
  std::uint32_t numbers_ = 0;  // of the result
};

}  // namespace

std::optional<std::string> first_fault(const Call& call) {
  const ad::MemoryScope limited(kMemory);
  try {
    return Ways(call).first_fault();
  } catch (const std::exception& e) {
    return fmt::format("{}: {}", typeid(e).name(), e.what());
  }
}

}  // namespace fermiac::fuzz
