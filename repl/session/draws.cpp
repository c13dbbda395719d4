#include "repl/session/draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "frontend/ast/parts.h"
#include "inference/model/column_names.h"
#include "inference/output/csv.h"
#include "inference/output/posterior_table.h"
#include "interp/model/interp_model.h"
#include "interp/model/layout.h"
#include "repl/session/plot.h"
#include "repl/session/program_text.h"
#include "repl/session/show.h"
#include "support/base/errors.h"

namespace fermiac::repl {

using interp::ExpectedType;
using interp::Value;

// ---------------------------------------------------------------- what the columns are

Draws::Draws(inference::ChainSet chains, const interp::InterpModel* model) : chains_(std::move(chains)) {
  if (model)
    for (const auto& output : model->outputs()) add(output.name, output.type);
  guess();
}

/// If all its columns are there, one behind the other.
void Draws::add(const std::string& name, const ExpectedType& type) {
  std::vector<std::string> names;
  interp::append_names(name, type, names);
  const auto known = std::ranges::find(variables_, name, &Variable::name);
  if (names.empty() || known != variables_.end() || type.base == BaseType::Tuple) return;
  const auto at = std::search(chains_.names.begin(), chains_.names.end(), names.begin(), names.end());
  if (at != chains_.names.end()) variables_.push_back({name, type, static_cast<std::size_t>(at - chains_.names.begin())});
}

void Draws::guess() {
  for (std::size_t first = 0; first < chains_.names.size();) {
    const std::string name(inference::variable_of(chains_.names[first]));
    std::size_t end = first + 1;
    const auto belongs = [&](const std::string& column) { return column.starts_with(name + ".") || column.starts_with(name + ":"); };
    while (end < chains_.names.size() && belongs(chains_.names[end])) ++end;
    std::vector<std::uint32_t> sizes;  // those of the last column
    const std::string& last = chains_.names[end - 1];
    bool plain = !name.ends_with("__");
    for (std::size_t at = name.size(); at < last.size() && plain;) {
      std::uint32_t n = 0;
      const auto [stop, error] = std::from_chars(last.data() + at + 1, last.data() + last.size(), n);
      plain = last[at] == '.' && error == std::errc();
      at = static_cast<std::size_t>(stop - last.data());
      sizes.push_back(n);
    }
    ExpectedType type{.base = BaseType::Real, .array_dims = {}, .slots = {}};
    if (sizes.size() == 1) type.base = BaseType::Vector, type.rows = sizes[0];
    else if (sizes.size() == 2) type.base = BaseType::Matrix, type.rows = sizes[0], type.cols = sizes[1];
    else type.array_dims = sizes;
    if (plain) add(name, type);
    first = end;
  }
}

Value Draws::value(const Variable& variable, std::size_t chain, std::size_t draw) const {
  const double* at = chains_.rows[chain].data() + draw * chains_.names.size() + variable.column;
  try {
    return interp::read_value(variable.type, at);
  } catch (const ad::DomainError& e) {
    throw InputError(fmt::format("draw {} of {}: {}", draw + 1, variable.name, e.what()));
  }
}

// ---------------------------------------------------------------- names in a text

namespace {

/// Words of the code that could be names.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::size_t end = std::string_view::npos;
  each_code_character(text, [&](char c, std::size_t i) {
    if (!is_word(c)) return;
    if (i != end) out.emplace_back();
    out.back() += c;
    end = i + 1;
  });
  return out;
}

Type type_of(const ExpectedType& type) {
  return {type.base, static_cast<std::uint8_t>(type.array_dims.size())};
}

}  // namespace

bool mentions_word(std::string_view text, std::string_view name) {
  const std::vector<std::string> words = words_of(text);
  return std::ranges::find(words, name) != words.end();
}

DrawScope::DrawScope(Evaluator& evaluator, const Draws& draws, std::string_view text) : evaluator_(evaluator), draws_(draws) {
  if (draws.count() == 0) return;
  const std::vector<std::string> words = words_of(text);
  for (const Draws::Variable& variable : draws.variables())
    if (!evaluator.find(variable.name) && std::ranges::find(words, variable.name) != words.end()) used_.push_back(&variable);
  std::erase_if(used_, [&](const Draws::Variable* v) {
    const Value first = draws_.value(*v, 0, 0);
    try {
      evaluator_.set(v->name, {type_of(v->type), first});
    } catch (const InputError&) {  // the name of a function, say
      return true;
    }
    return false;
  });
}

