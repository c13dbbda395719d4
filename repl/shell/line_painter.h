// Draws an input line with colours: prompt and text wrapped at the width of the screen, over what was drawn before,
// with the cursor put back into its place. Knows nothing of the line editor; what it returns is written to the
// terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "repl/shell/highlight.h"

namespace fermiac::repl {

struct ScreenSize {
  int rows = 24, columns = 80;
};

class LinePainter {
 public:
  /// Draws anew. In the prompt, text between \001 and \002 goes to the terminal as it is and takes no room. `cursor` is
  /// an offset into the text, `inks` has one entry per byte of it.
  std::string draw(std::string_view prompt, std::string_view text, const std::vector<Ink>& inks, std::size_t cursor,
                   ScreenSize size);
  /// Moves behind everything that is drawn, to the start of a fresh line; the next draw begins there.
  std::string leave();
  /// The cursor was moved to the start of a fresh line by somebody else.
  void forget() { *this = {}; }

 private:
  std::string home(int columns) const;

  std::vector<int> widths_;  // columns in use of every row on the screen
  std::size_t row_ = 0;      // of the cursor
  int column_ = 0;
};

/// Columns that one character takes: 0 for combining marks, 2 for wide ones.
int columns_of_character(char32_t c);

}  // namespace fermiac::repl
