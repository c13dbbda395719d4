// `report`: draws in files as one page of HTML.
#pragma once

#include <string>
#include <vector>

#include "inference/model/options.h"
#include "inference/output/run_io.h"

namespace fermiac::inference {

struct ReportOptions {
  std::vector<std::string> files;  // or folders
  std::string output;              // empty: report.html beside the first file
  std::string model;               // the program; empty: looked for beside the draws and beside their folder
  bool overwrite = false;          // whatever is there; an earlier report is replaced anyway
};

/// Says on io.out where the page is, and the error that it returns on io.err.
Status run_report(const ReportOptions& options, const RunIo& io = {});

}  // namespace fermiac::inference
