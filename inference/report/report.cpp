#include "inference/report/report.h"

#include <cstdio>
#include <filesystem>

#include "inference/output.h"
#include "inference/report/report_data.h"
#include "inference/report/report_page.h"
#include "support/output.h"
#include "support/text_file.h"
#include "support/write_file.h"

namespace fermiac::inference {
namespace {

namespace fs = std::filesystem;

/// The program asked for, or the one from whose name that of the folder is made, if it is still there.
Result find_program(const ReportOptions& o, const ChainSet& chains, ProgramText* out) {
  std::vector<fs::path> places = {o.model};
  if (o.model.empty()) {
    const fs::path folder = fs::absolute(chains.files.front().path).parent_path();
    const std::string name = bare_model_name(chains.model_name) + ".stan";
    places = {folder / name, folder.parent_path() / name};
  }
  for (const fs::path& place : places) {
    fermiac::TextFile file = fermiac::read_text_file(place.string(), false);
    if (file.state == fermiac::TextFile::State::Read) return *out = {place.lexically_normal().string(), std::move(file.text)}, Result{};
    if (!o.model.empty()) return Result::fail(file.problem);
  }
  return {};
}

bool is_report(const std::string& path) {
  return fermiac::read_beginning(path, kReportMark.size()) == kReportMark;
}

/// What is no file (a pipe, /dev/null) may be written to.
Result refuse_overwriting(const ReportOptions& o, const std::string& path) {
  std::error_code ignored;
  if (o.overwrite || !fs::exists(path, ignored)) return {};
  if (fs::is_directory(path, ignored)) return Result::fail("cannot write '" + path + "': it is a folder");
  if (!fs::is_regular_file(path, ignored) || is_report(path)) return {};
  return Result::fail("'" + path + "' exists already and is no report; choose another --output, or allow --overwrite");
}

std::string output_of(const ReportOptions& o, const ChainSet& chains) {
  return o.output.empty() ? (fs::path(chains.files.front().path).parent_path() / "report.html").string() : o.output;
}

Result report(const ReportOptions& o, const RunIo& io) {
  ChainSet chains;
  ProgramText program;
  if (Result bad = load_chains(o.files, &chains); !bad) return bad;
  for (const std::string& line : chains.missing) std::fprintf(io.err, "Warning: %s\n", line.c_str());
  if (Result bad = find_program(o, chains, &program); !bad) return bad;
  const std::string path = output_of(o, chains);
  if (Result bad = refuse_overwriting(o, path); !bad) return bad;
  const KeptDraws kept = kept_draws(chains);
  const std::string page = report_page(bare_model_name(chains.model_name), report_json(chains, program, kept, 0), packed_draws(chains, kept));
  if (const std::string problem = write_whole_file(path, page); !problem.empty())
    return Result::fail("cannot write '" + path + "': " + problem);
  write_output("The report is in '" + path + "'.\n", io.out);
  return {};
}

}  // namespace

int run_report(const ReportOptions& options, const RunIo& io) {
  const Result result = report(options, io);
  if (!result) std::fprintf(io.err, "%s%s\n", std::string(io.prefix).c_str(), result.error.c_str());
  return result ? 0 : 1;
}

}  // namespace fermiac::inference
