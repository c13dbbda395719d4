#include "cli/cmdstan/cmdstan.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "autodiff/tape/opencl/use.h"
#include "cli/cmdstan/cmdstan_layout.h"
#include "cli/cmdstan/files.h"
#include "cli/cmdstan/method.h"
#include "cli/cmdstan/parse.h"
#include "cli/cmdstan/profile_file.h"
#include "inference/output/config.h"
#include "interp/model/conditioned_model.h"
#include "interp/parallel/cluster.h"
#include "plugins/mpi/launch.h"
#include "support/base/r_dump.h"
#include "support/base/render.h"
#include "support/base/text_file.h"
#include "support/platform/output.h"
#include "support/platform/signals.h"
#include "support/platform/threads.h"

namespace fermiac::cmdstan {
namespace {

using Outcome = Parsed::Outcome;

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string info_text(const ModelSource& source) {
  const auto line = [](const std::string& key, const std::string& value) { return key + value + "\n"; };
  const auto truth = [](bool on) { return on ? "true" : "false"; };
  return line("stan_version_major = ", std::to_string(kVersion.major)) +
         line("stan_version_minor = ", std::to_string(kVersion.minor)) +
         line("stan_version_patch = ", std::to_string(kVersion.patch)) +
         line("STAN_THREADS=", truth(source.threads)) + line("STAN_MPI=", truth(!source.mpi_module.empty())) +
         line("STAN_OPENCL=", truth(!source.device_module.empty())) +
         line("STAN_NO_RANGE_CHECKS=", truth(source.no_range_checks));
}

int complain(const std::string& why) {
  flush_output();
  std::fprintf(stderr, "%s\n", why.c_str());
  return 1;
}

/// A seed that was not given comes from the clock, in milliseconds.
void settle_seed(Setting& settings) {
  Setting& seed = *settings.child("random")->child("seed");
  if (seed.number("") >= 0) return;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const long long milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  seed.settle(milliseconds % (1LL << 32));
}

/// Null after the errors of the program were told.
std::shared_ptr<const interp::CompiledModel> compiled(const ModelSource& source) {
  auto model = interp::compile_model(source.program, {.header = source.header});
  if (*model) return model;
  complain(render_errors(model->sources(), model->diagnostics));
  return nullptr;
}

interp::DataSource open_data(const std::string& file) {
  if (file.empty()) return {};
  if (is_json(file)) return interp::DataSource::open(file);
  warn_of_r_dump(file);
  std::string json;
  const TextFile read = read_plain_text(file);
  const Status status = read.problem.empty() ? r_dump_to_json(read.text, &json) : Status::failed(read.problem);
  if (!status) throw InputError("'" + file + "', " + status.message);
  return interp::DataSource::parse(std::move(json), file);
}

interp::DataSource data_of(const std::string& file) {
  interp::DataSource data = open_data(file);
  data.use_stans_words(true);
  return data;
}

std::unique_ptr<interp::InterpModel> bound(const ModelSource& source, const Setting& settings) {
  const auto program = compiled(source);
  if (!program) return nullptr;
  const std::string& data = settings.text("data.file");
  if (const auto bad = data.empty() ? Status{} : check_readable(data); !bad) {
    complain(bad.message);
    return nullptr;
  }
  return interp::bind_as_data_say(program, data_of(data), static_cast<std::uint64_t>(settings.number("random.seed")));
}

std::string chosen_device(const Setting& settings) {
  const int platform = static_cast<int>(settings.number("opencl.platform")), device = static_cast<int>(settings.number("opencl.device"));
  return device < 0 ? "auto" : "opencl:" + std::to_string(platform) + ":" + std::to_string(device);
}

/// Opens the device of a program that was made with STAN_OPENCL. Returns what the files record of where the run takes place; nothing after
/// the reason why it cannot was printed.
std::optional<std::vector<inference::ConfigNode>> open_device(const ModelSource& source, const Setting& settings,
                                                              std::shared_ptr<ad::device::DeviceUse>* device) {
  using inference::ConfigNode;
  std::vector<ConfigNode> out;
  if (!source.mpi_module.empty()) out.push_back(ConfigNode::number("mpi_enabled", 1));
  if (source.device_module.empty()) return out;
  const Status opened = ad::device::open_for_tapes(chosen_device(settings), complain, device, source.device_module);
  if (!opened) return complain(opened.message), std::nullopt;
  if (!*device) return out;
  const DeviceInfo& info = (*device)->device().info();
  out.push_back(ConfigNode::text("opencl_platform_name", info.platform_name, ""));
  out.push_back(ConfigNode::text("opencl_device_name", info.name, ""));
  return out;
}

/// False after it was told why not.
bool write_profile(const interp::InterpModel& model, const std::string& file) {
  const std::string csv = profile_csv(model);
  const Status written = csv.empty() ? Status{} : write_whole_file(file, csv);
  if (!written) complain("cannot write the profile file '" + file + "': " + written.message);
  return static_cast<bool>(written);
}

int run(const ModelSource& source, const Build& build, Setting& settings, interp::Cluster* cluster) {
  settle_seed(settings);
  write_output(inference::config_text(settings.member_configs(), "") + "\n");
  flush_output();
  if (const Status bad = check_rules(settings, build); !bad) return complain(bad.message);
  auto model = bound(source, settings);
  if (!model) return 1;
  interp::EvaluationSettings evaluation{.cluster = cluster};
  evaluation.profiles = settings.at("output.profile_file").given() && !settings.text("output.profile_file").empty();
  auto environment = open_device(source, settings, &evaluation.device);
  if (!environment) return 1;
  model = model->with_settings(std::move(evaluation));
  const int status = run_method(*model, settings, source, std::move(*environment), {.out = stdout, .err = stdout, .errors = stderr});
  return write_profile(*model, settings.text("output.profile_file")) ? status : 1;
}

int start(const ModelSource& source, std::span<const std::string> args, interp::Cluster* cluster) {
  const Build build{.threads = source.threads, .thread_wish = from_environment("STAN_NUM_THREADS"), .opencl = !source.device_module.empty()};
  const Argument tree = argument_tree(build);
  Parsed parsed = parse(tree, source.command, args);
  write_output(parsed.out);
  flush_output();
  std::fputs(parsed.err.c_str(), stderr);
  switch (parsed.outcome) {
    case Outcome::Help:
      return 0;
    case Outcome::Failed:
      return 1;
    case Outcome::Info:
      write_output(info_text(source));
      return 0;
    case Outcome::Run:
      break;
  }
  return run(source, build, parsed.settings, cluster);
}

/// The same, what goes wrong told.
int start_alone(const ModelSource& source, std::span<const std::string> args, interp::Cluster* cluster = nullptr) {
  try {
    return start(source, args, cluster);
  } catch (const std::bad_alloc&) {
    return complain("out of memory");
  } catch (const std::exception& e) {  // data that do not fit, above all
    return complain(std::string("Exception: ") + e.what());
  }
}

/// Until process 0 ends.
int serve_jobs(const ModelSource& source, Transport& transport) {
  ignore_end_signals();  // process 0 alone decides when the run ends, and it alone prints
  if (!silence_streams()) return 1;
  const auto program = compiled(source);
  const interp::Code* code = program ? program->code.get() : nullptr;
  run_parallel(1, 1, [&](std::size_t) { interp::serve(transport, code); });
  transport.leave();
  return 0;
}

/// One of the processes that mpirun started: 0 runs the method.
int start_together(const ModelSource& source, std::span<const std::string> args, const LaunchPlace& place) {
  std::unique_ptr<Transport> transport;
  if (const Status bad = join_processes(place, source.mpi_module, &transport); !bad) return place.rank == 0 ? complain(bad.message) : 1;
  if (place.rank != 0) return serve_jobs(source, *transport);
  interp::Cluster cluster(*transport);
  const int status = start_alone(source, args, &cluster);
  interp::end_serving(*transport);
  transport->leave();
  return status;
}

}  // namespace

int cmdstan_main(const ModelSource& source, std::span<const std::string> args) {
  const LaunchPlace place = source.mpi_module.empty() ? LaunchPlace() : launch_place();
  return place.size > 1 ? start_together(source, args, place) : start_alone(source, args);
}

}  // namespace fermiac::cmdstan
