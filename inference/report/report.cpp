#include "inference/report/report.h"

#include <cstdio>
#include <filesystem>

#include "inference/output/draw_files.h"
#include "inference/output/output.h"
#include "inference/output/run_io.h"
#include "inference/report/report_data.h"
#include "inference/report/report_page.h"
#include "support/base/model_name.h"
#include "support/base/text_file.h"
#include "support/platform/output.h"

namespace fermiac::inference {
namespace {

namespace fs = std::filesystem;

/// The program asked for, or the one from whose name that of the folder is made, if it is still there.
Status find_program(const ReportOptions& o, const ChainSet& chains, ProgramText* out) {
  std::vector<fs::path> places = {o.model};
  if (o.model.empty()) {
    const fs::path folder = fs::absolute(chains.files.front().path).parent_path();
    const std::string name = bare_model_name(chains.model_name) + ".stan";
    places = {folder / name, folder.parent_path() / name};
  }
  for (const fs::path& place : places) {
    fermiac::TextFile file = fermiac::read_text_file(place.string(), false);
    if (file.state == fermiac::TextFile::State::Read) return *out = {place.lexically_normal().string(), std::move(file.text)}, Status{};
    if (!o.model.empty()) return Status::failed(file.problem);
  }
  return {};
}

/// A program by another name than the draws have is perhaps not theirs.
void warn_of_other_program(const ReportOptions& o, const ChainSet& chains, const RunIo& io) {
  const std::string name = bare_model_name(chains.model_name);
  if (o.model.empty() || name.empty() || bare_model_name(fermiac::model_name(o.model)) == name) return;
  std::fprintf(io.err, "Warning: the draws are those of a model '%s', but the report shows the program '%s'\n", name.c_str(), o.model.c_str());
}

bool is_report(const std::string& path) {
  return fermiac::read_beginning(path, kReportMark.size()) == kReportMark;
}

/// What is no file (a pipe, /dev/null) may be written to.
Status refuse_overwriting(const ReportOptions& o, const std::string& path) {
  std::error_code ignored;
  if (o.overwrite || !fs::exists(path, ignored)) return {};
  if (fs::is_directory(path, ignored)) return Status::failed("cannot write '" + path + "': it is a folder");
  if (!fs::is_regular_file(path, ignored) || is_report(path)) return {};
  return Status::failed("'" + path + "' exists already and is no report; choose another --output, or allow --overwrite");
}

/// Beside the file that the page is about, unless it is to be elsewhere.
Status write_page(const ReportOptions& o, const std::string& beside, const std::string& page, const RunIo& io) {
  const std::string path = o.output.empty() ? (fs::path(beside).parent_path() / "report.html").string() : o.output;
  if (Status bad = refuse_overwriting(o, path); !bad) return bad;
  if (const Status problem = write_whole_file(path, page); !problem)
    return Status::failed("cannot write '" + path + "': " + problem.message);
  write_output("The report is in '" + path + "'.\n", io.out);
  return {};
}

/// Of a file that `fermiac sbc` wrote. `*is_one`: the only file is such a one.
Status report_calibration(const ReportOptions& o, const RunIo& io, bool* is_one) {
  if (o.files.size() != 1 || fermiac::read_beginning(o.files[0], kSbcMark.size()) != kSbcMark) return {};
  SbcFileText file;
  if (Status bad = read_sbc_file(o.files[0], is_one, &file); !bad) return bad;
  if (file.simulations.empty()) return Status::failed("'" + o.files[0] + "' has no simulation that is over");
  std::string name = fs::path(o.files[0]).stem().string();
  if (name.ends_with("_sbc")) name.resize(name.size() - 4);
  return write_page(o, o.files[0], sbc_page(name, sbc_report_json(file)), io);
}

Status report(const ReportOptions& o, const RunIo& io) {
  bool is_calibration = false;
  if (Status bad = report_calibration(o, io, &is_calibration); !bad || is_calibration) return bad;
  ChainSet chains;
  ProgramText program;
  if (Status bad = load_chains(o.files, &chains); !bad) return bad;
  for (const std::string& line : chains.missing) std::fprintf(io.err, "Warning: %s\n", line.c_str());
  if (Status bad = find_program(o, chains, &program); !bad) return bad;
  warn_of_other_program(o, chains, io);
  const KeptDraws kept = kept_draws(chains);
  return write_page(o, chains.files.front().path,
                    report_page(bare_model_name(chains.model_name), report_json(chains, program, kept, 0), packed_draws(chains, kept)), io);
}

}  // namespace

Status run_report(const ReportOptions& options, const RunIo& io) {
  Status result = report(options, io);
  if (!result) std::fprintf(io.err, "%s%s\n", std::string(io.prefix).c_str(), result.message.c_str());
  return result;
}

}  // namespace fermiac::inference
