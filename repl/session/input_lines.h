// Lines, as they are typed or read from a file, cut into inputs.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace fermiac::repl {

/// Text that comes line by line. Each line is looked at once, however many there are.
class OpenText {
 public:
  void add(std::string_view lines);
  /// A bracket or comment is open or the text ends in `=` or `,`, so that more lines are needed.
  bool incomplete() const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int depth_ = 0;
  char last_ = ' ';
  bool comment_ = false;
};

/// Blocks of a program that follow each other are one input, however many lines they have: only all of them together may
/// make sense.
class InputLines {
 public:
  /// Gets an input; false ends the reading.
  using Run = std::function<bool(const std::string& input)>;

  /// A line without its end. Runs what it completes.
  void add(std::string_view line, const Run& run);
  /// Nothing follows for now: runs blocks that were waiting for others.
  void pause(const Run& run);
  /// Nothing follows at all: runs what was never completed, too.
  void end(const Run& run);
  /// Lines of an input that wants more.
  const std::string& open() const { return pending_.text(); }
  bool is_open() const { return !pending_.text().empty(); }

 private:
  void complete(const Run& run);

  OpenText pending_;
  std::string blocks_;  // complete, but others may follow
};

/// The inputs of a text of several lines: one if it reads as statements, else a line each, blocks together.
void each_input(std::string_view text, const InputLines::Run& run);

}  // namespace fermiac::repl
