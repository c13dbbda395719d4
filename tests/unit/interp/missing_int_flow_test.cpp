// Missing ints, and numbers that are not drawn yet, that act through control flow, sizes and indexes: a table of forms, and random
// programs, against the plain program bound to every value.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "interp/model/conditioned_model.h"
#include "interp/queries/predict.h"
#include "interp/queries/query.h"
#include "support/base/errors.h"
#include "support/base/render.h"
#include "support/base/rng.h"
#include "tests/shared/setting.h"

namespace fermiac::interp {
namespace {

using testing::setting;

std::shared_ptr<const CompiledModel> compiled(const std::string& text) {
  auto out = compile_model({.text = text, .path = "m.stan", .name = "m_model"});
  if (!*out) throw std::runtime_error(render_errors(out->sources(), out->diagnostics));
  EXPECT_TRUE(*out) << render_errors(out->sources(), out->diagnostics) << text;
  return out;
}

DataSource parsed(const std::string& json) { return DataSource::parse(json, "data"); }

/// Of the program as it is, without any conditioning. None where it rejects the point.
std::optional<double> plain_density(const std::shared_ptr<const CompiledModel>& program, const std::string& json, std::span<const double> theta) {
  const InterpModel model(program, parsed(json), 0);
  double lp = 0;
  if (!model.log_density_plain(theta, false, &lp)) return std::nullopt;
  return lp;
}

double log_sum(const std::vector<double>& logs) {
  const double most = *std::ranges::max_element(logs);
  double sum = 0;
  for (const double x : logs) sum += std::exp(x - most);
  return most + std::log(sum);
}

// ---------------------------------------------------------------- the table

struct Form {
  const char* name;
  const char* body;                    // of the model; s, t and w are locals
  const char* functions = "";
  const char* transformed_data = "";
  const char* transformed_parameters = "";
  const char* refusal = nullptr;       // part of the message; null: summed
};

constexpr const char* kLeaves = "a loop is left here";

const Form kForms[] = {
    {"loop bound", "for (i in 1:n) s += a; y ~ normal(s, 1);"},
    {"lower loop bound", "for (i in n:3) s += a; y ~ normal(s, 1);"},
    {"two loops, change point", "for (i in 1:n) w[i] = a; for (i in n + 1:4) w[i] = b; y ~ normal(w, 1);"},
    {"loop bound through a local", "int k = n + 1; for (i in 1:k) s += a; y ~ normal(s, 1);"},
    {"loop bound through two locals", "int k = n; int m = k * 2; for (i in 1:m) s += a; y ~ normal(s, 1);"},
    {"local int changed in a loop", "int k = 0; for (i in 1:n) k += i; y ~ normal(k * a, 1);"},
    {"loop bound of a loop of sites", "for (i in 1:n) y[i] ~ normal(a, 1); for (i in n + 1:4) y[i] ~ normal(b, 1);"},
    {"nested loops", "for (i in 1:n) for (j in i:n) s += a * j; y ~ normal(s, 1);"},
    {"size of a local", "vector[n] u = rep_vector(a, n); y ~ normal(sum(u), 1);"},
    {"size taken of a local", "vector[n] u; y ~ normal(num_elements(u) * a, 1);"},
    {"size of a local as a bound", "vector[n] u; for (i in 1:size(u)) s += a; y ~ normal(s, 1);"},
    {"rows and cols", "matrix[n, n + 1] u; y ~ normal(rows(u) * a + cols(u) * b, 1);"},
    {"dims", "array[n, 2] real u; y ~ normal(dims(u)[1] * a, 1);"},
    {"size of an array of ints", "array[n] int u; y ~ normal(size(u) * a, 1);"},
    {"rep_vector", "y ~ normal(sum(rep_vector(a, n)), 1);"},
    {"rep_vector in a local", "real u = sum(rep_vector(a, n)); y ~ normal(u, 1);"},
    {"rep_array", "y ~ normal(sum(rep_array(a, n)), 1);"},
    {"rep_matrix", "y ~ normal(sum(rep_matrix(a, n, 2)), 1);"},
    {"linspaced_vector", "y ~ normal(a * linspaced_vector(n + 1, 0, 1)[2], 1);"},
    {"ones_vector", "y ~ normal(a * sum(ones_vector(n)), 1);"},
    {"index on the left", "w[n + 1] = a; y ~ normal(w, 1);"},
    {"range on the left", "w[1:n] = rep_vector(a, n); y ~ normal(w, 1);"},
    {"open range on the left", "w[n:] = rep_vector(a, 5 - n); y ~ normal(w, 1);"},
    {"many indexes on the left", "w[{n, n + 1}] = [a, b]'; y ~ normal(w, 1);"},
    {"index on the left by a local", "int k = n + 1; w[k] = a; y ~ normal(w, 1);"},
    {"element of a matrix", "matrix[3, 3] u = rep_matrix(0, 3, 3); u[n, 2] = a; y ~ normal(sum(u[2]), 1);"},
    {"row of a matrix", "matrix[3, 3] u = rep_matrix(0, 3, 3); u[n] = rep_row_vector(a, 3); y ~ normal(u[2, 1], 1);"},
    {"element of an array of vectors", "array[3] vector[2] u = rep_array(rep_vector(0, 2), 3); u[n][1] = a; y ~ normal(u[2][1], 1);"},
    {"slot of a tuple", "tuple(real, vector[4]) u = (0, rep_vector(0, 4)); u.2[n] = a; y ~ normal(u.2[2], 1);"},
    {"index on the right", "y ~ normal(x[n] * a, 1);"},
    {"head", "y ~ normal(sum(head(x, n)) * a, 1);"},
    {"tail", "y ~ normal(sum(tail(x, n)) * a, 1);"},
    {"segment", "y ~ normal(sum(segment(x, n, 2)) * a, 1);"},
    {"block", "matrix[3, 3] u = rep_matrix(a, 3, 3); y ~ normal(sum(block(u, 1, 1, n, 1)), 1);"},
    {"head in a local", "real u = sum(head(x, n)); y ~ normal(u * a, 1);"},
    {"range on the right", "y ~ normal(sum(x[1:n]) * a, 1);"},
    {"part of the left side", "head(y, n) ~ normal(a, 1);"},
    {"range of the left side", "y[1:n] ~ normal(a, 1);"},
    {"element of the left side", "y[n] ~ normal(a, 1);"},
    {"left side in a local", "vector[n] u = head(y, n); u ~ normal(a, 1);"},
    {"if", "if (n == 2) s = a; y ~ normal(s, 1);"},
    {"else", "if (n == 2) s = a; else s = b; y ~ normal(s, 1);"},
    {"nested if", "if (n > 1) { s = b; if (n > 2) s = a; } y ~ normal(s, 1);"},
    {"if through a local", "int k = n > 1; if (k) s = a; y ~ normal(s, 1);"},
    {"if in a loop", "for (i in 1:3) if (i == n) s += a * i; y ~ normal(s, 1);"},
    {"copy under a condition", "real u = b; if (n == 1) u = a; real v = u; y ~ normal(v, 1);"},
    {"index that changes later", "int k = n; real u = x[k]; k = 1; y ~ normal(u * a + k, 1);"},
    {"index that changes in a loop", "int k = 1; for (i in 1:n) { real u = x[k]; k += 1; s += u * a; } y ~ normal(s, 1);"},
    {"ternary", "y ~ normal(n == 2 ? a : b, 1);"},
    {"ternary of sizes", "y ~ normal(sum(n == 2 ? rep_vector(a, 2) : rep_vector(b, 3)), 1);"},
    {"logical and", "if (n > 1 && a < 100) s = a; y ~ normal(s, 1);"},
    {"while", "int k = 0; while (k < n) { k += 1; s += a; } y ~ normal(s, 1);"},
    {"while with sites", "int k = 0; while (k < n) { k += 1; y[k] ~ normal(a, 1); }"},
    {"while that counts down", "int k = n; while (k > 0) { s += a; k -= 1; } y ~ normal(s, 1);"},
    {"while that leads to a site", "int k = 0; while (k < n) k += 1; y[k] ~ normal(a, 1);"},
    {"break", "for (i in 1:3) { if (i > n) break; s += a; } y ~ normal(s, 1);", "", "", "", kLeaves},
    {"continue", "for (i in 1:3) { if (i == n) continue; s += a; } y ~ normal(s, 1);", "", "", "", kLeaves},
    {"break of while", "int k = 0; while (1) { k += 1; if (k > n) break; s += a; } y ~ normal(s, 1);", "", "", "", kLeaves},
    {"break by data inside of a loop by n", "for (i in 1:n) { for (j in 1:3) { if (j == 2) break; s += a; } } y ~ normal(s, 1);", "", "", "", kLeaves},
    {"break by data beside", "for (j in 1:3) { if (j == 2) break; s += a * n; } y ~ normal(s, 1);"},
    {"foreach over a slice", "for (u in x[1:n]) s += u * a; y ~ normal(s, 1);"},
    {"foreach over head", "for (u in head(x, n)) s += u * a; y ~ normal(s, 1);"},
    {"foreach over a local", "vector[n] v = head(x, n); for (u in v) s += u * a; y ~ normal(s, 1);"},
    {"foreach over rep_array", "for (u in rep_array(1, n)) s += u * a; y ~ normal(s, 1);"},
    {"profile", "profile(\"p\") { for (i in 1:n) s += a; y ~ normal(s, 1); }"},
    {"profile around assignments", "profile(\"p\") { for (i in 1:n) s += a; } y ~ normal(s, 1);"},
    {"user function of n", "y ~ normal(f(n, a), 1);", "real f(int k, real u) { real r = 0; for (i in 1:k) r += u; return r; }"},
    {"user function, early return", "y ~ normal(f(n, a), 1);", "real f(int k, real u) { for (i in 1:4) { if (i > k) return u * i; } return 0; }"},
    {"user function with break", "y ~ normal(f(n, a), 1);", "real f(int k, real u) { real r = 0; while (1) { r += u; if (r > k) break; if (r < -k) break; if (abs(u) < 0.01) break; } return r; }"},
    {"user function of a size", "y ~ normal(f(rep_vector(a, n)), 1);", "real f(vector u) { return sum(u) + num_elements(u); }"},
    {"user function that measures", "vector[n] u; y ~ normal(a * f(u), 1);", "real f(vector u) { return num_elements(u); }"},
    {"_lp function", "f_lp(y, n, a);", "void f_lp(vector v, int k, real u) { for (i in 1:k) v[i] ~ normal(u, 1); }"},
    {"_lp function with a local", "f_lp(y, n, a);", "void f_lp(vector v, int k, real u) { real r = 0; for (i in 1:k) r += u; v ~ normal(r, 1); }"},
    {"_lp function that measures", "f_lp(head(y, n), a);", "void f_lp(vector v, real u) { for (i in 1:num_elements(v)) v[i] ~ normal(u, 1); }"},
    {"_lpdf of a size", "target += f_lpdf(y | rep_vector(a, n));", "real f_lpdf(vector v, vector u) { return normal_lpdf(v | num_elements(u) * u[1], 1); }"},
    {"transformed parameters, loop", "y ~ normal(q, 1);", "", "", "real q = 0; for (i in 1:n) q += a;"},
    {"transformed parameters, index", "y ~ normal(q, 1);", "", "", "vector[4] q = rep_vector(0, 4); q[n] = a;"},
    {"transformed parameters, range", "y ~ normal(q, 1);", "", "", "vector[4] q = rep_vector(b, 4); q[1:n] = rep_vector(a, n);"},
    {"transformed parameters, constraint", "y ~ normal(q, 1);", "", "", "real<lower=0> q = n == 2 ? -1 : 1;"},
    {"transformed data, loop", "y ~ normal(q * a, 1);", "", "int q = 0; for (i in 1:n) q += i;"},
    {"transformed data, index", "y ~ normal(q * a, 1);", "", "vector[4] q = rep_vector(0, 4); q[n] = 1;"},
    {"transformed data, range", "y ~ normal(q * a, 1);", "", "vector[4] q = rep_vector(0, 4); q[1:n] = rep_vector(1, n);"},
    {"transformed data, while", "y ~ normal(q * a, 1);", "", "int q = 0; while (q < n) q += 2;"},
    {"transformed data as a bound", "for (i in 1:q) s += a; y ~ normal(s, 1);", "", "int q = n + 1;"},
    {"transformed data, break", "y ~ normal(q * a, 1);", "", "int q = 0; for (i in 1:3) { if (i > n) break; q += 1; }", "", kLeaves},
    {"size of transformed data", "y ~ normal(sum(q) * a, 1);", "", "vector[n] q = rep_vector(1, n);", "", "sizes depend on it"},
    {"size of transformed parameters", "y ~ normal(sum(q), 1);", "", "", "vector[n] q = rep_vector(a, n);", "sizes depend on it"},
    {"accumulator", "real acc = 0; for (i in 1:n) acc += normal_lpdf(y[i] | a, 1); target += acc;"},
    {"accumulator of elements", "vector[4] acc = rep_vector(0, 4); for (i in 1:n) acc[i] += normal_lpdf(y[i] | a, 1); target += sum(acc);"},
    {"term by a loop", "for (i in 1:n) s += a; target += -square(s);"},
    {"term by a size", "vector[n] u = rep_vector(a, n); target += -dot_self(u);"},
    {"factor by a loop", "int k = 0; for (i in 1:n) k += 1; target += k * normal_lpdf(y | a, 1);"},
    {"truncation by a loop", "real lo = -9; for (i in 1:n) lo -= 1; y ~ normal(a, 4) T[lo, ];"},
    {"reject", "if (n == 2) reject(\"not two\"); y ~ normal(a * n, 1);"},
    {"reject after a loop", "for (i in 1:n) s += 1; if (s > 2.5) reject(\"not three\"); y ~ normal(a * s, 1);"},
    {"index out of range", "w[n + 2] = a; y ~ normal(w, 1);", "", "", "", "missing ints cannot be summed out"},
    {"read of target", "for (i in 1:n) target += a; s = target(); y ~ normal(s, 1);", "", "", "", "target()"},
};

std::string program_of(const Form& f) {
  return fmt::format("functions {{ {} }}\ndata {{ int<lower=1, upper=3> n; vector[4] y; vector[4] x; }}\ntransformed data {{ {} }}\n"
                     "parameters {{ real a; real b; }}\ntransformed parameters {{ {} }}\n"
                     "model {{ real s = 0; real t = 0; vector[4] w = rep_vector(0, 4); a ~ normal(0, 1); b ~ normal(0, 2); n ~ categorical([0.2, 0.3, 0.5]'); {} }}\n",
                     f.functions, f.transformed_data, f.transformed_parameters, f.body);
}

std::string form_data(const std::string& n) { return fmt::format(R"({{"n": {}, "y": [0.3, -0.4, 1.2, 0.7], "x": [1, 0.5, -0.7, 2]}})", n); }

void expect_sum(const std::shared_ptr<const CompiledModel>& program) {
  const auto model = condition(*program, parsed(form_data("null")), {});
  const auto workspace = model->workspace();
  for (const std::vector<double>& theta : {std::vector<double>{0.4, -0.6}, {-0.7, 0.2}, {1.3, 0.9}}) {
    std::vector<double> logs;
    for (int n = 1; n <= 3; ++n)
      if (const auto lp = plain_density(program, form_data(std::to_string(n)), theta)) logs.push_back(*lp);
    double plain = 0, replayed = 0;
    const EvalStatus status = model->log_density_plain(theta, false, &plain);
    ASSERT_TRUE(status) << status.message;
    EXPECT_NEAR(plain, log_sum(logs), 1e-10 * std::max(1.0, std::abs(plain)));
    ASSERT_TRUE(workspace->log_density(theta, {.propto = false, .jacobian = false}, &replayed));
    EXPECT_NEAR(replayed, plain, 1e-10 * std::max(1.0, std::abs(plain)));
  }
}

TEST(MissingIntFlow, EveryFormIsSummedOrRefused) {
  for (const Form& f : kForms) {
    SCOPED_TRACE(f.name);
    const auto program = compiled(program_of(f));
    if (!f.refusal) {
      expect_sum(program);
      continue;
    }
    try {
      condition(*program, parsed(form_data("null")), {});
      ADD_FAILURE() << "not refused";
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find(f.refusal), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("in 'm.stan', line"), std::string::npos) << e.what();
    }
  }
}

/// An int without an upper bound that anything but its own distribution depends on is refused, whether that runs at once or not.
TEST(MissingIntFlow, UnboundedIntsThatDecideAreRefused) {
  const char* bodies[] = {
      "if (n > 0) y ~ normal(a, 1);",
      "for (i in 1:n) y ~ normal(a, 1);",
      "real s = 0; for (i in 1:n) s += a; y ~ normal(s, 1);",
      "vector[n + 1] u; y ~ normal(num_elements(u), 1);",
      "while (n > 5) { y ~ normal(a, 1); }",
      "if (n > 3) reject(\"too many\");",
  };
  for (const char* body : bodies) {
    SCOPED_TRACE(body);
    const auto program = compiled(fmt::format("data {{ int<lower=0> n; real y; }} parameters {{ real a; }} model {{ n ~ poisson(2); a ~ normal(0, 1); {} }}", body));
    EXPECT_THROW(condition(*program, parsed(R"({"n": null, "y": 1})"), {}), InputError);
  }
}

// ---------------------------------------------------------------- random programs

/// Statements over ints from 1 to 4 and reals of moderate size.
class Writer {
 public:
  Writer(Rng& rng, bool jumps) : rng_(rng), jumps_(jumps) {}

