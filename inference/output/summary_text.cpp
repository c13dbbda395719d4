// The text of the summary table: each column right-aligned, numbers with a fixed count of significant digits, in
// scientific notation where a column's magnitudes lie too far apart to line up.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "inference/diagnostics/summary.h"
#include "inference/model/column_names.h"
#include "support/base/number_text.h"

namespace fermiac::inference {
namespace {

std::string printf_number(const char* format, int decimals, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, decimals, value);
  return buffer;
}

/// `digits` significant digits in fixed notation: 0.061, 1.0, 12.
std::string fixed(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (!std::isfinite(value)) return value > 0 ? "inf" : "-inf";
  const int magnitude = value == 0 ? -1 : static_cast<int>(std::floor(std::log10(std::fabs(value))));
  return printf_number("%.*f", std::max(0, digits - 1 - magnitude), value);
}

std::string scientific(double value, int digits) {
  return std::isfinite(value) ? printf_number("%.*e", digits - 1, value) : fixed(value, digits);
}

struct Field {
  std::string title;
  std::function<double(const ColumnSummary&)> value;
  bool count = false;  // a whole number (effective sample sizes)
};
using Fields = std::vector<Field>;

/// `5%`, `2.5%`.
std::string percent(double percentile) {
  char text[32];
  std::snprintf(text, sizeof text, "%g%%", percentile);
  return text;
}

double seconds_of_sampling(const ChainSet& chains) {
  double total = 0;
  for (const ElapsedTime& e : chains.elapsed) total += e.sampling;
  return total;
}

Fields fields(const ChainSet& chains, const TableStyle& style) {
  Fields out = {{"Mean", &ColumnSummary::mean}, {"MCSE", &ColumnSummary::mcse}, {"StdDev", &ColumnSummary::sd},
                {"MAD", &ColumnSummary::mad}};
  for (std::size_t i = 0; i < style.percentiles.size(); ++i)
    out.push_back({percent(style.percentiles[i]), [i](const ColumnSummary& c) { return c.quantiles[i]; }});
  out.push_back({"ESS_bulk", &ColumnSummary::ess_bulk, true});
  out.push_back({"ESS_tail", &ColumnSummary::ess_tail, true});
  if (style.per_second) {
    const double seconds = seconds_of_sampling(chains);
    out.push_back({"ESS_bulk/s", [seconds](const ColumnSummary& c) { return seconds > 0 ? c.ess_bulk / seconds : kNaN; }, true});
  }
  out.push_back({"R_hat", &ColumnSummary::rhat});
  return out;
}

/// Magnitudes further apart than the digits shown, or out of the range in which fixed notation stays short.
bool needs_scientific(const std::vector<const ColumnSummary*>& rows, const Field& field, int digits) {
  double low = kInf, high = 0;
  for (const ColumnSummary* row : rows) {
    const double size = std::fabs(field.value(*row));
    if (!std::isfinite(size) || size == 0) continue;
    low = std::min(low, size);
    high = std::max(high, size);
  }
  return high > 0 && (high / low >= std::pow(10, digits) || low < 1e-4 || high >= 1e7);
}

using Cells = std::vector<std::vector<std::string>>;  // [field][row]

Cells cells_of(const std::vector<const ColumnSummary*>& rows, const Fields& fields, int digits) {
  Cells cells(fields.size());
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const bool exponent = !fields[f].count && needs_scientific(rows, fields[f], digits);
    for (const ColumnSummary* row : rows) {
      const double value = fields[f].value(*row);
      cells[f].push_back(fields[f].count && std::isfinite(value) ? printf_number("%.*f", 0, value)
                         : exponent                              ? scientific(value, digits)
                                                                 : fixed(value, digits));
    }
  }
  return cells;
}

bool is_internal(const ColumnSummary& column) {
  return column.name.ends_with("__");
}

