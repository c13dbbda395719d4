// Reading data: what is accepted, where it goes, and what the messages say.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "interp/io/data.h"
#include "interp/io/print.h"
#include "support/base/json.h"

namespace fermiac::interp {
namespace {

DataSource parsed(std::string_view text) { return DataSource::parse(std::string(text), "data.json"); }

std::string read_back(std::string_view text, const ExpectedType& type) {
  return json_text({}, parsed(text).read("x", type));
}

std::string error_of(std::string_view text, const ExpectedType& type) {
  try {
    parsed(text).read("x", type);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

const ExpectedType kInt{.base = BaseType::Int};
const ExpectedType kReal{.base = BaseType::Real};
const ExpectedType kVector3{.base = BaseType::Vector, .rows = 3};
const ExpectedType kMatrix23{.base = BaseType::Matrix, .rows = 2, .cols = 3};

TEST(Data, ReadsScalars) {
  EXPECT_EQ(parsed(R"({"x": 3})").read("x", kInt).as_int(), 3);
  EXPECT_EQ(parsed(R"({"x": -2147483648})").read("x", kInt).as_int(), INT32_MIN);
  EXPECT_EQ(parsed(R"({"x": 3})").read("x", kReal).as_real(), 3.0);
  EXPECT_EQ(parsed(R"({"x": 1.25e-3})").read("x", kReal).as_real(), 1.25e-3);
  EXPECT_EQ(parsed(R"({"x": 4.9e-324})").read("x", kReal).as_real(), 4.9e-324);
  EXPECT_EQ(parsed(R"({"x": 1e-400})").read("x", kReal).as_real(), 0.0);
}

TEST(Data, ReadsNonFiniteNumbersBareAndQuoted) {
  for (const char* text : {"NaN", "\"NaN\""})
    EXPECT_TRUE(std::isnan(parsed(std::string("{\"x\":") + text + "}").read("x", kReal).as_real())) << text;
  for (const char* text : {"Inf", "Infinity", "\"Inf\"", "\"Infinity\""}) {
    EXPECT_EQ(parsed(std::string("{\"x\":") + text + "}").read("x", kReal).as_real(), HUGE_VAL) << text;
    const std::string negative = text[0] == '"' ? "\"-" + std::string(text + 1) : "-" + std::string(text);
    EXPECT_EQ(parsed("{\"x\":" + negative + "}").read("x", kReal).as_real(), -HUGE_VAL) << negative;
  }
}

TEST(Data, StoresMatricesByColumnsAndArraysByRows) {
  const Value m = parsed(R"({"x": [[1,2,3],[4,5,6]]})").read("x", kMatrix23);
  EXPECT_EQ(m.real_data()[1], 4);
  EXPECT_EQ(m.real_data()[2], 2);
  const Value a = parsed(R"({"x": [[1,2,3],[4,5,6]]})").read("x", {.base = BaseType::Int, .array_dims = {2, 3}});
  EXPECT_EQ(a.int_data()[1], 2);
  EXPECT_EQ(a.int_data()[3], 4);
}

TEST(Data, RoundTripsEveryShape) {
  EXPECT_EQ(read_back(R"({"x": [1, 2, 3]})", kVector3), "[1,2,3]");
  EXPECT_EQ(read_back(R"({"x": [[1,2,3],[4,5,6]]})", kMatrix23), "[[1,2,3],[4,5,6]]");
  EXPECT_EQ(read_back(R"({"x": [[[1,2,3],[4,5,6]],[[7,8,9],[10,11,12]]]})",
                      {.base = BaseType::Matrix, .array_dims = {2}, .rows = 2, .cols = 3}),
            "[[[1,2,3],[4,5,6]],[[7,8,9],[10,11,12]]]");
  EXPECT_EQ(read_back(R"({"x": [[[1,2],[3,4]],[[5,6],[7,8]]]})", {.base = BaseType::ComplexMatrix, .rows = 2, .cols = 2}),
            "[[[1,2],[3,4]],[[5,6],[7,8]]]");
  EXPECT_EQ(read_back(R"({"x": [1, -2]})", {.base = BaseType::Complex}), "[1,-2]");
  const ExpectedType pair{.base = BaseType::Tuple, .slots = {kInt, kVector3}};
  EXPECT_EQ(read_back(R"({"x": {"2": [1,2,3], "1": 7}})", pair), R"({"1":7,"2":[1,2,3]})");
  ExpectedType pairs = pair;
  pairs.array_dims = {2};
  EXPECT_EQ(read_back(R"({"x": [{"1":1,"2":[1,2,3]},{"1":2,"2":[4,5,6]}]})", pairs),
            R"([{"1":1,"2":[1,2,3]},{"1":2,"2":[4,5,6]}])");
}

TEST(Data, AcceptsAnythingEmptyForNothing) {
  const ExpectedType none{.base = BaseType::Matrix, .rows = 0, .cols = 3};
  for (const char* text : {R"({"x": []})", R"({"x": [[],[]]})", "{}"})
    EXPECT_EQ(parsed(text).read("x", none).shape(), Shape::matrix(0, 3)) << text;
  EXPECT_EQ(parsed("{}").read("x", {.base = BaseType::Int, .array_dims = {0}}).shape().count(), 0u);
  EXPECT_EQ(error_of(R"({"x": [1]})", none),
            "data.json, line 1, column 7: variable 'x' has 1 element, but must have 0; the variable is declared as matrix[0, 3]");
}

TEST(Data, IgnoresWhatIsNotAsked) {
  EXPECT_EQ(parsed(R"({"y": {"deep": [null, true, "text \" \u0041"]}, "not a name": 1, "not a name": 2, "x": 1})")
                .read("x", kInt).as_int(), 1);
}

TEST(Data, NamesWhatIsWrong) {
  EXPECT_EQ(error_of("{}", kVector3), "data.json: the variable 'x' is missing; it is declared as vector[3]");
  EXPECT_EQ(error_of(R"({"x": [1, 2]})", kVector3),
            "data.json, line 1, column 7: variable 'x' has 2 elements, but must have 3; the variable is declared as vector[3]");
  EXPECT_EQ(error_of(R"({"x": [1, 2, 3, 4, 5]})", kVector3),
            "data.json, line 1, column 7: variable 'x' has 5 elements, but must have 3; the variable is declared as vector[3]");
  EXPECT_EQ(error_of("{\"x\":\n [[1,2,3],\n  [4,5]]}", kMatrix23),
            "data.json, line 3, column 3: variable 'x', element [2] has 2 elements, but must have 3; the variable is declared "
            "as matrix[2, 3]");
  EXPECT_EQ(error_of(R"({"x": [[1,2,3],[4,"a",6]]})", kMatrix23),
            "data.json, line 1, column 19: variable 'x', element [2,2] is the string \"a\", but must be a number, or one of NaN, "
            "Inf, -Inf, Infinity, -Infinity; the variable is declared as matrix[2, 3]");
  EXPECT_EQ(error_of(R"({"x": 1.5})", kInt),
            "data.json, line 1, column 7: variable 'x' is 1.5, but must be an integer; the variable is declared as int");
  EXPECT_EQ(error_of(R"({"x": 1e3})", kInt),
            "data.json, line 1, column 7: variable 'x' is 1e3, but must be an integer; the variable is declared as int");
  EXPECT_EQ(error_of(R"({"x": 2147483648})", kInt),
            "data.json, line 1, column 7: variable 'x' is 2147483648, but must be an int between -2147483648 and 2147483647; "
            "the variable is declared as int");
  EXPECT_EQ(error_of(R"({"x": [3]})", kReal),
            "data.json, line 1, column 7: variable 'x' is a list, but must be a single number; the variable is declared as real");
  EXPECT_EQ(error_of(R"({"x": 3})", kVector3),
            "data.json, line 1, column 7: variable 'x' is a single value, but must be a list of 3 elements; the variable is "
            "declared as vector[3]");
}

TEST(Data, NamesTheSlotOfATuple) {
  const ExpectedType pair{.base = BaseType::Tuple, .slots = {kInt, kVector3}};
  EXPECT_EQ(error_of(R"({"x": {"1": 7, "2": [1,null,3]}})", pair),
            "data.json, line 1, column 24: variable 'x.2', element [2] is null, but must be a number, or one of NaN, Inf, -Inf, "
            "Infinity, -Infinity; the variable is declared as vector[3]");
  EXPECT_EQ(error_of(R"({"x": {"1": 7}})", pair),
            "data.json, line 1, column 7: variable 'x' is an object without the key \"2\", but must be a tuple, written as an "
            "object with keys \"1\" to \"2\"; the variable is declared as tuple(int, vector[3])");
}

TEST(Data, RejectsBrokenText) {
  const auto error = [](std::string_view text) -> std::string {
    try {
      parsed(text);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error(""), "data.json, line 1, column 1: the data is empty; data without variables is written {}");
  EXPECT_EQ(error("[1]"), "data.json, line 1, column 1: data must be one JSON object, beginning with '{'");
  EXPECT_EQ(error(R"({"x": 1, "x": 2})"), "data.json, line 1, column 10: the variable 'x' is given twice");
  EXPECT_EQ(error("{\"x\": [1, 2"), "data.json, line 1, column 7: this array is never closed: the text ends inside it");
  EXPECT_EQ(error("{\"x\": 1"), "data.json, line 1, column 8: the text ends before the closing '}' of the data");
  EXPECT_EQ(error("{\"x\": 01}"), "data.json, line 1, column 7: '01' is not a number");
  EXPECT_EQ(error("{\"x\": [1 2]}"),
            "data.json, line 1, column 10: ',' was expected between the elements of an array, but '2' stands here");
  EXPECT_EQ(error("{\"x\": 1} 2"), "data.json, line 1, column 10: nothing may follow the closing brace, but '2' stands here");
  EXPECT_EQ(error("{x: 1}"), "data.json, line 1, column 2: the name of a variable was expected, in double quotes");
  EXPECT_EQ(error("{\"x\": 1,}"), "data.json, line 1, column 9: a ',' stands before the closing '}': nothing follows it");
}

TEST(Data, OpensFilesAndSaysWhyItCannot) {
  const std::string path = std::string(testing::TempDir()) + "fermiac_data_test.json";
  std::ofstream(path) << R"({"x": [1, 2, 3]})";
  EXPECT_EQ(DataSource::open(path).read("x", kVector3).real_data()[2], 3);
  std::ofstream(path, std::ios::trunc).close();
  const auto error = [](const std::string& file) -> std::string {
    try {
      DataSource::open(file);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_NE(error(path).find("it is empty"), std::string::npos);
  std::remove(path.c_str());
  EXPECT_NE(error(path).find("there is no such file"), std::string::npos);
  EXPECT_NE(error(testing::TempDir()).find("it is a folder"), std::string::npos);
}

TEST(Print, WritesAsTheLanguageDoes) {
  const CallContext plain;
  EXPECT_EQ(print_text(plain, 3), "3");
  EXPECT_EQ(print_text(plain, 1.0 / 3), "0.333333");
  EXPECT_EQ(print_text(plain, 1e20), "1e+20");
  EXPECT_EQ(print_text(plain, 100000.0), "100000");
  EXPECT_EQ(print_text(plain, -HUGE_VAL), "-inf");
  EXPECT_EQ(print_text(plain, std::nan("")), "nan");
  EXPECT_EQ(print_text(plain, Value::complex(1, -0.5)), "(1,-0.5)");
  EXPECT_EQ(print_text(plain, parsed(R"({"x": [[1,2,3],[4,5,6]]})").read("x", kMatrix23)), "[[1,2,3],[4,5,6]]");
  EXPECT_EQ(print_text(plain, Value::tuple({1, Value::reals(Shape::vector(2), 0.5)})), "(1,[0.5,0.5])");
}

TEST(Print, JsonHasSeventeenDigits) {
  EXPECT_EQ(json_number(0.1), "0.10000000000000001");
  EXPECT_EQ(json_number(HUGE_VAL), "\"Infinity\"");
  EXPECT_EQ(json_number(-HUGE_VAL), "\"-Infinity\"");
  EXPECT_EQ(json_number(std::nan("")), "\"NaN\"");
}

TEST(JsonText, EscapesWhatAStringMustNotHold) {
  EXPECT_EQ(json_quote("plain"), "\"plain\"");
  EXPECT_EQ(json_quote("a\"b\\c\nd\te\x01"), "\"a\\\"b\\\\c\\nd\\u0009e\\u0001\"");
}

TEST(JsonText, SeparatesMembersAndItems) {
  std::string text;
  JsonGroup object(text, JsonGroup::Kind::Object);
  object.member("a") += "1";
  JsonGroup items(object.member("b"), JsonGroup::Kind::Array, kJsonTight);
  items.item() += "2";
  items.item() += json_quote("x");
  items.end();
  object.end();
  EXPECT_EQ(text, R"({"a": 1, "b": [2,"x"]})");
}

}  // namespace
}  // namespace fermiac::interp