DrawScope::~DrawScope() {
  for (const Draws::Variable* v : used_) evaluator_.forget(v->name);
}

void DrawScope::move_to(std::size_t chain, std::size_t draw) {
  for (const Draws::Variable* v : used_) evaluator_.set(v->name, {type_of(v->type), draws_.value(*v, chain, draw)});
}

bool DrawScope::mentions(ast::Expr& expr) const {
  if (const auto* variable = std::get_if<ast::Variable>(&expr.node))
    return std::ranges::find(used_, variable->name.text, [](const Draws::Variable* v) -> const std::string& { return v->name; }) != used_.end();
  bool any = false;
  ast::each_part(expr, [&](ast::ExprPtr& part) { any = any || mentions(*part); });
  return any;
}

// ---------------------------------------------------------------- expressions

namespace {

ExpectedType shape_of(const Type& type, const Value& value) {
  ExpectedType out{.base = type.base(), .array_dims = {}, .slots = {}};
  const ad::Shape& shape = value.shape();
  out.array_dims.assign(shape.array_dims.begin(), shape.array_dims.begin() + shape.rank);
  out.rows = shape.rows;
  out.cols = shape.cols;
  return out;
}

bool has_numbers(const Type& type) {
  static constexpr BaseType kBases[] = {BaseType::Int, BaseType::Real, BaseType::Vector, BaseType::RowVector, BaseType::Matrix};
  return std::ranges::find(kBases, type.base()) != std::end(kBases);
}

/// A text that is no name of a column as CSV files spell them would come out as one.
std::string label_of(std::string_view text) {
  constexpr std::size_t kLongest = 30;
  const bool usable = columns_of(text) <= kLongest && text.find_first_of(".:,\n") == std::string_view::npos;
  return usable ? std::string(text) : "value";
}

}  // namespace

DrawnExpression over_draws(Evaluator& evaluator, const Draws& draws, DrawScope& scope, ast::ExprPtr expr, std::string_view text) {
  DrawnExpression out;
  out.type = evaluator.check(*expr);
  if (!has_numbers(out.type)) throw InputError(fmt::format("over draws numbers are looked at; this has type {}", out.type.str()));
  const Evaluator::Prepared prepared = evaluator.prepare(evaluator.lower(std::move(expr)));
  const std::size_t length = draws.chains().draws_per_chain();
  out.chains.num_samples = static_cast<unsigned>(length);
  for (std::size_t chain = 0; chain < draws.chains().rows.size(); ++chain) {
    std::vector<double>& rows = out.chains.rows.emplace_back();
    for (std::size_t draw = 0; draw < length; ++draw) {
      evaluator.poll();
      scope.move_to(chain, draw);
      const Value value = evaluator.run(prepared).result;
      const ExpectedType shape = shape_of(out.type, value);
      if (out.chains.names.empty()) {
        out.shape = shape;
        interp::append_names(label_of(text), shape, out.chains.names);
      }
      if (shape.str() != out.shape.str())
        throw InputError(fmt::format("draws differ in size: {} at one, {} at another", out.shape.str(), shape.str()));
      rows.resize(rows.size() + out.chains.names.size());
      interp::write_value(value, rows.data() + rows.size() - out.chains.names.size());
    }
  }
  return out;
}