  std::string statements(int count, int depth) {
    std::string out;
    for (int i = 0; i < count; ++i) out += statement(depth) + " ";
    return out;
  }
  std::string real(int depth) {
    if (depth <= 0) return pick({"a", "b", "s", "t", "0.5", "1.5"});
    switch (below(9)) {
      case 0: return "w[" + integer(depth - 1) + "]";
      case 1: return "x[" + integer(depth - 1) + "]";
      case 2: return "sum(w[1:" + integer(depth - 1) + "])";
      case 3: return "(" + condition(depth - 1) + " ? " + real(depth - 1) + " : " + real(depth - 1) + ")";
      case 4: return "tanh(" + real(depth - 1) + " + " + real(depth - 1) + ")";
      case 5: return "0.3 * " + integer(depth - 1);
      case 6: return "f(" + integer(depth - 1) + ", " + real(depth - 1) + ")";
      case 7: return "sum(head(x, " + integer(depth - 1) + "))";
      default: return real(0);
    }
  }
  std::string integer(int depth) {
    if (depth <= 0) return ints_[below(ints_.size())];
    switch (below(6)) {
      case 0: return "(1 + (" + integer(depth - 1) + " + " + integer(depth - 1) + ") % 4)";
      case 1: return "(" + comparison(depth - 1) + " ? " + integer(depth - 1) + " : " + integer(depth - 1) + ")";
      case 2: return "num_elements(head(x, " + integer(depth - 1) + "))";
      case 3: return "g(rep_vector(0, " + integer(depth - 1) + "))";
      default: return integer(0);
    }
  }
  std::vector<std::string> ints_ = {"z[1]", "z[2]", "z[3]", "k", "m", "2", "3"};
  std::vector<std::string> reals_ = {};

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(rng_.uniform() * static_cast<double>(n)); }
  std::string pick(std::vector<std::string> list) {
    list.insert(list.end(), reals_.begin(), reals_.end());
    return list[below(list.size())];
  }
  std::string condition(int depth) {
    if (below(4) == 0) return real(depth - 1) + " > 0.2";
    return comparison(depth);
  }
  std::string comparison(int depth) { return integer(depth - 1) + pick_of({" > ", " == ", " < "}) + integer(depth - 1); }
  std::string pick_of(const std::vector<std::string>& list) { return list[below(list.size())]; }
  std::string body(int depth) { return "{ " + statements(1 + static_cast<int>(below(2)), depth - 1) + "}"; }

