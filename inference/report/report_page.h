// The page of a report: a template, its style and its scripts, which the build takes from the files of page/.
#pragma once

#include <string>
#include <string_view>

namespace fermiac::inference {

std::string_view report_head();  // of every page, up to <body>
std::string_view report_template();
std::string_view report_style();
std::string_view report_format_script();
std::string_view report_draws_script();
std::string_view report_statistics_script();
std::string_view report_figure_script();
std::string_view report_plots_script();
std::string_view report_table_script();
std::string_view report_pairs_script();
std::string_view report_page_script();
std::string_view sbc_template();
std::string_view report_sbc_script();

/// How every page begins, up to its second line: what may be written over as a report of ours.
inline constexpr std::string_view kReportMark = "<!doctype html>\n<!-- fermiac report -->\n";

/// The whole page: it asks for nothing from elsewhere. `json` and `draws` as report_data.h makes them.
std::string report_page(std::string_view title, std::string_view json, std::string_view draws);
/// Of a calibration; `json` as sbc_report_json() makes it.
std::string sbc_page(std::string_view title, std::string_view json);

}  // namespace fermiac::inference
