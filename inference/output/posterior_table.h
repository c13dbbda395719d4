// The table after a run: as many decimals as the draws are good for, points below each other, lines that fit the window,
// and of long containers the beginning.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inference/diagnostics/summary.h"

namespace fermiac::inference {

enum class RowOrder { AsDeclared, WorstRhat, LeastEss };

struct PosteriorStyle {
  int digits = 0;                                  // significant; 0: those that the Monte Carlo error leaves
  std::vector<double> percentiles = kPercentiles;  // those of summarise()
  std::size_t width = 0;                           // columns of the window; 0: any
  bool all = false;                                // every row, the sampler's too
  RowOrder order = RowOrder::AsDeclared;
  std::string rest;                                // how to see more of {}: `fermiac summary --pars {} FILES`
};

/// Those that were asked for, by the names of variables (`theta`) or elements (`theta[2]`, `theta.2`); all for no names.
/// Without a value `error` names what is not there.
std::optional<std::vector<ColumnSummary>> select_columns(const std::vector<ColumnSummary>& all,
                                                         const std::vector<std::string>& names, std::string* error);
/// `: did you mean 'tau'?` behind a name that is not there, `Tau`; empty if no variable's name is like it.
std::string similar_name(const std::string& missing, const std::vector<ColumnSummary>& all);

/// Heading, table and what its columns mean.
std::string posterior_text(const ChainSet& chains, const std::vector<ColumnSummary>& columns, const PosteriorStyle& style);
/// The same table as HTML, for notebooks.
std::string posterior_html(const std::vector<ColumnSummary>& columns, const PosteriorStyle& style);
/// The table alone, of independent draws: no effective sizes, no R-hat.
std::string draws_table(const std::vector<ColumnSummary>& columns, const PosteriorStyle& style);

/// Decimals up to the first digit that a Monte Carlo error touches; six where there is no error.
int decimals_of(double error);

/// Which of the columns a list shows: long variables up to some elements.
struct ShownRows {
  std::vector<std::size_t> rows;
  struct Cut {
    std::string variable;
    std::size_t first = 0, last = 0;  // columns left out
  };
  std::vector<Cut> cuts;  // in the order of their variables
};
ShownRows shown_rows(const std::vector<std::string>& names, bool all);

/// Lines of at most `width` columns (0: any), broken at blanks.
std::string filled(std::string_view text, std::size_t width);

}  // namespace fermiac::inference
