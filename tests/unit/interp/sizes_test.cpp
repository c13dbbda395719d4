// Sizes whose products do not fit, sizes that do not fit together, and the limit on memory: every case is an error of the
// program with its place, and nothing is read or allocated by a wrong product.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "autodiff/shape.h"
#include "support/base/errors.h"
#include "support/base/memory.h"
#include "support/platform/process_memory.h"
#include "tests/shared/program_runner.h"

namespace fermiac {
namespace {

using ad::Shape;
using testing::error_of;
using testing::run;

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

void expect_in(const std::string& text, const std::string& part, const std::string& where) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in '" << text << "' of\n" << where;
}

TEST(Sizes, ProductsAreMadeIn64Bits) {
  EXPECT_EQ(ad::saturated_product({65536, 65536}), std::uint64_t{1} << 32);
  EXPECT_EQ(ad::saturated_product({1u << 31, 1u << 31, 1u << 31}), std::uint64_t{1} << 62);
  EXPECT_EQ(ad::saturated_product({1u << 31, 1u << 31, 1u << 31, 0}), 0u);
  EXPECT_EQ(Shape::matrix(65535, 32768).size(), 65535u * 32768u);
  EXPECT_EQ(Shape::vector(ad::kMaxNumbers).size(), ad::kMaxNumbers);
  for (const auto& [rows, cols] : {std::pair{65536u, 65536u}, {65537u, 65537u}, {92682u, 92682u}, {46341u, 46341u},
                                   {2147483647u, 2147483647u}, {2147483647u, 2u}})
    EXPECT_THROW(static_cast<void>(Shape::matrix(rows, cols).size()), ad::SizeError) << rows;
  EXPECT_THROW(static_cast<void>(Shape::array(65536, Shape::array(65536, {})).count()), ad::SizeError);
  EXPECT_EQ(Shape::array(0, Shape::array(65536, Shape::matrix(65536, 65536))).scalars(), 0u);
  Shape complex = Shape::vector(1u << 30);
  complex.complex = true;
  EXPECT_EQ(complex.scalars(), 1u << 30);
  EXPECT_THROW(static_cast<void>(complex.size()), ad::SizeError);
}

TEST(Sizes, TheErrorNamesTheSizes) {
  try {
    static_cast<void>(Shape::array(3, Shape::matrix(65536, 65536)).size());
    ADD_FAILURE();
  } catch (const ad::SizeError& e) {
    EXPECT_STREQ(e.what(), "array[3] matrix[65536, 65536] is too large: a value has at most 2147483647 numbers");
  }
}

class TooLarge : public ::testing::TestWithParam<const char*> {};

/// N and M are 65536; what is made of them has 2^32 numbers or more, or twice as many as the limit on memory allows.
TEST_P(TooLarge, IsAnErrorWithItsPlace) {
  const ad::MemoryScope limited(ad::memory_in_use() + 100 * kMegabyte);
  const std::string text = GetParam();
  const std::string error = error_of("int N = 65536; vector[3] v = [1, 2, 3]'; " + text);
  EXPECT_TRUE(error.find("too large") != std::string::npos || error.find("out of memory") != std::string::npos ||
              error.find("but at most 2147483647 are possible") != std::string::npos)
      << error << text;
  expect_in(error, "(in 'test.stan', line 3", text);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, TooLarge,
    ::testing::Values(
        "real r = sum(rep_matrix(1.0, N, N));", "real r = sum(rep_matrix(1.0, 65537, 65537));",
        "real r = sum(rep_matrix(1.0, 92682, 92682));", "real r = sum(rep_matrix(1.0, 2147483647, 2147483647));",
        "real r = rep_array(1.0, N, N)[1, 1];", "int r = rep_array(1, N, N, N)[1, 1, 1];",
        "real r = rep_array(v, N, N)[1, 1, 1];",
        "real r = rep_matrix(v, 2147483647)[1, 1];", "real r = rep_matrix(v', 2147483647)[1, 1];",
        "real r = rep_vector(1, 2000000000)[1];", "real r = rep_row_vector(1, 2000000000)[1];",
        "int r = rep_array(1, 2000000000)[1];", "real r = sum(identity_matrix(N));",
        "real r = sum(diag_matrix(rep_vector(1, N)));", "real r = sum(rep_matrix(1.0, N, N)');",
        "real r = sum(crossprod(rep_matrix(1.0, 1, N)));", "real r = sum(tcrossprod(rep_matrix(1.0, N, 1)));",
        "real r = sum(rep_vector(1, N) * rep_row_vector(1, N));",
        "real r = sum(multiply_lower_tri_self_transpose(rep_matrix(1.0, N, 1)));",
        "real r = sum(gp_exp_quad_cov(rep_array(1.0, N), 1.0, 1.0));",
        "real r = sum(gp_dot_prod_cov(rep_array(v, N), 1.0));", "real r = sum(quad_form(identity_matrix(1), rep_matrix(1.0, 1, N)));",
        "real r = sum(cholesky_decompose(rep_matrix(1.0, N, N)));", "real r = sum(inverse(rep_matrix(1.0, N, N)));",
        "real r = sum(qr_Q(rep_matrix(1.0, N, 1)));", "real r = sum(generalized_inverse(rep_matrix(1.0, N, N)));",
        "real r = sum(linspaced_vector(2147483647, 0, 1));", "real r = sum(linspaced_array(2147483647, 0, 1));",
        "int r = sum(linspaced_int_array(2147483647, 0, 1));", "real r = sum(zeros_vector(2147483647));",
        "real r = sum(zeros_row_vector(2147483647));", "real r = sum(ones_array(2147483647));",
        "int r = sum(ones_int_array(2147483647));", "real r = sum(one_hot_vector(2147483647, 1));",
        "int r = sum(one_hot_int_array(2147483647, 1));", "real r = sum(uniform_simplex(2147483647));",
        "real r = csr_to_dense_matrix(1, 2147483647, [1.0]', {1}, {1, 2})[1, 1];",
        "real r = generate_laplace_options(2147483647).2;",
        "real r = sum(append_col(rep_matrix(1.0, 1000, 8000), rep_matrix(1.0, 1000, 8000)));",
        "int r = cols(append_col(rep_matrix(1.0, 0, 2147483647), rep_matrix(1.0, 0, 2147483647)));",
        "int r = rows(append_row(rep_matrix(1.0, 2147483647, 0), rep_matrix(1.0, 2147483647, 0)));",
        "real r; { complex_vector[1500000000] z; r = get_real(z[1]); }",
        "real r; { array[N, N] int a; r = a[1, 1]; }", "real r; { matrix[N, N] a; r = a[1, 1]; }",
        "real r; { array[N, N] tuple(int, int) a; r = a[1, 1].1; }", "real r; { array[100000, 100000] int a; r = a[1, 1]; }",
        "real r; { array[2147483647] vector[2147483647] a; r = a[1, 1]; }",
        "real r; { array[20000000] vector[1] a; for (i in 1:20000000) a[i] = [i]'; r = a[7, 1]; }"));

TEST(Sizes, ArraysInTheOutputAreRefusedWhenDataAreBound) {
  for (const char* type : {"array[65536, 65536] int", "matrix[65536, 65536]", "array[65536] tuple(vector[65536], real)",
                           "array[2147483647] vector[2147483647]"}) {
    const std::string error = run("generated quantities { " + std::string(type) + " a; }").error;
    EXPECT_TRUE(error.find("too large") != std::string::npos || error.find("would have more than") != std::string::npos) << error << type;
  }
}

TEST(Sizes, OfParametersToo) {
  for (const char* type : {"matrix[65536, 65536]", "cov_matrix[65536]", "array[65536] simplex[65536]", "vector<lower=0>[2147483647]",
                           "cholesky_factor_corr[92682]"}) {
    const ad::MemoryScope limited(ad::memory_in_use() + 100 * kMegabyte);
    const std::string error = run("parameters { " + std::string(type) + " a; }").error;
    EXPECT_TRUE(error.find("large") != std::string::npos || error.find("more than") != std::string::npos ||
                error.find("out of memory") != std::string::npos)
        << type << ": " << error;
  }
}

TEST(Sizes, OfDataThatAreNotThere) {
  std::string row = "[0";
  for (int i = 1; i < 65536; ++i) row += ",0";
  row += "]";
  for (const char* n : {"65536", "65537", "92682", "2147483647"})
    for (const char* type : {"matrix[N, N]", "array[N, N] int", "array[N, N] real", "array[N] vector[N]", "complex_matrix[N, N]",
                             "array[N, N, N, N] int", "array[N] tuple(array[N] int, real)"})
      for (const std::string& given : {std::string("[]"), row, "[" + row + "]"}) {
        const ad::MemoryScope limited(ad::memory_in_use() + 100 * kMegabyte);
        const std::string program = "data { int N; " + std::string(type) + " x; } generated quantities { int r = 1; }";
        const auto compiled = testing::compile(program);
        const auto data = interp::DataSource::parse("{\"N\": " + std::string(n) + ", \"x\": " + given + "}", "data");
        try {
          const interp::InterpModel model(compiled, data, 1);
          ADD_FAILURE() << program << n;
        } catch (const InputError& e) {
          const bool of_size = std::string_view(e.what()).find("too large") != std::string_view::npos;
          if (!of_size) expect_in(e.what(), "'x", program);
        }
      }
}

/// What is declared is more than the text can hold: nothing of that size is allocated to find out.
TEST(Sizes, StorageFollowsTheText) {
  const ad::MemoryScope limited(ad::memory_in_use() + 100 * kMegabyte);
  for (const char* type : {"vector[N]", "array[N] int", "array[2, N] real", "matrix[2, N]"}) {
    const std::string program = "data { int N; " + std::string(type) + " x; }";
    const auto compiled = testing::compile(program);
    try {
      const interp::InterpModel model(compiled, interp::DataSource::parse("{\"N\": 1000000000, \"x\": [[1, 2], [1, 2]]}", "data"), 1);
      ADD_FAILURE() << program;
    } catch (const InputError& e) {
      expect_in(e.what(), "variable 'x'", program);
    }
  }
}

TEST(Sizes, ThatDoNotFitTogether) {
  for (const char* statement :
       {"complex_vector[2] r = to_complex([1, 2]', [3]');", "complex_row_vector[2] r = to_complex([1, 2], [3, 4, 5]);",
        "array[2, 2] complex r = to_complex({{1.0, 2}, {3, 4}}, {{1.0}, {2}});",
        "array[2] complex r = to_complex({1, 2}, {1, 2, 3});", "complex_matrix[2, 2] r = to_complex([[1, 2], [3, 4]], [[1, 2, 3, 4]]);"}) {
    const std::string error = error_of(statement);
    expect_in(error, "to_complex: arguments 1 and 2 must have the same size", statement);
  }
  EXPECT_EQ(testing::results("complex_vector[2] r = to_complex([1, 2]', 3);"), (std::vector<double>{1, 3, 2, 3}));
  EXPECT_EQ(testing::results("array[2] complex r = to_complex(5, {1, 2});"), (std::vector<double>{5, 1, 5, 2}));
}

TEST(Sizes, IndexesAtTheLimits) {
  for (const char* index : {"0", "-1", "4", "2147483647", "-2147483647", "-2147483647 - 1"})
    for (const char* what : {"v[%]", "a[%]", "m[%, 1]", "m[1, %]", "sum(v[%:3])", "sum(v[1:%])", "sum(v[{%}])", "sum(m[%])",
                             "head(v, %)[1]", "tail(v, %)[1]", "segment(v, 1, %)[1]", "segment(v, %, 1)[1]", "sum(col(m, %))",
                             "sum(row(m, %))", "sum(block(m, %, 1, 1, 1))", "sum(block(m, 1, 1, %, 1))", "sum(block(m, 1, 1, 1, %))",
                             "sum(sub_col(m, 1, %, 1))", "sum(sub_row(m, 1, 1, %))", "rank(v, %)", "sum(b[%])"}) {
      std::string call = what;
      call.replace(call.find('%'), 1, index);
      const std::string error =
          error_of("vector[3] v = [1, 2, 3]'; array[3] int a = {1, 2, 3}; matrix[3, 3] m = rep_matrix(1, 3, 3);"
                   "array[3] vector[2] b = rep_array([1, 2]', 3); real r = " + call + ";");
      const bool empty_slice = call.find("v[1:") != std::string::npos && (index[0] == '0' || index[0] == '-');
      const bool nothing = call.find("block(m, 1, 1") != std::string::npos || call.find("sub_row(m, 1, 1") != std::string::npos;
      if (empty_slice || (nothing && index[0] == '0')) continue;
      if (std::string(what) == "sum(v[%:3])" && (std::string(index) == "4" || std::string(index) == "2147483647")) continue;
      EXPECT_NE(error, "") << call;
    }
}

// ---------------------------------------------------------------- memory

TEST(Memory, ARecordingIsLimitedToo) {
  const std::string program = R"(parameters { vector[1000] x; }
model {
  matrix[1000, 1000] m = x * x';
  for (i in 1:1000) m = m .* (x * x');
  target += sum(m);
})";
  const ad::MemoryScope limited(ad::memory_in_use() + 100 * kMegabyte);
  const auto model = testing::load(program);
  std::vector<double> theta(1000, 0.1), gradient(1000);
  double lp = 0;
  const EvalStatus status = model->workspace()->log_density_gradient(theta, {}, &lp, gradient);
  EXPECT_EQ(status.kind, EvalStatus::Kind::Fatal);
  expect_in(status.message, "out of memory", program);
  expect_in(status.message, "(in 'test.stan', line 4", program);
}

TEST(Memory, TheLimitOfAModelHoldsOnEveryThread) {
  std::shared_ptr<const interp::InterpModel> model;
  {
    const ad::MemoryScope limited(ad::memory_in_use() + 100 * kMegabyte);
    model = testing::load("generated quantities { real r = sum(rep_vector(1, 100000000)); }");
  }
  std::string error;
  std::thread([&] {
    std::vector<double> out(1);
    Rng rng(1);
    error = model->workspace()->write_array({}, true, true, rng, out).message;
  }).join();
  expect_in(error, "out of memory: 763 MB more are needed", "");
  expect_in(error, "(in 'test.stan', line 1", "");
}

TEST(Memory, TransformedDataAreAnErrorOfBinding) {
  const ad::MemoryScope limited(ad::memory_in_use() + 100 * kMegabyte);
  const std::string error = run("transformed data { vector[100000000] x = rep_vector(1, 100000000); }").error;
  expect_in(error, "out of memory", "");
  expect_in(error, "(in 'test.stan', line 1", "");
}

TEST(Memory, WithoutALimitNothingIsAskedAbout) {
  EXPECT_EQ(ad::memory_limit(), 0u);
  ad::large_memory_point(std::size_t{1} << 60);
  const ad::MemoryScope outer(kMegabyte);
  {
    const ad::MemoryScope inner(0);
    ad::large_memory_point(std::size_t{1} << 60);
  }
  EXPECT_THROW(ad::large_memory_point(2 * kMegabyte), ad::MemoryError);
}

TEST(Memory, Texts) {
  EXPECT_EQ(ad::memory_text(0), "0 bytes");
  EXPECT_EQ(ad::memory_text(1023), "1023 bytes");
  EXPECT_EQ(ad::memory_text(std::size_t{3} << 29), "1.5 GB");
  EXPECT_GT(ad::memory_in_use(), kMegabyte / 4);
}

}  // namespace
}  // namespace fermiac
