// The rows of tests/golden/map_corners.txt in columns on a device: values and slopes are those of the table and of the processor's tape.
// Columns have equal elements, so passes that merge or count equal terms see them too.
#include <span>
#include <utility>

#include "autodiff/symbolic/map_formula.h"
#include "support/base/rng.h"
#include "tests/shared/corner_table.h"
#include "tests/shared/doubling_device.h"
#include "tests/unit/autodiff/device_program.h"

namespace fermiac::ad {
namespace {

using testing::MapCorner;
using testing::expect_as_in_table;

/// Source of an operand.
enum class From : std::uint8_t { Parameters, Gathered, Parameter, Data, Datum };
constexpr From kFroms[] = {From::Parameters, From::Gathered, From::Parameter, From::Data, From::Datum};
constexpr bool is_column(From f) { return f == From::Parameters || f == From::Gathered || f == From::Data; }
constexpr bool has_slope(From f) { return f == From::Parameters || f == From::Gathered || f == From::Parameter; }
std::string_view name_of(From f) {
  constexpr std::string_view kNames[] = {"parameters", "one parameter, gathered", "a parameter", "data", "a datum"};
  return kNames[static_cast<std::size_t>(f)];
}

/// How the terms of target are recorded.
enum class Style : std::uint8_t { Column, Sink, Loop, WeightedLoop };
constexpr bool is_loop(Style s) { return s == Style::Loop || s == Style::WeightedLoop; }
constexpr double weight_of(Style s, std::uint32_t i) { return s == Style::WeightedLoop ? 0.5 + i % 3 : 1; }

constexpr double kFactor = 3;

/// target += factor * f(x[i]) for i < n, without the factor in a sink.
class CornerColumn {
 public:
  CornerColumn(Program& p, const MapCorner& corner, std::vector<From> from, std::uint32_t n) : corner_(corner), from_(std::move(from)), n_(n) {
    for (std::size_t j = 0; j < from_.size(); ++j) {
      places_.push_back(p.theta.size());
      if (has_slope(from_[j])) p.theta.insert(p.theta.end(), from_[j] == From::Parameters ? n : 1, corner.x[j]);
    }
    factor_ = p.theta.size();
    p.theta.push_back(kFactor);
    p.names.resize(p.theta.size(), name());
  }

  std::string name() const {
    std::string out = corner_.name() + " of";
    for (const From f : from_) out += fmt::format(" [{}]", name_of(f));
    return out + fmt::format(", {} times", n_);
  }

  void record(Recorder& r, Style style) const {
    if (is_loop(style)) return record_loop(r, style);
    std::vector<Operand> x;
    for (std::size_t j = 0; j < from_.size(); ++j) x.push_back({.ref = block(r, j), .vector = is_column(from_[j]), .autodiff = has_slope(from_[j])});
    if (style == Style::Sink) return r.sink(code(), x, n_);
    const Operand product[] = {{r.map_vector(code(), x, n_), true, true}, {Ref::slot(static_cast<std::uint32_t>(factor_)), false, true}};
    r.target(r.map_vector(find_map("multiply"), product, n_), n_);
  }

  void expect_table(const Answer& answer, Style style, const std::string& engine) const {
    double weights = 0;
    for (std::uint32_t i = 0; i < n_; ++i) weights += weight_of(style, i);
    const double factor = style == Style::Sink ? 1 : kFactor;
    if (style != Style::Sink) expect_as_in_table(answer.gradient[factor_], weights * corner_.value, name() + engine + ", value");
    for (std::size_t j = 0; j < from_.size(); ++j)
      if (has_slope(from_[j])) expect_slopes(answer, j, factor, style, engine);
  }
  double value(Style style) const { return style == Style::Sink ? corner_.value : kFactor * corner_.value; }

