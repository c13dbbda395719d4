#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "cli/cmdstan_tools/tools.h"
#include "inference/diagnostics/summary.h"
#include "inference/math/quantiles.h"
#include "inference/model/column_names.h"
#include "inference/output/config.h"
#include "inference/output/draw_files.h"
#include "inference/output/posterior_table.h"
#include "support/base/number_text.h"
#include "support/base/replaceable.h"
#include "support/base/text_file.h"
#include "support/platform/output.h"

namespace fermiac::cmdstan {
namespace {

using inference::ChainSet;
using inference::ColumnSummary;
using inference::TableStyle;

constexpr int kCsvDigits = 6;

struct Options {
  std::vector<std::string> files, names;
  std::string percentiles = "5,50,95", csv;
  int digits = 2;
  bool digits_given = false;
  unsigned autocorrelation = 0;
};

int fail(const std::string& why) {
  write_output(why + "\n");
  return 1;
}

std::string as_comments(const std::string& text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += "# " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

/// Lag by lag, of one chain.
std::string autocorrelations(const ChainSet& chains, std::size_t chain) {
  std::string out = "Displaying the autocorrelations for chain " + std::to_string(chain) + ":\n\n";
  std::vector<std::vector<double>> columns;
  for (std::size_t i = 0; i < chains.names.size(); ++i)
    columns.push_back(inference::autocorrelation(chains.column(i)[chain - 1]));
  out += "Lag";
  for (const std::string& name : chains.names) out += "  " + inference::pretty_name(name);
  out += "\n";
  for (std::size_t lag = 0; lag < chains.draws_per_chain(); ++lag) {
    out += std::to_string(lag);
    for (const auto& column : columns) out += "  " + format_number(column[lag], 3);
    out += "\n";
  }
  return out;
}

int summarise_files(const Options& options) {
  std::string error;
  std::vector<double> percentiles;
  if (const Status bad = inference::parse_percentiles(options.percentiles, &percentiles); !bad)
    return fail("Option --percentiles '" + options.percentiles + "': " + bad.message + ".");
  if (!options.csv.empty() && std::filesystem::exists(options.csv))
    return fail("Output file '" + options.csv + "' exists already, not overwritten.");
  ChainSet chains;
  if (const Status bad = inference::load_chains(options.files, &chains); !bad) return fail(bad.message);
  for (const std::string& line : chains.missing) write_output("Warning: " + line + "\n");
  if (options.autocorrelation > chains.rows.size())
    return fail("--autocorr: there is no chain " + std::to_string(options.autocorrelation) + ", there are " +
                std::to_string(chains.rows.size()) + ".");
  const auto columns = inference::select_columns(inference::summarise(chains, 0, percentiles), options.names, &error);
  if (!columns) return fail("--include_param: Unrecognized parameter(s): '" + error + "'");
  TableStyle style{.digits = options.digits, .percentiles = percentiles, .per_second = true};
  write_output(inference::summary_text(chains, *columns, style));
  if (options.autocorrelation > 0) write_output("\n" + autocorrelations(chains, options.autocorrelation));
  if (options.csv.empty()) return 0;
  style.digits = options.digits_given ? options.digits : kCsvDigits;
  const std::string text = inference::summary_csv(chains, *columns, style) +
                           as_comments(inference::summary_heading(chains) + inference::summary_footing(chains));
  Status written = check_replaceable(options.csv, kSummaryFile);
  if (written) written = write_whole_file(options.csv, text);
  return written ? 0 : fail("Cannot write '" + options.csv + "': " + written.message);
}

int run(CLI::App& app, Options& options, std::vector<std::string> args) {
  if (args.empty()) return write_output(app.help()), 1;
  std::ranges::reverse(args);  // as CLI11 takes them
  try {
    app.parse(args);
  } catch (const CLI::CallForHelp&) {
    return write_output(app.help()), 0;
  } catch (const CLI::ParseError& e) {
    return fail(std::string(e.what()) + "\n" + app.help());
  }
  options.digits_given = app.count("--sig_figs") > 0;
  return summarise_files(options);
}

void add_common(CLI::App& app, Options& options) {
  app.add_option("-s,--sig_figs", options.digits,
                 "Significant figures reported (1 to 18); 2 on the console, 6 in CSV files")
      ->check(CLI::Range(1, 18));
  app.add_option("-a,--autocorr", options.autocorrelation, "Display the chain autocorrelation of this chain (from 1)");
  app.add_option("csv_files", options.files, "Stan CSV files of one run, a chain each")->required();
}

}  // namespace

int stansummary(const std::vector<std::string>& args) {
  Options options;
  CLI::App app("Report statistics for one or more Stan CSV files of a sampler's run.", "stansummary");
  add_common(app, options);
  app.add_option("-p,--percentiles", options.percentiles,
                 "Percentiles to report: increasing numbers between 0 and 100, separated by commas; '' for none");
  app.add_option("-c,--csv_filename", options.csv, "Write the statistics to this CSV file, which must not exist");
  app.add_option("-i,--include_param", options.names,
                 "Include this parameter only, 'theta' or 'theta[1]'; may be repeated")
      ->allow_extra_args(false);
  return run(app, options, args);
}

int print_summary(const std::vector<std::string>& args) {
  write_output("print is deprecated and will go; use stansummary.\n");
  Options options;
  CLI::App app("Report statistics for one or more Stan CSV files.", "print");
  add_common(app, options);
  return run(app, options, args) == 0 ? 0 : 1;
}

}  // namespace fermiac::cmdstan