  std::string counted(int depth) {
    const std::string i = fmt::format("i{}", ++names_);
    const std::string bounds = below(3) == 0 ? integer(1) + ":4" : "1:" + integer(1);
    ints_.push_back(i);
    std::string inside = body(depth);
    if (jumps_ && below(5) == 0) inside = "{ if (" + condition(1) + ") " + pick_of({"break; ", "continue; "}) + inside + " }";
    ints_.pop_back();
    return "for (" + i + " in " + bounds + ") " + inside;
  }
  std::string repeated(int depth) {
    const std::string c = fmt::format("c{}", ++names_);
    const std::string test = c + " < " + integer(1);
    return fmt::format("{{ int {} = 0; while ({}) {{ {} += 1; {} }} }}", c, test, c, body(depth));
  }
  std::string sized() {
    const std::string u = fmt::format("u{}", ++names_), n = integer(1);
    return fmt::format("{{ int n{} = {}; vector[n{}] {} = rep_vector({}, n{}); s = tanh(sum({}) + 0.1 * num_elements({})); }}", names_, n, names_, u, real(1), names_, u, u);
  }
  std::string copied() {
    const std::string u = fmt::format("u{}", ++names_);
    return fmt::format("real {} = {}; k = {}; t = {};", u, real(1), integer(1), u);
  }

