#include "interp/conditioning/number_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "support/base/check.h"

namespace fermiac::interp {
namespace {

Value names_like(const Shape& shape, bool is_int, NumberName first) {
  const std::uint32_t n = shape.size();
  if (is_int) {
    if (shape.is_scalar()) return static_cast<std::int32_t>(first);
    std::vector<std::int32_t> names(n);
    std::iota(names.begin(), names.end(), static_cast<std::int32_t>(first));
    return Value::ints(shape, std::move(names));
  }
  if (shape.is_scalar()) return static_cast<double>(first);
  RealBuffer names(n);
  for (std::uint32_t i = 0; i < n; ++i) names[i] = static_cast<double>(first + i);
  return Value::reals(shape, std::move(names));
}

std::vector<std::uint32_t> dims_of(const Shape& shape) {
  std::vector<std::uint32_t> out(shape.array_dims.begin(), shape.array_dims.begin() + shape.rank);
  if (shape.inner == ad::Inner::Matrix) out.insert(out.end(), {shape.rows, shape.cols});
  else if (shape.inner != ad::Inner::Scalar) out.push_back(shape.rows * shape.cols);
  return out;
}

/// From 0.
std::vector<std::uint32_t> indexes_of(const Shape& shape, std::uint32_t offset) {
  const std::uint32_t inner = shape.inner_size();
  std::uint32_t element = offset / inner;
  offset %= inner;
  std::vector<std::uint32_t> out(shape.rank);
  for (int k = shape.rank; k-- > 0;) {
    out[static_cast<std::size_t>(k)] = element % shape.array_dims[static_cast<std::size_t>(k)];
    element /= shape.array_dims[static_cast<std::size_t>(k)];
  }
  if (shape.inner == ad::Inner::Matrix) out.insert(out.end(), {offset % shape.rows, offset / shape.rows});
  else if (shape.inner != ad::Inner::Scalar) out.push_back(offset);
  return out;
}

struct Refused {};  // there is no such number

/// Positions that an index names, from 0.
std::vector<std::uint32_t> positions(const PatternIndex* index, std::uint32_t size) {
  std::vector<std::uint32_t> out;
  if (!index || index->all) {
    out.resize(size);
    std::iota(out.begin(), out.end(), 0u);
    return out;
  }
  const auto want = [&](std::int32_t i) {
    if (i < 1 || static_cast<std::uint32_t>(i) > size) throw Refused();
    out.push_back(static_cast<std::uint32_t>(i - 1));
  };
  std::ranges::for_each(index->list, want);
  for (std::int32_t i = index->low; index->list.empty() && i <= index->high; ++i) want(i);
  return out;
}

/// Offsets in the layout of a value, the first index fastest.
std::vector<std::uint32_t> offsets(const Shape& shape, std::span<const PatternIndex> indexes) {
  const std::vector<std::uint32_t> sizes = dims_of(shape);
  if (indexes.size() > sizes.size()) throw Refused();
  std::vector<std::vector<std::uint32_t>> wanted(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) wanted[k] = positions(k < indexes.size() ? &indexes[k] : nullptr, sizes[k]);
  std::vector<std::uint32_t> out;
  std::size_t count = 1;
  for (const auto& one : wanted) count *= one.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    std::vector<std::uint32_t> at(sizes.size());
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      at[k] = wanted[k][rest % wanted[k].size()];
      rest /= wanted[k].size();
    }
    std::uint32_t element = 0, within = 0;
    for (int k = 0; k < shape.rank; ++k) element = element * shape.array_dims[static_cast<std::size_t>(k)] + at[static_cast<std::size_t>(k)];
    if (shape.inner == ad::Inner::Matrix) within = at[shape.rank] + at[shape.rank + 1u] * shape.rows;
    else if (shape.inner != ad::Inner::Scalar) within = at[shape.rank];
    out.push_back(element * shape.inner_size() + within);
  }
  return out;
}

}  // namespace

void NumberTable::add(const mir::NamedVariable& variable, const ExpectedType& type) {
  const std::size_t own = variables_.size();
  Variable v{.name = variable.name, .kind = variable.kind, .declared = type.str(), .first = next_,
             .is_tuple = variable.type.base() == BaseType::Tuple, .is_int = variable.type.base() == BaseType::Int};
  values_.push_back(add_part({.name = v.name, .path = {{}}, .variable = own}, type));
  v.count = static_cast<std::size_t>(next_ - v.first);
  v.has_names = v.is_tuple || !type.shape().complex;
  if (!v.is_tuple && v.has_names) v.shape = type.shape();
  variables_.push_back(std::move(v));
}

