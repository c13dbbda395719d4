// From settings and a model to one of the methods of inference/.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cli/cmdstan/cmdstan.h"
#include "cli/cmdstan/files.h"
#include "cli/cmdstan/method.h"
#include "inference/output/config.h"
#include "inference/output/run_io.h"
#include "support/base/language_version.h"

namespace fermiac::cmdstan {
namespace {

using namespace inference;

constexpr int kPlainDigits = 6;        // what sig_figs = -1 stands for
constexpr double kMostThreads = 4096;  // more are not useful anywhere

bool is_number(const std::string& text) {
  char* end = nullptr;
  static_cast<void>(std::strtod(text.c_str(), &end));
  return !text.empty() && *end == '\0';
}

struct Method {
  std::string_view name;
  Status (*run)(Run&);
};

constexpr Method kMethods[] = {
    {"sample", run_sample},
    {"optimize", run_optimize},
    {"variational", run_variational},
    {"diagnose", run_diagnose},
    {"generate_quantities", run_generate_quantities},
    {"pathfinder", run_pathfinder},
    {"log_prob", run_log_prob},
    {"laplace", run_laplace},
};

struct OtherName {
  std::string_view method, option, name;  // `!`: a setting that means the opposite; a period: a member of a category
};

/// CmdStan's names of options that it does not call by ours with underscores.
constexpr OtherName kOtherNames[] = {
    {"sample", "chains", "num_chains"},
    {"sample", "warmup", "num_warmup"},
    {"sample", "samples", "num_samples"},
    {"sample", "sampler", "engine"},
    {"sample", "max-treedepth", "max_depth"},
    {"sample", "adapt-gamma", "gamma"},
    {"sample", "adapt-delta", "delta"},
    {"sample", "adapt-kappa", "kappa"},
    {"sample", "adapt-t0", "t0"},
    {"sample", "no-adapt", "!engaged"},
    {"pathfinder", "draws", "num_draws"},
    {"pathfinder", "psis-draws", "num_psis_draws"},
    {"pathfinder", "elbo-draws", "num_elbo_draws"},
    {"pathfinder", "no-psis-resample", "!psis_resample"},
    {"pathfinder", "no-lp", "!calculate_lp"},
    {"laplace", "no-jacobian", "!jacobian"},
    {"laplace", "no-lp", "!calculate_lp"},
    {"variational", "draws", "output_samples"},
    {"variational", "no-adapt", "!engaged"},
    {"variational", "adapt-iter", "adapt.iter"},
};

std::string cmdstan_name(std::string_view method, std::string option) {
  for (const OtherName& other : kOtherNames)
    if (other.method == method && other.option == option) return std::string(other.name);
  std::ranges::replace(option, '-', '_');
  return option;
}

void fill(const OptionRow& row, const Setting& setting, bool opposite) {
  if (!row.assign) row.set(setting.text(""));
  else row.assign(opposite ? !setting.truth("") : setting.number(""));
}

}  // namespace

void fill(const Setting& method, const OptionRows& rows) {
  for (const OptionRow& row : rows) {
    const std::string known = cmdstan_name(method.argument().name, row.name);
    const bool opposite = known.starts_with('!');
    const std::string_view name = std::string_view(known).substr(opposite ? 1 : 0);
    const std::size_t dot = name.find('.');
    const Setting* const within = dot == std::string_view::npos ? &method : method.find(name.substr(0, dot));
    const Setting* const setting = within->find(name.substr(dot + 1));
    if (setting) fill(row, *setting, opposite);
  }
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ",") + name;
  return out;
}

void fill_common(const Run& run, CommonOptions& o) {
  const double digits = run.all.number("output.sig_figs"), threads = run.all.number("num_threads");
  o.data_file = run.all.text("data.file");
  o.init = run.all.text("init");
  o.seed = static_cast<std::uint64_t>(run.all.number("random.seed"));
  o.id = run.all.count("id");
  o.threads = threads < 0 ? 0 : static_cast<unsigned>(std::min(threads, kMostThreads));
  o.overwrite = true;
  o.sig_figs = digits < 0 ? kPlainDigits : std::max(1, static_cast<int>(digits));
  o.refresh = run.all.count("output.refresh");
  o.save_config = run.all.truth("output.save_cmdstan_config");
  o.stanc_version = kStancVersion;
  o.stancflags = run.source.stancflags;
  o.layout = &run.layout;
}

Status fill_init(unsigned chains, CommonOptions& o) {
  if (is_number(o.init)) return {};
  std::vector<std::string> files;
  Status found = input_files(o.init, chains, o.id, &files);
  if (found) warn_of_r_dump(files[0]);
  o.init = chains == 1 ? files[0] : joined(files);
  return found;
}

Status check_count(const char* what, unsigned count) {
  if (count <= kMostRuns) return {};
  return Status::failed(std::string(what) + " is " + std::to_string(count) + ", but must be at most " +
                      std::to_string(kMostRuns));
}

Status name_files(Run& run, unsigned chains) {
  if (Status bad = check_count("num_chains", chains); !bad) return bad;
  const std::string& output = run.all.text("output.file");
  const std::string& diagnostic = run.all.text("output.diagnostic_file");
  const unsigned id = run.all.count("id");
  run.layout.config_path = with_tag(output.substr(0, output.find(',')), "_config", ".json");
  if (Status bad = output_files(output, {chains, id, "", ""}, &run.layout.csv_files); !bad) return bad;
  if (Status bad = output_files(output, {chains, id, "_metric", ".json"}, &run.layout.metric_files); !bad) return bad;
  if (diagnostic.empty()) return {};
  return output_files(diagnostic, {chains, id, "", ""}, &run.layout.diagnostic_files);
}

Status fail(const Run& run, Status why) {
  std::fprintf(run.io.errors, "%s\n", why.message.c_str());
  return why;
}

int run_method(const Model& model, const Setting& settings, const ModelSource& source, std::vector<ConfigNode> environment, const RunIo& io) {
  const std::string& name = settings.text("method");
  Run run{model,  settings, settings.at("method." + name),
          source, io,       CmdStanLayout(settings.member_configs(), std::move(environment))};
  return std::ranges::find(kMethods, name, &Method::name)->run(run) ? 0 : 1;
}

}  // namespace fermiac::cmdstan
