#include "frontend/builtins/expand.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "support/base/check.h"

namespace fermiac {
namespace {

using Named = std::pair<std::string_view, std::string_view>;

constexpr Named kBaseTypes[] = {
    {"int", ""},           {"real", ""},   {"vector", ""},         {"complex", ""},
    {"row_vector", ""},    {"matrix", ""}, {"complex_vector", ""}, {"complex_row_vector", ""},
    {"complex_matrix", ""}};

constexpr Named kSets[] = {
    {"VInt", "int|array[] int"},
    {"VReal", "real|vector|row_vector|array[] real"},
    {"VNumber", "int|real|vector|row_vector|array[] int|array[] real"},
    {"Vec", "vector|row_vector"},
    {"RealList", "vector|row_vector|array[] real"},
    {"Vectors", "vector|row_vector|array[] vector|array[] row_vector"},
    {"RealBox", "vector|row_vector|matrix"},
    {"ComplexBox", "complex_vector|complex_row_vector|complex_matrix"},
    {"Box", "RealBox|ComplexBox"},
    {"Number", "int|real"},
    {"Any", "int|real|vector|complex|row_vector|matrix|ComplexBox"},
};

constexpr Named kSchemes[] = {
    // one argument, elementwise over every container and array depth
    {"lift1", "d0-7 T=Number|RealBox: (T*) => real(T)*"},
    {"lift1c", "@lift1; (complex) => complex"},
    // two arguments: scalar with anything, or two of one type
    {"lift2",
     "d0-8 T=Number: (Number, T*) => real(T)*; d0-7 T=RealBox: (Number, T*) => T*;"
     "d1-8 T=Number: (T*, Number|T*) => real(T)*; d0-7 T=RealBox: (T*, Number|T*) => T*"},
    {"lift2_real",
     "d0-8: (real, real*) => real*; d0-7 T=RealBox: (real, T*) => T*;"
     "d1-8: (real*, real|real*) => real*; d0-7 T=RealBox: (T*, real|T*) => T*"},
    {"lift2_complex",
     "d0-8: (complex, complex*) => complex*; d0-7 T=ComplexBox: (complex, T*) => T*;"
     "d1-8: (complex*, complex|complex*) => complex*; d0-7 T=ComplexBox: (T*, complex|T*) => T*"},
    {"lift2_int", "d0-7: (int, int*) => int*; d1-7: (int*, int|int*) => int*"},
    // real containers with an int, or an array of int of the same shape
    {"int_then_real",
     "d0-8: (int, real*) => real*; d0-7 T=RealBox: (int, T*) => T*; d1-7: (int*, real) => real*; d1-8: (int*, real*) "
     "=> real*;"
     "d0-7 T=Vec: (int*+1, T*) => T*; d0-7: (int*+2, matrix*) => matrix*"},
    {"real_then_int",
     "d0-7: (real, int*) => real*; d1-8: (real*, int|int*) => real*; d0-7 T=RealBox: (T*, int) => T*;"
     "d0-7 T=Vec: (T*, int*+1) => T*; d0-7: (matrix*, int*+2) => matrix*"},
    // + - .* ./
    {"elementwise",
     "(int, int) => int; (real, real) => real; T=RealBox: (real, T) => T; T=RealBox: (T, real|T) => T;"
     "(complex, complex) => complex; T=ComplexBox: (complex, T) => T; T=ComplexBox: (T, complex|T) => T"},
    // transforms: bound arguments are scalar or shaped like the variable
    {"bound", "(real, real) => real; d1-8: (real*, real|real*) => real*; d0-7 T=RealBox: (T*, real|T*) => T*"},
    {"bounds",
     "(real, real, real) => real; d1-8: (real*, real|real*, real|real*) => real*;"
     "d0-7 T=RealBox: (T*, real|T*, real|T*) => T*"},
    {"vector_map", "d0-7: (vector*) => vector*"},
    {"matrix_map", "d0-7: (matrix*) => matrix*"},
    {"to_square", "d0-7: (vector*, int) => matrix*"},
    {"from_matrix", "d0-7: (matrix*) => vector*"},
    // functions with a callback (special_forms.def)
    {"ode_callback", "(real, vector) => vector"},
    {"ode_control", "(vector, real, array[] real) => array[] vector"},
    {"ode_tol_control", "(vector, real, array[] real, data real, data real, data int) => array[] vector"},
    {"dae_callback", "(real, vector, vector) => vector"},
    {"root_callback", "(vector) => vector"},
    {"root_tol_control", "(vector, data real, data real, data int) => vector"},
    {"quadrature_callback", "(real, real) => real"},
    {"quadrature_tol_control", "(real, real, data real, data real, data int) => real"},
    {"counts", "(array[] int, array[] int, vector) => real"},
    {"counts_with_eta", "(array[] int, array[] int, vector, vector) => real"},
    {"slice1", "T=vector|row_vector|complex_vector|complex_row_vector: (T, int) => T; d1-3 T=Any: (T*, int) => T*"},
    {"slice2",
     "T=vector|row_vector|complex_vector|complex_row_vector: (T, int, int) => T; d1-3 T=Any: (T*, int, int) => T*"},
    {"compare", "(Number, Number) => int"},
    {"moment", "(RealList|matrix) => real"},
    {"kernel_cov",
     "(array[] real, real, real) => matrix; (array[] real, array[] real, real, real) => matrix;"
     "(array[] vector, real, real|array[] real) => matrix; (array[] vector, array[] vector, real, real|array[] real) "
     "=> matrix"},
    {"ode_old",
     "((real, array[] real, array[] real, data array[] real, data array[] int) => array[] real, array[] real, real, "
     "array[] real,"
     "array[] real, data array[] real, data array[] int) => array[,] real"},
    {"ode_old_tol",
     "((real, array[] real, array[] real, data array[] real, data array[] int) => array[] real, array[] real, real, "
     "array[] real,"
     "array[] real, data array[] real, data array[] int, data real, data real, data real) => array[,] real"},
    {"solver_old",
     "((vector, vector, data array[] real, data array[] int) => vector, vector, vector, data array[] real, data "
     "array[] int)"
     "=> vector;"
     "((vector, vector, data array[] real, data array[] int) => vector, vector, vector, data array[] real, data "
     "array[] int,"
     "data real, data real, data real) => vector"},
};

template <std::size_t N>
std::optional<std::string_view> lookup(const Named (&table)[N], std::string_view name) {
  for (const auto& [key, value] : table)
    if (key == name) return value;
  return std::nullopt;
}

std::optional<BaseType> base_type(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kBaseTypes); ++i)
    if (kBaseTypes[i].first == name) return static_cast<BaseType>(i);
  return std::nullopt;
}

