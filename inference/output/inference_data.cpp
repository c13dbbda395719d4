#include "inference/output/inference_data.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

namespace fermiac::inference {
namespace {

enum class Kind : std::uint8_t { Real, Whole, Flag };

/// What ArviZ calls the sampler's columns; of others the underscores go.
struct Statistic {
  std::string_view column, name;
  Kind kind = Kind::Real;
};
constexpr Statistic kStatistics[] = {{"lp__", "lp"},
                                     {"accept_stat__", "acceptance_rate"},
                                     {"stepsize__", "step_size"},
                                     {"treedepth__", "tree_depth", Kind::Whole},
                                     {"n_leapfrog__", "n_steps", Kind::Whole},
                                     {"divergent__", "diverging", Kind::Flag},
                                     {"energy__", "energy"}};
constexpr std::string_view kLogLik = "log_lik", kMetric = "inverse_metric";
constexpr std::string_view kElements = "elements", kPattern = "column";  // attributes of variables
constexpr std::string_view kAnyIndex = ".*";

bool is_statistic(std::string_view column) { return column.ends_with("__"); }

Statistic statistic_of(std::string_view column) {
  const auto at = std::ranges::find(kStatistics, column, &Statistic::column);
  return at != std::end(kStatistics) ? *at : Statistic{column, column.substr(0, column.size() - 2)};
}

std::string column_of(std::string_view statistic) {
  const auto at = std::ranges::find(kStatistics, statistic, &Statistic::name);
  return at != std::end(kStatistics) ? std::string(at->column) : std::string(statistic) + "__";
}

// ---------------------------------------------------------------- to groups

/// A variable and where its numbers stand in a row of draws.
struct Variable {
  std::string name, pattern;
  std::vector<std::size_t> shape, columns, places;  // of every column its place among the elements, rows first

  std::size_t size() const { return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()); }
};

/// Element (2, 1) of a 3 by 4 matrix stands at (2 - 1) * 4 + (1 - 1) = 4.
std::size_t place_in(const std::vector<std::size_t>& shape, const std::vector<std::size_t>& index) {
  std::size_t at = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) at = at * shape[d] + index[d] - 1;
  return at;
}

/// Variables in the order of their first columns. A name with other indexes than the columns before it is a variable of its own.
class Layout {
 public:
  explicit Layout(const std::vector<std::string>& names) {
    for (std::size_t column = 0; column < names.size(); ++column) add(names[column], column);
    for (std::size_t v = 0; v < variables_.size(); ++v)
      for (const std::vector<std::size_t>& index : indexes_[v]) variables_[v].places.push_back(place_in(variables_[v].shape, index));
  }
  const std::vector<Variable>& variables() const { return variables_; }

 private:
  void add(const std::string& name, std::size_t column) {
    ColumnPlace place = is_statistic(name) ? ColumnPlace{name, {}, name} : place_of_column(name);
    const auto fits = [&](const Variable& v) { return v.name == place.variable && v.shape.size() == place.index.size(); };
    auto at = std::ranges::find_if(variables_, fits);
    if (at == variables_.end() && std::ranges::find(variables_, place.variable, &Variable::name) != variables_.end()) place = {name, {}, name};
    if (at == variables_.end()) {
      variables_.push_back({.name = place.variable, .pattern = place.pattern, .shape = place.index, .columns = {}, .places = {}});
      indexes_.emplace_back();
      at = variables_.end() - 1;
    }
    for (std::size_t d = 0; d < place.index.size(); ++d) at->shape[d] = std::max(at->shape[d], place.index[d]);
    at->columns.push_back(column);
    indexes_[static_cast<std::size_t>(at - variables_.begin())].push_back(std::move(place.index));
  }

  std::vector<Variable> variables_;
  std::vector<std::vector<std::vector<std::size_t>>> indexes_;
};

/// Rows of all chains that go into a group: as many of each, from a first one on.
struct Rows {
  const std::vector<CsvDraws>* chains;
  bool warmup;
  std::size_t count;

  std::size_t first(const CsvDraws& draws) const { return warmup ? 0 : draws.warmup_rows; }
};

