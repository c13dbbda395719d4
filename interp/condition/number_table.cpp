#include "interp/condition/number_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "support/check.h"

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

}  // namespace

void NumberTable::add(const mir::NamedVariable& variable, const ExpectedType& type) {
  const bool nameless = type.base == BaseType::Tuple || variable.type.base() == BaseType::Tuple || type.shape().complex;
  Variable v{.name = variable.name, .kind = variable.kind, .shape = nameless ? Shape{} : type.shape(), .declared = type.str(),
             .first = next_, .has_names = !nameless, .is_int = variable.type.is_discrete()};
  values_.push_back(nameless ? Value() : names_like(v.shape, v.is_int, next_));
  if (!nameless) next_ += v.shape.size();
  variables_.push_back(std::move(v));
}

const NumberTable::Variable* NumberTable::find(std::string_view name) const {
  const auto found = std::ranges::find(variables_, name, &Variable::name);
  return found == variables_.end() ? nullptr : &*found;
}

const NumberTable::Variable& NumberTable::of(NumberName number) const {
  const auto behind = std::ranges::upper_bound(variables_, number, {}, &Variable::first);
  FERMIAC_CHECK(number >= 0 && behind != variables_.begin(), "only numbers of variables have names");
  auto at = std::prev(behind);
  while (!at->has_names || at->shape.size() == 0) --at;
  return *at;
}

std::vector<std::uint32_t> NumberTable::dims(const Variable& v) const {
  std::vector<std::uint32_t> out(v.shape.array_dims.begin(), v.shape.array_dims.begin() + v.shape.rank);
  if (v.shape.inner == ad::Inner::Matrix) out.insert(out.end(), {v.shape.rows, v.shape.cols});
  else if (v.shape.inner != ad::Inner::Scalar) out.push_back(v.shape.rows * v.shape.cols);
  return out;
}

/// From 0.
std::vector<std::uint32_t> NumberTable::indexes_of(const Variable& v, NumberName number) const {
  auto offset = static_cast<std::uint32_t>(number - v.first);
  const std::uint32_t inner = v.shape.inner_size();
  std::uint32_t element = offset / inner;
  offset %= inner;
  std::vector<std::uint32_t> out(v.shape.rank);
  for (int k = v.shape.rank; k-- > 0;) {
    out[static_cast<std::size_t>(k)] = element % v.shape.array_dims[static_cast<std::size_t>(k)];
    element /= v.shape.array_dims[static_cast<std::size_t>(k)];
  }
  if (v.shape.inner == ad::Inner::Matrix) out.insert(out.end(), {offset % v.shape.rows, offset / v.shape.rows});
  else if (v.shape.inner != ad::Inner::Scalar) out.push_back(offset);
  return out;
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

std::string NumberTable::text_of_one(const Variable& v, std::span<const NumberName> numbers) const {
  const std::vector<std::uint32_t> sizes = dims(v);
  if (sizes.empty()) return v.name;
  std::vector<std::set<std::uint32_t>> at(sizes.size());
  for (const NumberName number : numbers) {
    const auto index = indexes_of(v, number);
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
    const Variable& v = of(numbers[i]);
    std::size_t end = i;
    while (end < numbers.size() && &of(numbers[end]) == &v) ++end;
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

std::vector<NumberName> NumberTable::numbers(const Variable& v) const {
  return v.has_names ? numbers(v, {}, v.name) : std::vector<NumberName>();
}

std::vector<NumberName> NumberTable::numbers(const Variable& v, std::span<const PatternIndex> indexes, std::string_view text) const {
  if (!v.has_names) throw DataError(fmt::format("{} is complex or a tuple: it is known or missing as a whole", v.name));
  const std::vector<std::uint32_t> sizes = dims(v);
  const auto refuse = [&] { throw DataError(fmt::format("{} does not exist: {} is declared as {}", text, v.name, v.declared)); };
  if (indexes.size() > sizes.size()) refuse();
  std::vector<std::vector<std::uint32_t>> wanted(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const PatternIndex* index = k < indexes.size() ? &indexes[k] : nullptr;
    if (!index || index->all) {
      wanted[k].resize(sizes[k]);
      std::iota(wanted[k].begin(), wanted[k].end(), 0u);
    } else {
      const auto want = [&](std::int32_t i) {
        if (i < 1 || static_cast<std::uint32_t>(i) > sizes[k]) refuse();
        wanted[k].push_back(static_cast<std::uint32_t>(i - 1));
      };
      std::ranges::for_each(index->list, want);
      for (std::int32_t i = index->low; index->list.empty() && i <= index->high; ++i) want(i);
    }
  }
  std::vector<NumberName> out;
  std::size_t count = 1;
  for (const auto& one : wanted) count *= one.size();
  for (std::size_t i = 0; i < count; ++i) {  // the first index is fastest
    std::size_t rest = i;
    std::vector<std::uint32_t> at(sizes.size());
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      at[k] = wanted[k][rest % wanted[k].size()];
      rest /= wanted[k].size();
    }
    std::uint32_t element = 0, within = 0;
    for (int k = 0; k < v.shape.rank; ++k) element = element * v.shape.array_dims[static_cast<std::size_t>(k)] + at[static_cast<std::size_t>(k)];
    if (v.shape.inner == ad::Inner::Matrix) within = at[v.shape.rank] + at[v.shape.rank + 1u] * v.shape.rows;
    else if (v.shape.inner != ad::Inner::Scalar) within = at[v.shape.rank];
    out.push_back(v.first + element * v.shape.inner_size() + within);
  }
  return out;
}

}  // namespace fermiac::interp
