#include "inference/model/column_names.h"
#include "inference/output/posterior_table.h"
#include "support/base/encodings.h"
#include "support/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace fermiac::inference {
namespace {

constexpr std::size_t kFewElements = 10, kMostRows = 60;
constexpr int kMostDecimals = 6;

using Columns = std::vector<const ColumnSummary*>;

struct Field {
  std::string title;
  std::function<std::string(const ColumnSummary&)> cell;
  int spare = 0;  // the larger, the sooner it goes where the window is narrow; 0: it stays
};
using Fields = std::vector<Field>;

// ---------------------------------------------------------------- numbers

int magnitude(double x) {
  return static_cast<int>(std::floor(std::log10(std::fabs(x))));
}

std::string plain(double x) {
  return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

std::string significant(double x, int digits) {
  if (!std::isfinite(x)) return plain(x);
  if (x == 0) return "0";
  const int decimals = digits - 1 - magnitude(x);
  return decimals > kMostDecimals + digits || magnitude(x) >= 9 ? fmt::format("{:.{}e}", x, digits - 1)
                                                                : fmt::format("{:.{}f}", x, std::max(0, decimals));
}

/// Up to the first digit that the Monte Carlo error of the mean touches, and `more` behind it.
std::string up_to_error(double x, double error, int more) {
  if (!std::isfinite(x)) return plain(x);
  constexpr double kRounding = 1e-12;  // relative: a number that is the same in every draw but for its last bits
  if (!(error > kRounding * std::fabs(x)) || !std::isfinite(error)) return fmt::format("{:.6g}", x);  // the same, or nobody knows
  const int decimals = decimals_of(error) + more;
  if (decimals <= kMostDecimals && std::fabs(x) < 1e9) {
    const std::string text = fmt::format("{:.{}f}", x, decimals);
    return text.find_first_not_of("-0.") == text.npos && text[0] == '-' ? text.substr(1) : text;
  }
  const int digits = x == 0 ? 0 : std::clamp(magnitude(x) - magnitude(error) + more, 1, 4);
  return fmt::format("{:.{}e}", x, digits);
}

std::string whole(double x) {
  return std::isfinite(x) ? fmt::format("{:.0f}", x) : plain(x);
}

/// Points of a column below each other.
void align_points(std::vector<std::string>& cells) {
  const auto behind = [](const std::string& cell) {
    const std::size_t point = cell.find('.');
    return point == std::string::npos || cell.find('e') != std::string::npos ? std::size_t{0} : cell.size() - point;
  };
  std::size_t most = 0;
  for (const std::string& cell : cells) most = std::max(most, behind(cell));
  for (std::string& cell : cells)
    if (cell.find('e') == std::string::npos) cell.append(most - behind(cell), ' ');
}

// ---------------------------------------------------------------- fields

Field number_field(std::string title, const PosteriorStyle& style, std::function<double(const ColumnSummary&)> value,
                   int spare, int more = 0) {
  return {std::move(title),
          [=, digits = style.digits](const ColumnSummary& c) {
            return digits > 0 ? significant(value(c), digits) : up_to_error(value(c), c.mcse, more);
          },
          spare};
}

/// The error of a mean itself: two digits.
Field error_field(const PosteriorStyle& style) {
  return {"MCSE", [digits = style.digits](const ColumnSummary& c) { return significant(c.mcse, digits > 0 ? digits : 2); }, 4};
}

Fields moments_and_quantiles(const PosteriorStyle& style) {
  Fields out;
  out.push_back(number_field("Mean", style, &ColumnSummary::mean, 0));
  out.push_back(error_field(style));
  out.push_back(number_field("StdDev", style, &ColumnSummary::sd, 2));
  out.push_back(number_field("MAD", style, &ColumnSummary::mad, 5));
  for (std::size_t i = 0; i < style.percentiles.size(); ++i)
    out.push_back(number_field(fmt::format("{:g}%", style.percentiles[i]), style,
                               [i](const ColumnSummary& c) { return c.quantiles[i]; }, 0));
  return out;
}

Fields all_fields(const PosteriorStyle& style) {
  Fields out = moments_and_quantiles(style);
  out.push_back({"ESS_bulk", [](const ColumnSummary& c) { return whole(c.ess_bulk); }, 1});
  out.push_back({"ESS_tail", [](const ColumnSummary& c) { return whole(c.ess_tail); }, 3});
  out.push_back({"R_hat", [](const ColumnSummary& c) { return std::isfinite(c.rhat) ? fmt::format("{:.3f}", c.rhat) : plain(c.rhat); }, 0});
  return out;
}

// ---------------------------------------------------------------- rows

Columns ordered(const std::vector<ColumnSummary>& columns, RowOrder order) {
  Columns out;
  for (const ColumnSummary& c : columns) out.push_back(&c);
  const auto rank = [&](const ColumnSummary* c) {
    if (c->stuck) return -kInf;
    const double value = order == RowOrder::WorstRhat ? -c->rhat : std::min(c->ess_bulk, c->ess_tail);
    return std::isnan(value) ? kInf : value;
  };
  if (order != RowOrder::AsDeclared)
    std::ranges::stable_sort(out, {}, rank);
  return out;
}

/// The sampler's own columns say nothing about the posterior, but for the density.
bool is_shown(const ColumnSummary& column, const PosteriorStyle& style) {
  return style.all || !column.name.ends_with("__") || column.name == "lp__";
}

std::string cut_line(const ShownRows::Cut& cut, const Columns& columns, bool quality) {
  double rhat = 0, ess = kInf;
  for (std::size_t i = cut.first; i <= cut.last; ++i) {
    rhat = std::max(rhat, columns[i]->rhat);
    ess = std::min({ess, columns[i]->ess_bulk, columns[i]->ess_tail});
  }
  std::string out = fmt::format("  … {} to {}: {} more", pretty_name(columns[cut.first]->name),
                                pretty_name(columns[cut.last]->name), cut.last + 1 - cut.first);
  if (quality && rhat > 0) out += fmt::format(", R_hat up to {:.3f}, ESS from {:.0f}", rhat, ess);
  return out + "\n";
}

/// Width in columns of the terminal: the only letters outside of ASCII are names', which Stan has none of.
std::string line_of(std::string name, std::size_t name_width, const std::vector<std::string>& cells,
                    const std::vector<std::size_t>& widths) {
  name.resize(std::max(name.size(), name_width), ' ');
  for (std::size_t f = 0; f < cells.size(); ++f) name += fmt::format("  {:>{}}", cells[f], widths[f]);
  name.erase(name.find_last_not_of(' ') + 1);
  return name + "\n";
}

struct Grid {
  std::vector<std::string> names;
  std::vector<std::string> titles;
  std::vector<std::vector<std::string>> cells;  // [field][row]
  std::vector<std::size_t> widths;
  std::size_t name_width = 0;

  std::size_t width() const {
    std::size_t total = name_width;
    for (const std::size_t w : widths) total += 2 + w;
    return total;
  }
};

Grid grid_of(const Columns& rows, const Fields& fields) {
  Grid grid;
  for (const ColumnSummary* row : rows) {
    grid.names.push_back(pretty_name(row->name));
    grid.name_width = std::max(grid.name_width, grid.names.back().size());
  }
  for (const Field& field : fields) {
    std::vector<std::string> cells;
    for (const ColumnSummary* row : rows) cells.push_back(field.cell(*row));
    align_points(cells);
    std::size_t width = field.title.size();
    for (const std::string& cell : cells) width = std::max(width, cell.size());
    grid.titles.push_back(field.title);
    grid.cells.push_back(std::move(cells));
    grid.widths.push_back(width);
  }
  return grid;
}

/// Without the fields that say least, as long as it is too wide.
Grid fitting_grid(const Columns& rows, Fields fields, std::size_t width) {
  for (;;) {
    Grid grid = grid_of(rows, fields);
    const auto spare = std::ranges::max_element(fields, {}, &Field::spare);
    if (width == 0 || grid.width() <= width || spare == fields.end() || spare->spare == 0) return grid;
    fields.erase(spare);
  }
}

/// What a table shows, before it is written.
struct Shown {
  Grid grid;
  std::vector<std::string> behind;  // by row: a line about rows that are left out behind it
  std::string end;                  // lines behind all of them
};

Shown shown_table(const std::vector<ColumnSummary>& all, Fields fields, const PosteriorStyle& style, bool quality) {
  Columns columns = ordered(all, style.order);
  std::erase_if(columns, [&](const ColumnSummary* c) { return !is_shown(*c, style); });
  std::vector<std::string> names;
  for (const ColumnSummary* c : columns) names.push_back(c->name);
  const bool sorted = style.order != RowOrder::AsDeclared;
  ShownRows shown = shown_rows(names, style.all || sorted);
  std::size_t hidden = 0;
  if (!style.all && shown.rows.size() > kMostRows) hidden = shown.rows.size() - kMostRows, shown.rows.resize(kMostRows);
  Columns rows;
  for (const std::size_t i : shown.rows) rows.push_back(columns[i]);
  Shown out{.grid = fitting_grid(rows, std::move(fields), style.width), .behind = {}, .end = {}};
  auto cut = shown.cuts.begin();
  for (const std::size_t row : shown.rows) {
    const bool left_out = cut != shown.cuts.end() && cut->first == row + 1;
    out.behind.push_back(left_out ? cut_line(*cut++, columns, quality) : "");
  }
  if (hidden > 0) out.end = fmt::format("  … {} more rows\n", hidden);
  const bool more = hidden > 0 || !shown.cuts.empty();
  if (!more || style.rest.empty()) return out;
  const std::string example = shown.cuts.empty() ? std::string("NAME") : shown.cuts.front().variable;
  out.end += fmt::format(fmt::runtime("The rest: " + style.rest + "\n"), example);
  return out;
}

std::vector<std::string> row_of(const Grid& grid, std::size_t row) {
  std::vector<std::string> out;
  for (const auto& column : grid.cells) out.push_back(column[row]);
  return out;
}

std::string table(const std::vector<ColumnSummary>& all, Fields fields, const PosteriorStyle& style, bool quality) {
  const auto [grid, behind, end] = shown_table(all, std::move(fields), style, quality);
  std::string out = line_of("", grid.name_width, grid.titles, grid.widths);
  for (std::size_t r = 0; r < behind.size(); ++r) out += line_of(grid.names[r], grid.name_width, row_of(grid, r), grid.widths) + behind[r];
  return out + end;
}

// ---------------------------------------------------------------- HTML

std::string html_row(const std::string& name, const std::vector<std::string>& cells, std::string_view tag) {
  std::string out = "<tr><th>" + html_escape(name) + "</th>";
  for (const std::string& cell : cells) out += fmt::format("<{0}>{1}</{0}>", tag, html_escape(cell.substr(0, cell.find_last_not_of(' ') + 1)));
  return out + "</tr>\n";
}

}  // namespace

int decimals_of(double error) {
  constexpr int kUnknown = 6;
  return error > 0 && std::isfinite(error) ? std::max(0, -magnitude(error)) : kUnknown;
}

ShownRows shown_rows(const std::vector<std::string>& names, bool all) {
  ShownRows out;
  for (std::size_t begin = 0, end = 0; begin < names.size(); begin = end) {
    const std::string_view variable = variable_of(names[begin]);
    while (end < names.size() && variable_of(names[end]) == variable) ++end;
    const std::size_t most = all || end - begin <= kFewElements + 2 ? end : begin + kFewElements;
    for (std::size_t i = begin; i < most; ++i) out.rows.push_back(i);
    if (most < end) out.cuts.push_back({std::string(variable), most, end - 1});
  }
  return out;
}

std::optional<std::vector<ColumnSummary>> select_columns(const std::vector<ColumnSummary>& all,
                                                         const std::vector<std::string>& names, std::string* error) {
  if (names.empty()) return all;
  std::vector<ColumnSummary> out;
  for (const std::string& given : names) {
    const std::size_t before = out.size();
    for (const ColumnSummary& c : all)
      if (c.name == given || pretty_name(c.name) == given || variable_of(c.name) == given || c.name.starts_with(given + ".") ||
          c.name.starts_with(given + ":"))
        out.push_back(c);
    if (out.size() == before) return *error = given, std::nullopt;
  }
  return out;
}

std::string similar_name(const std::string& missing, const std::vector<ColumnSummary>& all) {
  std::vector<std::string> variables;
  for (const ColumnSummary& c : all) variables.emplace_back(variable_of(c.name));
  const std::string variable = missing.substr(0, missing.find_first_of("[.:"));
  const std::string similar = nearest_identifier(variable, variables);
  return similar.empty() || similar == variable ? "" : fmt::format(": did you mean '{}'?", similar);
}

std::string filled(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    if (width > 0 && column > 0 && column + 1 + end > width) out += '\n', column = 0;
    else if (column > 0) out += ' ', ++column;
    out += text.substr(0, end);
    column += end;
    if (end < text.size() && text[end] == '\n') out += '\n', column = 0;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

namespace {

struct Origin {
  std::string_view method, text;
};

/// Of the methods as the files name them (ChainSet::method).
constexpr Origin kOrigins[] = {
    {"", ""},
    {"hmc with nuts", "Drawn with NUTS. "},
    {"hmc with walnuts", "Drawn with WALNUTS. "},
    {"hmc with static", "Drawn with static HMC. "},
    {"fixed_param", "Drawn with fixed parameters. "},
    {"generate_quantities", "Generated for draws of another run. "},
};

std::string origin_text(const std::string& method) {
  const Origin* const known = std::ranges::find(kOrigins, method, &Origin::method);
  return known != std::end(kOrigins) ? std::string(known->text) : "Drawn with " + method + ". ";
}

}  // namespace

std::string posterior_text(const ChainSet& chains, const std::vector<ColumnSummary>& columns, const PosteriorStyle& style) {
  std::string out = summary_heading(chains) + table(columns, all_fields(style), style, true) + "\n";
  return out + filled(origin_text(chains.method) + "ESS: how many independent draws these are worth, for the middle (bulk) and the tails; R_hat is 1.000 where "
                      "the chains agree.\n", style.width);
}

std::string posterior_html(const std::vector<ColumnSummary>& columns, const PosteriorStyle& style) {
  const auto [grid, behind, end] = shown_table(columns, all_fields(style), style, true);
  std::string out = "<table>\n<thead>" + html_row("", grid.titles, "th") + "</thead>\n<tbody>\n";
  for (std::size_t r = 0; r < behind.size(); ++r) {
    out += html_row(grid.names[r], row_of(grid, r), "td");
    if (!behind[r].empty()) out += fmt::format("<tr><td colspan=\"{}\">{}</td></tr>\n", grid.titles.size() + 1, html_escape(behind[r]));
  }
  return out + "</tbody>\n</table>\n" + (end.empty() ? "" : "<p>" + html_escape(end) + "</p>\n");
}

std::string draws_table(const std::vector<ColumnSummary>& columns, const PosteriorStyle& style) {
  return table(columns, moments_and_quantiles(style), style, false);
}

}  // namespace fermiac::inference