/// Slot by slot, as the output has them. The result: its names in the place of numbers.
Value NumberTable::add_part(Part part, const ExpectedType& type) {
  if (type.base == BaseType::Tuple && !type.array_dims.empty()) return add_array(part, type);
  if (type.base == BaseType::Tuple) {
    std::vector<Value> slots;
    for (std::size_t k = 0; k < type.slots.size(); ++k) {
      Part slot = part;
      slot.name += fmt::format(".{}", k + 1);
      slot.path.push_back({static_cast<std::uint32_t>(k + 1), {}});
      slots.push_back(add_part(std::move(slot), type.slots[k]));
    }
    return Value::tuple(std::move(slots));
  }
  part.shape = type.shape();
  if (part.shape.complex) return {};
  part.first = next_;
  next_ += part.shape.size();
  parts_.push_back(part);
  return names_like(part.shape, type.base == BaseType::Int, part.first);
}

/// Of tuples.
Value NumberTable::add_array(const Part& part, const ExpectedType& type) {
  ExpectedType element = type;
  element.array_dims.clear();
  Shape shape;
  shape.rank = static_cast<std::uint8_t>(type.array_dims.size());
  std::ranges::copy(type.array_dims, shape.array_dims.begin());
  std::vector<Value> elements(shape.count());
  for (const std::uint32_t at : offsets(shape, {})) {
    Part one = part;
    std::vector<std::uint32_t> index;
    for (const std::uint32_t i : indexes_of(shape, at)) {
      index.push_back(i + 1);
      one.path.back().indexes.push_back({.list = {static_cast<std::int32_t>(i + 1)}, .single = true});
    }
    one.name += fmt::format("[{}]", fmt::join(index, ","));
    elements[at] = add_part(std::move(one), element);
  }
  return Value::tuples(shape, std::move(elements));
}

const NumberTable::Variable* NumberTable::find(std::string_view name) const {
  const auto found = std::ranges::find(variables_, name, &Variable::name);
  return found == variables_.end() ? nullptr : &*found;
}

const NumberTable::Part& NumberTable::part_of(NumberName number) const {
  const auto behind = std::ranges::upper_bound(parts_, number, {}, &Part::first);
  FERMIAC_CHECK(number >= 0 && behind != parts_.begin(), "only numbers of variables have names");
  auto at = std::prev(behind);
  while (at->shape.size() == 0) --at;
  return *at;
}

const NumberTable::Variable& NumberTable::of(NumberName number) const { return variables_[part_of(number).variable]; }

std::span<const NumberTable::Part> NumberTable::parts(const Variable& v) const {
  const auto own = static_cast<std::size_t>(&v - variables_.data());
  const auto [first, last] = std::ranges::equal_range(parts_, own, {}, &Part::variable);
  return {first, last};
}

// ---------------------------------------------------------------- texts

namespace {

/// The positions of one dimension: empty for all of it.
std::string index_text(const std::vector<std::uint32_t>& at, std::uint32_t size) {
  if (at.size() == 1) return std::to_string(at[0] + 1);
  const bool run = at.back() - at.front() + 1 == at.size() && std::ranges::is_sorted(at);
  if (run && at.size() == size) return {};
  if (run) return fmt::format("{}:{}", at.front() + 1, at.back() + 1);
  std::vector<std::uint32_t> from_one;
  for (const std::uint32_t i : at) from_one.push_back(i + 1);
  return fmt::format("{{{}}}", fmt::join(from_one, ","));
}

}  // namespace

std::uint32_t NumberTable::rows(const Variable& variable) {
  const std::vector<std::uint32_t> sizes = variable.is_tuple ? std::vector<std::uint32_t>{} : dims_of(variable.shape);
  return sizes.empty() ? 0 : sizes[0];
}

std::uint32_t NumberTable::row(NumberName number) const {
  const Variable& v = of(number);
  return rows(v) == 0 ? 0 : indexes_of(v.shape, static_cast<std::uint32_t>(number - v.first))[0];
}

