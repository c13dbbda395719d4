// Functions that rearrange elements, on every kind of container.
#include <gtest/gtest.h>

#include <ctime>
#include <limits>
#include <string>

#include "interp/functions/functions.h"
#include "interp/io/data.h"
#include "interp/io/print.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

Value read(std::string_view text, ExpectedType type) {
  return DataSource::parse("{\"x\":" + std::string(text) + "}", "test").read("x", type);
}
Value vector(std::string_view text, std::uint32_t n) { return read(text, {.base = BaseType::Vector, .rows = n}); }
Value row_vector(std::string_view text, std::uint32_t n) { return read(text, {.base = BaseType::RowVector, .cols = n}); }
Value matrix(std::string_view text, std::uint32_t m, std::uint32_t n) {
  return read(text, {.base = BaseType::Matrix, .rows = m, .cols = n});
}
Value int_array(std::string_view text, std::vector<std::uint32_t> dims) {
  return read(text, {.base = BaseType::Int, .array_dims = std::move(dims)});
}

std::string text(std::string_view name, std::vector<Value> args) {
  CallContext context;
  return print_text(context, LibraryFunction::find(name)->apply(context, args));
}

const Value kM = matrix("[[1,2,3],[4,5,6]]", 2, 3);
const Value kV = vector("[1,2,3]", 3);
const Value kPairs = read(R"([{"1":1,"2":0.5},{"1":2,"2":1.5},{"1":3,"2":2.5}])",
                          {.base = BaseType::Tuple, .array_dims = {3},
                           .slots = {{.base = BaseType::Int}, {.base = BaseType::Real}}});

TEST(SizeFunctions, CountAsTheLanguageDoes) {
  EXPECT_EQ(text("size", {kM}), "6");
  EXPECT_EQ(text("size", {int_array("[[1,2,3],[4,5,6]]", {2, 3})}), "2");
  EXPECT_EQ(text("size", {kPairs}), "3");
  EXPECT_EQ(text("size", {3}), "1");
  EXPECT_EQ(text("num_elements", {int_array("[[1,2,3],[4,5,6]]", {2, 3})}), "6");
  EXPECT_EQ(text("rows", {kM}), "2");
  EXPECT_EQ(text("cols", {kM}), "3");
  EXPECT_EQ(text("dims", {read("[[[1,2],[3,4],[5,6]]]", {.base = BaseType::Vector, .array_dims = {1, 3}, .rows = 2})}), "[1,3,2,1]");
  EXPECT_EQ(text("dims", {2.5}), "[]");
}

TEST(Reshaping, MatricesRunByColumns) {
  EXPECT_EQ(text("to_vector", {kM}), "[1,4,2,5,3,6]");
  EXPECT_EQ(text("to_array_1d", {int_array("[[1,2],[3,4]]", {2, 2})}), "[1,2,3,4]");
  EXPECT_EQ(text("to_array_2d", {kM}), "[[1,2,3],[4,5,6]]");
  EXPECT_EQ(text("to_matrix", {kM, 3, 2}), "[[1,5],[4,3],[2,6]]");
  EXPECT_EQ(text("to_matrix", {kM, 3, 2, 0}), "[[1,4],[2,5],[3,6]]");
  EXPECT_EQ(text("to_matrix", {int_array("[[1,2,3],[4,5,6]]", {2, 3})}), "[[1,2,3],[4,5,6]]");
  EXPECT_EQ(text("to_matrix", {kV}), "[[1],[2],[3]]");
  EXPECT_EQ(text("to_row_vector", {kV}), "[1,2,3]");
  EXPECT_THROW(text("to_matrix", {kM, 4, 2}), ad::SizeError);
}

TEST(Appending, KeepsOrderAndChecksSizes) {
  EXPECT_EQ(text("append_row", {kM, row_vector("[7,8,9]", 3)}), "[[1,2,3],[4,5,6],[7,8,9]]");
  EXPECT_EQ(text("append_col", {kM, vector("[7,8]", 2)}), "[[1,2,3,7],[4,5,6,8]]");
  EXPECT_EQ(text("append_row", {kV, 4.0}), "[1,2,3,4]");
  EXPECT_EQ(text("append_col", {0.5, row_vector("[1]", 1)}), "[0.5,1]");
  EXPECT_EQ(text("append_array", {int_array("[[1,2]]", {1, 2}), int_array("[[3,4]]", {1, 2})}), "[[1,2],[3,4]]");
  EXPECT_EQ(text("append_array", {kPairs, kPairs}), "[(1,0.5),(2,1.5),(3,2.5),(1,0.5),(2,1.5),(3,2.5)]");
  EXPECT_THROW(text("append_row", {kM, row_vector("[7]", 1)}), ad::SizeError);
  EXPECT_THROW(text("append_array", {int_array("[[1,2]]", {1, 2}), int_array("[[3]]", {1, 1})}), ad::SizeError);
}

