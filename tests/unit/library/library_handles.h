// libfermiac for tests: handles that free themselves, errors as texts.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/c/fermiac.h"
#include "support/base/json_tree.h"
#include "tests/shared/own_folder.h"

namespace fermiac::testing {

using Numbers = std::vector<double>;

inline JsonValue parsed(const char* text) {
  JsonValue out;
  EXPECT_TRUE(text);
  if (!text) return out;
  EXPECT_TRUE(parse_json(text, &out)) << text;
  return out;
}

inline Numbers wavy_point(std::size_t n, double shift = 0) {
  Numbers theta(n);
  for (std::size_t i = 0; i < n; ++i) theta[i] = 0.3 * std::sin(1 + shift + 0.7 * static_cast<double>(i));
  return theta;
}

/// The error of the latest call that was given out().
class ErrorHandle {
 public:
  ErrorHandle() = default;
  ~ErrorHandle() { fermiac_error_free(error_); }
  ErrorHandle(ErrorHandle&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
  fermiac_error** out() {
    fermiac_error_free(std::exchange(error_, nullptr));
    return &error_;
  }
  fermiac_status status() const { return fermiac_error_status(error_); }
  std::string message() const { return fermiac_error_message(error_); }
  std::string json() const { return fermiac_error_json(error_); }
  std::optional<fermiac_place> place() const {
    fermiac_place place{};
    place.size = sizeof place;
    return fermiac_error_place(error_, &place) ? std::optional(place) : std::nullopt;
  }

 private:
  fermiac_error* error_ = nullptr;
};

inline void ignore_print(void*, const char*, std::size_t) {}
inline void append_print(void* to, const char* text, std::size_t size) {
  static_cast<std::string*>(to)->append(text, size);
}

class ProgramHandle {
 public:
  ProgramHandle(const char* text, const char* options) : program_(fermiac_program_create(text, options, error_.out())) {}
  ~ProgramHandle() { fermiac_program_free(program_); }
  ProgramHandle(const ProgramHandle&) = delete;
  ProgramHandle& operator=(const ProgramHandle&) = delete;
  fermiac_program* get() const { return program_; }
  fermiac_status status() const { return error_.status(); }
  std::string error() const { return error_.message(); }

  /// The result, or the error's message.
  std::string call(const char* name, const char* arguments, fermiac_rng* rng = nullptr,
                   fermiac_print_callback print = ignore_print, void* user_data = nullptr) const {
    ErrorHandle error;
    char* result = nullptr;
    if (fermiac_call(program_, name, arguments, rng, print, user_data, &result, error.out()) != FERMIAC_OK)
      return error.message();
    std::string out = result;
    fermiac_string_free(result);
    return out;
  }

 private:
  ErrorHandle error_;
  fermiac_program* program_;
};

class ModelHandle {
 public:
  ModelHandle(const ProgramHandle& program, const char* data, const char* options = nullptr,
              fermiac_print_callback print = ignore_print, void* user_data = nullptr)
      : model_(fermiac_model_create(program.get(), data, options, print, user_data, error_.out())) {}
  ~ModelHandle() { fermiac_model_free(model_); }
  ModelHandle(const ModelHandle&) = delete;
  ModelHandle& operator=(const ModelHandle&) = delete;
  fermiac_model* get() const { return model_; }
  fermiac_status status() const { return error_.status(); }
  std::string error() const { return error_.message(); }
  std::string error_json() const { return error_.json(); }
  std::optional<fermiac_place> place() const { return error_.place(); }
  std::size_t size() const { return fermiac_unconstrained_size(model_); }

  double lp(const Numbers& theta, unsigned terms) const {
    double lp = NAN;
    EXPECT_EQ(fermiac_log_density(model_, terms, theta.data(), theta.size(), &lp, nullptr), FERMIAC_OK);
    return lp;
  }
  Numbers gradient(const Numbers& theta, unsigned terms) const {
    double lp = NAN;
    Numbers out(theta.size());
    EXPECT_EQ(fermiac_gradient(model_, terms, theta.data(), theta.size(), &lp, out.data(), nullptr), FERMIAC_OK);
    return out;
  }
  Numbers constrain(const Numbers& theta, unsigned blocks, std::uint64_t seed) const {
    fermiac_rng* rng = fermiac_rng_create(seed, nullptr);
    Numbers out(fermiac_constrained_size(model_, blocks));
    EXPECT_EQ(fermiac_constrain(model_, blocks, theta.data(), theta.size(), rng, out.data(), out.size(), nullptr), FERMIAC_OK);
    fermiac_rng_free(rng);
    return out;
  }
  std::vector<std::string> names(unsigned blocks) const {
    std::size_t n = 0;
    const char* const* all = fermiac_constrained_names(model_, blocks, &n);
    return {all, all + n};
  }
  std::vector<std::string> unconstrained_names() const {
    std::size_t n = 0;
    const char* const* all = fermiac_unconstrained_names(model_, &n);
    return {all, all + n};
  }

 private:
  ErrorHandle error_;
  fermiac_model* model_;
};

class RunHandle {
 public:
  RunHandle(const ModelHandle& model, const char* options, const fermiac_run_callbacks* callbacks = nullptr)
      : run_(fermiac_run_create(model.get(), options, callbacks, error_.out())) {}
  ~RunHandle() { fermiac_run_free(run_); }
  RunHandle(const RunHandle&) = delete;
  RunHandle& operator=(const RunHandle&) = delete;
  fermiac_run* get() const { return run_; }
  fermiac_status status() const { return error_.status(); }
  std::string error() const { return error_.message(); }

  fermiac_status execute() { return fermiac_run_execute(run_, error_.out()); }
  JsonValue result() const { return parsed(fermiac_run_result_json(run_)); }
  std::size_t tables() const { return fermiac_run_table_count(run_); }
  std::vector<std::string> columns(std::size_t table) const {
    std::size_t n = 0;
    const char* const* all = fermiac_run_columns(run_, table, &n);
    return {all, all + n};
  }
  /// Rows one after the other.
  Numbers rows(std::size_t table) const {
    std::size_t rows = 0, columns = 0;
    const double* first = fermiac_run_rows(run_, table, &rows, &columns);
    return {first, first + rows * columns};
  }

 private:
  ErrorHandle error_;
  fermiac_run* run_;
};

}  // namespace fermiac::testing
