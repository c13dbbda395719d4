#include "cli/stanc/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "support/base/json.h"
#include "support/base/json_scan.h"
#include "support/base/match.h"
#include "support/base/number_text.h"
#include "support/base/rng.h"
#include "support/base/text.h"

namespace fermiac::stanc {
namespace {

using ast::BinaryOp;
using ast::TransformKind;
using Row = std::vector<double>;
using Matrix = std::vector<Row>;

Value integer(long value) { return {Value::Kind::Int, value, 0, {}}; }
Value real(double value) { return {Value::Kind::Real, 0, value, {}}; }
Value list(std::vector<Value> items) { return {Value::Kind::List, 0, 0, std::move(items)}; }

Value row_value(const Row& row) {
  std::vector<Value> items;
  for (const double x : row) items.push_back(real(x));
  return list(std::move(items));
}
Value matrix_value(const Matrix& matrix) {
  std::vector<Value> rows;
  for (const Row& row : matrix) rows.push_back(row_value(row));
  return list(std::move(rows));
}

// ---------------------------------------------------------------- evaluating sizes and bounds

class Evaluator {
 public:
  /// `whole`: the size or bound that an error about a missing value is about; null: the variable.
  explicit Evaluator(const Values& values, const ast::Expr* whole = nullptr) : values_(values), whole_(whole) {}

  Value value(const ast::Expr& expr) const {
    return match(
        expr.node, [](const ast::IntLiteral& node) { return integer(literal_int(plain(node.text))); },
        [](const ast::RealLiteral& node) { return real(literal_real(plain(node.text))); },
        [&](const ast::ImagLiteral&) { return refuse(expr); }, [&](const ast::StringLiteral&) { return refuse(expr); },
        [&](const ast::Variable& node) { return variable(expr, node); },
        [&](const ast::Call& node) { return call(expr, node); }, [&](const ast::TargetValue&) { return refuse(expr); },
        [&](const ast::ArrayLiteral& node) { return list(all(node.items)); },
        [&](const ast::RowLiteral& node) { return list(all(node.items)); },
        [&](const ast::TupleLiteral& node) {
          Value result = list(all(node.items));
          result.kind = Value::Kind::Tuple;
          return result;
        },
        [&](const ast::Paren& node) { return value(*node.inner); },
        [&](const ast::Binary& node) { return binary(expr, node); },
        [&](const ast::Unary& node) { return unary(expr, node); },
        [&](const ast::Ternary& node) { return value(number(*node.test) != 0 ? *node.yes : *node.no); },
        [&](const ast::Projection& node) { return slot(expr, node); },
        [&](const ast::Indexed& node) { return indexed(expr, node); });
  }

  /// A whole size or bound.
  Value whole(const ast::Expr& expr) const { return Evaluator(values_, &expr).value(expr); }
  long size(const ast::Expr& expr) const {
    const Value result = whole(expr);
    if (result.kind != Value::Kind::Int || result.integer < 0)
      throw ProgramError(expr.span, "This size is negative or no integer.");
    return result.integer;
  }
  double number(const ast::Expr& expr) const {
    const Value result = value(expr);
    if (result.kind == Value::Kind::List || result.kind == Value::Kind::Tuple) refuse(expr);
    return result.number();
  }

 private:
  static std::string plain(std::string text) {
    std::erase(text, '_');
    return text;
  }
  [[noreturn]] static Value refuse(const ast::Expr& expr) {
    throw ProgramError(expr.span, "Cannot evaluate this expression without running the program.");
  }
  std::vector<Value> all(const std::vector<ast::ExprPtr>& items) const {
    std::vector<Value> result;
    for (const ast::ExprPtr& item : items) result.push_back(value(*item));
    return result;
  }

