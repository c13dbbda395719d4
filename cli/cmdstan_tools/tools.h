// The programs that stand beside CmdStan's models and read the files of finished runs: stansummary, diagnose, print.
// Other programs call them and read what they print, so options, layout and exit status are CmdStan's.
#pragma once

#include <string>
#include <vector>

namespace fermiac::cmdstan {

/// Each takes its arguments without the program's name and returns the exit status. Results and errors go to standard
/// output, as those who call them expect.
int stansummary(const std::vector<std::string>& args);
int diagnose(const std::vector<std::string>& args);
/// An old name of stansummary with fewer options.
int print_summary(const std::vector<std::string>& args);

}  // namespace fermiac::cmdstan
