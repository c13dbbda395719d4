// A cursor over JSON text. Knows tokens only: what they mean is the reader's business. Errors name line and column.
// Besides plain JSON, the words NaN, Inf and Infinity stand for numbers, with a sign if wanted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/base/errors.h"

namespace fermiac {

enum class JsonToken : std::uint8_t { Number, Word /* NaN, Infinity, true … */, String, Array, Object, End, Other };

/// A piece of the text for messages: its beginning, bytes that do not print as \\xNN.
std::string shown(std::string_view text);

class JsonScan {
 public:
  /// `source` names the text in messages; both outlive the cursor.
  JsonScan(std::string_view text, std::string_view source, std::size_t begin = 0);

  std::size_t offset() const { return static_cast<std::size_t>(p_ - begin_); }
  /// Kind of the token ahead; blanks are skipped.
  JsonToken peek();
  /// Consumes `c` if it is next.
  bool accept(char c);
  void expect(char c, std::string_view where);
  /// Bytes that are left.
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - p_); }
  /// Text of a number or word, unconverted.
  std::string_view number();
  std::string_view word();
  /// Text between the quotes, escapes left as they are.
  std::string_view string();
  /// Consumes one value of any kind, checking its syntax. Returns the number of scalars in it.
  std::size_t skip_value(int depth = 0);
  /// Consumes blanks; the text must end there.
  void expect_end();

  /// From now on messages name the text alone.
  void hide_places() { placed_ = false; }
  /// From now on messages name lines of what the text was made from: line k of the text, from 0, is lines[k % size], 0 where there is
  /// no such line. `lines` outlives the cursor.
  void map_lines(const std::vector<std::size_t>& lines) { lines_ = &lines; }
  /// Throws: `data.json, line 3, column 7: message`.
  [[noreturn]] void fail(std::string_view message) const { fail_at(offset(), message); }
  [[noreturn]] void fail_at(std::size_t offset, std::string_view message) const;

 private:
  void blanks();
  std::string found() const;
  std::string place_of(const char* at) const;
  std::size_t skip_array(int depth);
  std::size_t skip_object(int depth);

  const char* begin_;
  const char* p_;
  const char* end_;
  std::string_view source_;
  bool placed_ = true;
  const std::vector<std::size_t>* lines_ = nullptr;
};

/// The texts of the elements of an array. Throws InputError where the text is no array.
std::vector<std::string_view> json_elements(std::string_view text, std::string_view source);

}  // namespace fermiac
