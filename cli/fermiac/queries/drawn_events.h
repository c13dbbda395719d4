// Events that draws show by themselves: in which of them `beta > 4` holds.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/fermiac/shared/program_scope.h"
#include "inference/diagnostics/summary.h"
#include "interp/queries/query.h"
#include "repl/session/draws.h"

namespace fermiac::cli {

class DrawnEvents {
 public:
  /// Reads the draws. Throws InputError.
  DrawnEvents(ProgramScope& scope, const std::vector<std::string>& files);

  /// Whether the event is about what the draws have, not about data that are observed.
  bool decides(const interp::QueryItem& event) const;
  /// Names in the text of data that no draw changes, separated by commas.
  std::string observed_in(const std::string& text) const;
  /// Multiplies `holds`, an entry for each draw, by 1 where the event holds, else by 0. Throws InputError where it cannot be decided.
  void narrow(const interp::QueryItem& event, std::vector<double>& holds) const;
  /// Draws of each chain.
  const std::vector<std::size_t>& lengths() const { return lengths_; }
  std::size_t count() const;

 private:
  /// The numbers of an expression, draw by draw.
  struct Drawn {
    std::size_t width = 0;
    std::vector<double> values;  // row-major
  };
  Drawn evaluated(const std::string& text) const;
  Drawn evaluated_here(const std::string& text) const;  // on the stack for evaluations

  ProgramScope& scope_;
  std::vector<repl::Draws> chains_;  // one chain each
  std::vector<std::size_t> lengths_;
  std::set<std::string> names_;      // of their variables
};

}  // namespace fermiac::cli