  Value variable(const ast::Expr& expr, const ast::Variable& node) const {
    const auto found = values_.find(node.name.text);
    if (found == values_.end())
      throw ProgramError((whole_ ? *whole_ : expr).span, "Cannot evaluate this expression: '" + node.name.text + "' has no value.");
    return found->second;
  }
  Value slot(const ast::Expr& expr, const ast::Projection& node) const {
    const Value tuple = value(*node.tuple);
    const std::size_t index = static_cast<std::size_t>(literal_int(node.slot));
    return index < 1 || index > tuple.items.size() ? refuse(expr) : tuple.items[index - 1];
  }
  Value indexed(const ast::Expr& expr, const ast::Indexed& node) const {
    Value result = value(*node.base);
    for (const ast::Index& index : node.indexes) {
      if (index.kind != ast::Index::Kind::Single) refuse(expr);
      const Value at = value(*index.low);
      const bool inside = at.kind == Value::Kind::Int && at.integer >= 1 &&
                          static_cast<std::size_t>(at.integer) <= result.items.size();
      if (!inside) throw ProgramError(index.low->span, "This index is out of range.");
      Value element = result.items[static_cast<std::size_t>(at.integer - 1)];
      result = std::move(element);
    }
    return result;
  }

  Value unary(const ast::Expr& expr, const ast::Unary& node) const {
    const Value operand = value(*node.operand);
    if (operand.kind != Value::Kind::Int && operand.kind != Value::Kind::Real) refuse(expr);
    const bool whole = operand.kind == Value::Kind::Int;
    switch (node.op) {
      case ast::UnaryOp::Plus: return operand;
      case ast::UnaryOp::Minus: return whole ? integer(-operand.integer) : real(-operand.real);
      case ast::UnaryOp::Not: return integer(operand.number() == 0);
      case ast::UnaryOp::Transpose: break;
    }
    return operand;
  }

  Value binary(const ast::Expr& expr, const ast::Binary& node) const {
    const Value left = value(*node.left), right = value(*node.right);
    const auto is_number = [](const Value& v) { return v.kind == Value::Kind::Int || v.kind == Value::Kind::Real; };
    if (!is_number(left) || !is_number(right)) refuse(expr);
    const bool whole = left.kind == Value::Kind::Int && right.kind == Value::Kind::Int;
    if (whole)
      if (const std::optional<long> result = on_integers(expr, node.op, left.integer, right.integer))
        return integer(*result);
    const double a = left.number(), b = right.number();
    switch (node.op) {
      case BinaryOp::Plus: return real(a + b);
      case BinaryOp::Minus: return real(a - b);
      case BinaryOp::Times:
      case BinaryOp::EltTimes: return real(a * b);
      case BinaryOp::Divide:
      case BinaryOp::EltDivide: return real(a / b);
      case BinaryOp::Pow:
      case BinaryOp::EltPow: return real(std::pow(a, b));
      case BinaryOp::Or: return integer(a != 0 || b != 0);
      case BinaryOp::And: return integer(a != 0 && b != 0);
      case BinaryOp::Equals: return integer(a == b);
      case BinaryOp::NEquals: return integer(a != b);
      case BinaryOp::Less: return integer(a < b);
      case BinaryOp::Leq: return integer(a <= b);
      case BinaryOp::Greater: return integer(a > b);
      case BinaryOp::Geq: return integer(a >= b);
      default: return refuse(expr);
    }
  }

  /// The operators whose result on ints is an int of their own making.
  static std::optional<long> on_integers(const ast::Expr& expr, BinaryOp op, long a, long b) {
    const bool divides = op == BinaryOp::Divide || op == BinaryOp::IntDivide || op == BinaryOp::Modulo;
    if (divides && b == 0) throw ProgramError(expr.span, "Integer division by zero.");
    switch (op) {
      case BinaryOp::Plus: return a + b;
      case BinaryOp::Minus: return a - b;
      case BinaryOp::Times: return a * b;
      case BinaryOp::Divide:
      case BinaryOp::IntDivide: return a / b;
      case BinaryOp::Modulo: return a % b;
      default: return std::nullopt;
    }
  }

