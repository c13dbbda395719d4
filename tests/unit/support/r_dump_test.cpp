// R's dump format as JSON.
#include "support/base/r_dump.h"

#include <gtest/gtest.h>

namespace fermiac {
namespace {

std::string json_of(const std::string& text) {
  std::string json;
  const Status status = r_dump_to_json(text, &json);
  return status ? json : "!" + status.message;
}

TEST(RDump, ScalarsAndVectors) {
  EXPECT_EQ(json_of("N <- 3\nx<-c(1, 2.5,-3)\n"), R"({"N":3,"x":[1,2.5,-3]})");
  EXPECT_EQ(json_of("# a comment\n\"y\" <- 4L; `z` <- 1e-3"), R"({"y":4,"z":0.001})");
  EXPECT_EQ(json_of("a <- 1:3\nb <- 2:0\ne <- c(1:2, 5)"), R"({"a":[1,2,3],"b":[2,1,0],"e":[1,2,5]})");
  EXPECT_EQ(json_of("a <- integer(0)\nb <- c()\nc <- double(2)\nd <- integer()"),
            R"({"a":[],"b":[],"c":[0,0],"d":[]})");
}

TEST(RDump, ArraysAreReadColumnByColumn) {
  EXPECT_EQ(json_of("m <- structure(c(1,2,3,4,5,6), .Dim = c(2,3))"), R"({"m":[[1,3,5],[2,4,6]]})");
  EXPECT_EQ(json_of("m <- structure(1:8, .Dim = c(2L, 2L, 2L))"), R"({"m":[[[1,5],[3,7]],[[2,6],[4,8]]]})");
  EXPECT_EQ(json_of("m <- structure(integer(0), .Dim = c(2, 0))"), R"({"m":[[],[]]})");
}

TEST(RDump, WhatIsNotNumbersIsText) {
  EXPECT_EQ(json_of("who <- \"it's\"\nN <- 3"), R"_({"who":"\"it's\"","N":3})_");
  EXPECT_EQ(json_of("a <- TRUE\nb <- NULL\nd <- c(FALSE, T)\nN <- 1"), R"_({"a":"TRUE","b":"NULL","d":"c(FALSE, T)","N":1})_");
  EXPECT_EQ(json_of("g <- structure(c(1L, 2L), .Label = c(\"a\", \"b\"), class = \"factor\")\nN <- 1"),
            R"_({"g":"structure(c(1L, 2L), .Label = c(\"a\", \"b\"…","N":1})_");
  EXPECT_EQ(json_of("x <-\nc(a = 1, `b c` = 2)\nN <- 1"), R"_({"x":"c(a = 1, `b c` = 2)","N":1})_");
  EXPECT_EQ(json_of("x <- structure(1:2, .Names = c('p', \"q\\\"\"))"), R"_({"x":"structure(1:2, .Names = c('p', \"q\\\"\"))"})_");
  EXPECT_EQ(json_of("l <- list(1, list(), b = \"(\")\nN <- 1"), R"_({"l":"list(1, list(), b = \"(\")","N":1})_");
  EXPECT_EQ(json_of("x <- c(\"a\", \"b"), "!line 1: expected a number");
  EXPECT_EQ(json_of("x <- list(1, 2"), "!line 1: expected a number");
}

TEST(RDump, Mistakes) {
  EXPECT_EQ(json_of("x <- 1\ny <- foo"), "!line 2: expected a number");
  EXPECT_EQ(json_of("x 3"), "!line 1: expected '<-'");
  EXPECT_EQ(json_of("m <- structure(c(1,2,3), .Dim = c(2,2))"), "!line 1: 3 numbers do not fill the dimensions");
  EXPECT_EQ(json_of("m <- structure(integer(0), .Dim = c(0, 60000000, 60000000))"),
            "!line 1: 0 numbers do not fill the dimensions");
  EXPECT_EQ(json_of("m <- structure(structure(1, .Dim = 1), .Dim = 1)"), "!line 1: expected a number");
  EXPECT_EQ(json_of("x <- integer(99999999999)"), "!line 1: a size out of range");
  EXPECT_EQ(json_of("x <- c(1"), "!line 1: expected ')'");
  EXPECT_EQ(json_of("<- 3"), "!line 1: expected the name of a variable");
}

}  // namespace
}  // namespace fermiac