  std::string statement(int depth) {
    switch (below(depth > 0 ? 14 : 7)) {
      case 0: return "s = tanh(" + real(2) + ");";
      case 1: return "t += 0.2 * tanh(" + real(1) + ");";
      case 2: return "w[" + integer(1) + "] = " + real(1) + ";";
      case 3: return below(2) == 0 ? "k = " + integer(2) + ";" : "m = " + integer(2) + ";";
      case 4: return sites ? "y[" + integer(1) + "] ~ normal(" + real(2) + ", 1 + 0.1 * " + integer(1) + ");" : sized();
      case 5: return sites ? "target += -0.1 * square(" + real(2) + ");" : "w[1:" + integer(0) + "] *= 0.5;";
      case 6: return "{ int r = " + integer(1) + "; w[1:r] = rep_vector(" + real(1) + ", r); }";
      case 7: return "if (" + condition(1) + ") " + body(depth);
      case 8: return "if (" + condition(1) + ") " + body(depth) + " else " + body(depth);
      case 9: return counted(depth);
      case 10: return repeated(depth);
      case 11: return "for (q in head(w, " + integer(1) + ")) { t += 0.1 * q; }";
      case 12: return sized();
      default: return below(2) == 0 ? fmt::format("profile(\"p{}\") {}", ++names_, body(depth)) : "{ " + copied() + " " + statements(1, depth - 1) + "}";
    }
  }