  Value call(const ast::Expr& expr, const ast::Call& node) const {
    const std::vector<Value> args = all(node.args);
    const std::optional<Builtin> called = builtin_named(node.name.text);
    if (node.resolution.kind == ast::Resolution::Kind::User || !called) refuse(expr);
    const Builtin fn = *called;
    if (args.size() == 1) {
      if (fn == Builtin::size || fn == Builtin::num_elements || fn == Builtin::rows) return integer(static_cast<long>(args[0].items.size()));
      if (fn == Builtin::cols && !args[0].items.empty()) return integer(static_cast<long>(args[0].items[0].items.size()));
      if (args[0].kind == Value::Kind::List) return over_list(expr, fn, args[0].items);
      return of_number(expr, fn, args[0]);
    }
    if (args.size() == 2 && args[0].items.empty() && args[1].items.empty()) {
      if (fn == Builtin::min || fn == Builtin::max || fn == Builtin::fmin || fn == Builtin::fmax)
        return (args[0].number() < args[1].number()) == (fn == Builtin::min || fn == Builtin::fmin) ? args[0] : args[1];
      if (fn == Builtin::pow) return real(std::pow(args[0].number(), args[1].number()));
    }
    return refuse(expr);
  }
  static Value over_list(const ast::Expr& expr, Builtin fn, const std::vector<Value>& items) {
    if (items.empty() || !items[0].items.empty()) refuse(expr);
    Value result = items[0];
    for (std::size_t i = 1; i < items.size(); ++i) {
      const bool less = items[i].number() < result.number();
      if (fn == Builtin::sum) {
        result.integer += items[i].integer;
        result.real += items[i].real;
      } else if (fn == Builtin::max || fn == Builtin::min) {
        if (less == (fn == Builtin::min)) result = items[i];
      } else {
        refuse(expr);
      }
    }
    return result;
  }
  static Value of_number(const ast::Expr& expr, Builtin fn, const Value& arg) {
    struct Function {
      Builtin fn;
      double (*of)(double);
    };
    constexpr Function kFunctions[] = {
        {Builtin::sqrt, [](double x) { return std::sqrt(x); }},   {Builtin::exp, [](double x) { return std::exp(x); }},
        {Builtin::log, [](double x) { return std::log(x); }},     {Builtin::floor, [](double x) { return std::floor(x); }},
        {Builtin::ceil, [](double x) { return std::ceil(x); }},   {Builtin::round, [](double x) { return std::round(x); }},
        {Builtin::square, [](double x) { return x * x; }},        {Builtin::inv, [](double x) { return 1 / x; }}};
    if (fn == Builtin::to_int) return integer(static_cast<long>(arg.number()));
    if (fn == Builtin::abs) return arg.kind == Value::Kind::Int ? integer(std::labs(arg.integer)) : real(std::fabs(arg.real));
    for (const Function& function : kFunctions)
      if (function.fn == fn) return real(function.of(arg.number()));
    return refuse(expr);
  }

  const Values& values_;
  const ast::Expr* whole_;
};

// ---------------------------------------------------------------- drawing

class Generator {
 public:
  explicit Generator(const Values& values) : evaluate_(values) {}

  Value draw(const ast::DeclaredType& type) {
    std::vector<long> sizes;
    for (const ast::ExprPtr& size : type.array_sizes) sizes.push_back(evaluate_.size(*size));
    const auto bound = [&](const ast::ExprPtr& expr) {
      return expr && is_range(type) ? std::optional(evaluate_.whole(*expr)) : std::nullopt;
    };
    return array(type, sizes, 0, bound(type.first), bound(type.second));
  }

 private:
  using Bound = std::optional<Value>;

  static bool is_range(const ast::DeclaredType& type) {
    return type.transform == TransformKind::Lower || type.transform == TransformKind::Upper ||
           type.transform == TransformKind::LowerUpper;
  }
  /// The bound of one element: that of the whole, or its own.
  static Bound part(const Bound& bound, std::size_t i) {
    return bound && i < bound->items.size() ? Bound(bound->items[i]) : bound;
  }

  Value array(const ast::DeclaredType& type, const std::vector<long>& sizes, std::size_t level, const Bound& low,
              const Bound& high) {
    if (level == sizes.size()) return element(type, low, high);
    std::vector<Value> items;
    for (long i = 0; i < sizes[level]; ++i) {
      const auto at = static_cast<std::size_t>(i);
      items.push_back(array(type, sizes, level + 1, part(low, at), part(high, at)));
    }
    return list(std::move(items));
  }