namespace {

using Sorted = std::vector<double>;

struct Statistic {
  std::string_view name;
  std::size_t arguments;
  double (*of)(const Sorted& values, double p);
};

constexpr Statistic kStatistics[] = {
    {"mean", 1, [](const Sorted& x, double) { return moments(x).mean; }},
    {"sd", 1, [](const Sorted& x, double) { return moments(x).sd; }},
    {"variance", 1, [](const Sorted& x, double) { return std::pow(moments(x).sd, 2); }},
    {"min", 1, [](const Sorted& x, double) { return x.front(); }},
    {"max", 1, [](const Sorted& x, double) { return x.back(); }},
    {"quantile", 2, [](const Sorted& x, double p) { return quantile(x, p); }},
};

const Statistic* statistic_of(const ast::Call& call) {
  const auto at = std::ranges::find_if(kStatistics, [&](const Statistic& s) { return s.name == call.name.text && s.arguments == call.args.size(); });
  return at == std::end(kStatistics) ? nullptr : &*at;
}

/// Of all chains together, smallest first; a NaN anywhere makes them all one.
Sorted pooled(const inference::ChainSet& chains, std::size_t column) {
  Sorted out;
  for (const auto& chain : chains.column(column)) out.insert(out.end(), chain.begin(), chain.end());
  if (std::ranges::any_of(out, [](double x) { return std::isnan(x); })) return {std::nan("")};
  std::ranges::sort(out);
  return out;
}

double probability(const Typed& value) {
  const double p = value.value.is_int() ? value.value.as_int() : value.type.is(BaseType::Real) ? value.value.as_real() : std::nan("");
  if (!(p >= 0 && p <= 1)) throw InputError("over draws quantile takes one probability between 0 and 1");
  return p;
}

/// A number for each of the expression's; of ints reals.
Typed value_of(const Statistic& statistic, double p, const DrawnExpression& drawn) {
  std::vector<double> numbers;
  for (std::size_t k = 0; k < drawn.chains.names.size(); ++k) numbers.push_back(statistic.of(pooled(drawn.chains, k), p));
  ExpectedType shape = drawn.shape;
  Type type = drawn.type;
  if (shape.base == BaseType::Int) shape.base = BaseType::Real, type = Type(BaseType::Real, static_cast<std::uint8_t>(type.array_dims()));
  const double* at = numbers.data();
  return {type, interp::read_value(shape, at)};
}

/// A call of a statistic, taken apart.
struct StatisticOfDraws {
  double p = 0;
  DrawnExpression drawn;
};

StatisticOfDraws drawn_statistic(Evaluator& evaluator, const Draws& draws, DrawScope& scope, ast::Call& call) {
  const double p = call.args.size() == 2 ? probability(evaluator.evaluate(std::move(call.args[1]))) : 0;
  return {p, over_draws(evaluator, draws, scope, std::move(call.args[0]), "value")};
}

std::string told_statistic(const Statistic& statistic, const StatisticOfDraws& of, std::size_t count) {
  const Typed value = value_of(statistic, of.p, of.drawn);
  std::string out = show("", value.type, value.value) + fmt::format(", over {} draws", count);
  const bool one = statistic.name == "mean" && of.drawn.chains.names.size() == 1;
  const double mcse = one ? inference::summarise(of.drawn.chains, 1).front().mcse : std::nan("");
  if (std::isfinite(mcse)) out += fmt::format(" (MCSE {:.2g})", mcse);
  return out + "\n";
}

}  // namespace

AssignedDraws::~AssignedDraws() {
  for (const std::string& name : names_) evaluator_.forget(name);
}

std::string AssignedDraws::new_name() const {
  std::size_t n = names_.size() + 1;
  while (evaluator_.find(fmt::format("over_draws_{}", n))) ++n;
  return fmt::format("over_draws_{}", n);
}

void AssignedDraws::put_into(DrawScope& scope, ast::Expr& expr) {
  if (!scope.mentions(expr)) return;
  auto* call = std::get_if<ast::Call>(&expr.node);
  const Statistic* statistic = call ? statistic_of(*call) : nullptr;
  if (!statistic) throw InputError("that has a value for each draw; with mean(…), sd(…), quantile(…, p) or the like in front it is one value");
  const StatisticOfDraws of = drawn_statistic(evaluator_, draws_, scope, *call);
  const std::string name = new_name();
  evaluator_.set(name, value_of(*statistic, of.p, of.drawn));
  names_.push_back(name);
  expr.node = ast::Variable{.name = {.text = name, .span = expr.span}};
}

void AssignedDraws::put_into(DrawScope& scope, ast::Stmt& stmt) {
  if (auto* assignment = std::get_if<ast::Assignment>(&stmt.node)) put_into(scope, *assignment->right);
  if (auto* declaration = std::get_if<ast::Declaration>(&stmt.node))
    for (ast::Declarator& d : declaration->names)
      if (d.init) put_into(scope, *d.init);
}

std::string told_over_draws(Evaluator& evaluator, const Draws& draws, DrawScope& scope, ast::ExprPtr expr, std::string_view text,
                            std::size_t width) {
  auto* call = std::get_if<ast::Call>(&expr->node);
  if (const Statistic* statistic = call ? statistic_of(*call) : nullptr) {
    return told_statistic(*statistic, drawn_statistic(evaluator, draws, scope, *call), draws.count());
  }
  const DrawnExpression drawn = over_draws(evaluator, draws, scope, std::move(expr), text);
  const auto columns = inference::summarise(drawn.chains, 1);
  return inference::draws_table(columns, {.width = width, .rest = "one of them, as {}[1]"}) +
         fmt::format("{}, over {} draws\n", drawn.shape.str(), draws.count());
}

}  // namespace fermiac::repl
