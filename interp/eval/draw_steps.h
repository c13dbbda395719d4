// What each statement of generate_quantities does to the frame, for whoever runs some of them in another way
// (interp/model/draw_tape.h).
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::interp {

struct DrawStep {
  std::vector<std::size_t> reads, writes;  // slots, sorted; of variables that live longer than the statement
  /// It draws random numbers, prints, touches target or calls a solver: it runs as written, in its place among others of
  /// this kind.
  bool stays = false;
  bool returns = false;  // unless more is asked for
};

/// Names of the functions of a program that hand a function on, to a solver or the like, or call one that does: a tape
/// would carry what such calls need for derivatives.
std::set<std::string> functions_with_callbacks(const mir::Program& program);

/// Whether the statement has to be run as it is written, given functions_with_callbacks.
bool stays_as_written(const mir::Stmt& stmt, const std::set<std::string>& with_callbacks);

/// Whether it may end the section.
bool may_return(const mir::Stmt& stmt);

/// Names that it reads or assigns, its own local variables among them.
struct Touched {
  std::set<std::string> reads, writes;
};
void add_touched(const mir::Stmt& stmt, Touched& out);

}  // namespace fermiac::interp
