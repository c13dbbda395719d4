// `summary` and `check`: files of draws as a table, and what is wrong with them.
#pragma once

#include <string>
#include <vector>

#include "inference/model/options.h"
#include "support/base/status.h"
#include "inference/output/posterior_table.h"
#include "inference/output/run_io.h"

namespace fermiac::inference {

struct SummaryOptions {
  std::vector<std::string> files;
  std::vector<std::string> pars;           // variables or elements; empty: all
  std::string percentiles = "5,50,95";
  int digits = 0;                          // significant; 0: by the Monte Carlo error
  bool csv = false;
  bool all = false;                        // long containers whole, the sampler's columns too
  RowOrder order = RowOrder::AsDeclared;
};

struct CheckOptions {
  std::vector<std::string> files;
  bool strict = false;                     // problems are a failure
};

/// Print the table to io.out. Return the error, which was printed to io.err; with `strict`, sampling problems are an error that only the
/// table describes.
Status run_summary(const SummaryOptions& options, const RunIo& io = {});
Status run_check(const CheckOptions& options, const RunIo& io = {});

}  // namespace fermiac::inference
