#include "repl/session/gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "autodiff/tape/second_order/second_order.h"
#include "inference/model/column_names.h"
#include "inference/model/second_derivatives.h"
#include "inference/output/csv.h"
#include "interp/exec/runs/frame.h"
#include "mir/ir/build.h"

namespace fermiac::repl {

using interp::Value;

namespace {

/// Numbers of a value that can carry derivatives, in storage order.
void collect(const Value& v, std::vector<double>& out) {
  switch (v.kind()) {
    case Value::Kind::Real: out.push_back(v.as_real()); break;
    case Value::Kind::Reals:
      for (std::size_t i = 0; i < v.real_data().size(); ++i) out.push_back(v.real_data()[i]);
      break;
    case Value::Kind::Tuple:
    case Value::Kind::Tuples:
      for (const Value& slot : v.values()) collect(slot, out);
      break;
    default: break;
  }
}

/// The same value with its numbers replaced by those of `theta` from `next` on, or by references to them.
Value replaced(const Value& v, std::span<const double> theta, std::size_t& next, bool references) {
  switch (v.kind()) {
    case Value::Kind::Real: {
      const std::size_t i = next++;
      return references ? Value::reference(ad::Ref::slot(i)) : Value(theta[i]);
    }
    case Value::Kind::Reals: {
      const std::size_t n = v.real_data().size();
      if (references) {
        std::vector<ad::Ref> refs(n);
        for (ad::Ref& r : refs) r = ad::Ref::slot(next++);
        return Value::refs(v.shape(), std::move(refs));
      }
      interp::RealBuffer x(n);
      for (std::size_t i = 0; i < n; ++i) x[i] = theta[next++];
      return Value::reals(v.shape(), std::move(x));
    }
    case Value::Kind::Tuple:
    case Value::Kind::Tuples: {
      Value out = v;
      for (Value& slot : out.mutable_values()) slot = replaced(slot, theta, next, references);
      return out;
    }
    default: return v;
  }
}

void append_indexed_names(const std::string& name, const Value& v, std::vector<std::string>& out) {
  if (v.kind() == Value::Kind::Real) return out.push_back(name);
  if (v.kind() == Value::Kind::Tuple) {
    for (std::size_t i = 0; i < v.values().size(); ++i)
      append_indexed_names(fmt::format("{}.{}", name, i + 1), v.values()[i], out);
    return;
  }
  if (v.kind() == Value::Kind::Tuples) {
    for (std::size_t i = 0; i < v.values().size(); ++i)
      append_indexed_names(fmt::format("{}[{}]", name, i + 1), v.values()[i], out);
    return;
  }
  if (v.kind() != Value::Kind::Reals) return;
  const ad::Shape s = v.shape();
  const std::uint32_t parts = s.complex ? 2 : 1;
  for (std::uint32_t k = 0; k < s.size(); ++k) {
    std::uint32_t scalar = k / parts, element = scalar / s.inner_size();
    std::vector<std::uint32_t> index(s.rank);
    for (int d = s.rank - 1; d >= 0; --d) {
      index[d] = element % s.array_dims[d] + 1;
      element /= s.array_dims[d];
    }
    const std::uint32_t inside = scalar % s.inner_size();
    if (s.inner == ad::Inner::Matrix) {
      index.push_back(inside % s.rows + 1);
      index.push_back(inside / s.rows + 1);
    } else if (s.inner != ad::Inner::Scalar) {
      index.push_back(inside + 1);
    }
    std::string text = name;
    if (!index.empty()) text += fmt::format("[{}]", fmt::join(index, ","));
    if (parts == 2) text += k % 2 ? ".imag" : ".real";
    out.push_back(std::move(text));
  }
}

}  // namespace

void Differentiable::add_argument(const std::string& name, const Type& type, const Value& value) {
  if (type.is_discrete() || value.is_none()) {
    data_.push_back(name);
    return;
  }
  arguments_.push_back(name);
  append_indexed_names(name, value, names_);
  collect(value, point_);
}

Differentiable::Differentiable(Evaluator& evaluator, std::string_view text) : evaluator_(evaluator) {
  // A first look says which variables there are; in the second they are parameters, so that arguments that must be data
  // are told.
  ast::ExprPtr expr = evaluator.parse_expression(text);
  const Type type = evaluator.check(*expr);
  if (!type.is(BaseType::Real))
    throw InputError(fmt::format("a gradient needs an expression of type real, this one has type {}{}", type.str(),
                              type.is_scalar() ? "" : "; take an element or the sum"));
  for (const std::string& name : mentioned_variables({mir::make_stmt(mir::Return{evaluator.lower(expr)})}))
    if (const Typed* known = evaluator.find(name)) add_argument(name, known->type, known->value);
  if (arguments_.empty()) throw InputError("there is no real variable in this expression to differentiate by");
  mir::ExprPtr e;
  {
    const Evaluator::Reclassified parameters(evaluator, arguments_, ast::BlockKind::Parameters);
    const Evaluator::Quiet once(evaluator);
    evaluator.check(*expr, ast::BlockKind::Model);
    e = evaluator.lower(expr, ast::BlockKind::Model);
  }
  mir::Program program;
  for (const std::string& name : data_)
    program.prepare_data.push_back(mir::declare_unsized(name, evaluator.find(name)->type, {}, mir::Decl::Init::Uninit));
  for (const std::string& name : arguments_) {
    const Type& t = evaluator.find(name)->type;
    program.log_prob.push_back(mir::declare_unsized(name, t, mir::uniform_level(t, true), mir::Decl::Init::Uninit));
  }
  program.log_prob.push_back(mir::target_pe(e, e->span));
  program.functions = evaluator.reachable(mentioned_functions({program.log_prob.back()}));
  code_ = evaluator.prepare(program);
}

void Differentiable::fill(interp::Frame& f, std::span<const double> theta, bool references) const {
  std::size_t slot = 0, next = 0;
  for (const std::string& name : data_) f.slots[slot++] = evaluator_.find(name)->value;
  for (const std::string& name : arguments_)
    f.slots[slot++] = replaced(evaluator_.find(name)->value, theta, next, references);
}

std::unique_ptr<interp::Machine> Differentiable::machine() const {
  auto m = std::make_unique<interp::Machine>();
  m->print = &evaluator_.print();
  m->stop = evaluator_.stop();
  return m;
}

double Differentiable::value(std::span<const double> theta) const {
  const auto m = machine();
  interp::Frame f{.m = *m, .slots = m->stack.take(code_->log_prob.slots)};
  fill(f, theta, false);
  evaluator_.guard(*m, code_->sites, [&] { code_->log_prob.body.back()->run(f); });
  return m->lp;
}

ad::Trace Differentiable::record(std::span<const double> theta) const {
  ad::Recorder recorder(theta);
  const auto m = machine();
  m->recorder = &recorder;
  interp::Frame f{.m = *m, .slots = m->stack.take(code_->log_prob.slots), .recording = true};
  fill(f, theta, true);
  evaluator_.guard(*m, code_->sites, [&] { code_->log_prob.body.back()->run(f); });
  return std::move(recorder).finish();
}

Differentiable::Gradient Differentiable::gradient(std::span<const double> theta) const {
  ad::Trace trace = record(theta);
  ad::rewrite(trace);
  ad::Workspace workspace(std::make_shared<const ad::Tape>(std::move(trace)));
  Gradient out{0, std::vector<double>(theta.size())};
  const ad::ReplayStatus status = workspace.gradient(theta, &out.value, out.slopes);
  if (status.kind != ad::ReplayStatus::Kind::Ok) throw InputError(status.message);
  return out;
}

std::string Differentiable::exact_hessian(std::span<const double> theta, std::span<double> out) const {
  ad::Trace trace = record(theta);
  ad::rewrite(trace);
  const auto tape = std::make_shared<const ad::Tape>(std::move(trace));
  if (const auto lacking = ad::SecondOrder::not_covered(*tape)) return ad::SecondOrder::lacks_text(*lacking);
  ad::SecondOrder second(tape);
  const std::size_t n = theta.size();
  double value = 0;
  std::vector<double> gradient(n), unit(n);
  if (const ad::ReplayStatus status = second.move_to(theta, &value, gradient); status.kind != ad::ReplayStatus::Kind::Ok) throw InputError(status.message);
  for (std::size_t i = 0; i < n; ++i) {
    unit[i] = 1;
    second.times(unit, out.subspan(i * n, n));
    unit[i] = 0;
  }
  return {};
}

// ---------------------------------------------------------------- the target of a model

namespace {

constexpr DensityOptions kWhole{.propto = false, .jacobian = true};

}  // namespace

ModelTarget::ModelTarget(const LoadedModel& model, const Evaluator& evaluator) : evaluator_(evaluator), workspace_(model.model().workspace()) {
  names_ = model.model().unconstrained_names();
  for (std::string& name : names_) name = inference::pretty_name(name);
  point_ = model.point();
}

double ModelTarget::value(std::span<const double> theta) const {
  evaluator_.poll();
  double lp = 0;
  if (const EvalStatus bad = workspace_->log_density(theta, kWhole, &lp); !bad) throw InputError(bad.message);
  return lp;
}

RealFunction::Gradient ModelTarget::gradient(std::span<const double> theta) const {
  evaluator_.poll();
  Gradient out{0, std::vector<double>(theta.size())};
  if (const EvalStatus bad = workspace_->log_density_gradient(theta, kWhole, &out.value, out.slopes); !bad) throw InputError(bad.message);
  return out;
}

std::string ModelTarget::exact_hessian(std::span<const double> theta, std::span<double> out) const {
  evaluator_.poll();
  auto* const exact = dynamic_cast<ExactSecondDerivatives*>(workspace_.get());
  if (!exact) return "the model has no tape";
  if (std::string why = exact->why_inexact(theta, kWhole); !why.empty()) return why;
  return inference::exact_hessian(*workspace_, kWhole, theta, out) ? "" : "some second derivative is not known";
}

// ---------------------------------------------------------------- differences

namespace {

/// (f(-2h) - 8 f(-h) + 8 f(h) - f(2h)) / 12h, for each component of f.
template <class F>
std::vector<double> derivative(std::span<const double> theta, std::size_t i, F f) {
  std::vector<double> x(theta.begin(), theta.end());
  const double h = 1e-3 * std::max(1.0, std::fabs(x[i]));
  std::vector<double> out;
  for (const auto& [step, weight] : {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
    x[i] = theta[i] + step * h;
    const std::vector<double> y = f(std::span<const double>(x));
    out.resize(y.size());
    for (std::size_t k = 0; k < y.size(); ++k) out[k] += weight * y[k] / (12 * h);
  }
  return out;
}

}  // namespace

inference::DifferenceSlope RealFunction::difference(std::span<const double> theta, std::size_t i, std::span<const double> steps) const {
  return inference::difference_along([&](std::span<const double> x) { return value(x); }, theta, i, steps);
}

RealFunction::Hessian RealFunction::hessian(std::span<const double> theta) const {
  const std::size_t n = theta.size();
  Hessian out{std::vector<double>(n * n), {}};
  out.why_inexact = exact_hessian(theta, out.values);
  if (out.why_inexact.empty() && !std::ranges::all_of(out.values, [](double x) { return std::isfinite(x); }))
    out.why_inexact = "some second derivative is not known";
  for (std::size_t i = 0; i < n && !out.why_inexact.empty(); ++i) {
    const std::vector<double> row = derivative(theta, i, [&](std::span<const double> x) { return gradient(x).slopes; });
    std::copy(row.begin(), row.end(), out.values.begin() + static_cast<std::ptrdiff_t>(i * n));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) out.values[i * n + j] = out.values[j * n + i] = (out.values[i * n + j] + out.values[j * n + i]) / 2;
  return out;
}

}  // namespace fermiac::repl
