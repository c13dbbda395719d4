#include "inference/report/report_page.h"

#include <vector>

#include "support/base/check.h"
#include "support/base/encodings.h"

namespace fermiac::inference {
namespace {

/// What stands for {{slot}}: one or more pieces.
struct Slot {
  std::string_view name;
  std::vector<std::string_view> pieces;
};

void fill(std::string_view name, const std::vector<Slot>& slots, std::string& out) {
  for (const Slot& slot : slots) {
    if (slot.name != name) continue;
    for (const std::string_view piece : slot.pieces) out += piece;
    return;
  }
  FERMIAC_CHECK(false, "the template has a slot that nothing fills");
}

/// In one pass: what is put in is not looked at.
std::string filled_template(std::string_view page, const std::vector<Slot>& slots) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t open = page.find("{{", at), close = page.find("}}", open);
    if (open == std::string_view::npos || close == std::string_view::npos) return out += page.substr(at);
    out += page.substr(at, open - at);
    fill(page.substr(open + 2, close - open - 2), slots, out);
    at = close + 2;
  }
}

/// Head and body of a page.
std::string filled_page(std::string_view title, std::string_view body, const std::vector<Slot>& slots) {
  const std::string name = html_escape(title);
  return filled_template(report_head(), {{"title", {name}}, {"style", {report_style()}}}) + filled_template(body, slots);
}

}  // namespace

std::string report_page(std::string_view title, std::string_view json, std::string_view draws) {
  return filled_page(title, report_template(), {{"report", {json}},
                                                {"draws", {draws}},
                                                {"script", {report_format_script(), report_draws_script(), report_statistics_script(),
                                                            report_figure_script(), report_plots_script(), report_table_script(),
                                                            report_pairs_script(), report_page_script()}}});
}

std::string sbc_page(std::string_view title, std::string_view json) {
  return filled_page(title, sbc_template(), {{"report", {json}},
                                             {"script", {report_format_script(), report_statistics_script(), report_figure_script(), report_sbc_script()}}});
}

}  // namespace fermiac::inference
