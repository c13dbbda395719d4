// Colours for a line that is being typed: what every character is, and the escape codes for it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fermiac::repl {

enum class Ink : std::uint8_t { Plain, Keyword, Type, Number, String, Function, Comment, Command, Wrong };

/// One ink per byte. `is_function` tells names that may be called. Text that stops in the middle (an open bracket,
/// comment) is fine; a closing bracket without its partner is Wrong, and so is a string that the line does not close
/// once another line follows.
std::vector<Ink> inks_of(std::string_view text, const std::function<bool(std::string_view)>& is_function);

/// The escape sequence that switches to an ink, from any other.
std::string_view ink_code(Ink ink);

}  // namespace fermiac::repl
