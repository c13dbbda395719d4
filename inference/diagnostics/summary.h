// What one reads after a run: the table of posterior summaries, and the checks that say whether to believe it.
#pragma once

#include <string>
#include <vector>

#include "inference/diagnostics/ess.h"
#include "inference/model/column_names.h"
#include "inference/model/variable_blocks.h"
#include "support/base/elapsed.h"

namespace fermiac::inference {

/// The file that a chain was read from, and what it says besides draws.
struct ChainFile {
  std::string path, id, seed;                                   // as written; empty where the file does not say
  std::vector<std::pair<std::string, std::string>> config;      // as CsvDraws has it
  double stepsize = kNaN;                                       // of the adaptation
  std::vector<double> inverse_metric;
  ElapsedTime elapsed{kNaN, kNaN};
};

/// Post-warm-up draws of all chains and what is known of the run.
struct ChainSet {
  std::string model_name;
  std::vector<std::string> names;         // CSV spelling
  std::vector<std::vector<double>> rows;  // per chain, row-major
  std::vector<ElapsedTime> elapsed;       // per chain, if known
  unsigned num_samples = 0, num_warmup = 0, thin = 1;
  int max_treedepth = 10;
  std::string method;  // "hmc with nuts" and the like; empty if unknown
  VariableBlocks blocks;
  std::vector<std::string> missing;  // a line for each file that is cut short
  std::vector<ChainFile> files;      // per chain, where they come from files

  std::size_t draws_per_chain() const;  // of the shortest chain
  ChainVecs column(std::size_t index) const;
  std::size_t find(std::string_view name) const;
};

inline const std::vector<double> kPercentiles = {5, 50, 95};

struct ColumnSummary {
  std::string name;  // CSV spelling
  double mean, mcse, sd, mad;
  std::vector<double> quantiles;  // one per percentile asked for
  double ess_bulk, ess_tail, rhat;
  bool stuck;  // constant within every chain, but not the same in all
};
/// One entry per column; columns are shared between `threads` threads (0: all). Percentiles lie within [0, 100].
std::vector<ColumnSummary> summarise(const ChainSet& chains, unsigned threads = 0,
                                     const std::vector<double>& percentiles = kPercentiles);

/// What a table in stansummary's layout shows.
struct TableStyle {
  int digits = 2;                                  // significant
  std::vector<double> percentiles = kPercentiles;  // those of summarise()
  bool per_second = false;                         // effective draws per second of sampling
};
/// The table as stansummary prints it; posterior_table.h has our own.
std::string summary_text(const ChainSet& chains, const std::vector<ColumnSummary>& columns, const TableStyle& style = {});
/// The same as CSV with a header line, for other programs.
std::string summary_csv(const ChainSet& chains, const std::vector<ColumnSummary>& columns,
                        const TableStyle& style = {.digits = 6});
/// What stands above the table (model, chains, times) and below it (what its columns mean).
std::string summary_heading(const ChainSet& chains);
std::string summary_footing(const ChainSet& chains);

/// Fewer effective draws than this are told.
struct EssLimit {
  double per_chain = 100;
  double per_draw = 0;  // a share of all draws
};

/// A chain that never came near where another one is: the highest log density of its draws is below those of 99 in 100 of
/// that chain's, and the lowest energy above theirs. Chains that share a region cannot differ so.
struct StuckChain {
  struct Place {
    std::string quantity;
    double here, there, spread;  // its mean in the chain, mean and standard deviation in the best one
  };
  std::size_t chain, best;  // from 0; the best is the chain with the highest median of the log density
  double lowest, highest, best_lowest, best_highest;  // log densities; best_lowest: but for one in 100
  std::vector<Place> places;  // up to three quantities, those that differ most
};
std::vector<StuckChain> find_stuck(const ChainSet& chains);
/// Which chain, and where it sits.
std::string stuck_where(const StuckChain& stuck);

/// A quantity that a check complains of.
struct Finding {
  std::string name;  // CSV spelling
  double value = 0;  // NaN: stuck
  VariableBlock block = VariableBlock::Parameters;
};

/// Columns of simulated quantities, which are listed apart from the others.
struct SimulatedColumns {
  std::size_t count = 0;
  double expected_high_rhat = 0;   // columns of independent draws with R-hat above 1.01 by chance
  std::vector<Finding> high_rhat;  // the worst first
  std::vector<Finding> low_ess;    // the least first
  bool low_ess_by_chance = false;  // ESS of independent draws scatters around the limit, or no parameter is below it
  /// Whether chance explains how many are above 1.01.
  bool rhat_by_chance() const;
  bool any() const { return !rhat_by_chance() || (!low_ess_by_chance && !low_ess.empty()); }
};

/// What the checks found.
struct Problems {
  std::size_t draws = 0, chains = 0;
  bool has_sampler = false;  // the sampler's columns are there
  std::size_t divergent = 0, at_max_treedepth = 0;
  bool divides_steps = false;  // the sampler is walnuts
  int max_treedepth = 10;
  std::vector<std::string> missing;    // lines about files that are cut short
  std::vector<double> ebfmi;           // of every chain, where the energies are known
  std::vector<double> low_ebfmi;       // of the chains below 0.3
  std::vector<Finding> low_ess;        // the smaller of bulk and tail, below the limit; by block, the least first; without drawn quantities
  EssLimit ess_limit;
  std::vector<Finding> high_rhat;      // above 1.01, or stuck; by block, the worst first; without drawn quantities
  SimulatedColumns drawn;
  std::vector<StuckChain> stuck;
  bool any() const {
    return divergent + at_max_treedepth + missing.size() + low_ebfmi.size() + low_ess.size() + high_rhat.size() > 0 || drawn.any();
  }
};
Problems find_problems(const ChainSet& chains, const std::vector<ColumnSummary>& columns, EssLimit limit = {});

/// The report of CmdStan's diagnose.
std::string check_text(const Problems& problems);
/// One paragraph per problem: what was seen, what it means, what to do. Empty if there is none.
std::string problems_in_words(const Problems& problems);
/// One line: `12 of 4000 (0.3%) divergent transitions; R-hat above 1.01 for mu (1.034)`. Empty if there is none.
std::string problems_in_brief(const Problems& problems);
/// problems_in_words, or a sentence that there is none.
std::string verdict(const Problems& problems);

}  // namespace fermiac::inference
