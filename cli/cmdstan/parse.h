// From the words of a command line to settings, or to the text that ends the program: help, or what is wrong.
#pragma once

#include <span>
#include <string>

#include "cli/cmdstan/argument.h"
#include "cli/cmdstan/setting.h"
#include "support/base/status.h"

namespace fermiac::cmdstan {

struct Parsed {
  enum class Outcome { Run, Help, Info, Failed } outcome = Outcome::Run;
  Setting settings;
  std::string out, err;  // for the two streams
};

/// `program` is its name in the usage text.
Parsed parse(const Argument& tree, const std::string& program, std::span<const std::string> words);

/// Fails with the rule that is violated.
Status check_rules(const Setting& settings, const Build& build);

}  // namespace fermiac::cmdstan