// ---------------------------------------------------------------- the parsed form

enum class Head : std::uint8_t { Concrete, T, RealOfT, ComplexOfT };
struct Choice {
  Head head = Head::Concrete;
  Formal concrete;
  bool star = false;
  int plus = 0;
};
using Pattern = std::vector<Choice>;

struct Alternative {
  int low = 0, high = 0;  // depths
  Pattern variable;       // the types of T; empty without T
  std::vector<Pattern> arguments;
  Choice result;
  std::optional<Choice> result_otherwise;
};

BaseType scalar_changed(BaseType base, bool to_complex) {
  switch (base) {
    case BaseType::Int:
    case BaseType::Real:
    case BaseType::Complex:
      return to_complex ? BaseType::Complex : BaseType::Real;
    case BaseType::Vector:
    case BaseType::ComplexVector:
      return to_complex ? BaseType::ComplexVector : BaseType::Vector;
    case BaseType::RowVector:
    case BaseType::ComplexRowVector:
      return to_complex ? BaseType::ComplexRowVector : BaseType::RowVector;
    case BaseType::Matrix:
    case BaseType::ComplexMatrix:
      return to_complex ? BaseType::ComplexMatrix : BaseType::Matrix;
    default:
      FERMIAC_CHECK(false, "T of a scheme is not a number or container");
      return base;
  }
}

/// The value of a choice at one depth and one T.
Formal instantiate(const Choice& choice, int depth, const Type& t) {
  Formal formal = choice.concrete;
  if (choice.head == Head::T) formal.type = t;
  if (choice.head == Head::RealOfT || choice.head == Head::ComplexOfT)
    formal.type =
        Type(scalar_changed(t.base(), choice.head == Head::ComplexOfT), static_cast<std::uint8_t>(t.array_dims()));
  if (choice.star) formal.type = formal.type.with_array_dims(formal.type.array_dims() + depth + choice.plus);
  return formal;
}

// ---------------------------------------------------------------- parsing

class SchemeParser {
 public:
  explicit SchemeParser(std::string_view text) : text_(text) {}

  std::vector<Alternative> parse() {
    std::vector<Alternative> out;
    do {
      if (eat('@')) {
        auto named = lookup(kSchemes, word());
        FERMIAC_CHECK(named.has_value(), text_);
        for (auto& alternative : SchemeParser(*named).parse()) out.push_back(std::move(alternative));
      } else {
        out.push_back(alternative());
      }
    } while (eat(';'));
    FERMIAC_CHECK(at_ == text_.size(), text_);
    return out;
  }

