// Arguments for calling any built-in function: values of a type in a domain, each on a smooth curve through its domain,
// so that differences along the curve can be taken.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include "autodiff/distributions/detail/law.h"
#include "tests/conformance/sweep.h"

namespace fermiac::selfcheck {
namespace {

// A domain is one of
//   r LO HI        numbers between LO and HI
//   i LO HI        whole numbers, counted through
//   list A B …     these whole numbers
//   spd lower corr chol_corr simplex simplexes ordered unit square columns   matrices and vectors of this kind
// and may begin with `n=N`, the length of the innermost dimension, or `n=MxN`. `A | B`: B where the argument is an int.

struct Row {
  std::string_view name;     // of the function, or a whole signature
  std::string_view domains;  // separated by ;
};

constexpr Row kRows[] = {
#include "tests/conformance/sweep_arguments.inc"
};

constexpr std::string_view kReal = "r 0.15 0.85";
constexpr std::string_view kInt = "i 1 2";

/// The domains of argument docs (frontend/builtins) in our notation.
constexpr std::pair<std::string_view, std::string_view> kDocumented[] = {
    {"+", "r 0.4 2"},           {">=0", "r 0.3 2"},     {"[0,1]", "r 0.2 0.8"}, {"(0,1)", "r 0.2 0.8"},
    {"simplex", "simplex"},     {"ordered", "ordered"}, {"corr", "corr"},       {"cov", "spd"},
    {"chol_corr", "chol_corr"}, {"chol_cov", "lower"},
};

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  std::istringstream in{std::string(text)};
  for (std::string part; std::getline(in, part, at);) {
    const std::size_t first = part.find_first_not_of(' ');
    parts.push_back(first == std::string::npos ? "" : part.substr(first));
  }
  return parts;
}

const Row* find_row(std::string_view name) {
  const auto* it = std::ranges::find(kRows, name, &Row::name);
  return it == std::end(kRows) ? nullptr : it;
}

/// The part of a domain that an int, or another argument, takes.
std::string of_kind(const std::string& domain, bool integer) {
  const std::size_t bar = domain.find('|');
  if (bar != std::string::npos) return integer ? domain.substr(bar + 2) : domain.substr(0, bar);
  const bool whole = domain.starts_with("i ") || domain.find("list") != std::string::npos;
  return integer && !whole ? std::string(kInt) : domain;
}

bool is_int(const Type& t) {
  return t.base() == BaseType::Int;
}

// ---------------------------------------------------------------- values

/// Numbers that move with t, different for every place.
class Curve {
 public:
  Curve(std::uint64_t seed, double t) : seed_(seed), t_(t) {}
  double next(double low, double high) {
    const double phase =
        2.39996322972865332 * static_cast<double>(++count_) + 0.7310585786300049 * static_cast<double>(seed_ % 1000);
    return low + (high - low) * (0.5 + 0.46 * std::sin(phase + t_));
  }

 private:
  std::uint64_t seed_;
  double t_;
  int count_ = 0;
};

using Matrix = std::vector<double>;  // column-major

Matrix lower(Curve& c, std::size_t n) {
  Matrix m(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i < n; ++i) m[j * n + i] = i == j ? c.next(0.8, 1.6) : c.next(-0.6, 0.6);
  return m;
}
Matrix unit_rows(Matrix m, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += m[j * n + i] * m[j * n + i];
    for (std::size_t j = 0; j < n; ++j) m[j * n + i] /= std::sqrt(sum);
  }
  return m;
}
Matrix times_own_transpose(const Matrix& l, std::size_t n) {
  Matrix m(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += l[k * n + i] * l[k * n + j];
      m[j * n + i] = m[i * n + j] = sum;
    }
  return m;
}

struct Domain {
  std::string kind;
  std::vector<double> numbers;
  std::uint32_t rows = 3, cols = 3;
  bool sized = false;
};

Domain parse(std::string_view text) {
  Domain d;
  std::istringstream in{std::string(text)};
  std::string word;
  while (in >> word) {
    if (word.starts_with("n=")) {
      const auto parts = split(std::string_view(word).substr(2), 'x');
      d.rows = static_cast<std::uint32_t>(std::stoul(parts.front()));
      d.cols = static_cast<std::uint32_t>(std::stoul(parts.back()));
      d.sized = true;
    } else if (d.kind.empty()) {
      d.kind = word;
    } else {
      d.numbers.push_back(std::stod(word));
    }
  }
  return d;
}