ArrayVariable coordinate(ArrayGroup& group, const std::string& name, std::size_t size, std::int64_t first) {
  std::vector<std::int64_t> values(size);
  std::iota(values.begin(), values.end(), first);
  return {.name = name, .dims = {group.dim(name, size)}, .values = std::move(values), .attributes = {}};
}

/// `chain`, `draw`: as many as there are, each with its coordinate.
void add_axes(ArrayGroup& group, const Rows& rows) {
  ArrayVariable chain = coordinate(group, "chain", rows.chains->size(), 1);
  std::vector<std::int64_t> ids;
  for (const CsvDraws& draws : *rows.chains) ids.push_back(static_cast<std::int64_t>(draws.number("id", -1)));
  std::vector<std::int64_t> sorted = ids;
  std::ranges::sort(sorted);
  if (sorted.front() >= 0 && std::ranges::adjacent_find(sorted) == sorted.end()) chain.values = ids;  // those of one run tell them apart
  group.variables.push_back(std::move(chain));
  group.variables.push_back(coordinate(group, "draw", rows.count, 0));
}

void add_shape(ArrayGroup& group, const std::string& name, const std::vector<std::size_t>& shape, std::vector<std::size_t>* dims) {
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::string dim = name + "_dim_" + std::to_string(d);
    dims->push_back(group.dim(dim, shape[d]));
    group.variables.push_back(coordinate(group, dim, shape[d], 0));
  }
}

std::vector<double> numbers_of(const Variable& v, const Rows& rows) {
  const std::size_t size = v.size();
  std::vector<double> out(rows.chains->size() * rows.count * size, kNaN);
  double* to = out.data();
  for (const CsvDraws& draws : *rows.chains)
    for (std::size_t row = 0; row < rows.count; ++row, to += size)
      for (std::size_t k = 0; k < v.columns.size(); ++k) to[v.places[k]] = draws.at(rows.first(draws) + row, v.columns[k]);
  return out;
}

template <class Int>
void make_whole(ArrayVariable* out) {
  const auto& reals = std::get<std::vector<double>>(out->values);
  if (std::ranges::any_of(reals, [](double x) { return !(std::fabs(x) < 1e15) || x != std::floor(x); })) return;
  out->values = std::vector<Int>(reals.begin(), reals.end());
}

void add_variable(ArrayGroup& group, const std::string& name, const Variable& v, const Rows& rows) {
  ArrayVariable out{.name = name, .dims = {0, 1}, .values = numbers_of(v, rows), .attributes = {}};
  add_shape(group, name, v.shape, &out.dims);
  if (v.columns.size() < v.size())
    out.attributes.push_back({std::string(kElements), std::vector<std::int64_t>(v.places.begin(), v.places.end())});
  if (v.name.find_first_of(":.") != std::string::npos) out.attributes.push_back({std::string(kPattern), v.pattern});
  const Kind kind = is_statistic(v.name) ? statistic_of(v.name).kind : Kind::Real;
  if (kind == Kind::Whole) make_whole<std::int64_t>(&out);
  if (kind == Kind::Flag) make_whole<std::int8_t>(&out);
  if (std::holds_alternative<std::vector<std::int8_t>>(out.values)) out.attributes.push_back({"dtype", std::string("bool")});
  group.variables.push_back(std::move(out));
}

std::vector<ArrayAttribute> origin_of(const CsvDraws& draws) {
  return {{"inference_library", std::string("fermiac")},
          {"inference_library_version", std::string(FERMIAC_VERSION)},
          {"created_at", std::string(draws.setting("start_datetime"))}};
}

enum class Part : std::uint8_t { Statistics, LogLikelihood, Posterior };

Part part_of(const Variable& v) {
  if (is_statistic(v.name)) return Part::Statistics;
  return v.name == kLogLik ? Part::LogLikelihood : Part::Posterior;
}

ArrayGroup group_of(std::string name, Part part, const Layout& layout, const Rows& rows) {
  ArrayGroup out{.name = std::move(name), .dims = {}, .variables = {}, .attributes = origin_of(rows.chains->front())};
  for (const Variable& v : layout.variables()) {
    if (part_of(v) != part) continue;
    if (out.dims.empty()) add_axes(out, rows);
    add_variable(out, part == Part::Statistics ? std::string(statistic_of(v.name).name) : v.name, v, rows);
  }
  return out;
}

