// Scalars: reals with what is known of them, ints in a range, conditions, reductions of containers.
#include <fmt/format.h>

#include "tests/fuzz/programs/writer.h"

namespace fermiac::fuzz {

std::string Writer::literal() {
  return choose.one({"0.5", "1.0", "-0.3", "2.5", "0.1", "-1.7", "1", "2", "3e-1", "0.75"});
}

std::string Writer::leaf() {
  if (choose.chance(80))
    if (std::string found = reach(Kind::Real, {}); !found.empty()) return found;
  if (choose.chance(25)) return integer(0, 4);
  return literal();
}

std::string Writer::bounded(int depth) {
  if (depth <= 0) return "tanh(" + leaf() + ")";
  switch (choose.below(8)) {
    case 0:
      return "sin(" + real(depth - 1) + ")";
    case 1:
      return "cos(" + real(depth - 1) + ")";
    case 2:
      return unit(depth - 1);
    case 3:
      return "atan(" + real(depth - 1) + ")";
    case 4:
      return "erf(" + real(depth - 1) + ")";
    default:
      return "tanh(" + real(depth - 1) + ")";
  }
}

std::string Writer::positive(int depth) {
  if (choose.chance(35))
    if (std::string found = reach(Kind::Real, {}, Domain::Positive); !found.empty()) return found;
  if (depth <= 0) return choose.one({"0.5", "1.5", "2.0", "1", "0.8"});
  switch (choose.below(7)) {
    case 0:
      return "exp(" + bounded(depth - 1) + ")";
    case 1:
      return fmt::format("(0.1 + square({}))", bounded(depth - 1));
    case 2:
      return "(0.2 + " + unit(depth - 1) + ")";
    case 3:
      return "log1p_exp(" + real(depth - 1) + ")";
    case 4:
      return fmt::format("({} + {})", positive(depth - 1), positive(depth - 1));
    case 5:
      return fmt::format("(0.5 + abs({}))", bounded(depth - 1));
    default:
      return fmt::format("sqrt(0.3 + {})", positive(depth - 1));
  }
}

std::string Writer::unit(int depth) {
  if (choose.chance(25))
    if (std::string found = reach(Kind::Real, {}, Domain::Unit); !found.empty()) return found;
  if (depth <= 0) return choose.one({"0.3", "0.5", "0.85"});
  if (choose.chance(20)) return "Phi(" + bounded(depth - 1) + ")";
  if (choose.chance(10)) return "Phi_approx(" + bounded(depth - 1) + ")";
  return "inv_logit(" + bounded(depth - 1) + ")";
}

std::string Writer::scalar(Domain domain, int depth) {
  switch (domain) {
    case Domain::Positive:
      return positive(depth);
    case Domain::Unit:
      return unit(depth);
    default:
      return real(depth);
  }
}

/// Expressions that rewriting looks for.
std::string Writer::pattern(int depth) {
  const auto r = [&] { return real(depth - 1); };
  const auto b = [&] { return bounded(depth - 1); };
  const auto p = [&] { return positive(depth - 1); };
  switch (choose.below(24)) {
    case 0:
      return fmt::format("log(1 + exp({}))", b());
    case 1:
      return fmt::format("log(1 - inv_logit({}))", b());
    case 2:
      return fmt::format("log(1 - exp(-{}))", p());
    case 3:
      return fmt::format("log(1 + {})", p());
    case 4:
      return fmt::format("log(exp({}) + exp({}))", b(), b());
    case 5:
      return fmt::format("({} * log({}))", r(), p());
    case 6:
      return fmt::format("(exp({}) - 1)", b());
    case 7:
      return fmt::format("(1 - erf({}))", b());
    case 8:
      return fmt::format("pow({}, 2)", r());
    case 9:
      return fmt::format("pow(2, {})", b());
    case 10:
      return fmt::format("pow({}, 0.5)", p());
    case 11:
      return fmt::format("inv(sqrt({}))", p());
    case 12:
      return fmt::format("inv(square({}))", p());
    case 13:
      return fmt::format("({} * {} + {})", r(), b(), r());
    case 14:
      return fmt::format("({} + {} * {})", r(), b(), r());
    case 15:
      return fmt::format("log(inv_logit({}))", r());
    case 16:
      return fmt::format("log(exp(1 + {}) - exp(-{}))", p(), p());
    case 17:
      return fmt::format("square(sqrt({}))", p());
    case 18:
      return fmt::format("log(exp({}))", b());
    case 19:
      return fmt::format("(1 - gamma_p({}, {}))", p(), p());
    case 20:
      return fmt::format("({} - {} * {})", r(), b(), r());
    case 21:
      return fmt::format("(sqrt(2) * {})", b());
    case 22:
      return fmt::format("({} ^ 2)", r());
    default:
      return fmt::format("(square({}) / (1 + square({})))", b(), r());
  }
}

std::string Writer::reduction(int depth) {
  const int n = size().value;
  const auto v = [&] { return vector(n, depth - 1); };
  switch (choose.below(14)) {
    case 0:
      return "sum(" + v() + ")";
    case 1:
      return "mean(" + v() + ")";
    case 2:
      return fmt::format("dot_product({}, {})", v(), v());
    case 3:
      return "dot_self(" + v() + ")";
    case 4:
      return "log_sum_exp(" + v() + ")";
    case 5:
      return fmt::format("squared_distance({}, {})", v(), v());
    case 6:
      return fmt::format("sum(square({} - {}))", v(), v());
    case 7:
      return fmt::format("log(sum(exp(tanh({}))))", v());
    case 8:
      return fmt::format("({} * {})", row(n, depth - 1), v());
    case 9: {
      const std::string x = v();
      return fmt::format("dot_product({}, {})", x, x);
    }
    case 10:
      return "max(" + v() + ")";
    case 11:
      return fmt::format("trace({})", matrix(n, n, depth - 1));
    case 12:
      return fmt::format("sum({})", matrix(n, size().value, depth - 1));
    default:
      return fmt::format("log_sum_exp(to_array_1d({}))", v());
  }
}

std::string Writer::real_of_parts(int depth) {
  const auto r = [&] { return real(depth - 1); };
  const auto b = [&] { return bounded(depth - 1); };
  const auto p = [&] { return positive(depth - 1); };
  switch (choose.below(20)) {
    case 0:
    case 1:
      return fmt::format("({} + {})", r(), r());
    case 2:
    case 3:
      return fmt::format("({} - {})", r(), r());
    case 4:
    case 5:
      return fmt::format("({} * {})", b(), r());
    case 6:
      return fmt::format("({} / {})", r(), p());
    case 7:
      return "-" + leaf();
    case 8:
      return fmt::format("fma({}, {}, {})", b(), r(), r());
    case 9:
      return fmt::format("fmax({}, {})", r(), r());
    case 10:
      return fmt::format("fmin({}, {})", r(), r());
    case 11:
      return fmt::format("({} ^ {})", p(), b());
    case 12:
      return fmt::format("log_sum_exp({}, {})", r(), r());
    case 13:
      return fmt::format("log_mix({}, {}, {})", unit(depth - 1), r(), r());
    case 14:
      return fmt::format("({} ? {} : {})", condition(depth - 1), r(), r());
    case 15:
      return "log(" + p() + ")";
    case 16:
      return choose.one({"lgamma", "digamma", "sqrt", "log1p", "inv", "cbrt"}) + "(" + p() + ")";
    case 17:
      return choose.one({"exp(", "expm1(", "cosh(", "asinh(", "square(", "abs(", "inv_cloglog("}) + b() + ")";
    case 18:
      return fmt::format("normal_lpdf({} | {}, {})", r(), r(), p());
    default:
      return bounded(depth);
  }
}

std::string Writer::real(int depth) {
  if (depth <= 0) return leaf();
  switch (choose.weighted({20, 40, 17, 13, 10})) {
    case 0:
      return leaf();
    case 1:
      return real_of_parts(depth);
    case 2:
      return reduction(depth);
    case 3:
      return pattern(depth);
    default:
      break;
  }
  std::vector<const Function*> callable;
  for (const Function& f : functions)
    if (f.result.kind == Kind::Real && f.result.array.empty() && (!f.changes_target || place.target) &&
        (!f.random || place.random))
      callable.push_back(&f);
  return callable.empty() ? real_of_parts(depth) : call(*choose.one(callable), depth);
}

std::string Writer::call(const Function& function, int depth) {
  std::string out = function.name + "(";
  for (std::size_t i = 0; i < function.formals.size(); ++i) {
    const Variable& formal = function.formals[i];
    const bool density = function.name.ends_with("_lpdf");
    if (i > 0) out += density && i == 1 ? " | " : ", ";
    out += formal.shape.kind == Kind::Int ? integer(formal.low, formal.high) : value(formal.shape, depth - 1);
  }
  return out + ")";
}

std::string Writer::integer(int low, int high, int depth) {
  std::vector<std::string> found;
  for (const Variable& v : scope) {
    if (v.shape.kind != Kind::Int || v.shape.array.size() > 1) continue;
    if (v.low >= low && v.high <= high) {
      if (v.shape.array.empty())
        found.push_back(v.name);
      else if (depth > 0 && v.shape.array[0].value > 0)
        found.push_back(v.name + "[" + integer(1, v.shape.array[0].value, depth - 1) + "]");
    } else if (v.shape.array.empty() && v.high - v.low <= high - low) {
      const int shift = choose.between(low - v.low, high - v.high);
      found.push_back(fmt::format("({} {} {})", v.name, shift < 0 ? "-" : "+", std::abs(shift)));
    }
  }
  if (!found.empty() && choose.chance(75)) return choose.one(found);
  const int a = choose.between(low, high), b = choose.between(low, high);
  if (depth > 0 && !place.function && choose.chance(6)) return fmt::format("({} ? {} : {})", condition(0), a, b);
  return std::to_string(a);
}

std::string Writer::condition(int depth) {
  switch (choose.weighted({45, 30, depth > 0 ? 15 : 0, depth > 0 ? 10 : 0})) {
    case 0:
      return leaf() + choose.one({" > ", " < ", " >= ", " <= "}) + choose.one({"0.2", "-0.4", "1.1", "0.05"});
    case 1:
      return integer(0, 4) + choose.one({" > ", " == ", " != ", " <= "}) + integer(0, 4);
    case 2:
      return "(" + condition(depth - 1) + choose.one({" && ", " || "}) + condition(depth - 1) + ")";
    default:
      return "!(" + condition(depth - 1) + ")";
  }
}

}  // namespace fermiac::fuzz
