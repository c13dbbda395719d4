// Hostile data for a program with every kind of declaration: each file either binds, or is refused by one clear message.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "support/base/memory.h"
#include "support/platform/process_memory.h"
#include "tests/fuzz/mutate.h"
#include "tests/shared/program_runner.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 20260401;
constexpr std::size_t kMegabyte = std::size_t{1} << 20;

struct Declared {
  const char* type;
  const char* name;
  const char* value;
};
constexpr Declared kDeclared[] = {
    {"int", "n", "2"},
    {"int<lower=0, upper=9>", "m", "3"},
    {"real", "x", "-1.5e-3"},
    {"real<lower=0>", "p", "2.5"},
    {"complex", "z", "[1, -2]"},
    {"vector[3]", "v", "[1, 2.5, -3]"},
    {"row_vector[2]", "rv", "[1, \"Inf\"]"},
    {"matrix[2, 3]", "mat", "[[1, 2, 3], [4, 5, NaN]]"},
    {"vector[n]", "w", "[1, 2]"},
    {"matrix[n, n]", "square", "[[1, 2], [3, 4]]"},
    {"array[n, n] int", "counts", "[[1, 2], [3, 4]]"},
    {"array[n] real", "ar", "[0.5, -Infinity]"},
    {"array[2] vector[2]", "av", "[[1, 2], [3, 4]]"},
    {"array[2, 1] matrix[1, 2]", "am", "[[[[1, 2]]], [[[3, 4]]]]"},
    {"array[0] int", "none", "[]"},
    {"vector[0]", "nothing", "[]"},
    {"matrix[0, 3]", "no_rows", "[]"},
    {"ordered[3]", "o", "[1, 2, 3]"},
    {"positive_ordered[2]", "po", "[1, 2]"},
    {"simplex[3]", "s", "[0.25, 0.25, 0.5]"},
    {"unit_vector[2]", "u", "[0, 1]"},
    {"sum_to_zero_vector[3]", "sz", "[1, 2, -3]"},
    {"sum_to_zero_matrix[2, 2]", "szm", "[[1, -1], [-1, 1]]"},
    {"cov_matrix[2]", "cov", "[[2, 1], [1, 2]]"},
    {"corr_matrix[2]", "corr", "[[1, 0.5], [0.5, 1]]"},
    {"cholesky_factor_cov[2]", "lcov", "[[1, 0], [0.5, 2]]"},
    {"cholesky_factor_corr[2]", "lcorr", "[[1, 0], [0, 1]]"},
    {"column_stochastic_matrix[2, 2]", "cs", "[[0.5, 0.25], [0.5, 0.75]]"},
    {"row_stochastic_matrix[2, 2]", "rs", "[[0.5, 0.5], [0.25, 0.75]]"},
    {"complex_vector[2]", "cv", "[[1, 2], [3, 4]]"},
    {"complex_row_vector[1]", "crv", "[[1, 2]]"},
    {"complex_matrix[1, 2]", "cm", "[[[1, 2], [3, 4]]]"},
    {"array[2] complex", "ca", "[[1, 2], [3, 4]]"},
    {"tuple(int, real)", "t", "{\"1\": 1, \"2\": 2.5}"},
    {"tuple(array[2] int, tuple(real, vector[2]))", "tt", "{\"1\": [1, 2], \"2\": {\"1\": 0.5, \"2\": [1, 2]}}"},
    {"array[2] tuple(int, real)", "at", "[{\"1\": 1, \"2\": 2.5}, {\"2\": 1, \"1\": 2}]"},
};

std::string program_text() {
  std::string text = "data {\n";
  for (const Declared& d : kDeclared) text += std::string("  ") + d.type + " " + d.name + ";\n";
  return text + "}\n";
}

/// The data, with another value for the variable of that name.
std::string data_text(const std::string& variable = "", const std::string& value = "") {
  std::string text;
  for (const Declared& d : kDeclared)
    text += std::string(text.empty() ? "{" : ",\n ") + "\"" + d.name + "\": " + (d.name == variable ? value : d.value);
  return text + "}\n";
}

class HostileData : public ::testing::Test {
 protected:
  HostileData() : compiled_(testing::compile(program_text())), limited_(ad::memory_in_use() + 200 * kMegabyte) {}

