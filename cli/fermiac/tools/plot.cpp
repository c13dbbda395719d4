#include "cli/fermiac/tools/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "cli/fermiac/shared/refuse.h"
#include "inference/diagnostics/summary.h"
#include "inference/model/column_names.h"
#include "inference/output/draw_files.h"
#include "inference/output/posterior_table.h"
#include "repl/session/plot.h"
#include "support/platform/output.h"
#include "support/platform/terminal.h"

namespace fermiac::cli {
namespace {

using namespace inference;

constexpr std::size_t kMostPictures = 12;

/// What is left of a line behind the labels of an axis.
int picture_columns() {
  constexpr int kLabels = 14, kWidest = 120;
  const int window = static_cast<int>(terminal_columns(stdout));
  return window == 0 ? repl::kPlotColumns : std::clamp(window - kLabels, 16, kWidest);
}

/// The columns of the names. Errors: one is not there, or there are more than can be looked at.
Status chosen_columns(const ChainSet& chains, const std::vector<std::string>& names, std::vector<std::size_t>* out) {
  std::vector<ColumnSummary> all(chains.names.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].name = chains.names[i];
  if (names.empty()) std::erase_if(all, [](const ColumnSummary& c) { return c.name.ends_with("__"); });
  std::string error;
  const auto columns = select_columns(all, names, &error);
  if (!columns) return Status::failed("there is no '" + error + "' among the columns" + similar_name(error, all));
  if (columns->size() > kMostPictures)
    return Status::failed(fmt::format("{} quantities are too many for pictures below each other; name up to {}, {} and {} for example", columns->size(),
                                    kMostPictures, pretty_name(columns->front().name), pretty_name(columns->back().name)));
  for (const ColumnSummary& c : *columns) out->push_back(chains.find(c.name));
  return {};
}

std::vector<double> pooled(const ChainVecs& chains) {
  std::vector<double> out;
  for (const Vec& chain : chains) out.insert(out.end(), chain.begin(), chain.end());
  return out;
}

std::string text_of(const std::optional<repl::Picture>& picture, int width) {
  return picture ? repl::picture_text(*picture, width) : "no finite values\n";
}

std::string picture_of(const ChainSet& chains, std::size_t column, int width) {
  const ChainVecs values = chains.column(column);
  return pretty_name(chains.names[column]) + "\n" + text_of(repl::histogram(pooled(values), width), width) + repl::summary_of(pooled(values)) +
         "\n" + text_of(repl::trace_picture(values), width) + "\n";
}

std::string pair_of(const ChainSet& chains, std::size_t across, std::size_t up, int width) {
  const std::vector<double> x = pooled(chains.column(across)), y = pooled(chains.column(up));
  repl::Points points;
  for (std::size_t i = 0; i < x.size(); ++i) points.emplace_back(x[i], y[i]);
  return pretty_name(chains.names[up]) + " against " + pretty_name(chains.names[across]) + "\n" + text_of(repl::dots(std::move(points)), width);
}

}  // namespace

int run_plot(const PlotArgs& args) {
  ChainSet chains;
  std::vector<std::size_t> columns;
  if (const Status bad = load_chains({args.run}, &chains); !bad) return refuse(bad.message);
  for (const std::string& line : chains.missing) std::fprintf(stderr, "Warning: %s\n", line.c_str());
  if (const Status bad = chosen_columns(chains, args.names, &columns); !bad) return refuse(bad.message);
  const int width = picture_columns();
  std::string out;
  for (const std::size_t column : columns) out += picture_of(chains, column, width);
  if (columns.size() == 2) out += pair_of(chains, columns[0], columns[1], width);
  return write_output(out) ? 0 : 1;
}

}  // namespace fermiac::cli
