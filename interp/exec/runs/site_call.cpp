#include "interp/exec/runs/site_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "autodiff/tape/record/recorder.h"
#include "interp/exec/runs/site_splits.h"
#include "interp/functions/builtin_tools.h"
#include "interp/functions/functions.h"
#include "interp/value/numbers.h"
#include "interp/value/selection.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "support/base/check.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Value evaluated(const ExprPtr& node, Frame& f) {
  return node ? node->eval(f) : Value();
}

/// All numbers of a value of names, those of a tuple slot by slot; complex variables have none.
void append_numbers(const CallContext& context, const Value& names, std::vector<NumberName>& out) {
  const bool tuple = names.kind() == Value::Kind::Tuple || names.kind() == Value::Kind::Tuples;
  for (std::size_t i = 0; tuple && i < names.values().size(); ++i) append_numbers(context, names.values()[i], out);
  if (tuple || names.is_none()) return;
  const std::uint32_t n = names.shape().scalars();
  out.reserve(out.size() + n);
  const double* reals = names.kind() == Value::Kind::Reals ? names.real_data().data() : nullptr;
  for (std::uint32_t k = 0; k < n; ++k) out.push_back(static_cast<NumberName>(reals ? reals[k] : element_value(context, names, k)));
}

bool is_container(const Value& v) {
  return v.kind() >= Value::Kind::Ints && v.kind() != Value::Kind::Tuple;
}

bool is_array_of_containers(const Value& v) {
  return is_container(v) && v.kind() != Value::Kind::Tuples && v.shape().rank > 0 && v.shape().inner != ad::Inner::Scalar;
}

/// How many elements an argument has, if it has any of its own.
std::size_t count_along(Along along, const Value& v) {
  switch (along) {
    case Along::Elements: return is_container(v) ? v.shape().scalars() : 0;
    case Along::Rows: return is_container(v) && v.shape().inner == ad::Inner::Matrix && v.shape().rows != 1 ? v.shape().rows : 0;
    case Along::Arrays: return is_array_of_containers(v) ? v.shape().count() : 0;
    case Along::Whole: return 0;
  }
  return 0;
}

bool varies(Along along, const Value& v, std::size_t n) {
  const std::size_t own = count_along(along, v);
  if (along == Along::Elements || along == Along::Arrays) return own > 0 && own == n;
  return own > 0;
}

}  // namespace

SiteCall::SiteCall(const SiteNode& node, Frame& f) : node_(node), f_(f) {
  if (node.parts.density) {
    name_density();
    return;
  }
  if (node.parts.parts) size_ = static_cast<std::size_t>(node.parts.parts->eval_int(f));
  name_term();
}

void SiteCall::evaluate() {
  const SiteParts& p = node_.parts;
  if (!p.density) return;
  for (const ExprPtr& arg : p.args) args_.push_back(arg->eval(f_));
  factor_ = evaluated(p.factor, f_);
  lower_ = evaluated(p.lower, f_);
  upper_ = evaluated(p.upper, f_);
  mass_count_ = evaluated(p.mass_count, f_);
  split_density();
  split_names();
}

// ---------------------------------------------------------------- elements

void SiteCall::name_density() {
  const ExprPtr& node = node_.parts.names[0];
  if (!node) return names_.push_back(kComputedName);
  append_numbers(f_.context(false), node->eval(f_), names_);
}

void SiteCall::split_density() {
  size_ = 0;
  bool split = false;
  if (node_.parts.density.builtin)
    for (std::size_t k = 0; k < args_.size(); ++k) {
      const Along along = goes_along(site().distribution, k);
      split |= is_container(args_[k]) && along == Along::Elements;
      size_ = std::max(size_, count_along(along, args_[k]));
    }
  if (size_ == 0 && !split) size_ = 1;
}