std::string pad_left(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string table(const std::vector<const ColumnSummary*>& internal, const std::vector<const ColumnSummary*>& model,
                  const Fields& fields, const TableStyle& style) {
  // lp__ shares the format of the model's rows; the sampler's own rows have other magnitudes and get their own.
  std::vector<const ColumnSummary*> like_model, sampler;
  for (const ColumnSummary* c : internal) (c->name == "lp__" ? like_model : sampler).push_back(c);
  const std::size_t lp_rows = like_model.size();
  like_model.insert(like_model.end(), model.begin(), model.end());
  const Cells main = cells_of(like_model, fields, style.digits), other = cells_of(sampler, fields, style.digits);

  std::size_t name_width = 0;
  for (const ColumnSummary* c : like_model) name_width = std::max(name_width, pretty_name(c->name).size());
  for (const ColumnSummary* c : sampler) name_width = std::max(name_width, c->name.size());
  ++name_width;
  std::vector<std::size_t> width;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    width.push_back(fields[f].title.size());
    for (const Cells* cells : {&main, &other})
      for (const std::string& cell : (*cells)[f]) width[f] = std::max(width[f], cell.size());
  }
  const auto line = [&](std::string name, const std::function<std::string(std::size_t)>& cell) {
    name.resize(std::max(name_width, name.size()), ' ');
    for (std::size_t f = 0; f < fields.size(); ++f) name += "  " + pad_left(cell(f), width[f]);
    return name + "\n";
  };
  std::string out = line("", [&](std::size_t f) { return fields[f].title; }) + "\n";
  const auto main_row = [&](std::size_t i) {
    out += line(pretty_name(like_model[i]->name), [&](std::size_t f) { return main[f][i]; });
  };
  for (std::size_t i = 0; i < lp_rows; ++i) main_row(i);
  for (std::size_t i = 0; i < sampler.size(); ++i)
    out += line(sampler[i]->name, [&](std::size_t f) { return other[f][i]; });
  if (!internal.empty()) out += "\n";
  for (std::size_t i = lp_rows; i < like_model.size(); ++i) main_row(i);
  return out;
}

std::string time_line(const char* what, const std::vector<ElapsedTime>& elapsed, double ElapsedTime::*member) {
  double total = 0, longest = 0;
  for (const ElapsedTime& e : elapsed) {
    total += e.*member;
    longest = std::max(longest, e.*member);
  }
  const double unit = longest >= 3600 ? 3600 : longest >= 60 ? 60 : 1;
  const char* name = unit == 3600 ? "hours" : unit == 60 ? "minutes" : "seconds";
  std::string out = std::string(what) + " took ";
  if (elapsed.size() > 1) out += "(";
  for (std::size_t i = 0; i < elapsed.size(); ++i) out += (i > 0 ? ", " : "") + fixed(elapsed[i].*member / unit, 2);
  if (elapsed.size() > 1) out += ")";
  out += std::string(" ") + name;
  if (elapsed.size() > 1) out += ", " + fixed(total / unit, 2) + " " + name + " total";
  return out + "\n";
}

}  // namespace

std::string summary_heading(const ChainSet& chains) {
  const auto n = [](std::size_t x) { return std::to_string(x); };
  const std::string model = "Inference for Stan model: " + chains.model_name + "\n" + n(chains.rows.size());
  if (chains.num_samples == 0 && chains.num_warmup == 0)  // generated for draws of another run, or of files that do not say it
    return model + (chains.rows.size() == 1 ? " chain: " : " chains: ") + n(chains.draws_per_chain()) + " draws each.\n\n";
  std::string out = model + " chains: ";
  out += "each with iter=" + n(chains.num_samples) + "; warmup=" + n(chains.num_warmup) + "; thin=" + n(chains.thin) + "; " +
         n(chains.draws_per_chain()) + " iterations saved.\n\n";
  if (chains.elapsed.empty()) return out;
  out += time_line("Warmup", chains.elapsed, &ElapsedTime::warmup);
  return out + time_line("Sampling", chains.elapsed, &ElapsedTime::sampling) + "\n";
}

std::string summary_footing(const ChainSet& chains) {
  return (chains.method.empty() ? "" : "Samples were drawn using " + chains.method + ".\n") +
         "For each parameter, ESS_bulk and ESS_tail measure the effective sample size for the entire sample (bulk) and "
         "for the .05 and .95 tails (tail), \n"
         "and R_hat measures the potential scale reduction on split chains. At convergence R_hat will be very close to "
         "1.00.\n";
}

std::string summary_text(const ChainSet& chains, const std::vector<ColumnSummary>& columns, const TableStyle& style) {
  std::vector<const ColumnSummary*> internal, model;
  for (const ColumnSummary& c : columns) (is_internal(c) ? internal : model).push_back(&c);
  return summary_heading(chains) + table(internal, model, fields(chains, style), style) + "\n" + summary_footing(chains);
}

std::string summary_csv(const ChainSet& chains, const std::vector<ColumnSummary>& columns, const TableStyle& style) {
  const Fields all = fields(chains, style);
  std::string out = "name";
  for (const Field& field : all) out += "," + field.title;
  out += "\n";
  for (const ColumnSummary& c : columns) {
    out += '"' + pretty_name(c.name) + '"';
    for (const Field& field : all) out += ',' + format_number(field.value(c), style.digits);
    out += '\n';
  }
  return out;
}

}  // namespace fermiac::inference