  std::string bind(const interp::DataSource& data) const {
    try {
      const interp::InterpModel model(compiled_, data, 1);
      return {};
    } catch (const InputError& e) {
      return e.what();
    }
  }
  /// Nothing, or the message.
  std::string message(const std::string& text) const {
    try {
      return bind(interp::DataSource::parse(text, "hostile.json"));
    } catch (const InputError& e) {
      return e.what();
    }
  }
  /// Of a file that need not be one.
  std::string message_of_file(const std::string& path) const {
    try {
      return bind(interp::DataSource::open(path));
    } catch (const InputError& e) {
      return e.what();
    }
  }
  /// Says where, in one line of reasonable length that prints.
  static void expect_clear(const std::string& message, const std::string& text) {
    if (message.empty()) return;
    const bool place = message.find("hostile.json") != std::string::npos || message.find("(in 'test.stan'") != std::string::npos;
    EXPECT_TRUE(place) << message << "\n" << text;
    EXPECT_LT(message.size(), 600u) << message << "\n" << text;
    for (const char c : message) {
      if (static_cast<unsigned char>(c) >= 0x20) continue;
      ADD_FAILURE() << "a control character in: " << message << "\n" << text;
      break;
    }
  }

  std::shared_ptr<const interp::CompiledModel> compiled_;
  ad::MemoryScope limited_;
};

TEST_F(HostileData, TheDataThemselvesBind) { EXPECT_EQ(message(data_text()), ""); }

TEST_F(HostileData, TruncatedAtEveryByte) {
  const std::string text = data_text();
  const std::size_t last = text.find_last_of('}');
  for (std::size_t n = 0; n <= last; ++n) {
    const std::string found = message(text.substr(0, n));
    EXPECT_NE(found, "") << n;
    expect_clear(found, text.substr(0, n));
  }
}

constexpr const char* kPieces[] = {
    "[", "]", "{", "}", "\"", ":", ",", "-", "+", ".", "e", "1e400", "-1e400", "1e-400", "99999999999999999999", "2147483647",
    "2147483648", "-2147483648", "65536", "4294967296", "0x10", "1.", ".5", "01", "NaN", "\"NaN\"", "Inf", "-Inf", "null", "true",
    "\\", "\\u0000", "\"n\": 65536,", "\"n\": 2147483647,", "\"n\": -1,", "\"n\": 0,", "\"v\": [],", "[[[[[[", "]]]]]]", "[],", "{},",
    "\xff", "\xc3", "\xe2\x82", "\xef\xbb\xbf", "\n", "\t", "/*", "//", "1 2", "\"1\": 1,", "\"0\": 1,", "\"3\": 1,", "\"\": 1,"};

TEST_F(HostileData, Mutated) {
  const std::vector<std::string> all = {data_text()};
  fuzz::Mutator mutator(kSeed, kPieces);
  const int runs = fuzz::wanted_runs(4000);
  int bound = 0;
  for (int i = 0; i < runs && !HasFailure(); ++i) {
    std::string text = mutator.mutate(all[0], all);
    if (mutator.below(10) == 0) text[mutator.below(text.size())] = static_cast<char>(mutator.below(256));
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", file " + std::to_string(i));
    const std::string found = message(text);
    bound += found.empty();
    expect_clear(found, text);
  }
  EXPECT_GT(bound, 0);
}

/// Values that fit no declaration, put in the place of every variable's.
TEST_F(HostileData, EveryVariableWithEveryWrongValue) {
  const std::string wrong[] = {"null", "true", "\"text\"", "{}", "[[[[[]]]]]", "{\"1\": {}}", "[1, [2]]", "[{\"1\": []}]", "1e400", "-1e999999",
                               "[1e400]", "99999999999999999999999", "-", "[1 2]", "\"\\u0000\"", "[\"Nan\"]", "[null]",
                               "\"" + std::string(100000, 'x') + "\"", std::string(100000, '9'), fuzz::repeated("[", 300) + fuzz::repeated("]", 300)};
  for (const Declared& d : kDeclared)
    for (const std::string& value : wrong) {
      const std::string found = message(data_text(d.name, value));
      expect_clear(found, value.substr(0, 100));
      const bool may_be_empty = std::string(d.value) == "[]";
      if (found.empty()) {
        EXPECT_TRUE(may_be_empty || value == "99999999999999999999999" || value[0] == '9') << d.name << " " << value.substr(0, 100);
      } else if (found.find("hostile.json, line") == std::string::npos || found.find("variable '") != std::string::npos) {
        EXPECT_NE(found.find(d.name), std::string::npos) << found;
      }
    }
}