 public:
  bool sites = true;

 private:
  Rng& rng_;
  bool jumps_;
  int names_ = 0;
};

constexpr const char* kFunctions = R"(functions {
  real f(int n, real u) { real r = 0; for (i in 1:4) { if (i > n) return r; r += 0.3 * u; if (r > 2) break; } return r; }
  int g(vector u) { return num_elements(u); }
}
)";

std::string combined(const std::string& z, const std::string& y) {
  return fmt::format(R"({{"z": {}, "y": {}, "x": [1, 0.5, -0.7, 2]}})", z, y);
}

enum class Outcome { Equal, Refused, Wrong };

Outcome compare(const std::string& text, std::string* why) {
  const auto program = compiled(text);
  const std::string y = "[0.3, -0.4, 1.2, 0.7]";
  const std::vector<double> points[] = {{0.4, -0.6}, {-0.9, 0.7}};
  try {
    const auto model = condition(*program, parsed(combined("null", y)), {});
    for (const std::vector<double>& theta : points) {
      std::vector<double> logs;
      for (int v = 0; v < 27; ++v)
        if (const auto lp = plain_density(program, combined(fmt::format("[{}, {}, {}]", 1 + v % 3, 1 + v / 3 % 3, 1 + v / 9), y), theta)) logs.push_back(*lp);
      double lp = 0;
      if (logs.empty()) continue;
      const EvalStatus status = model->log_density_plain(theta, false, &lp);
      if (status.kind == EvalStatus::Kind::Fatal) return Outcome::Refused;
      const double expected = log_sum(logs);
      if (status && std::abs(lp - expected) <= 1e-9 * std::max(1.0, std::abs(expected))) continue;
      *why = fmt::format("{} for {}: {}\n{}", lp, expected, status.message, text);
      return Outcome::Wrong;
    }
  } catch (const InputError& e) {
    *why = e.what();
    return Outcome::Refused;
  }
  return Outcome::Equal;
}

