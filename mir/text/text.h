// The two written forms of the MIR. `to_text` is complete: `read_text` gives back the same program, except for places
// in the source. `to_pretty` is for people. docs/phases/mir.md shows both.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mir/ir/ir.h"

namespace fermiac::mir {

std::string to_text(const Program& program);
std::string to_text(const Stmt& stmt);
std::string to_text(const Expr& expr);

std::string to_pretty(const Program& program);
std::string to_pretty(const Stmt& stmt);
std::string to_pretty(const Expr& expr);
std::string to_pretty(const SizedType& type);

struct ReadResult {
  std::optional<Program> program;
  std::string error;  // what was expected and what stands there, if there is no program
};
ReadResult read_text(std::string_view text);

}  // namespace fermiac::mir