/// A left side that is the same for all elements names the same for each.
void SiteCall::split_names() {
  const std::size_t all = names_.size();
  const bool shares = size_ > 0 && all % size_ == 0 && all >= size_;
  const std::size_t each = shares ? all / size_ : all;
  names_.resize(size_ * each);
  if (!shares)
    for (std::size_t k = all; k < names_.size(); ++k) names_[k] = names_[k - all];
  begin_.resize(size_ + 1);
  for (std::size_t i = 0; i <= size_; ++i) begin_[i] = i * each;
}

void SiteCall::name_term() {
  const CallContext context = f_.context(false);
  for (std::size_t i = 0; i <= size_; ++i) {
    begin_.push_back(names_.size());
    if (i == size_) break;
    if (node_.parts.part) f_.slots[node_.parts.part_slot].assign(static_cast<std::int32_t>(i + 1));
    const auto from = static_cast<std::ptrdiff_t>(names_.size());
    for (const ExprPtr& node : node_.parts.names)
      if (node) append_numbers(context, node->eval(f_), names_);
    std::sort(names_.begin() + from, names_.end());
    names_.erase(std::unique(names_.begin() + from, names_.end()), names_.end());
    names_.erase(std::remove_if(names_.begin() + from, names_.end(), [](NumberName n) { return n < 0; }), names_.end());
  }
}

std::span<const NumberName> SiteCall::names(std::size_t i) const {
  return {names_.data() + begin_[i], begin_[i + 1] - begin_[i]};
}

// ---------------------------------------------------------------- arguments of some elements

Value SiteCall::part(const Value& argument, std::size_t k, std::span<const std::uint32_t> elements) const {
  const Along along = node_.parts.density.builtin ? goes_along(site().distribution, k) : Along::Whole;
  if (!varies(along, argument, size_)) return argument;
  const Shape& shape = argument.shape();
  const auto n = static_cast<std::uint32_t>(elements.size());
  CallContext context = f_.context(false);
  if (along == Along::Elements) {
    const bool ints = argument.kind() == Value::Kind::Ints;
    if (n == 1 && goes_along(site().distribution, 1) != Along::Rows) return read_scalar(argument, elements[0]);
    return pick(context, ints ? Shape::array(n, {}) : Shape::vector(n), {&argument, 1}, elements);
  }
  Index index;
  if (along == Along::Rows) {
    for (std::uint32_t c = 0; c < shape.cols; ++c)
      for (const std::uint32_t e : elements) index.push_back(c * shape.rows + e);
    return pick(context, Shape::matrix(n, shape.cols), {&argument, 1}, index);
  }
  Shape inner = shape;
  inner.rank = 0;
  inner.array_dims = {};
  for (const std::uint32_t e : elements)
    for (std::uint32_t i = 0; i < inner.inner_size(); ++i) index.push_back(e * inner.inner_size() + i);
  return pick(context, n == 1 ? inner : Shape::array(n, inner), {&argument, 1}, index);
}

std::vector<Value> SiteCall::parts(std::span<const std::uint32_t> elements) const {
  std::vector<Value> out;
  for (std::size_t k = 0; k < args_.size(); ++k) out.push_back(elements.size() == size_ ? args_[k] : part(args_[k], k, elements));
  return out;
}

Value SiteCall::plain(const Value& v) const {
  return without_refs(f_.recording ? f_.m.recorder : nullptr, v);
}

Value SiteCall::argument(std::size_t k, std::size_t i) {
  const auto element = static_cast<std::uint32_t>(i);
  return plain(size_ == 1 ? args_[k] : part(args_[k], k, {&element, 1}));
}

Value SiteCall::apply(Builtin function, std::initializer_list<Value> args) const {
  CallContext context = f_.context(false);
  return LibraryFunction::find(function)->apply(context, {args.begin(), args.size()});
}

// ---------------------------------------------------------------- densities