TEST(MissingIntFlow, RandomProgramsSumAsIfEveryValueWereGiven) {
  const std::uint64_t count = setting("FERMIAC_FLOW_PROGRAMS", 150), seed = setting("FERMIAC_FLOW_SEED", 1);
  std::uint64_t refused = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Rng rng(seed, i);
    Writer writer(rng, i % 4 == 0);
    const bool transformed = i % 3 == 0;
    Writer outside(rng, false);
    outside.sites = false;
    outside.ints_ = {"z[1]", "z[2]", "kk", "2"};
    const std::string data = transformed ? fmt::format("transformed data {{ int kk = 1; for (i in 1:z[1]) kk = 1 + (kk + z[2]) % 4; array[4] int v = rep_array(1, 4); v[kk] = {}; }}\n", outside.integer(2)) : "";
    if (transformed) writer.ints_.insert(writer.ints_.end(), {"kk", "v[2]", "v[z[3]]"});
    const std::string text = std::string(kFunctions) + "data { array[3] int<lower=1, upper=3> z; vector[4] y; vector[4] x; }\n" + data +
                             "parameters { real a; real b; }\nmodel { real s = 0.1; real t = 0.2; int k = 1; int m = 2; vector[4] w = [0.1, 0.2, 0.3, 0.4]';\n"
                             "z ~ categorical([0.2, 0.3, 0.5]'); a ~ normal(0, 1); b ~ normal(0, 1);\n" +
                             writer.statements(5, 3) + "\ny ~ normal(s + t + w, 1); }\n";
    std::string why;
    const Outcome outcome = compare(text, &why);
    refused += outcome == Outcome::Refused;
    EXPECT_NE(outcome, Outcome::Wrong) << "program " << i << ": " << why;
  }
  RecordProperty("refused", static_cast<int>(refused));
  EXPECT_LT(refused, count / 2 + 1);
}

// ---------------------------------------------------------------- forward draws and queries