/// One vector or matrix.
Matrix block(const Domain& d, Curve& c, std::uint32_t rows, std::uint32_t cols) {
  const std::size_t n = rows;
  Matrix m(static_cast<std::size_t>(rows) * cols);
  if (d.kind == "lower") return lower(c, n);
  if (d.kind == "chol_corr") return unit_rows(lower(c, n), n);
  if (d.kind == "spd") return times_own_transpose(lower(c, n), n);
  if (d.kind == "corr") {
    m = times_own_transpose(unit_rows(lower(c, n), n), n);
    for (std::size_t i = 0; i < n; ++i) m[i * n + i] = 1;
    return m;
  }
  if (d.kind == "square") {
    for (std::size_t k = 0; k < m.size(); ++k)
      m[k] = c.next(-0.5, 0.5) + (k % (n + 1) == 0 ? 2 * static_cast<double>(k / n + 1) : 0);
    return m;
  }
  const double low = d.numbers.empty() ? 0.15 : d.numbers[0], high = d.numbers.empty() ? 0.85 : d.numbers[1];
  for (double& x : m) x = c.next(low, high);
  const auto normalise = [&](std::size_t first, std::size_t step, std::size_t count, bool squares) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k)
      sum += squares ? m[first + k * step] * m[first + k * step] : m[first + k * step];
    for (std::size_t k = 0; k < count; ++k) m[first + k * step] /= squares ? std::sqrt(sum) : sum;
  };
  if (d.kind == "simplex" || d.kind == "unit") normalise(0, 1, m.size(), d.kind == "unit");
  if (d.kind == "rows")
    for (std::size_t i = 0; i < rows; ++i) normalise(i, rows, cols, false);
  if (d.kind == "columns")
    for (std::size_t j = 0; j < cols; ++j) normalise(j * rows, 1, rows, false);
  if (d.kind == "zero_sum") {
    double mean = 0;
    for (const double x : m) mean += x / static_cast<double>(m.size());
    for (double& x : m) x -= mean;
  }
  if (d.kind == "zero_sums") {
    for (std::size_t j = 0; j < cols; ++j) {
      double mean = 0;
      for (std::size_t i = 0; i < rows; ++i) mean += m[j * rows + i] / rows;
      for (std::size_t i = 0; i < rows; ++i) m[j * rows + i] -= mean;
    }
    for (std::size_t i = 0; i < rows; ++i) {
      double mean = 0;
      for (std::size_t j = 0; j < cols; ++j) mean += m[j * rows + i] / cols;
      for (std::size_t j = 0; j < cols; ++j) m[j * rows + i] -= mean;
    }
  }
  if (d.kind == "ordered")
    for (std::size_t k = 1; k < m.size(); ++k) m[k] += m[k - 1];
  return m;
}

/// Real and imaginary parts in turn. Square ones are far from degenerate; `spd` is real and symmetric.
Matrix complex_block(const Domain& d, Curve& c, std::uint32_t rows, std::uint32_t cols) {
  const bool square = d.kind == "square" || d.kind == "spd";
  Matrix m(static_cast<std::size_t>(rows) * cols * 2);
  for (std::size_t k = 0; k < m.size(); ++k) m[k] = square ? c.next(-0.5, 0.5) : c.next(0.15, 0.85);
  for (std::size_t i = 0; square && i < rows; ++i) m[2 * (i * rows + i)] += 2 * static_cast<double>(i + 1);
  if (d.kind != "spd") return m;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) {
      if (j < i) m[2 * (i * rows + j)] = m[2 * (j * rows + i)];
      m[2 * (i * rows + j) + 1] = 0;
    }
  return m;
}

/// The two innermost dimensions have the sizes of the domain, the others 2: sizes of different types agree.
Shape shape_of(const Type& type, const Domain& d) {
  Shape s;
  switch (type.base()) {
    case BaseType::Vector:
    case BaseType::ComplexVector:
      s = Shape::vector(d.rows);
      break;
    case BaseType::RowVector:
    case BaseType::ComplexRowVector:
      s = Shape::row_vector(d.rows);
      break;
    case BaseType::Matrix:
    case BaseType::ComplexMatrix:
      s = Shape::matrix(d.rows, d.cols);
      break;
    default:
      break;
  }
  s.complex = is_complex(type.base());
  const int inner = inner_dimensions(type.base());
  for (int k = 0; k < type.array_dims(); ++k) {
    const int place = inner + k;  // from the innermost
    s = Shape::array(place == 0 ? d.rows : place == 1 ? 3 : 2, s);
  }
  return s;
}