/// What the files say besides draws: configuration, step size, metric, times, chain by chain.
void add_settings(ArrayGroup& group, const std::vector<CsvDraws>& chains) {
  std::vector<double> stepsize, warmup, sampling, metric;
  for (std::size_t c = 0; c < chains.size(); ++c) {
    std::string lines;
    for (const auto& [key, value] : chains[c].config) lines += key + " = " + value + "\n";
    group.attributes.push_back({"configuration_" + std::to_string(c + 1), lines});
    stepsize.push_back(chains[c].adapted ? chains[c].stepsize : kNaN);
    warmup.push_back(chains[c].has_elapsed ? chains[c].elapsed.warmup : kNaN);
    sampling.push_back(chains[c].has_elapsed ? chains[c].elapsed.sampling : kNaN);
    metric.insert(metric.end(), chains[c].inverse_metric.begin(), chains[c].inverse_metric.end());
  }
  group.attributes.push_back({"adapted_step_size", std::move(stepsize)});
  group.attributes.push_back({"warmup_time", std::move(warmup)});
  group.attributes.push_back({"sampling_time", std::move(sampling)});
  group.attributes.push_back({"metric", chains.front().metric_kind});
  if (metric.empty() || metric.size() % chains.size() != 0) return;
  ArrayVariable out{.name = std::string(kMetric), .dims = {0}, .values = {}, .attributes = {}};
  add_shape(group, out.name, {metric.size() / chains.size()}, &out.dims);
  out.values = std::move(metric);
  group.variables.push_back(std::move(out));
}

ArrayGroup data_group(std::string name, bool observed, const std::vector<DataArray>& data, const CsvDraws& draws) {
  ArrayGroup out{.name = std::move(name), .dims = {}, .variables = {}, .attributes = origin_of(draws)};
  for (const DataArray& d : data) {
    if (d.observed != observed) continue;
    ArrayVariable v{.name = d.name, .dims = {}, .values = d.values, .attributes = {}};
    add_shape(out, d.name, d.shape, &v.dims);
    out.variables.push_back(std::move(v));
  }
  return out;
}

void keep(ArrayFile* out, ArrayGroup group) {
  if (!group.variables.empty()) out->groups.push_back(std::move(group));
}

std::size_t fewest(const std::vector<CsvDraws>& chains, bool warmup) {
  std::size_t out = npos;
  for (const CsvDraws& draws : chains) out = std::min(out, warmup ? draws.warmup_rows : draws.rows - draws.warmup_rows);
  return out;
}

// ---------------------------------------------------------------- and back

/// Columns of a variable's elements: the first index runs fastest, as in CmdStan's files.
struct Element {
  std::string name;
  std::size_t place;  // rows first
};

/// `t.*:2` with index (3) is `t.3:2`; indexes without a place in the pattern stand at its end. Of a 2 by 3 matrix the elements are (1,1),
/// (2,1), (1,2), …, at the places 0, 3, 1, ….
std::string filled_in(std::string_view pattern, const std::vector<std::size_t>& index) {
  std::string out;
  for (const std::size_t i : index) {
    const std::size_t at = std::min(pattern.find(kAnyIndex), pattern.size());
    out += std::string(pattern.substr(0, at)) + "." + std::to_string(i);
    pattern.remove_prefix(std::min(at + kAnyIndex.size(), pattern.size()));
  }
  return out + std::string(pattern);
}

std::vector<Element> elements_of(std::string_view pattern, const std::vector<std::size_t>& shape, std::size_t size) {
  std::vector<Element> out;
  std::vector<std::size_t> index(shape.size(), 1);
  for (std::size_t k = 0; k < size; ++k) {
    out.push_back({filled_in(pattern, index), place_in(shape, index)});
    for (std::size_t d = 0; d < shape.size() && ++index[d] > shape[d]; ++d) index[d] = 1;
  }
  return out;
}

using ColumnsByChain = std::vector<std::vector<std::vector<double>>>;

