// How a call ended, as a value: success, or what kind of failure it was and what the user should read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace fermiac {

/// What kind of outcome. The numbers are those of fermiac_status in the C library (bindings/c/fermiac.h).
enum class StatusCode : std::uint8_t {
  Ok = 0,
  InvalidArgument = 1,  // an option or a value outside of its range
  InvalidProgram = 2,   // does not compile
  InvalidData = 3,      // data or files of the user that cannot be read, or do not fit the program
  Rejected = 4,         // the point is outside of the support, or the program said reject(): other points may do
  Fatal = 5,            // fatal_error(), or a limit on sizes or memory: no other point will do
  Interrupted = 6,      // a stop flag was set meanwhile
  Failed = 7,           // did not reach its end: no initial point, no descent, a file that cannot be written
  NoMemory = 8,         // the system gives no memory
  Internal = 9,         // a bug
};

inline constexpr std::string_view kInterruptedText = "interrupted";

struct [[nodiscard]] Status {
  StatusCode code = StatusCode::Ok;
  std::string message{};  // empty if Ok

  explicit operator bool() const { return code == StatusCode::Ok; }
  bool is_interrupted() const { return code == StatusCode::Interrupted; }
  /// A failure whose message begins with `where`; success stays.
  Status prefixed(std::string_view where) const { return *this ? *this : Status{code, std::string(where) + message}; }

  static Status failed(std::string why) { return {StatusCode::Failed, std::move(why)}; }
  static Status invalid(std::string why) { return {StatusCode::InvalidData, std::move(why)}; }
  /// The message may instead say what is left: `the last point is in 'm.csv'`. The caller knows why the flag was set (error_text).
  static Status interrupted() { return {StatusCode::Interrupted, std::string(kInterruptedText)}; }
  /// Failed, unless the text is empty: of functions that collect what is wrong.
  static Status failed_if_any(std::string why) { return why.empty() ? Status{} : failed(std::move(why)); }
};

/// What the user should read of a failure. `reason`: why the stop flag was set, as the caller knows it.
inline std::string error_text(const Status& status, const std::string& reason) {
  if (!status.is_interrupted()) return status.message;
  return status.message == kInterruptedText ? reason : reason + "; " + status.message;
}

}  // namespace fermiac