 private:
  MapCode code() const { return find_map(corner_.map); }
  Ref place(std::size_t j, std::uint32_t i) const { return Ref::slot(static_cast<std::uint32_t>(places_[j] + (from_[j] == From::Parameters ? i : 0))); }
  Ref block(Recorder& r, std::size_t j) const {
    switch (from_[j]) {
      case From::Parameters:
      case From::Parameter: return place(j, 0);
      case From::Gathered: return r.gather(std::vector<Ref>(n_, place(j, 0)));
      case From::Data: return r.constant_block(std::vector<double>(n_, corner_.x[j]).data(), n_);
      case From::Datum: break;
    }
    return r.constant(corner_.x[j]);
  }
  void record_loop(Recorder& r, Style style) const {
    for (std::uint32_t i = 0; i < n_; ++i) {
      if (style == Style::WeightedLoop) r.set_weight(r.constant_weight(weight_of(style, i)));
      std::vector<Ref> x;
      for (std::size_t j = 0; j < from_.size(); ++j) x.push_back(has_slope(from_[j]) ? place(j, i) : r.constant(corner_.x[j]));
      const Ref product[] = {r.map(code(), x), Ref::slot(static_cast<std::uint32_t>(factor_))};
      r.target(r.map(find_map("multiply"), product));
    }
    r.set_weight(kOne);
  }
  void expect_slopes(const Answer& answer, std::size_t j, double factor, Style style, const std::string& engine) const {
    std::vector<double> weights(from_[j] == From::Parameters ? n_ : 1);
    for (std::uint32_t i = 0; i < n_; ++i) weights[i % weights.size()] += weight_of(style, i);
    for (std::size_t i = 0; i < weights.size(); ++i)
      expect_as_in_table(answer.gradient[places_[j] + i], weights[i] * factor * corner_.slopes[j], fmt::format("{}{}, slope {} of element {}", name(), engine, j, i));
  }

  const MapCorner& corner_;
  std::vector<From> from_;
  std::uint32_t n_;
  std::vector<std::size_t> places_;
  std::size_t factor_ = 0;
};

/// Every choice of sources with a slope; of columns also with a column.
std::vector<std::vector<From>> sources(std::size_t arity, Style style) {
  std::vector<std::vector<From>> out{{}};
  for (std::size_t j = 0; j < arity; ++j) {
    std::vector<std::vector<From>> longer;
    for (const auto& begin : out)
      for (const From f : kFroms) longer.push_back(begin), longer.back().push_back(f);
    out = std::move(longer);
  }
  std::erase_if(out, [&](const auto& from) { return std::ranges::none_of(from, has_slope) || (!is_loop(style) && std::ranges::none_of(from, is_column)); });
  return out;
}

struct Case {
  Style style;
  std::uint32_t n;
};

std::shared_ptr<DeviceUse> doubling_use() {
  return std::make_shared<DeviceUse>(std::make_shared<DoublingDevice>(open_test_device().device), Placing::All, nullptr);
}

/// One row of the table with every choice of sources, all in one program.
class CornerProgram {
 public:
  CornerProgram(const MapCorner& corner, Case c) : style_(c.style) {
    for (const auto& from : sources(corner.x.size(), c.style)) columns_.emplace_back(program_, corner, from, c.n);
    program_.body = [this](Recorder& r) { record(r); };
    double weights = 0;
    for (std::uint32_t i = 0; i < c.n; ++i) weights += weight_of(c.style, i);
    lp_ = weights * static_cast<double>(columns_.size()) * columns_[0].value(c.style);
  }
  CornerProgram(const CornerProgram&) = delete;
  CornerProgram& operator=(const CornerProgram&) = delete;

  std::size_t columns() const { return columns_.size(); }
  std::size_t placed(const std::shared_ptr<DeviceUse>& use) const { return tape_of(program_, use)->placed_count(); }

  void expect_table(const std::shared_ptr<DeviceUse>& use, const std::string& engine) const {
    const Answer answer = evaluate(use);
    ASSERT_EQ(answer.status.kind, ReplayStatus::Kind::Ok) << answer.status.message;
    EXPECT_NEAR(answer.lp, lp_, 1e-10 * std::fabs(lp_)) << columns_[0].name() << engine;
    for (const CornerColumn& c : columns_) c.expect_table(answer, style_, engine);
  }
  /// The processor did not evaluate in place of the device: results that come back doubled are seen, unless all of them are 0.
  void expect_evaluated_there() const {
    const Answer once = evaluate(nullptr), twice = evaluate(doubling_use());
    const bool zeros = std::ranges::all_of(once.gradient, [](double x) { return x == 0; });
    EXPECT_TRUE(zeros || once.gradient != twice.gradient) << columns_[0].name();
  }

 private:
  void record(Recorder& r) const {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      r.set_site(Site{static_cast<std::uint32_t>(k)});
      columns_[k].record(r, style_);
    }
  }
  Answer evaluate(const std::shared_ptr<DeviceUse>& use) const {
    Workspace workspace(tape_of(program_, use));
    return answer_of(workspace, program_.theta);
  }