Value ints(const Type& type, const Domain& d, std::uint64_t seed) {
  Domain sized = d;
  const bool list = d.kind == "list";
  if (list && !d.sized) sized.rows = static_cast<std::uint32_t>(d.numbers.size());
  const Shape s = shape_of(type, sized);
  std::vector<std::int32_t> out(s.size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    const auto low = static_cast<std::int32_t>(d.numbers[0]);
    if (list)
      out[k] = static_cast<std::int32_t>(d.numbers[k % d.numbers.size()]);
    else
      out[k] =
          low + static_cast<std::int32_t>((k + seed) % static_cast<std::uint64_t>(d.numbers[1] - d.numbers[0] + 1));
  }
  return s.is_scalar() ? Value(out[0]) : Value::ints(s, std::move(out));
}

}  // namespace

bool is_free_up_to_phase(const Signature& s) {
  constexpr std::string_view kNames[] = {"eigenvectors",
                                         "eigendecompose",
                                         "eigenvectors_sym",
                                         "eigendecompose_sym",
                                         "svd",
                                         "svd_U",
                                         "svd_V",
                                         "complex_schur_decompose",
                                         "complex_schur_decompose_t",
                                         "complex_schur_decompose_u"};
  const bool real_symmetric = s.name.ends_with("_sym") && s.formals[0].type.is(BaseType::Matrix);
  const bool real_svd = s.name.starts_with("svd") && s.formals[0].type.is(BaseType::Matrix);
  return !real_symmetric && !real_svd && std::ranges::count(kNames, s.name) > 0;
}

std::vector<std::string> sweep_domains(const Signature& signature) {
  const std::string text = signature_text(signature);
  const Row* row = find_row(std::string_view(text).substr(0, text.find(" => ")));
  if (!row) row = find_row(signature.name);
  const BuiltinRow* builtin = find_builtin(signature.name);
  if (!row && builtin && builtin->is_family()) row = find_row(builtin->name);
  std::vector<std::string> domains = row ? split(row->domains, ';') : std::vector<std::string>{};
  std::vector<ArgumentDoc> docs;
  if (builtin && builtin->is_family()) docs = argument_docs(*builtin);
  const ad::Law* law = builtin && builtin->is_family() ? ad::find_law(builtin->name) : nullptr;
  const bool rng = signature.name.ends_with("_rng");
  domains.resize(signature.formals.size());
  for (std::size_t j = 0; j < domains.size(); ++j) {
    const std::size_t doc = j + (rng ? 1 : 0);
    if (domains[j].empty() && law && doc < law->arguments.size()) domains[j] = law->arguments[doc].range;
    if (domains[j].empty() && doc < docs.size())
      for (const auto& [documented, domain] : kDocumented)
        if (docs[doc].domain == documented) domains[j] = domain;
    if (domains[j].empty()) domains[j] = is_int(signature.formals[j].type) ? kInt : kReal;
    domains[j] = of_kind(domains[j], is_int(signature.formals[j].type));
  }
  return domains;
}

Value sweep_value(const Type& type, std::string_view text, std::uint64_t seed, double t) {
  const Domain d = parse(text);
  if (is_int(type)) return ints(type, d, seed);
  const Shape s = shape_of(type, d);
  Curve curve(seed, t);
  if (type.is(BaseType::Complex)) {
    const double re = curve.next(0.15, 0.85);
    return Value::complex(re, curve.next(0.15, 0.85));
  }
  RealBuffer out(s.size());
  const std::uint32_t rows = s.inner == ad::Inner::RowVector ? s.cols : s.rows,
                      cols = s.inner == ad::Inner::RowVector ? 1 : s.cols;
  const std::size_t one = static_cast<std::size_t>(rows) * cols * (s.complex ? 2 : 1);
  for (std::size_t at = 0; at < out.size(); at += one) {
    const Matrix m = s.complex ? complex_block(d, curve, rows, cols) : block(d, curve, rows, cols);
    std::copy_n(m.begin(), one, out.data() + at);
  }
  return s.is_scalar() ? Value(out[0]) : Value::reals(s, std::move(out));
}

}  // namespace fermiac::selfcheck
