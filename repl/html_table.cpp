#include "repl/html_table.h"

#include <fmt/format.h>

#include "inference/csv.h"

namespace fermiac::repl {
namespace {

std::string row(const std::vector<std::string>& cells, std::string_view tag) {
  std::string out = "<tr>";
  for (const std::string& cell : cells) out += fmt::format("<{0}>{1}</{0}>", tag, html_escape(cell));
  return out + "</tr>\n";
}

std::string number(double x) { return fmt::format("{:.4g}", x); }

}  // namespace

std::string html_escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '&') out += "&amp;";
    else if (c == '"') out += "&quot;";
    else out += c;
  }
  return out;
}

std::string summary_html(const std::vector<inference::ColumnSummary>& columns) {
  std::vector<std::string> head{"", "mean", "mcse", "sd"};
  for (const double p : inference::kPercentiles) head.push_back(fmt::format("{:g}%", p));
  head.insert(head.end(), {"ess_bulk", "ess_tail", "rhat"});
  std::string out = "<table>\n<thead>" + row(head, "th") + "</thead>\n<tbody>\n";
  for (const inference::ColumnSummary& c : columns) {
    std::vector<std::string> cells{inference::pretty_name(c.name), number(c.mean), number(c.mcse), number(c.sd)};
    for (const double q : c.quantiles) cells.push_back(number(q));
    for (const double ess : {c.ess_bulk, c.ess_tail}) cells.push_back(fmt::format("{:.0f}", ess));
    cells.push_back(fmt::format("{:.3f}", c.rhat));
    out += row(cells, "td");
  }
  return out + "</tbody>\n</table>\n";
}

}  // namespace fermiac::repl
