#include "tests/fuzz/calls/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "interp/functions/functions.h"
#include "tests/conformance/oracle_values.h"
#include "tests/conformance/recorded_call.h"
#include "tests/conformance/sweep.h"
#include "tests/fuzz/choice.h"

namespace fermiac::fuzz {
namespace {

using ad::Inner;
using ad::Shape;
using interp::RealBuffer;
using interp::Value;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Where functions change their formula, tables end, sums overflow or digits run out.
const std::vector<double> kNastyReals = {0,
                                         -0.0,
                                         1,
                                         -1,
                                         0.5,
                                         -0.5,
                                         2,
                                         3,
                                         -2,
                                         1e-8,
                                         -1e-8,
                                         1e-16,
                                         1e-300,
                                         -1e-300,
                                         5e-324,
                                         1 - 0x1p-53,
                                         1 + 0x1p-52,
                                         10,
                                         37,
                                         -37,
                                         170.5,
                                         -170,
                                         700,
                                         -700,
                                         710,
                                         -745,
                                         1023,
                                         1024,
                                         1025,
                                         65536,
                                         -65536,
                                         1e5,
                                         -1e5,
                                         1e8,
                                         -1e8,
                                         2147483647.0,
                                         2147483648.0,
                                         -2147483649.0,
                                         4294967296.0,
                                         9007199254740993.0,
                                         1e16,
                                         -1e16,
                                         9.3e18,
                                         1e20,
                                         -1e20,
                                         1e100,
                                         1e154,
                                         -1e154,
                                         1e300,
                                         -1e300,
                                         1.7976931348623157e308,
                                         -1.7976931348623157e308,
                                         kInf,
                                         -kInf,
                                         kNan};
const std::vector<std::int32_t> kNastyInts = {
    0,       1,          2,          3,      4,
    5,       -1,         -2,         10,     100,
    1000,    1023,       1024,       1025,   32768,
    65535,   65536,      65537,      92682,  100000,
    5000000, 2147483647, 2147483646, -65536, std::numeric_limits<std::int32_t>::min()};

/// How the arguments of one call are made up.
struct Plan {
  bool sizes_fit = true;
  int rows = 0, cols = 0;
  int nasty = 0;  // percent of numbers from the lists above
};

class Maker {
 public:
  Maker(std::uint64_t seed, std::string_view prefix) : seed_(seed), choose_(seed), prefix_(prefix) {}

  Call make() {
    Call call{.signature = &signature()};
    const bool by_domain = choose_.chance(45);
    if (by_domain)
      from_domains(call);
    else
      from_types(call);
    call.parameters = parameters(*call.signature);
    std::vector<double> theta;
    selfcheck::as_parameters(call.arguments, call.parameters, theta);
    for (const double x : theta) call.elsewhere.push_back(elsewhere(x));
    return call;
  }

 private:
  static bool callable(const Signature& s) {
    return std::ranges::none_of(s.formals, [](const Formal& f) {
      return f.type.base() == BaseType::Function || f.type.base() == BaseType::Tuple ||
             f.type.array_dims() > Shape::kMaxRank;
    });
  }

  const Signature& signature() {
    static const std::vector<std::string> all = builtin_names();
    std::vector<std::string> names;
    for (const std::string& name : all)
      if (name.starts_with(prefix_) && interp::LibraryFunction::find(name)) names.push_back(name);
    for (;;) {
      const auto of_name = signatures(choose_.one(names));
      const Signature& s = of_name[static_cast<std::size_t>(choose_.below(static_cast<int>(of_name.size())))];
      if (callable(s)) return s;
    }
  }

  unsigned parameters(const Signature& s) {
    unsigned mask = 0;
    for (std::size_t j = 0; j < s.formals.size(); ++j)
      if (!s.formals[j].data_only && !s.formals[j].type.is_discrete() && choose_.chance(65)) mask |= 1u << j;
    return mask;
  }

  double nasty_real() { return choose_.one(kNastyReals); }
  double ordinary_real() { return 0.15 + 0.7 * choose_.uniform(); }
  double real(const Plan& plan) {
    if (choose_.chance(plan.nasty)) return nasty_real();
    switch (choose_.below(6)) {
      case 0:
        return 4 * choose_.uniform() - 2;
      case 1:
        return choose_.below(6);
      case 2:
        return std::exp(40 * choose_.uniform() - 20) * (choose_.chance(50) ? 1 : -1);
      default:
        return ordinary_real();
    }
  }
  std::int32_t integer(const Plan& plan) {
    if (choose_.chance(plan.nasty)) return choose_.one(kNastyInts);
    return choose_.between(0, 4);
  }
  double elsewhere(double x) {
    switch (choose_.below(5)) {
      case 0:
        return nasty_real();
      case 1:
        return x + 0.1 * choose_.uniform();
      case 2:
        return -x;
      default:
        return x;
    }
  }