TEST(Slicing, GivesPartsAndChecksBounds) {
  EXPECT_EQ(text("head", {kV, 2}), "[1,2]");
  EXPECT_EQ(text("tail", {int_array("[[1,2],[3,4],[5,6]]", {3, 2}), 2}), "[[3,4],[5,6]]");
  EXPECT_EQ(text("segment", {kPairs, 2, 1}), "[(2,1.5)]");
  EXPECT_EQ(text("block", {kM, 1, 2, 2, 2}), "[[2,3],[5,6]]");
  EXPECT_EQ(text("row", {kM, 2}), "[4,5,6]");
  EXPECT_EQ(text("col", {kM, 3}), "[3,6]");
  EXPECT_EQ(text("sub_row", {kM, 2, 2, 2}), "[5,6]");
  EXPECT_EQ(text("sub_col", {kM, 1, 2, 2}), "[2,5]");
  EXPECT_THROW(text("head", {kV, 4}), ad::IndexError);
  EXPECT_THROW(text("segment", {kV, 3, 2}), ad::DomainError);
  EXPECT_THROW(text("block", {kM, 2, 1, 2, 1}), ad::IndexError);
}

TEST(Filling, MakesContainers) {
  EXPECT_EQ(text("rep_array", {kV, 2}), "[[1,2,3],[1,2,3]]");
  EXPECT_EQ(text("rep_array", {7, 2, 2}), "[[7,7],[7,7]]");
  EXPECT_EQ(text("rep_matrix", {kV, 2}), "[[1,1],[2,2],[3,3]]");
  EXPECT_EQ(text("rep_matrix", {row_vector("[1,2]", 2), 2}), "[[1,2],[1,2]]");
  EXPECT_EQ(text("linspaced_vector", {3, 0, 1}), "[0,0.5,1]");
  EXPECT_EQ(text("linspaced_int_array", {3, 1, 10}), "[1,5,9]");
  EXPECT_EQ(text("one_hot_int_array", {3, 2}), "[0,1,0]");
  EXPECT_EQ(text("identity_matrix", {2}), "[[1,0],[0,1]]");
  EXPECT_EQ(text("diag_matrix", {vector("[1,2]", 2)}), "[[1,0],[0,2]]");
  EXPECT_THROW(text("rep_vector", {1.0, -1}), ad::DomainError);
}

TEST(Order, SortsAndRanks) {
  const Value x = vector("[3,1,2]", 3);
  EXPECT_EQ(text("sort_desc", {x}), "[3,2,1]");
  EXPECT_EQ(text("sort_asc", {int_array("[3,1,2]", {3})}), "[1,2,3]");
  EXPECT_EQ(text("sort_indices_asc", {x}), "[2,3,1]");
  EXPECT_EQ(text("rank", {x, 1}), "2");
  EXPECT_EQ(text("quantile", {vector("[1,2,3,4,5]", 5), 0.3}), "2.2");
  EXPECT_EQ(text("max", {int_array("[3,9,2]", {3})}), "9");
  EXPECT_THROW(text("max", {int_array("[]", {0})}), ad::SizeError);
  EXPECT_THROW(text("sort_asc", {vector("[NaN,1]", 2)}), ad::DomainError);
}

TEST(Sparse, RoundTrips) {
  const Value a = matrix("[[0,1.5,0],[0,0,0],[3,0,-1]]", 3, 3);
  EXPECT_EQ(text("csr_extract", {a}), "([1.5,3,-1],[2,1,3],[1,2,2,4])");
  CallContext context;
  const auto part = [&](const char* name) { return LibraryFunction::find(name)->apply(context, {&a, 1}); };
  EXPECT_EQ(text("csr_to_dense_matrix", {3, 3, part("csr_extract_w"), part("csr_extract_v"), part("csr_extract_u")}),
            "[[0,1.5,0],[0,0,0],[3,0,-1]]");
}

TEST(Complex, PartsAndArithmetic) {
  const Value z = Value::complex(3, -4);
  EXPECT_EQ(text("get_imag", {z}), "-4");
  EXPECT_EQ(text("conj", {z}), "(3,4)");
  EXPECT_EQ(text("abs", {z}), "5");
  EXPECT_EQ(text("multiply", {z, 2.0}), "(6,-8)");
  EXPECT_EQ(text("multiply", {z, z}), "(-7,-24)");
  EXPECT_EQ(text("to_complex", {1, 2.5}), "(1,2.5)");
  EXPECT_EQ(text("logical_eq", {z, Value::complex(3, -4)}), "1");
  EXPECT_EQ(text("add", {read("[[1,2],[3,4]]", {.base = BaseType::ComplexVector, .rows = 2}), 1}), "[(2,2),(4,4)]");
}

TEST(Limits, LargestIntsNeitherOverflowNorCountForLong) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(text("choose", {kMost, 1}), "2147483647");
  EXPECT_EQ(text("choose", {33, 16}), "1166803110");
  const std::clock_t start = std::clock();
  EXPECT_THROW(text("choose", {kMost, kMost / 2}), ad::DomainError);
  EXPECT_LT(std::clock() - start, CLOCKS_PER_SEC);
  try {
    text("csr_to_dense_matrix", {kMost, 1, vector("[1]", 1), int_array("[1]", {1}), int_array("[1,2]", {2})});
    FAIL() << "rows without a start were taken";
  } catch (const ad::SizeError& e) {
    EXPECT_NE(std::string(e.what()).find("2147483647 rows need 2147483648"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace fermiac::interp