/// The statements of a program in which y[1] to y[3] follow from what is drawn before, almost exactly. Distributions come in any order.
std::string forward_program(Rng& rng) {
  Writer writer(rng, rng.uniform() < 0.3);
  writer.sites = false;
  writer.ints_ = {"z[1]", "z[2]", "k", "m", "2"};
  std::vector<std::string> parts = {"a ~ normal(0, 1);", "b ~ normal(0, 1);", "z ~ categorical([0.2, 0.3, 0.5]');"};
  std::string body;
  for (int j = 1; j <= 3; ++j) {
    body += writer.statements(2, 3) + fmt::format("\ny[{}] ~ normal({}, 1e-6);\n", j, writer.real(2));
    writer.reals_.push_back(fmt::format("y[{}]", j));
    if (rng.uniform() < 0.4) body += parts.back() + "\n", parts.pop_back();
    if (parts.empty()) parts.push_back("");
  }
  const bool before = rng.uniform() < 0.3;
  std::string rest;
  for (const std::string& part : parts) rest += part + "\n";
  return std::string(kFunctions) + "data { array[2] int<lower=1, upper=3> z; vector[3] y; vector[4] x; }\nparameters { real a; real b; }\n"
         "model { " + (before ? rest : "") + "{ real s = 0.1; real t = 0.2; int k = 1; int m = 2; vector[4] w = [0.1, 0.2, 0.3, 0.4]';\n" + body + "}\n" +
         (before ? "" : rest) + "}\n";
}

struct Drawn {
  std::vector<double> theta;
  std::string json;
};

Drawn drawn_of(const std::vector<double>& row) {  // a, b, z.1, z.2, y.1, y.2, y.3
  return {{row[0], row[1]}, combined(fmt::format("[{}, {}]", row[2], row[3]), fmt::format("[{:.17g}, {:.17g}, {:.17g}]", row[4], row[5], row[6]))};
}

TEST(MissingIntFlow, ForwardDrawsFollowFromWhatWasDrawnBefore) {
  const std::uint64_t count = setting("FERMIAC_FLOW_PROGRAMS", 100), seed = setting("FERMIAC_FLOW_SEED", 1);
  std::uint64_t refused = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Rng rng(seed + 1000, i);
    const std::string text = forward_program(rng);
    const auto program = compiled(text);
    try {
      Predictor predictor(*program, parsed(R"({"x": [1, 0.5, -0.7, 2]})"), {}, {.prior = true, .what = {}, .only_ask = false});
      std::vector<double> row(predictor.names().size());
      ASSERT_EQ(row.size(), 7u);
      for (std::uint64_t d = 0; d < 20; ++d) {
        Rng draws(d, i);
        predictor.draw({}, draws, row);
        const Drawn drawn = drawn_of(row);
        const auto lp = plain_density(program, drawn.json, drawn.theta);
        ASSERT_TRUE(lp) << text;
        ASSERT_GT(*lp, -50) << "program " << i << ", draw " << d << ": " << drawn.json << fmt::format(" a {} b {}\n", row[0], row[1]) << text;
      }
    } catch (const InputError&) {
      ++refused;
    }
  }
  RecordProperty("refused", static_cast<int>(refused));
  EXPECT_LT(refused, count / 2 + 1);
}

double asked(const CompiledModel& program, const std::string& json, const std::string& text) {
  const DataSource data = parsed(json);
  const Conditioning none;
  const Questioner questioner(program, data, none);
  const Query query = read_query(text);
  const auto model = questioner.model(query);
  const QueryPoints at = {.points = {std::vector<double>(model->unconstrained_size())}, .lengths = {}, .holds = {}, .given = {}};
  return questioner.answer(*model, query, at, false).value;
}

/// With everything known the answer is the density; with less it is the same, or refused.
TEST(MissingIntFlow, QueriesAgreeWithTheDensityOrAreRefused) {
  const std::uint64_t count = setting("FERMIAC_FLOW_PROGRAMS", 100), seed = setting("FERMIAC_FLOW_SEED", 1);
  std::uint64_t answered = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Rng rng(seed + 2000, i);
    std::string text = forward_program(rng);
    for (std::size_t at = text.find("1e-6"); at != std::string::npos; at = text.find("1e-6")) text.replace(at, 4, "1");
    const auto program = compiled(text);
    const auto json = [&](int z1, int z2, double y1) { return combined(fmt::format("[{}, {}]", z1, z2), fmt::format("[{}, 0.4, -0.3]", y1)); };
    const double theta[] = {0.4, -0.6};
    const auto lp = plain_density(program, json(2, 3, 0.2), theta);
    ASSERT_TRUE(lp);
    EXPECT_NEAR(asked(*program, json(2, 3, 0.2), "logprob a = 0.4, b = -0.6, z, y"), *lp, 1e-9 * std::max(1.0, std::abs(*lp))) << text;
    double narrow = 0;
    try {
      narrow = asked(*program, json(2, 3, 0.2), "logprob y[1] | a = 0.4");
    } catch (const std::runtime_error&) {
      continue;
    }
    ++answered;
    for (const double b : {-2.0, -0.6, 0.7, 1.9})
      EXPECT_NEAR(asked(*program, json(2, 3, 0.2), fmt::format("logprob y[1] | a = 0.4, b = {}", b)), narrow, 1e-9) << text;
  }
  EXPECT_GT(answered, 0u);
}

