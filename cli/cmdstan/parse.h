// From the words of a command line to settings, or to the text that ends the program: help, or what is wrong.
#pragma once

#include <span>
#include <string>

#include "cli/cmdstan/argument.h"
#include "cli/cmdstan/setting.h"

namespace fermiac::cmdstan {

struct Parsed {
  enum class Outcome { Run, Help, Info, Failed } outcome = Outcome::Run;
  Setting settings;
  std::string out, err;  // for the two streams
};

/// `program` is its name in the usage text.
Parsed parse(const Argument& tree, const std::string& program, std::span<const std::string> words);

/// The rule that is violated, in words; empty if none is.
std::string broken_rule(const Setting& settings, const Build& build);

}  // namespace fermiac::cmdstan