  /// Arguments as their domains ask for, then perhaps one number that they do not.
  void from_domains(Call& call) {
    const auto domains = selfcheck::sweep_domains(*call.signature);
    for (std::size_t j = 0; j < domains.size(); ++j)
      call.arguments.push_back(
          selfcheck::sweep_value(call.signature->formals[j].type, domains[j], seed_ % 1000 + 7 * j, 0));
    if (!call.arguments.empty() && choose_.chance(80))
      spoil(call.arguments[static_cast<std::size_t>(choose_.below(static_cast<int>(call.arguments.size())))]);
  }
  void spoil(Value& v) {
    switch (v.kind()) {
      case Value::Kind::Int:
        v = Value(choose_.one(kNastyInts));
        return;
      case Value::Kind::Real:
        v = Value(nasty_real());
        return;
      case Value::Kind::Ints:
        if (const auto ints = v.mutable_ints(); !ints.empty()) ints[place(ints.size())] = choose_.one(kNastyInts);
        return;
      case Value::Kind::Reals:
        if (RealBuffer& reals = v.mutable_reals(); reals.size() > 0) reals[place(reals.size())] = nasty_real();
        return;
      default:
        return;
    }
  }
  std::size_t place(std::size_t n) { return static_cast<std::size_t>(choose_.below(static_cast<int>(n))); }

  /// Arguments of the right types and any size.
  void from_types(Call& call) {
    const Plan plan{.sizes_fit = choose_.chance(60),
                    .rows = choose_.between(0, 4),
                    .cols = choose_.between(0, 4),
                    .nasty = choose_.one(std::vector<int>{0, 10, 30, 60})};
    const bool square = choose_.chance(60);
    for (const Formal& formal : call.signature->formals)
      call.arguments.push_back(value(formal.type, shape(formal.type, plan, square), plan));
  }
  std::uint32_t size(const Plan& plan, int usual) {
    return static_cast<std::uint32_t>(plan.sizes_fit || choose_.chance(70) ? usual : choose_.between(0, 4));
  }
  static bool is_complex(BaseType base) {
    return base == BaseType::Complex || base == BaseType::ComplexVector || base == BaseType::ComplexRowVector ||
           base == BaseType::ComplexMatrix;
  }
  Shape shape(const Type& type, const Plan& plan, bool square) {
    Shape s;
    switch (type.base()) {
      case BaseType::Vector:
      case BaseType::ComplexVector:
        s = Shape::vector(size(plan, plan.rows));
        break;
      case BaseType::RowVector:
      case BaseType::ComplexRowVector:
        s = Shape::row_vector(size(plan, plan.rows));
        break;
      case BaseType::Matrix:
      case BaseType::ComplexMatrix:
        s = Shape::matrix(size(plan, plan.rows), size(plan, square ? plan.rows : plan.cols));
        break;
      default:
        break;
    }
    s.complex = is_complex(type.base());
    const bool deep = type.array_dims() > 3;  // 4^10 numbers are too many
    for (int k = 0; k < type.array_dims(); ++k) s = Shape::array(deep ? size(plan, 1) % 3 : size(plan, plan.rows), s);
    return s;
  }
  Value value(const Type& type, const Shape& s, const Plan& plan) {
    if (type.base() == BaseType::Int) {
      std::vector<std::int32_t> out(s.size());
      for (std::int32_t& x : out) x = integer(plan);
      return s.is_scalar() ? Value(out[0]) : Value::ints(s, std::move(out));
    }
    RealBuffer out(s.size());
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = real(plan);
    return Value::reals(s, std::move(out));
  }

  std::uint64_t seed_;
  Choice choose_;
  std::string_view prefix_;
};

}  // namespace

Call make_call(std::uint64_t seed, std::string_view prefix) {
  return Maker(seed, prefix).make();
}

std::string text(const Call& call) {
  std::string out(call.signature->name);
  for (std::size_t j = 0; j < call.arguments.size(); ++j) {
    const Value& v = call.arguments[j];
    std::string numbers;
    for (const double x : selfcheck::oracle::flatten(v))
      numbers += fmt::format("{}{:.17g}", numbers.empty() ? "" : ", ", x);
    const bool scalar = v.shape().is_scalar() && !v.shape().complex;
    out += fmt::format("{}{} = {}{}", j ? ", " : "(",
                       call.signature->formals[j].type.is_discrete() && scalar ? "int" : v.shape().str(),
                       scalar ? numbers : "{" + numbers + "}", call.parameters >> j & 1u ? "'" : "");
  }
  return out + ")";
}

}  // namespace fermiac::fuzz