Value SiteCall::term(std::span<const std::uint32_t> elements) {
  const SiteParts& p = node_.parts;
  const auto summed = [&](const ExprPtr& node) {
    const Value v = node->eval(f_);
    return is_container(v) ? apply(Builtin::sum, {v}) : v;
  };
  if (!p.part || elements.size() == size_) return summed(p.term);
  Value sum = 0.0;
  for (const std::uint32_t e : elements) {
    f_.slots[p.part_slot].assign(static_cast<std::int32_t>(e + 1));
    sum = apply(Builtin::Plus, {sum, summed(p.part)});
  }
  return sum;
}

/// Log of the mass between the bounds, for ints with the lower one taken in.
Value SiteCall::mass(std::vector<Value> args, const Value* lower, const Value* upper) {
  const bool counts = args[0].is_int() || args[0].kind() == Value::Kind::Ints;
  const auto of = [&](const DensityFunction& function, const Value& bound) {
    if (!function) throw ad::FatalError(fmt::format("{} has no cumulative distribution function", site().distribution));
    args[0] = bound;
    return function.apply(f_, args, Dropping());
  };
  const auto below = [&] { return counts ? Value(lower->as_int() - 1) : *lower; };
  if (!upper) return of(node_.parts.lccdf, below());
  if (!lower) return of(node_.parts.lcdf, *upper);
  return apply(Builtin::log_diff_exp, {of(node_.parts.lcdf, *upper), of(node_.parts.lcdf, below())});
}

/// Of the elements together.
Value SiteCall::log_mass(std::span<const std::uint32_t> elements, const std::vector<Value>& args) {
  const Value* lower = lower_.is_none() ? nullptr : &lower_;
  const Value* upper = upper_.is_none() ? nullptr : &upper_;
  double times = 1;  // a program may take the mass more or less often than there are elements
  if (!mass_count_.is_none() && size_ > 0) times = element_value(f_.context(false), mass_count_, 0) / static_cast<double>(size_);
  const bool alike = std::none_of(args.begin() + 1, args.end(), is_container);
  Value sum = 0.0;
  if (alike) {
    sum = apply(Builtin::Times, {mass(args, lower, upper), static_cast<double>(elements.size())});
  } else {
    for (const std::uint32_t e : elements) sum = apply(Builtin::Plus, {sum, mass(parts({&e, 1}), lower, upper)});
  }
  return times == 1 ? sum : apply(Builtin::Times, {sum, times});
}

bool SiteCall::outside(const Value& left) const {
  const CallContext context = f_.context(false);
  const auto less = [&](const Value& a, const Value& b) {
    if (!f_.recording || (!left.is_autodiff() && !lower_.is_autodiff() && !upper_.is_autodiff()))
      return element_value(context, a, 0) < element_value(context, b, 0);
    return f_.m.recorder->guard(ad::Compare::Less, to_ref(*f_.m.recorder, a), to_ref(*f_.m.recorder, b));
  };
  const std::uint32_t n = is_container(left) ? left.shape().scalars() : 1;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Value x = is_container(left) ? read_scalar(left, i) : left;
    if ((!lower_.is_none() && less(x, lower_)) || (!upper_.is_none() && less(upper_, x))) return true;
  }
  return false;
}

Value SiteCall::density(std::span<const std::uint32_t> elements, bool propto) {
  std::vector<std::uint32_t> all;
  if (elements.empty()) {
    all.resize(size_);
    std::iota(all.begin(), all.end(), 0u);
    elements = all;
  }
  if (!node_.parts.density) return term(elements);
  if (elements.empty()) return 0.0;
  const std::vector<Value> args = parts(elements);
  if (truncated() && outside(args[0])) return -kInfinity;
  Value out = node_.parts.density.apply(f_, args, propto ? node_.parts.dropping : Dropping());
  if (truncated()) out = apply(Builtin::Minus, {out, log_mass(elements, args)});
  return factor_.is_none() ? out : apply(Builtin::Times, {factor_, out});
}