std::string NumberTable::text_of_one(const Part& v, std::span<const NumberName> numbers) const {
  const std::vector<std::uint32_t> sizes = dims_of(v.shape);
  if (sizes.empty()) return v.name;
  std::vector<std::set<std::uint32_t>> at(sizes.size());
  for (const NumberName number : numbers) {
    const auto index = indexes_of(v.shape, static_cast<std::uint32_t>(number - v.first));
    for (std::size_t k = 0; k < index.size(); ++k) at[k].insert(index[k]);
  }
  std::size_t product = 1;
  for (const auto& one : at) product *= one.size();
  if (product != numbers.size()) {  // no rectangle
    std::vector<std::string> each;
    for (const NumberName& number : numbers) each.push_back(text_of_one(v, {&number, 1}));
    return fmt::format("{}", fmt::join(each, ", "));
  }
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < at.size(); ++k) {
    const std::vector<std::uint32_t> positions(at[k].begin(), at[k].end());
    texts.push_back(positions.size() == sizes[k] && sizes[k] > 1 ? std::string() : index_text(positions, sizes[k]));
  }
  if (std::ranges::all_of(texts, &std::string::empty)) return v.name;
  while (texts.back().empty()) texts.pop_back();
  return fmt::format("{}[{}]", v.name, fmt::join(texts, ","));
}

std::string NumberTable::text(std::span<const NumberName> numbers) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < numbers.size();) {
    const Part& v = part_of(numbers[i]);
    std::size_t end = i;
    while (end < numbers.size() && &part_of(numbers[end]) == &v) ++end;
    texts.push_back(text_of_one(v, numbers.subspan(i, end - i)));
    i = end;
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string name_list(const std::vector<std::string>& names) {
  if (names.size() > 3) return names.front() + ", …, " + names.back();
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string name_list_and(const std::vector<std::string>& names) {
  return names.size() == 2 ? names[0] + " and " + names[1] : name_list(names);
}

// ---------------------------------------------------------------- numbers

namespace {

/// Whether an element of an array of tuples is among those that the indexes name; indexes that are left out name all.
bool leads_to(const PatternStep& wanted, const PatternStep& step) {
  if (wanted.slot != step.slot || wanted.indexes.size() > step.indexes.size()) return false;
  for (std::size_t k = 0; k < wanted.indexes.size(); ++k) {
    const PatternIndex& index = wanted.indexes[k];
    const std::int32_t at = step.indexes[k].list[0];
    const bool named = index.all || (index.list.empty() ? index.low <= at && at <= index.high : std::ranges::find(index.list, at) != index.list.end());
    if (!named) return false;
  }
  return true;
}

/// What is wanted of a part: the indexes of its own numbers; null where the pattern names another part.
const std::vector<PatternIndex>* wanted_of(std::span<const PatternStep> steps, std::span<const PatternStep> path) {
  static const std::vector<PatternIndex> all;
  if (steps.size() > path.size()) return nullptr;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const bool last = k + 1 == path.size();
    if (last ? steps[k].slot != path[k].slot : !leads_to(steps[k], path[k])) return nullptr;
  }
  return steps.size() == path.size() ? &steps.back().indexes : &all;
}

}  // namespace

std::vector<NumberName> NumberTable::numbers(const Variable& v) const {
  return v.has_names ? numbers(v, {}, v.name) : std::vector<NumberName>();
}

std::vector<NumberName> NumberTable::numbers(const Variable& v, std::span<const PatternStep> steps, std::string_view text) const {
  if (!v.has_names) refuse_part(v);
  std::vector<NumberName> out;
  bool any = false;
  try {
    for (const Part& part : parts(v)) {
      const std::vector<PatternIndex>* indexes = wanted_of(steps, part.path);
      if (!indexes) continue;
      any = true;
      for (const std::uint32_t offset : offsets(part.shape, *indexes)) out.push_back(part.first + static_cast<NumberName>(offset));
    }
  } catch (const Refused&) {
    any = false;
  }
  if (!any && !steps.empty()) throw InputError(fmt::format("{} does not exist: {} is declared as {}", text, v.name, v.declared));
  return out;
}

void NumberTable::refuse_part(const Variable& v) { throw InputError(fmt::format("{} is complex or a tuple: it is known or missing as a whole", v.name)); }

}  // namespace fermiac::interp
