#include "inference/methods/summary_commands.h"

#include <cstdio>

#include "inference/diagnostics/summary.h"
#include "inference/math/quantiles.h"
#include "inference/output/draw_files.h"
#include "inference/output/run_io.h"
#include "support/platform/output.h"
#include "support/platform/terminal.h"

namespace fermiac::inference {
namespace {

constexpr int kCsvDigits = 6;

Status fail(const RunIo& io, const std::string& why) {
  std::fprintf(io.err, "%s%s\n", std::string(io.prefix).c_str(), why.c_str());
  return Status::failed(why);
}

PosteriorStyle style_of(const SummaryOptions& o, const std::vector<double>& percentiles, const RunIo& io) {
  return {.digits = o.digits,
          .percentiles = percentiles,
          .width = terminal_columns(io.out),
          .all = o.all || !o.pars.empty(),
          .order = o.order,
          .rest = "fermiac summary --pars {} FILES"};
}

}  // namespace

Status run_summary(const SummaryOptions& o, const RunIo& io) {
  std::string error;
  std::vector<double> percentiles;
  if (const Status bad = parse_percentiles(o.percentiles, &percentiles); !bad) return fail(io, "--percentiles '" + o.percentiles + "': " + bad.message);
  ChainSet chains;
  if (const Status bad = load_chains(o.files, &chains); !bad) return fail(io, bad.message);
  for (const std::string& line : chains.missing) std::fprintf(io.err, "Warning: %s\n", line.c_str());
  const std::vector<ColumnSummary> all = summarise(chains, 0, percentiles);
  const auto columns = select_columns(all, o.pars, &error);
  if (!columns) return fail(io, "there is no '" + error + "' among the columns" + similar_name(error, all));
  const int csv_digits = o.digits > 0 ? o.digits : kCsvDigits;
  write_output(o.csv ? summary_csv(chains, *columns, {.digits = csv_digits, .percentiles = percentiles})
                     : posterior_text(chains, *columns, style_of(o, percentiles, io)), io.out);
  return {};
}

Status run_check(const CheckOptions& o, const RunIo& io) {
  ChainSet chains;
  if (const Status bad = load_chains(o.files, &chains); !bad) return fail(io, bad.message);
  const Problems problems = find_problems(chains, summarise(chains));
  const std::string words = verdict(problems);
  write_output(filled(words.empty() ? "No problems found.\n" : words, terminal_columns(io.out)), io.out);
  return o.strict && problems.any() ? Status::failed("there are sampling problems") : Status{};
}

}  // namespace fermiac::inference