void SiteCall::add_to_target(std::span<const std::uint32_t> elements, double weight) {
  if (weight == 0) return;
  if (!f_.recording) {
    f_.m.lp += weight * sum_of(density(elements, true));
    return;
  }
  ad::Recorder& recorder = *f_.m.recorder;
  const ad::WeightScope scope(recorder, recorder.constant_weight(weight));
  if (is_bare()) node_.parts.density.add_to_target(f_, elements.empty() ? args_ : parts(elements), node_.parts.dropping);
  else interp::add_to_target(recorder, density(elements, true));
}

/// The function alone, with nothing beside it.
bool SiteCall::is_bare() const { return node_.parts.density && !truncated() && factor_.is_none(); }

bool SiteCall::add_to_target(std::span<const std::uint32_t> elements, std::span<const double> weights) {
  if (!f_.recording || !is_bare() || !node_.parts.density.builtin) return false;
  CallContext context = f_.context(node_.parts.dropping(f_));
  const auto densities = record_densities(context, node_.parts.density.builtin->name(), parts(elements), elements.size());
  if (!densities) return false;
  static const ad::MapCode kMultiply = ad::find_map("multiply");
  ad::Recorder& recorder = *f_.m.recorder;
  const auto n = static_cast<std::uint32_t>(elements.size());
  const ad::Operand product[] = {{densities->ref_data()[0], true, true}, {recorder.constant_block(weights.data(), n), true, false}};
  recorder.sink(kMultiply, product, n);
  return true;
}

std::optional<Value> SiteCall::recorded_densities() {
  if (!f_.recording || !is_bare() || !node_.parts.density.builtin || size_ < 2) return std::nullopt;
  CallContext context = f_.context(false);
  return record_densities(context, node_.parts.density.builtin->name(), args_, size_);
}

void run_weighed(const SiteNode& node, Frame& f, double weight) {
  if (!f.recording) {
    const double before = f.m.lp;  // stays where it is: the statement may read target
    node.run_as_written(f);
    if (std::isfinite(before)) f.m.lp = before + weight * (f.m.lp - before);
    return;
  }
  const ad::WeightScope scope(*f.m.recorder, f.m.recorder->constant_weight(weight));
  node.run_as_written(f);
}

double SiteCall::log_density(std::size_t i) {
  const auto element = static_cast<std::uint32_t>(i);
  const Value value = density({&element, 1}, false);
  return element_value(f_.context(false), value, 0);
}

double SiteCall::log_density_at(std::size_t i, std::int32_t left) {
  const auto element = static_cast<std::uint32_t>(i);
  std::vector<Value> args = parts({&element, 1});
  args[0] = args[0].shape().is_scalar() ? Value(left) : Value::ints(args[0].shape(), {left});
  if (truncated() && outside(args[0])) return -kInfinity;
  const double out = element_value(f_.context(false), node_.parts.density.apply(f_, args, Dropping()), 0);
  return truncated() ? out - element_value(f_.context(false), log_mass({&element, 1}, args), 0) : out;
}

void SiteCall::find_reads() {
  const SiteParts& p = node_.parts;
  const CallContext context = f_.context(false);
  for (std::size_t k = read_.size(); k < p.reads.size(); ++k) {
    Value names;
    read_.emplace_back();
    try {
      names = p.reads[k].names->eval(f_);
    } catch (const ad::IndexError&) {  // the program does not get there either, as in n > 1 && z[n - 1] == 2
      continue;
    }
    append_numbers(context, names, read_.back());
  }
  if (along_.size() == read_.size() && along_size_ == size_) return;
  along_size_ = size_;
  along_.clear();
  for (std::size_t k = 0; k < read_.size(); ++k) along_.push_back(goes_along_with(k));
}

bool SiteCall::goes_along_with(std::size_t k) const {
  const SiteParts::Read& read = node_.parts.reads[k];
  return read.each && read.argument >= 0 && read_[k].size() == size_ && node_.parts.density.builtin &&
         goes_along(site().distribution, static_cast<std::size_t>(read.argument)) == Along::Elements;
}