  Pattern pattern() {
    Pattern out;
    do {
      choice(out);
    } while (eat('|'));
    return out;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool eat(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) { FERMIAC_CHECK(eat(c), text_); }
  std::string_view word() {
    skip_blanks();
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    return text_.substr(start, at_ - start);
  }
  std::string_view peek_word() {
    const std::size_t start = at_;
    auto found = word();
    at_ = start;
    return found;
  }
  int digit() {
    FERMIAC_CHECK(at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])), text_);
    return text_[at_++] - '0';
  }

  Alternative alternative() {
    Alternative out;
    const auto first = peek_word();
    if (first.size() == 2 && first[0] == 'd') {
      out.low = word()[1] - '0';
      expect('-');
      out.high = digit();
    }
    if (peek_word() == "T") {
      word();
      expect('=');
      out.variable = pattern();
    }
    if (!out.variable.empty() || !first.empty()) expect(':');
    expect('(');
    if (!eat(')')) {
      do {
        out.arguments.push_back(pattern());
      } while (eat(','));
      expect(')');
    }
    result(out);
    return out;
  }

  void result(Alternative& out) {
    if (!arrow()) return;
    out.result = single_choice();
    if (eat('/')) out.result_otherwise = single_choice();
  }

  bool arrow() {
    if (!eat('=')) return false;
    expect('>');
    return true;
  }

  Choice single_choice() {
    Pattern out;
    choice(out);
    FERMIAC_CHECK(out.size() == 1, text_);
    return out.front();
  }

  /// Appends one choice, or the members of a set.
  void choice(Pattern& out) {
    Pattern found;
    const bool data = peek_word() == "data";
    if (data) word();
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '(')
      found.push_back({Head::Concrete, {function_type(), false}});
    else
      found = head();
    const bool star = eat('*');
    const int plus = star && eat('+') ? digit() : 0;
    for (auto& item : found) {
      item.concrete.data_only = data;
      item.star = star;
      item.plus = plus;
      out.push_back(std::move(item));
    }
  }

  Pattern head() {
    const auto name = word();
    if (name == "T") return {{Head::T, {}}};
    if (name == "array") return {{Head::Concrete, {array_type(), false}}};
    if (name == "tuple") return {{Head::Concrete, {tuple_type(), false}}};
    if (auto set = lookup(kSets, name)) return SchemeParser(*set).pattern();
    auto base = base_type(name);
    FERMIAC_CHECK(base.has_value(), text_);
    if (at_ < text_.size() && text_[at_] == '(') {
      at_ += 3;  // "(T)"
      return {{*base == BaseType::Real ? Head::RealOfT : Head::ComplexOfT, {}}};
    }
    return {{Head::Concrete, {Type(*base), false}}};
  }

  Type concrete_type() { return single_choice().concrete.type; }
  Type array_type() {
    expect('[');
    int dims = 1;
    while (eat(',')) ++dims;
    expect(']');
    return concrete_type().with_array_dims(dims);
  }
  Type tuple_type() {
    std::vector<Type> slots;
    expect('(');
    do {
      slots.push_back(concrete_type());
    } while (eat(','));
    expect(')');
    return Type::tuple(std::move(slots));
  }
  Type function_type() {
    FunctionType out;
    expect('(');
    do {
      out.formals.push_back(single_choice().concrete);
    } while (eat(','));
    expect(')');
    FERMIAC_CHECK(arrow(), text_);
    out.result = concrete_type();
    return Type::function(std::move(out));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// ---------------------------------------------------------------- expansion

class Expander {
 public:
  Expander(std::string_view name, std::vector<Signature>& out) : name_(name), out_(out) {}

  void expand(const Alternative& alternative) {
    std::size_t count = 1 + static_cast<std::size_t>(alternative.high - alternative.low);
    if (!alternative.variable.empty()) count *= alternative.variable.size();
    for (const Pattern& choices : alternative.arguments) count *= choices.size();
    out_.reserve(out_.size() + count);
    for (int depth = alternative.low; depth <= alternative.high; ++depth) {
      if (alternative.variable.empty()) arguments(alternative, depth, Type());
      for (const auto& t : alternative.variable) arguments(alternative, depth, t.concrete.type);
    }
  }

 private:
  /// The cartesian product of the choices of every argument.
  void arguments(const Alternative& alternative, int depth, const Type& t) {
    if (chosen_.size() == alternative.arguments.size()) return finish(alternative, depth, t);
    for (const auto& choice : alternative.arguments[chosen_.size()]) {
      chosen_.push_back(instantiate(choice, depth, t));
      arguments(alternative, depth, t);
      chosen_.pop_back();
    }
  }

  void finish(const Alternative& alternative, int depth, const Type& t) {
    const bool scalar = std::ranges::all_of(chosen_, [](const Formal& formal) { return formal.type.is_scalar(); });
    const Choice& result = alternative.result_otherwise && !scalar ? *alternative.result_otherwise : alternative.result;
    out_.push_back({name_, chosen_, instantiate(result, depth, t).type});
  }

  std::string_view name_;
  std::vector<Signature>& out_;
  std::vector<Formal> chosen_;
};

// ---------------------------------------------------------------- order

int rank(const Type& type) {
  if (type.is_array()) return static_cast<int>(BaseType::ComplexMatrix) + 1;
  const int base = static_cast<int>(type.base());
  return base > static_cast<int>(BaseType::ComplexMatrix) ? base + 1 : base;
}

int compare(const Type& a, const Type& b);

int compare(const std::vector<Formal>& a, const std::vector<Formal>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].data_only != b[i].data_only) return a[i].data_only ? -1 : 1;
    if (int order = compare(a[i].type, b[i].type)) return order;
  }
  return static_cast<int>(a.size()) - static_cast<int>(b.size());
}