  Value element(const ast::DeclaredType& type, const Bound& low, const Bound& high) {
    if (type.base == BaseType::Tuple) {
      Value result;
      result.kind = Value::Kind::Tuple;
      for (const ast::DeclaredType& slot : type.slots) result.items.push_back(draw(slot));
      return result;
    }
    if (type.base == BaseType::Int) return whole(low, high);
    std::vector<std::size_t> sizes;
    for (const ast::ExprPtr& size : type.sizes) sizes.push_back(static_cast<std::size_t>(evaluate_.size(*size)));
    if (type.transform != TransformKind::None && !is_range(type) && !is_affine(type)) return special(type, sizes);
    return filled(is_complex(type.base), sizes, 0, low, high);
  }
  static bool is_affine(const ast::DeclaredType& type) {
    return type.transform == TransformKind::Offset || type.transform == TransformKind::Multiplier ||
           type.transform == TransformKind::OffsetMultiplier;
  }

  Value filled(bool complex, const std::vector<std::size_t>& sizes, std::size_t level, const Bound& low,
               const Bound& high) {
    if (level == sizes.size())
      return complex ? list({real(uniform(2, 7)), real(uniform(2, 7))}) : continuous(low, high);
    std::vector<Value> items;
    for (std::size_t i = 0; i < sizes[level]; ++i)
      items.push_back(filled(complex, sizes, level + 1, part(low, i), part(high, i)));
    return list(std::move(items));
  }

  double uniform(double low, double high) {
    const double width = high - low, u = rng_.uniform();
    return std::isinf(width) ? low * (1 - u) + high * u : low + width * u;
  }

  Value whole(const Bound& low, const Bound& high) {
    long from = low ? low->integer : high ? std::max<long>(high->integer - 4, std::numeric_limits<std::int32_t>::min()) : 2;
    const long to = high ? high->integer : std::min<long>(from + 4, std::numeric_limits<std::int32_t>::max());
    if (from == 0 && to > 1) from = 1;
    const double width = static_cast<double>(std::max(to - from, 0L)) + 1;
    return integer(std::min(to, from + static_cast<long>(std::floor(uniform(0, width)))));
  }
  Value continuous(const Bound& low, const Bound& high) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    if ((low && low->number() == kInf) || (high && high->number() == -kInf)) return real(low ? kInf : -kInf);
    const auto finite = [](const Bound& bound) { return bound && std::isfinite(bound->number()); };
    if (finite(low)) return real(uniform(low->number(), finite(high) ? high->number() : low->number() + 5));
    return real(finite(high) ? uniform(high->number() - 5, high->number()) : uniform(2, 7));
  }

  // ---- constrained vectors and matrices

