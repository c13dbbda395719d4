#include "autodiff/symbolic/symbol.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autodiff/kernels/special_scalar.h"
#include "support/base/check.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::ad::symbols {
namespace {

std::string number_text(double x) {
  if (std::isnan(x)) return "(T)(NAN)";
  if (std::isinf(x)) return x > 0 ? "(T)(INFINITY)" : "(T)(-INFINITY)";
  return "(T)(" + real_literal(x) + ")";
}

std::string put_in(std::string_view form, const std::vector<std::string>& operands) {
  std::string out;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '$') out += operands[static_cast<std::size_t>(form[++i] - '0')];
    else out += form[i];
  }
  return out;
}

template <class... X>
Symbol written(std::string_view form, const X&... x) {
  Statements* const s = statements_of(x...);
  return s->symbol(form, {s->text(x)...}, {Term(x)...});
}
template <class... X>
Truth written_truth(std::string_view form, const X&... x) {
  Statements* const s = statements_of(x...);
  return s->truth(form, {s->text(x)...}, {Term(x)...});
}
bool is(const Symbol& x, double number) { return x.is_number() && x.number() == number; }
bool are_numbers(const Symbol& x, const Symbol& y) { return x.is_number() && y.is_number(); }
bool same(const Term& x, const Term& y) { return x.in != nullptr && x.in == y.in && x.row == y.row; }

}  // namespace

Symbol Statements::named(const std::string& name) {
  const std::uint32_t r = row(name, {}, {}, false);
  rows_[r].given = true;
  return {this, r};
}

void Statements::require(const Truth& holds) { required_ = required_ & holds; }

std::uint32_t Statements::row(std::string_view form, const std::vector<std::string>& operands, const std::vector<Term>& terms, bool truth) {
  std::string text = put_in(form, operands);
  const auto [at, made] = known_.try_emplace({text, truth}, static_cast<std::uint32_t>(rows_.size()));
  if (!made) return at->second;
  Row& r = rows_.emplace_back();
  r.text = std::move(text);
  r.truth = truth;
  for (const Term& t : terms)
    if (t.in) r.reads.push_back(t.row);
  return at->second;
}

Symbol Statements::symbol(std::string_view form, const std::vector<std::string>& operands, const std::vector<Term>& terms) {
  return {this, row(form, operands, terms, false)};
}
Truth Statements::truth(std::string_view form, const std::vector<std::string>& operands, const std::vector<Term>& terms) {
  return {this, row(form, operands, terms, true)};
}

std::string Statements::name(std::uint32_t row) const {
  return rows_[row].given ? rows_[row].text : fmt::format("{}{}", rows_[row].truth ? 'm' : 'v', row);
}
std::string Statements::text(const Symbol& x) { return x.is_number() ? number_text(x.number()) : name(x.row); }
std::string Statements::text(const Truth& x) { return x.is_known() ? (x.known() ? "TRUE" : "FALSE") : name(x.row); }

void Statements::need(std::uint32_t first, std::vector<std::uint32_t>* out) {
  std::vector<std::uint32_t> open{first};
  while (!open.empty()) {
    Row& r = rows_[open.back()];
    const std::uint32_t at = open.back();
    open.pop_back();
    if (r.given || r.written) continue;
    r.written = true;
    out->push_back(at);
    open.insert(open.end(), r.reads.begin(), r.reads.end());
  }
}

std::string Statements::write(const std::vector<Term>& results) {
  std::vector<std::uint32_t> needed;
  for (const Term& t : results)
    if (t.in) need(t.row, &needed);
  std::ranges::sort(needed);  // operands have lower numbers
  std::string out;
  for (const std::uint32_t r : needed) out += fmt::format("    const {} {} = {};\n", rows_[r].truth ? 'M' : 'T', name(r), rows_[r].text);
  return out;
}

Symbol& Symbol::operator+=(const Symbol& other) { return *this = *this + other; }

Symbol operator+(const Symbol& x, const Symbol& y) {
  if (are_numbers(x, y)) return x.number() + y.number();
  if (is(x, 0)) return y;
  if (is(y, 0)) return x;
  return written("$0 + $1", x, y);
}
Symbol operator-(const Symbol& x, const Symbol& y) {
  if (are_numbers(x, y)) return x.number() - y.number();
  if (is(y, 0)) return x;
  return is(x, 0) ? -y : written("$0 - $1", x, y);
}
Symbol operator*(const Symbol& x, const Symbol& y) {
  if (are_numbers(x, y)) return x.number() * y.number();
  if (is(x, 1)) return y;
  return is(y, 1) ? x : written("$0 * $1", x, y);
}
Symbol operator/(const Symbol& x, const Symbol& y) {
  if (are_numbers(x, y)) return x.number() / y.number();
  return is(y, 1) ? x : written("$0 / $1", x, y);
}
Symbol operator-(const Symbol& x) { return x.is_number() ? Symbol(-x.number()) : written("-$0", x); }