/// Draws of a group, columns and numbers appended to all chains.
class GroupReader {
 public:
  GroupReader(const ArrayGroup& group, const std::string& path) : group_(group), path_(path) {}

  /// Adds the columns; the first group says how many chains and draws there are.
  Status append(bool statistics, std::vector<CsvDraws>* chains, ColumnsByChain* columns) {
    for (const ArrayVariable& v : group_.variables) {
      if (!by_chain_and_draw(v)) continue;
      if (Status bad = add(v, statistics, chains, columns); !bad) return bad;
    }
    return {};
  }

 private:
  const ArrayDim& dim(const ArrayVariable& v, std::size_t d) const { return group_.dims[v.dims[d]]; }
  bool by_chain_and_draw(const ArrayVariable& v) const { return v.dims.size() >= 2 && dim(v, 0).name == "chain" && dim(v, 1).name == "draw"; }

  Status add(const ArrayVariable& v, bool statistics, std::vector<CsvDraws>* chains, ColumnsByChain* columns) {
    const std::size_t n_chains = dim(v, 0).size, n_draws = dim(v, 1).size;
    if (chains->empty()) start(n_chains, n_draws, chains, columns);
    if (chains->size() != n_chains || (!chains->empty() && chains->front().rows != n_draws))
      return Status::failed("'" + path_ + "': '" + v.name + "' has other chains or draws than the variables before it");
    std::vector<std::size_t> shape;
    std::size_t size = 1;
    for (std::size_t d = 2; d < v.dims.size(); ++d) size *= shape.emplace_back(dim(v, d).size);
    const std::vector<double> values = reals_of(v), given = number_attribute(v.attributes, kElements);
    for (const Element& e : elements_of(pattern_of(v, statistics), shape, size)) {
      if (!given.empty() && std::ranges::find(given, static_cast<double>(e.place)) == given.end()) continue;
      for (std::size_t c = 0; c < n_chains; ++c) {
        (*chains)[c].names.push_back(e.name);
        std::vector<double>& column = (*columns)[c].emplace_back(n_draws);
        for (std::size_t row = 0; row < n_draws; ++row) column[row] = values[(c * n_draws + row) * size + e.place];
      }
    }
    return {};
  }

  static std::string pattern_of(const ArrayVariable& v, bool statistics) {
    const std::string_view pattern = text_attribute(v.attributes, kPattern);
    return statistics ? column_of(v.name) : std::string(pattern.empty() ? v.name : pattern);
  }

  void start(std::size_t n_chains, std::size_t n_draws, std::vector<CsvDraws>* chains, ColumnsByChain* columns) const {
    chains->resize(n_chains);
    columns->resize(n_chains);
    for (std::size_t c = 0; c < n_chains; ++c) {
      (*chains)[c].path = path_ + ", chain " + std::to_string(c + 1);
      (*chains)[c].rows = n_draws;
    }
  }

  const ArrayGroup& group_;
  const std::string& path_;
};

void read_settings(const ArrayGroup& group, std::vector<CsvDraws>* chains) {
  const auto stepsize = number_attribute(group.attributes, "adapted_step_size"), warmup = number_attribute(group.attributes, "warmup_time"),
             sampling = number_attribute(group.attributes, "sampling_time");
  const ArrayVariable* stored = group.find(kMetric);
  const std::vector<double> metric = stored ? reals_of(*stored) : std::vector<double>();
  const std::size_t each = metric.size() / chains->size();
  for (std::size_t c = 0; c < chains->size(); ++c) {
    CsvDraws& draws = (*chains)[c];
    std::string_view lines = text_attribute(group.attributes, "configuration_" + std::to_string(c + 1));
    for (std::size_t end; (end = lines.find('\n')) != std::string_view::npos; lines.remove_prefix(end + 1)) {
      const std::string_view line = lines.substr(0, end);
      const std::size_t equals = std::min(line.find(" = "), line.size());
      draws.config.emplace_back(line.substr(0, equals), equals < line.size() ? line.substr(equals + 3) : "");
    }
    draws.adapted = c < stepsize.size() && !std::isnan(stepsize[c]);
    if (draws.adapted) draws.stepsize = stepsize[c];
    draws.has_elapsed = c < sampling.size() && c < warmup.size() && !std::isnan(sampling[c]);
    if (draws.has_elapsed) draws.elapsed = {.warmup = warmup[c], .sampling = sampling[c]};
    draws.metric_kind = text_attribute(group.attributes, "metric");
    draws.inverse_metric.assign(metric.begin() + static_cast<std::ptrdiff_t>(c * each), metric.begin() + static_cast<std::ptrdiff_t>((c + 1) * each));
  }
}