  Row positive(std::size_t n) {
    Row row(n);
    for (double& x : row) x = uniform(0, 2);
    return row;
  }
  static void scale(Row& row, double by) {
    for (double& x : row) x /= by;
  }
  static double sum(const Row& row) {
    double total = 0;
    for (const double x : row) total += x;
    return total;
  }
  static double norm(const Row& row) {
    double total = 0;
    for (const double x : row) total += x * x;
    return std::sqrt(total);
  }
  Row simplex(std::size_t n) {
    Row row = positive(n);
    scale(row, sum(row));
    return row;
  }
  Row centred(std::size_t n) {
    Row row = positive(n);
    const double mean = n > 0 ? sum(row) / static_cast<double>(n) : 0;
    for (double& x : row) x -= mean;
    return row;
  }
  Row ordered(std::size_t n, bool is_positive) {
    Row row = positive(n);
    for (std::size_t i = 1; i < n; ++i) row[i] += row[i - 1];
    const double shift = is_positive || n == 0 ? 0 : row.back() / 2;
    for (double& x : row) x -= shift;
    return row;
  }
  Matrix lower_triangle(std::size_t rows, std::size_t columns, bool normalised) {
    Matrix result;
    for (std::size_t i = 0; i < rows; ++i) {
      Row row = positive(std::min(i + 1, columns));
      if (normalised) scale(row, norm(row));
      row.resize(columns, 0);
      result.push_back(std::move(row));
    }
    return result;
  }
  static Matrix squared(const Matrix& factor) {
    Matrix result;
    for (const Row& a : factor) {
      Row row;
      for (const Row& b : factor) {
        double total = 0;
        for (std::size_t k = 0; k < a.size(); ++k) total += a[k] * b[k];
        row.push_back(total);
      }
      result.push_back(std::move(row));
    }
    return result;
  }
  Matrix rows_of_simplexes(std::size_t rows, std::size_t columns) {
    Matrix result;
    for (std::size_t i = 0; i < rows; ++i) result.push_back(simplex(columns));
    return result;
  }
  static Matrix transposed(const Matrix& matrix, std::size_t rows) {
    Matrix result(rows);
    for (const Row& row : matrix)
      for (std::size_t i = 0; i < rows; ++i) result[i].push_back(row[i]);
    return result;
  }
  Matrix sum_to_zero(std::size_t rows, std::size_t columns) {
    Matrix result;
    for (std::size_t i = 0; i + 1 < rows; ++i) result.push_back(centred(columns));
    Row last(columns, 0);
    for (const Row& row : result)
      for (std::size_t j = 0; j < columns; ++j) last[j] -= row[j];
    if (rows > 0) result.push_back(std::move(last));
    return result;
  }

  Value special(const ast::DeclaredType& type, const std::vector<std::size_t>& sizes) {
    const std::size_t n = sizes.front(), m = sizes.back();
    switch (type.transform) {
      case TransformKind::Simplex: return row_value(simplex(n));
      case TransformKind::UnitVector: {
        Row row = positive(n);
        scale(row, norm(row));
        return row_value(row);
      }
      case TransformKind::Ordered: return row_value(ordered(n, false));
      case TransformKind::PositiveOrdered: return row_value(ordered(n, true));
      case TransformKind::SumToZeroVector: return row_value(centred(n));
      case TransformKind::SumToZeroMatrix: return matrix_value(sum_to_zero(n, m));
      case TransformKind::CholeskyCorr: return matrix_value(lower_triangle(n, n, true));
      case TransformKind::CholeskyCov: return matrix_value(lower_triangle(n, m, false));
      case TransformKind::Correlation: return matrix_value(squared(lower_triangle(n, n, true)));
      case TransformKind::Covariance: return matrix_value(squared(lower_triangle(n, n, false)));
      case TransformKind::StochasticRow: return matrix_value(rows_of_simplexes(n, m));
      default: return matrix_value(transposed(rows_of_simplexes(m, n), n));
    }
  }

