// `fermiac plot`: draws as pictures in the terminal.
#pragma once

#include <string>
#include <vector>

namespace fermiac::cli {

struct PlotArgs {
  std::string run;                 // a folder, or a CSV file
  std::vector<std::string> names;  // variables or elements; empty: all, where they are few
};

/// For each quantity its histogram with numbers, and its trace; of two quantities also one against the other.
int run_plot(const PlotArgs& args);

}  // namespace fermiac::cli
