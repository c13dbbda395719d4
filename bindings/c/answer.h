// What R's `.C` gets back of a call: a status, a text, and what programs have printed.
#pragma once

#include <cmath>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "bindings/c/failure.h"
#include "bindings/c/fermiac_r.h"

struct fermiac_answer {
  std::string text;
  std::mutex mutex;  // programs print on threads of runs
  std::string printed;

  void add_printed(std::string_view more) {
    const std::lock_guard lock(mutex);
    printed += more;
  }
  std::size_t printed_size() {
    const std::lock_guard lock(mutex);
    return printed.size();
  }
};

namespace fermiac::capi {

/// The last arguments of a call.
struct Outcome {
  fermiac_answer** answer;
  int* status;
  double* sizes;  // [2]

  /// Calls body(error), which sets the text on success, and describes how it went.
  template <class Body>
  void of(Body body) const noexcept {
    fermiac_answer& to = **answer;
    fermiac_error* error = nullptr;
    try {
      to.text.clear();
      body(&error);
      *status = fermiac_error_status(error);
      if (error) to.text = fermiac_error_json(error);
    } catch (...) {  // no memory for a text: R is told without one
      *status = FERMIAC_MEMORY;
      to.text.clear();
    }
    fermiac_error_free(error);
    sizes[0] = static_cast<double>(to.text.size());
    sizes[1] = static_cast<double>(to.printed_size());
  }
  /// What body() gives, null for nothing, as the text.
  template <class Body>
  void text_of(Body body) const noexcept {
    of([&](fermiac_error**) {
      if (const char* text = body()) (*answer)->text = text;
    });
  }
  void lines_of(const char* const* names, std::size_t count) const noexcept {
    of([&](fermiac_error**) {
      for (std::size_t i = 0; i < count; ++i) (*answer)->text.append(names[i]).append("\n");
    });
  }
};

/// An empty text of R stands for NULL.
inline const char* or_null(const char* text) {
  return *text ? text : nullptr;
}

/// A count, or where it is none a number that fits nothing.
inline std::size_t count_of(double value) {
  constexpr double kEnd = 9007199254740992.0;  // 2^53
  return value >= 0 && value < kEnd && value == std::floor(value) ? static_cast<std::size_t>(value) : SIZE_MAX;
}

/// A print callback whose user data is the answer.
inline void print_to_answer(void* answer, const char* text, std::size_t size) {
  static_cast<fermiac_answer*>(answer)->add_printed({text, size});
}

}  // namespace fermiac::capi
