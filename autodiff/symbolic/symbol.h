// Numbers that stand for text: a formula evaluated on Symbols writes itself down, as statements of OpenCL C. The functors of maps
// and densities (kernels/driver.h) are templates over the type of their lanes, so a Symbol in its place gives their formulas.
//
// Statements are of the types T (a double, or lanes of them) and M (what comparisons of T give), which the text is to define.
// Equal expressions are one statement, constants are folded, and what no result needs is left out.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermiac::ad::symbols {

/// The formula cannot be written down: it calls what only the host has.
struct NoFormula : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An entry of a Statements, or a constant. Both kinds of symbols are one of these.
struct Term {
  class Statements* in = nullptr;  // null: the constant
  std::uint32_t row = 0;
};

class Symbol : public Term {
 public:
  constexpr Symbol() = default;
  constexpr Symbol(double number) : number_(number) {}
  Symbol(Statements* s, std::uint32_t row) : Term{s, row} {}
  bool is_number() const { return in == nullptr; }
  double number() const { return number_; }
  Symbol& operator+=(const Symbol& other);

 private:
  double number_ = 0;
};

/// What a comparison of Symbols gives.
class Truth : public Term {
 public:
  constexpr Truth() = default;
  constexpr Truth(bool known) : known_(known) {}
  Truth(Statements* s, std::uint32_t row) : Term{s, row} {}
  bool is_known() const { return in == nullptr; }
  bool known() const { return known_; }

 private:
  bool known_ = false;
};

class Statements {
 public:
  /// A name that the text gives a number of type T.
  Symbol named(const std::string& name);
  /// The lanes where the formula holds; elsewhere the host is to compute the number. Nothing may be wrong where it is true.
  void require(const Truth& holds);
  Truth required() const { return required_; }

  /// `form` with $0, $1, … for the operands.
  Symbol symbol(std::string_view form, const std::vector<std::string>& operands, const std::vector<Term>& terms);
  Truth truth(std::string_view form, const std::vector<std::string>& operands, const std::vector<Term>& terms);
  /// As the text has it.
  std::string text(const Symbol& x);
  std::string text(const Truth& x);

  /// What the results need that has not been written before, one statement a line.
  std::string write(const std::vector<Term>& results);
  std::size_t size() const { return rows_.size(); }

 private:
  struct Row {
    std::string text;
    std::vector<std::uint32_t> reads;
    bool truth = false;
    bool given = false;    // by the text around
    bool written = false;
  };
  std::uint32_t row(std::string_view form, const std::vector<std::string>& operands, const std::vector<Term>& terms, bool truth);
  std::string name(std::uint32_t row) const;
  void need(std::uint32_t row, std::vector<std::uint32_t>* out);

  std::vector<Row> rows_;
  std::map<std::pair<std::string, bool>, std::uint32_t> known_;
  Truth required_ = true;
};

/// The Statements that one of the symbols belongs to, or null.
template <class... S>
Statements* statements_of(const S&... symbols) {
  Statements* found = nullptr;
  ((found = found ? found : symbols.in), ...);
  return found;
}

Symbol operator+(const Symbol& x, const Symbol& y);
Symbol operator-(const Symbol& x, const Symbol& y);
Symbol operator*(const Symbol& x, const Symbol& y);
Symbol operator/(const Symbol& x, const Symbol& y);
Symbol operator-(const Symbol& x);
Truth operator<(const Symbol& x, const Symbol& y);
Truth operator>(const Symbol& x, const Symbol& y);
Truth operator<=(const Symbol& x, const Symbol& y);
Truth operator>=(const Symbol& x, const Symbol& y);
Truth operator==(const Symbol& x, const Symbol& y);
Truth operator!=(const Symbol& x, const Symbol& y);
Truth operator&(const Truth& x, const Truth& y);
Truth operator|(const Truth& x, const Truth& y);
Truth operator~(const Truth& x);

inline Truth negate(const Truth& x) { return ~x; }
/// Both sides are written down, so any lane may.
/// The formula holds where `x` does not.
void leave_out(const Truth& x);
inline bool any(const Truth& x) { return !x.is_known() || x.known(); }
Symbol select(const Truth& which, const Symbol& yes, const Symbol& no);

// The functions of formulas.h, of one, two and three numbers.
#define FERMIAC_SYMBOL_FUNCTIONS(X)                                                                                            \
  X(abs) X(sqrt) X(exp) X(log) X(log1p) X(expm1) X(tanh) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(asinh) \
  X(acosh_) X(atanh) X(exp2) X(log2) X(log10) X(cbrt) X(floor) X(ceil) X(round) X(trunc) X(erf) X(erfc) X(lgamma) X(digamma)   \
  X(trigamma)
#define FERMIAC_SYMBOL_FUNCTIONS_OF_TWO(X) X(pow) X(fmod) X(hypot) X(atan2)
#define FERMIAC_DECLARE(name) Symbol name(const Symbol& x);
FERMIAC_SYMBOL_FUNCTIONS(FERMIAC_DECLARE)
#undef FERMIAC_DECLARE
#define FERMIAC_DECLARE(name) Symbol name(const Symbol& x, const Symbol& y);
FERMIAC_SYMBOL_FUNCTIONS_OF_TWO(FERMIAC_DECLARE)
#undef FERMIAC_DECLARE

/// log(1 + u) where q = 1 / (1 + u) is at hand.
Symbol log1p_given(const Symbol& u, const Symbol& q);
/// lgamma(z + n) - lgamma(z), n >= 0, and the same of digamma.
Symbol lgamma_difference(const Symbol& z, const Symbol& n, const Symbol& lgamma_z);
Symbol digamma_difference(const Symbol& z, const Symbol& n, const Symbol& digamma_z);
Symbol digamma_difference(const Symbol& z, const Symbol& n);
/// As in density_rows.h.
Symbol log_Phi_core(const Symbol& z, Symbol& slope, Truth& left);

/// Of Symbols a lane is all of it.
template <class Function>
Symbol lanewise(Function f, const Symbol& x) { return f(x); }
template <class Function>
Symbol lanewise(Function f, const Symbol& x, const Symbol& y) { return f(x, y); }
template <class Function>
Symbol lanewise(Function f, const Symbol& x, const Symbol& y, const Symbol& z) { return f(x, y, z); }

}  // namespace fermiac::ad::symbols