constexpr const char* kFixed[][2] = {
    {"real parameters decide about a bound", "{ int k = a > 0; real s = 0; for (i in 1:k) s += 10; y ~ normal(s, 1e-6); } a ~ normal(0, 1);"},
    {"index on the left", "{ vector[2] w = [0, 0]'; w[1 + (a > 0)] = 10; y ~ normal(w[2], 1e-6); } a ~ normal(0, 1);"},
    {"while", "{ real s = 0; while (s < 10 * a) s += 1; y ~ normal(s, 1e-6); } a ~ normal(0, 1);"},
    {"break", "{ real s = 0; for (i in 1:5) { if (i > 2 * a) break; s += 1; } y ~ normal(s, 1e-6); } a ~ normal(0, 1);"},
    {"continue in an outer loop", "{ real s = 0; for (i in 1:5) { if (a > 0) continue; for (j in 1:2) s += 1; } y ~ normal(s, 1e-6); } a ~ normal(0, 1);"},
    {"size", "{ int k = 1 + (a > 0); vector[k] w = rep_vector(1, k); y ~ normal(sum(w), 1e-6); } a ~ normal(0, 1);"},
    {"sizes alone", "{ int k = 1 + (a > 0); vector[k] w; y ~ normal(num_elements(w), 1e-6); } a ~ normal(0, 1);"},
    {"an index that only drawn values keep in range", "{ array[2] real w = {0, 1}; int k = 0; for (i in 1:2) if (a < i) k = 3 - i; y ~ normal(w[k], 1e-6); } a ~ uniform(-1, 0.9);"},
};

TEST(MissingIntFlow, ForwardDrawsByForm) {
  for (const auto& [name, body] : kFixed) {
    SCOPED_TRACE(name);
    const auto program = compiled(fmt::format("data {{ real y; }} parameters {{ real a; }} model {{ {} }}", body));
    Predictor predictor(*program, parsed("{}"), {}, {.prior = true, .what = {}, .only_ask = false});
    std::vector<double> row(predictor.names().size());
    for (std::uint64_t d = 0; d < 200; ++d) {
      Rng rng(3, d);
      predictor.draw({}, rng, row);
      const auto lp = plain_density(program, fmt::format("{{\"y\": {:.17g}}}", row[1]), {row.data(), 1});
      ASSERT_TRUE(lp && *lp > -50) << row[0] << " " << row[1];
    }
  }
}

/// What only other draws say is refused, and never left at a value that was put there.
TEST(MissingIntFlow, DistributionsThatDependOnDrawsAreRefused) {
  const char* bodies[] = {
      "a ~ normal(0, 1); y ~ normal(0, 1); if (a > 0) y ~ normal(100, 1);",
      "a ~ normal(0, 1); if (a > 0) y ~ normal(0, 1);",
      "a ~ normal(0, 1); if (a > 0) y ~ normal(0, 1); else u ~ normal(0, 1);",
      "a ~ normal(0, 1); y ~ normal(0, 1); if (a > 0) target += -y;",
  };
  for (const char* body : bodies) {
    SCOPED_TRACE(body);
    const auto program = compiled(fmt::format("data {{ real y; real u; }} parameters {{ real a; }} model {{ {} }}", body));
    const auto draw = [&] {
      Predictor predictor(*program, parsed(R"({"u": 0})"), {}, {.prior = true, .what = {}, .only_ask = false});
      std::vector<double> row(predictor.names().size());
      for (std::uint64_t d = 0; d < 50; ++d) {
        Rng rng(3, d);
        predictor.draw({}, rng, row);
      }
    };
    EXPECT_THROW(draw(), InputError);
  }
}

/// The same where parameters are given, and decide.
TEST(MissingIntFlow, DistributionsThatDependOnGivenParametersAreRefused) {
  const char* body = "a ~ normal(0, 1); y ~ normal(0, 1); if (a > 0) u ~ normal(100, 1);";
  const auto program = compiled(fmt::format("data {{ real y; real u; }} parameters {{ real a; }} model {{ {} }}", body));
  Predictor predictor(*program, parsed(R"({"u": 0, "y": 0})"), {}, {.prior = false, .what = {}, .only_ask = false});
  std::vector<double> row(predictor.names().size());
  Rng rng(3);
  const double below[] = {-1.0}, above[] = {1.0};
  predictor.draw(below, rng, row);
  EXPECT_THROW(predictor.draw(above, rng, row), InputError);
}

}  // namespace
}  // namespace fermiac::interp