#define FERMIAC_COMPARISON(sign)                                       \
  Truth operator sign(const Symbol& x, const Symbol& y) {              \
    if (are_numbers(x, y)) return x.number() sign y.number();          \
    return written_truth("$0 " #sign " $1", x, y);                     \
  }
FERMIAC_COMPARISON(<)
FERMIAC_COMPARISON(>)
FERMIAC_COMPARISON(<=)
FERMIAC_COMPARISON(>=)
FERMIAC_COMPARISON(==)
FERMIAC_COMPARISON(!=)
#undef FERMIAC_COMPARISON

Truth operator&(const Truth& x, const Truth& y) {
  if (x.is_known()) return x.known() ? y : x;
  if (y.is_known()) return y.known() ? x : y;
  return same(x, y) ? x : written_truth("$0 & $1", x, y);
}
Truth operator|(const Truth& x, const Truth& y) {
  if (x.is_known()) return x.known() ? x : y;
  if (y.is_known()) return y.known() ? y : x;
  return same(x, y) ? x : written_truth("$0 | $1", x, y);
}
Truth operator~(const Truth& x) { return x.is_known() ? Truth(!x.known()) : written_truth("NOT($0)", x); }

Symbol select(const Truth& which, const Symbol& yes, const Symbol& no) {
  if (which.is_known()) return which.known() ? yes : no;
  if (same(yes, no)) return yes;
  return written("$0 ? $1 : $2", which, yes, no);
}

namespace {

double host_abs(double x) { return std::fabs(x); }
double host_acosh_(double x) { return std::acosh(x); }

Symbol function(std::string_view form, double (*host)(double), const Symbol& x) { return x.is_number() ? Symbol(host(x.number())) : written(form, x); }

}  // namespace

// name, in OpenCL C, on the host
#define FERMIAC_ROWS(X)                                                                                                      \
  X(abs, "fabs($0)", host_abs) X(sqrt, "sqrt($0)", std::sqrt) X(exp, "exp($0)", std::exp) X(log, "log($0)", std::log)        \
  X(log1p, "log_1p($0)", std::log1p) X(expm1, "expm1($0)", std::expm1) X(tanh, "tanh($0)", std::tanh)                        \
  X(sin, "sin($0)", std::sin) X(cos, "cos($0)", std::cos) X(tan, "tan($0)", std::tan) X(asin, "asin($0)", std::asin)         \
  X(acos, "acos($0)", std::acos) X(atan, "atan($0)", std::atan) X(sinh, "sinh($0)", std::sinh) X(cosh, "cosh($0)", std::cosh) \
  X(asinh, "asinh($0)", std::asinh) X(acosh_, "acosh($0)", host_acosh_) X(atanh, "atanh($0)", std::atanh)                    \
  X(exp2, "exp2($0)", std::exp2) X(log2, "log2($0)", std::log2) X(log10, "log10($0)", std::log10)                            \
  X(cbrt, "cbrt($0)", std::cbrt) X(floor, "floor($0)", std::floor) X(ceil, "ceil($0)", std::ceil)                            \
  X(round, "round($0)", std::round) X(trunc, "trunc($0)", std::trunc) X(erf, "error_function($0)", std::erf)                 \
  X(erfc, "error_complement($0)", std::erfc)
#define FERMIAC_DEFINE(name, form, host)                                                                 \
  Symbol name(const Symbol& x) {                                                                         \
    return function(form, [](double t) -> double { return host(t); }, x);                                \
  }
FERMIAC_ROWS(FERMIAC_DEFINE)
#undef FERMIAC_DEFINE
#undef FERMIAC_ROWS

namespace {

/// Of a function whose text holds for positive numbers that are neither tiny nor huge.
Symbol of_positive(std::string_view form, double (*host)(double), double least, const Symbol& x) {
  if (x.is_number()) return host(x.number());
  x.in->require((x > least) & (x < 1e300));
  return written(form, x);
}

}  // namespace

void leave_out(const Truth& x) {
  if (!x.is_known()) return x.in->require(~x);
  if (x.known()) throw NoFormula("a density of large arguments");
}

Symbol lgamma(const Symbol& x) { return of_positive("log_gamma($0)", scalar::lgamma, 1e-300, x); }
Symbol digamma(const Symbol& x) { return of_positive("digamma($0)", scalar::digamma, 1e-100, x); }
Symbol trigamma(const Symbol& x) { return of_positive("trigamma($0)", scalar::trigamma, 1e-100, x); }

// name, in OpenCL C
#define FERMIAC_ROWS(X) \
  X(pow, "power($0, $1)") X(fmod, "remainder_of($0, $1)") X(hypot, "hypot($0, $1)") X(atan2, "atan2($0, $1)")
#define FERMIAC_DEFINE(name, form)                                   \
  Symbol name(const Symbol& x, const Symbol& y) {                    \
    if (are_numbers(x, y)) return std::name(x.number(), y.number()); \
    return written(form, x, y);                                      \
  }
FERMIAC_ROWS(FERMIAC_DEFINE)
#undef FERMIAC_DEFINE
#undef FERMIAC_ROWS

Symbol log1p_given(const Symbol& u, const Symbol& q) {
  return are_numbers(u, q) ? Symbol(std::log1p(u.number())) : written("log_1p_given($0, $1)", u, q);
}
Symbol lgamma_difference(const Symbol& z, const Symbol& n, const Symbol& lgamma_z) {
  if (are_numbers(z, n)) return scalar::lgamma_difference(z.number(), n.number());
  const Symbol far = written("log_gamma_difference($0, $1)", z, n);
  return select(z >= 10.0, far, lgamma(select(z >= 10.0, Symbol(1), z + n)) - lgamma_z);
}
Symbol digamma_difference(const Symbol& z, const Symbol& n, const Symbol& digamma_z) {
  if (are_numbers(z, n)) return scalar::digamma_difference(z.number(), n.number());
  const Symbol far = written("digamma_difference($0, $1)", z, n);
  return select(z >= 10.0, far, digamma(select(z >= 10.0, Symbol(1), z + n)) - digamma_z);
}
Symbol digamma_difference(const Symbol& z, const Symbol& n) { return digamma_difference(z, n, digamma(select(z >= 10.0, Symbol(1), z))); }
Symbol log_Phi_core(const Symbol& z, Symbol& slope, Truth& left) {
  if (z.is_number()) throw NoFormula("log_Phi of a constant");
  left = z < -0.66;
  slope = written("log_Phi_slope($0)", z);
  return written("log_Phi_core($0)", z);
}

}  // namespace fermiac::ad::symbols