void fill_rows(const std::vector<std::vector<double>>& columns, CsvDraws* draws) {
  draws->values.resize(draws->rows * columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t row = 0; row < draws->rows; ++row) draws->values[row * columns.size() + k] = columns[k][row];
}

}  // namespace

ColumnPlace place_of_column(std::string_view csv_name) {
  ColumnPlace out;
  std::size_t at = std::min(csv_name.find_first_of(".:"), csv_name.size());
  out.pattern = out.variable = csv_name.substr(0, at);
  while (at < csv_name.size()) {
    const std::size_t end = std::min(csv_name.find_first_of(".:", at + 1), csv_name.size());
    const std::string_view part = csv_name.substr(at, end - at);  // with what it begins with
    std::size_t number = 0;
    const auto [last, error] = std::from_chars(part.data() + 1, part.data() + part.size(), number);
    if (part[0] == '.' && error == std::errc() && last == part.data() + part.size() && number > 0) {
      out.index.push_back(number);
      out.pattern += kAnyIndex;
    } else {
      out.variable += part;
      out.pattern += part;
    }
    at = end;
  }
  return out;
}

Status inference_data(const std::vector<CsvDraws>& chains, const std::vector<DataArray>& data, ArrayFile* out) {
  if (chains.empty()) return Status::failed("there are no chains");
  for (const CsvDraws& draws : chains)
    if (draws.names != chains.front().names)
      return Status::failed("'" + draws.path + "' has other columns than '" + chains.front().path + "': they are not chains of one run");
  const Layout layout(chains.front().names);
  const Rows kept{&chains, false, fewest(chains, false)}, warmup{&chains, true, fewest(chains, true)};
  if (kept.count == 0) return Status::failed("'" + chains.front().path + "' and its like have no draws after the warm-up");
  out->attributes = origin_of(chains.front());
  keep(out, group_of("posterior", Part::Posterior, layout, kept));
  ArrayGroup statistics = group_of("sample_stats", Part::Statistics, layout, kept);
  if (!statistics.variables.empty()) add_settings(statistics, chains);
  keep(out, std::move(statistics));
  keep(out, group_of("log_likelihood", Part::LogLikelihood, layout, kept));
  if (warmup.count > 0) {
    keep(out, group_of("warmup_posterior", Part::Posterior, layout, warmup));
    keep(out, group_of("warmup_sample_stats", Part::Statistics, layout, warmup));
  }
  keep(out, data_group("observed_data", true, data, chains.front()));
  keep(out, data_group("constant_data", false, data, chains.front()));
  return {};
}

Status chains_in(const ArrayFile& file, const std::string& path, std::vector<CsvDraws>* out) {
  std::vector<CsvDraws> chains;
  ColumnsByChain columns;  // by chain
  const ArrayGroup *statistics = file.find("sample_stats"), *posterior = file.find("posterior");
  if (!posterior) return Status::failed("'" + path + "' has no group 'posterior': it is not a file of draws");
  for (const auto* group : {statistics, posterior, file.find("log_likelihood")}) {
    if (!group) continue;
    if (Status bad = GroupReader(*group, path).append(group == statistics, &chains, &columns); !bad) return bad;
  }
  if (chains.empty()) return Status::failed("'" + path + "' has no variable by chain and draw");
  if (statistics) read_settings(*statistics, &chains);
  for (std::size_t c = 0; c < chains.size(); ++c) fill_rows(columns[c], &chains[c]);
  std::ranges::move(chains, std::back_inserter(*out));
  return {};
}

}  // namespace fermiac::inference