  Evaluator evaluate_;
  Rng rng_{0};
};

// ---------------------------------------------------------------- JSON

std::string number_text(double value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

void append(std::string& out, const Value& value) {
  if (value.kind == Value::Kind::Int) return out.append(std::to_string(value.integer)), void();
  if (value.kind == Value::Kind::Real) return out.append(number_text(value.real)), void();
  const bool tuple = value.kind == Value::Kind::Tuple;
  JsonGroup group(out, tuple ? JsonGroup::Kind::Object : JsonGroup::Kind::Array);
  for (std::size_t i = 0; i < value.items.size(); ++i)
    append(tuple ? group.member(std::to_string(i + 1)) : group.item(), value.items[i]);
  group.end();
}

/// The few forms that data take.
class Reader {
 public:
  explicit Reader(const std::string& text) : scan_(text, "JSON") {}

  Values object() {
    Values result;
    members([&](const std::string& key) { result[key] = value(0); });
    scan_.expect_end();
    return result;
  }

 private:
  template <class Member>
  void members(Member member) {
    scan_.expect('{', "at the start of an object");
    if (scan_.accept('}')) return;
    do {
      const std::string key(scan_.string());
      scan_.expect(':', "after the name of a member");
      member(key);
    } while (scan_.accept(','));
    scan_.expect('}', "at the end of an object");
  }
  Value value(int depth) {
    constexpr int kDeepest = 100;
    if (depth > kDeepest) scan_.fail("lists are nested too deeply");
    switch (scan_.peek()) {
      case JsonToken::Array: return items(depth);
      case JsonToken::Object: return tuple(depth);
      case JsonToken::String: return special(scan_.string());
      case JsonToken::Number: return number();
      default: scan_.fail("a value was expected");
    }
  }
  /// `{"2": …, "1": …}`: the slots may come in any order.
  Value tuple(int depth) {
    std::map<std::size_t, Value> slots;
    members([&](const std::string& key) {
      constexpr std::size_t kLongest = 6;
      if (key.empty() || key.size() > kLongest || key.find_first_not_of("0123456789") != std::string::npos)
        scan_.fail("the name of a slot must be its number");
      slots[static_cast<std::size_t>(literal_int(key))] = value(depth + 1);
    });
    Value result;
    result.kind = Value::Kind::Tuple;
    for (auto& [number, slot] : slots) {
      if (number != result.items.size() + 1) scan_.fail("a tuple must have the slots \"1\", \"2\", …");
      result.items.push_back(std::move(slot));
    }
    return result;
  }
  Value items(int depth) {
    std::vector<Value> result;
    scan_.expect('[', "at the start of a list");
    if (scan_.accept(']')) return list(std::move(result));
    do result.push_back(value(depth + 1));
    while (scan_.accept(','));
    scan_.expect(']', "at the end of a list");
    return list(std::move(result));
  }
  Value special(std::string_view text) const {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    if (text == "inf" || text == "Inf" || text == "Infinity") return real(kInf);
    if (text == "-inf" || text == "-Inf" || text == "-Infinity") return real(-kInf);
    if (text == "nan" || text == "NaN") return real(std::numeric_limits<double>::quiet_NaN());
    scan_.fail("a number, a list or an object was expected");
  }
  Value number() {
    const std::string text(scan_.number());
    double x = 0;
    const NumberText read = read_number(text, &x);
    const bool whole = text.find_first_of(".eE") == std::string::npos;
    if (read == NumberText::Other || (whole && std::abs(x) > kMostExact)) scan_.fail("this number is too large for an int");
    return whole ? integer(literal_int(text)) : real(x);
  }
  static constexpr double kMostExact = 9007199254740992.0;  // beyond it not every int is a double

  JsonScan scan_;
};

/// Transformed data that are declared with a value simple enough to be known here; sizes of parameters may need them.
void known_values(const std::optional<ast::ProgramBlock>& source, Values& values) {
  if (!source) return;
  for (const ast::StmtPtr& stmt : source->body) {
    const auto* declaration = std::get_if<ast::Declaration>(&stmt->node);
    if (!declaration) continue;
    for (const ast::Declarator& declarator : declaration->names) try {
        if (declarator.init) values[declarator.name.text] = Evaluator(values).value(*declarator.init);
      } catch (const ProgramError&) {  // reported only if something needs it
      }
  }
}

}  // namespace

Values read_values(const std::string& json) { return Reader(json).object(); }

std::string generate_json(const ast::Program& program, Values given, bool parameters) {
  Generator generator(given);  // sees what is drawn as soon as it is there
  std::string out;
  const auto block = [&](const std::optional<ast::ProgramBlock>& source) {
    if (!source) return;
    for (const ast::StmtPtr& stmt : source->body) {
      const auto* declaration = std::get_if<ast::Declaration>(&stmt->node);
      if (!declaration) continue;
      for (const ast::Declarator& declarator : declaration->names) {
        const std::string& name = declarator.name.text;
        if (!given.contains(name)) {
          Value value = generator.draw(declaration->type);
          given[name] = std::move(value);
        }
        out += (out.empty() ? "\n  " : ",\n  ") + json_quote(name) + ": ";
        append(out, given[name]);
      }
    }
  };
  if (!parameters) {
    block(program.data);
  } else {  // they must suit the data that are given: none are made up here
    known_values(program.transformed_data, given);
    block(program.parameters);
  }
  return out.empty() ? "{}" : "{" + out + "\n}";
}

}  // namespace fermiac::stanc