  Style style_;
  Program program_;
  std::vector<CornerColumn> columns_;
  double lp_ = 0;
};

/// Maps without a formula stay on the processor.
std::vector<MapCorner> table_with_formulas() {
  std::vector<MapCorner> out = testing::map_corners();
  std::erase_if(out, [](const MapCorner& c) { return symbols::find_formula(c.map) == nullptr; });
  EXPECT_GT(out.size(), 25u);
  return out;
}

class CornersOnDevice : public OnDevice, public ::testing::WithParamInterface<Case> {};

TEST_P(CornersOnDevice, AreThoseOfTheTable) {
  std::size_t columns = 0, placed = 0;
  for (const MapCorner& corner : table_with_formulas()) {
    const CornerProgram program(corner, GetParam());
    program.expect_table(nullptr, " on the processor");
    program.expect_table(use_, " on the device");
    const std::size_t here = program.placed(use_);
    if (here > 0) program.expect_evaluated_there();
    columns += program.columns();
    placed += here;
  }
  RecordProperty("columns", static_cast<int>(columns));
  RecordProperty("placed", static_cast<int>(placed));
  if (GetParam().n > 8) {  // equal terms of loops are merged and stay on the processor
    EXPECT_GE(placed, is_loop(GetParam().style) ? columns / 3 : columns);
  }
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const Style style : {Style::Column, Style::Sink, Style::Loop, Style::WeightedLoop})
    for (const std::uint32_t n : {1u, 2u, 3u, 4u, 5u, 64u, 1000u}) out.push_back({style, n});
  return out;
}
std::string name_of(const ::testing::TestParamInfo<Case>& c) {
  constexpr const char* kNames[] = {"Columns", "Sinks", "Loops", "WeightedLoops"};
  return fmt::format("{}Of{}", kNames[static_cast<std::size_t>(c.param.style)], c.param.n);
}
INSTANTIATE_TEST_SUITE_P(All, CornersOnDevice, ::testing::ValuesIn(cases()), [](const auto& c) { return name_of(c); });

// ---------------------------------------------------------------- lanes that differ

/// Operands among a few numbers, so that neighbors lie on different sides of corners, at which the map and the partials of the first `slopes` are finite.
std::vector<double> mixed_operands(const MapOp& op, std::uint32_t slopes, Rng& rng) {
  constexpr double kNumbers[] = {-2, 0, 0.5, 1, 2, 3};
  std::vector<double> x(kMaxMapArity);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    for (double& v : x) v = kNumbers[static_cast<std::size_t>(rng.uniform() * std::size(kNumbers))];
    double d[kMaxMapArity]{};
    const bool finite = op.valid(x.data()) && std::isfinite(op.value_and_partials(x.data(), Keep::everything(), d));
    if (finite && std::all_of(d, d + slopes, [](double s) { return std::fabs(s) < 1e100; })) return x;
  }
  ADD_FAILURE() << op.name;
  return x;
}

/// The sum of the map over rows: columns of parameters for the first `slopes` operands, of data for the others.
Program mixed_column(const MapOp& op, std::uint32_t slopes, std::uint32_t n) {
  Rng rng(11);
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(op.arity));
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::vector<double> x = mixed_operands(op, slopes, rng);
    for (std::size_t j = 0; j < columns.size(); ++j) columns[j].push_back(x[j]);
  }
  Program p;
  for (std::uint32_t j = 0; j < slopes; ++j) p.theta.insert(p.theta.end(), columns[j].begin(), columns[j].end());
  p.names.assign(p.theta.size(), std::string(op.name));
  p.body = [&op, slopes, n, columns](Recorder& r) {
    std::vector<Operand> x;
    for (std::uint32_t j = 0; j < columns.size(); ++j)
      x.push_back({.ref = j < slopes ? Ref::slot(j * n) : r.constant_block(columns[j].data(), n), .vector = true, .autodiff = j < slopes});
    r.target(r.map_vector(find_map(op.name), x, n), n);
  };
  return p;
}

class LanesOnDevice : public OnDevice {};

/// A lane of a vector must not depend on the others: elements next to each other lie in different branches of functions. Left out is fmod,
/// which PoCL computes step by step and for a tiny divisor not in the time of a test.
TEST_F(LanesOnDevice, DoNotDependOnEachOther) {
  std::size_t maps = 0;
  for (const symbols::MapFormula* f : symbols::all_formulas()) {
    const MapOp& op = map_op(find_map(f->name));
    if (op.flat || op.density || op.product || op.arity > 2 || op.name == "fmod") continue;
    ++maps;
    for (std::uint32_t slopes = 1; slopes <= op.arity; ++slopes) expect_same(mixed_column(op, slopes, 1000), use_, 1);
  }
  EXPECT_GT(maps, 40u);
}

}  // namespace
}  // namespace fermiac::ad