/// Sizes that the data give, and do not follow.
TEST_F(HostileData, Sizes) {
  for (const char* n : {"-1", "0", "1", "3", "65535", "65536", "65537", "92682", "1000000000", "2147483647", "2147483648", "-2147483648"}) {
    const std::string found = message(data_text("n", n));
    EXPECT_NE(found, "") << n;
    expect_clear(found, n);
  }
}

TEST_F(HostileData, Nesting) {
  for (const char* open : {"[", "{\"a\":"}) {
    const std::string text = "{\"n\": " + fuzz::repeated(open, 1000000);
    expect_clear(message(text), "a million brackets");
    EXPECT_NE(message(text).find("nested more than 500 deep"), std::string::npos) << message(text);
  }
}

TEST_F(HostileData, GivenTwice) {
  const std::string text = data_text();
  for (const Declared& d : kDeclared) {
    const std::string twice = "{\"" + std::string(d.name) + "\": " + d.value + "," + text.substr(1);
    EXPECT_NE(message(twice).find("the variable '" + std::string(d.name) + "' is given twice"), std::string::npos) << message(twice);
  }
}

TEST_F(HostileData, Missing) {
  std::string text = data_text();
  for (const Declared& d : kDeclared) {
    std::string without = text;
    const std::string key = "\"" + std::string(d.name) + "\":";
    without.replace(without.find(key), key.size(), "\"other\":");
    const std::string found = message(without);
    if (std::string(d.value) == "[]") EXPECT_EQ(found, "");
    else EXPECT_NE(found.find("the variable '" + std::string(d.name) + "' is missing"), std::string::npos) << found;
  }
}

// ---------------------------------------------------------------- what is no file of data

TEST_F(HostileData, Files) {
  const fs::path dir = fs::path(::testing::TempDir()) / ("fermiac_hostile_" + std::to_string(getpid()));
  fs::create_directories(dir);
  const auto file = [&](const std::string& name, const std::string& text) {
    std::ofstream(dir / name, std::ios::binary) << text;
    return (dir / name).string();
  };
  const auto expect = [&](const std::string& path, const std::string& part) {
    const std::string found = message_of_file(path);
    EXPECT_NE(found.find(part), std::string::npos) << found;
    EXPECT_NE(found.find(path), std::string::npos) << found;
  };
  expect((dir / "missing.json").string(), "there is no such file");
  expect(dir.string(), "it is a folder");
  expect(file("empty.json", ""), "it is empty");
  expect(file("blank.json", " \n"), "empty");
  expect(file("zero.json", std::string(4096, '\0')), "bytes that are 0");
  expect("/dev/zero", "bytes that are 0");
  expect("/dev/null", "empty");
  if (geteuid() != 0) {
    const std::string closed = file("closed.json", data_text());
    chmod(closed.c_str(), 0);
    expect(closed, "ermission");
  }
  EXPECT_EQ(message_of_file(file("good.json", "\xef\xbb\xbf" + data_text())), "");
  fs::remove_all(dir);
}

/// Text that was mapped would end the process here.
TEST_F(HostileData, AFileThatIsCutShortWhileItIsRead) {
  const fs::path path = fs::path(::testing::TempDir()) / ("fermiac_cut_" + std::to_string(getpid()) + ".json");
  std::string text = data_text();
  text.insert(1, std::string(std::size_t{1} << 22, ' '));
  for (int k = 0; k < 20; ++k) {
    std::ofstream(path, std::ios::binary) << text;
    std::jthread cut([&] { fs::resize_file(path, 100); });
    const std::string found = message_of_file(path.string());
    EXPECT_TRUE(found.empty() || found.find(path.string()) != std::string::npos) << found;
  }
  fs::remove(path);
}

}  // namespace
}  // namespace fermiac