std::vector<Formal> as_formals(const std::vector<Type>& types) {
  std::vector<Formal> out;
  for (const auto& type : types) out.push_back({type, false});
  return out;
}

int compare(const Type& a, const Type& b) {
  const int shared = std::min(a.array_dims(), b.array_dims());
  if (shared > 0)
    return compare(a.with_array_dims(a.array_dims() - shared), b.with_array_dims(b.array_dims() - shared));
  if (int order = rank(a) - rank(b)) return order;
  if (a.is_array()) return 0;
  if (a.base() == BaseType::Tuple) return compare(as_formals(a.slots()), as_formals(b.slots()));
  if (a.base() == BaseType::Function) return compare(a.signature().formals, b.signature().formals);
  return 0;
}

}  // namespace

bool formals_less(const std::vector<Formal>& a, const std::vector<Formal>& b) {
  return compare(a, b) < 0;
}

namespace {

/// An argument list as numbers that order as `formals_less` orders lists: most programs spend more time on sorting
/// signatures than on anything else. Plain types only: tuples and functions have an order of their own.
struct SortKey {
  static constexpr std::size_t kFormals = 10;
  static constexpr int kBitsPerFormal = 12;
  std::array<std::uint64_t, 2> digits{};
  std::uint32_t index = 0;  // of the signature
  friend auto operator<=>(const SortKey&, const SortKey&) = default;
};

/// Data before others, few dimensions before many, then by type; never 0, which stands behind the last argument.
std::uint64_t digit(const Formal& formal) {
  const int type = formal.type.array_dims() * 16 + static_cast<int>(formal.type.base()) + 1;
  return static_cast<std::uint64_t>(type) + (formal.data_only ? 0 : 1 << (SortKey::kBitsPerFormal - 1));
}

std::optional<SortKey> sort_key(const Signature& signature, std::size_t index) {
  SortKey key;
  key.index = static_cast<std::uint32_t>(index);
  if (signature.formals.size() > SortKey::kFormals) return std::nullopt;
  for (std::size_t i = 0; i < SortKey::kFormals; ++i) {
    std::uint64_t& digits = key.digits[i / (SortKey::kFormals / 2)];
    digits <<= SortKey::kBitsPerFormal;
    if (i >= signature.formals.size()) continue;
    if (signature.formals[i].type.base() >= BaseType::Tuple) return std::nullopt;
    digits += digit(signature.formals[i]);
  }
  return key;
}

void sort_signatures(std::vector<Signature>& signatures) {
  std::vector<SortKey> keys;
  keys.reserve(signatures.size());
  for (std::size_t i = 0; i < signatures.size(); ++i) {
    const auto key = sort_key(signatures[i], i);
    if (!key) return void(std::ranges::sort(signatures, formals_less, &Signature::formals));
    keys.push_back(*key);
  }
  if (std::ranges::is_sorted(keys)) return;
  std::ranges::sort(keys);
  std::vector<Signature> sorted;
  sorted.reserve(signatures.size());
  for (const SortKey& key : keys) sorted.push_back(std::move(signatures[key.index]));
  signatures = std::move(sorted);
}

}  // namespace

std::vector<Signature> expand_scheme(std::string_view name, std::string_view scheme) {
  std::vector<Signature> out;
  Expander expander(name, out);
  for (const auto& alternative : SchemeParser(scheme).parse()) expander.expand(alternative);
  sort_signatures(out);
  return out;
}

}  // namespace fermiac
