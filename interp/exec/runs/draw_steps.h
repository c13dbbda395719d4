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
  std::vector<std::size_t> drawn;          // ints that it draws: on a tape reals, which nothing there may read …
  std::vector<std::size_t> compared;       // … but a check of bounds: what it compares with them, and reads for nothing else
  bool draws = false;                      // random numbers, of which the order matters
  /// It prints, touches target, calls a solver or draws ints to work with them: it runs as written, in its place among others
  /// of this kind.
  bool stays = false;
  bool returns = false;  // unless more is asked for
};

/// Names of the functions of a program that stay as written: they hand a function on, to a solver or the like (a tape would
/// carry what such calls need for derivatives), draw ints, or call a function that does.
std::set<std::string> unrecorded_functions(const mir::Program& program);

/// Whether the statement has to be run as it is written, given unrecorded_functions.
bool stays_as_written(const mir::Stmt& stmt, const std::set<std::string>& unrecorded);
bool draws_numbers(const mir::Stmt& stmt);
/// Variables to which it assigns ints as they are drawn.
std::set<std::string> drawn_ints(const mir::Stmt& stmt);

/// The variable whose bounds it checks, if it does no more and they do not depend on it.
std::set<std::string> checked_variable(const mir::Stmt& stmt);

/// Whether it may end the section.
bool may_return(const mir::Stmt& stmt);

/// Names that it reads or assigns, its own local variables among them.
struct Touched {
  std::set<std::string> reads, writes;
};
void add_touched(const mir::Stmt& stmt, Touched& out);

}  // namespace fermiac::interp