// ---------------------------------------------------------------- rows

std::optional<RowRead::Index> row_index(const mir::Expr& names, const std::string& innermost) {
  if (const auto* p = std::get_if<mir::Promotion>(&names.node)) return row_index(*p->operand, innermost);
  const auto* indexed = std::get_if<mir::Indexed>(&names.node);
  if (!indexed || mir::is_container(names.type)) return std::nullopt;
  bool plain = true, inner = false;
  const mir::Expr* base = &names;
  for (; indexed; base = indexed->base.get(), indexed = std::get_if<mir::Indexed>(&base->node))
    for (const mir::Index& index : indexed->indexes) {
      if (index.kind != mir::Index::Kind::Single) return std::nullopt;
      const mir::Var* variable = mir::as_var(*index.low);
      inner |= variable && variable->name == innermost;
      plain &= variable || mir::as_lit(*index.low);
    }
  if (!mir::as_var(*base)) return std::nullopt;
  return inner ? RowRead::Index::Innermost : plain ? RowRead::Index::Variable : RowRead::Index::Computed;
}

std::vector<std::int64_t> SiteCall::round() const {
  std::vector<std::int64_t> out;
  for (const ExprPtr& variable : node_.parts.loops) out.push_back(variable->eval_int(f_));
  return out;
}

ElementKey SiteCall::key(std::size_t i) const {
  ElementKey out{site().number, i, round()};
  if (site().in_while)  // its rounds have no numbers of their own
    for (const RowRead& read : row_reads(i)) out.round.push_back(read.number);
  return out;
}

std::vector<RowRead> SiteCall::row_reads(std::size_t i) const {
  const SiteParts& p = node_.parts;
  const CallContext context = f_.context(false);
  std::vector<RowRead> out;
  const auto add = [&](const ExprPtr& node, RowRead::Index index) {
    std::vector<NumberName> numbers;
    try {
      append_numbers(context, node->eval(f_), numbers);
    } catch (const ad::IndexError&) {  // the program does not get there either
    }
    for (const NumberName n : numbers)
      if (n >= 0) out.push_back({n, index});
  };
  if (p.part_row) {
    f_.slots[p.part_slot].assign(static_cast<std::int32_t>(i + 1));
    add(p.part_row, RowRead::Index::Innermost);
    return out;
  }
  const std::string innermost = site().loops.empty() ? "" : site().loops.back().variable;
  for (std::size_t k = 0; k < p.reads.size(); ++k)
    if (const auto index = row_index(*site().read[k].names, innermost)) add(p.reads[k].names, *index);
  return out;
}

std::vector<Value> SiteCall::element_arguments(std::size_t i) const {
  const auto element = static_cast<std::uint32_t>(i);
  return parts({&element, 1});
}

double SiteCall::log_mass_of(std::size_t i) {
  const auto element = static_cast<std::uint32_t>(i);
  return element_value(f_.context(false), mass(parts({&element, 1}), lower_.is_none() ? nullptr : &lower_, upper_.is_none() ? nullptr : &upper_), 0);
}

double SiteCall::lcdf_of(std::size_t i, const Value& x) {
  const auto element = static_cast<std::uint32_t>(i);
  return element_value(f_.context(false), mass(parts({&element, 1}), nullptr, &x), 0);
}

double SiteCall::log_mass_between(std::size_t i, const Value* lower, const Value* upper) {
  const auto element = static_cast<std::uint32_t>(i);
  return element_value(f_.context(false), mass(parts({&element, 1}), lower, upper), 0);
}

void SiteCall::log_densities(std::span<double> out) {
  const bool whole = node_.parts.density.builtin && !truncated() && factor_.is_none() && out.size() > 1;
  if (whole && elementwise_densities(node_.parts.density.builtin->name(), args_, out)) return;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = log_density(i);
}

}  // namespace fermiac::interp
