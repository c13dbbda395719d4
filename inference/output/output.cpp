#include "inference/output/output.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>

#include "inference/model/variable_blocks.h"
#include "inference/output/output_layout.h"
#include "inference/output/run_io.h"
#include "support/base/model_name.h"
#include "support/base/r_dump.h"
#include "support/base/text.h"
#include "support/base/text_file.h"
#include "support/platform/calendar.h"
#include "support/platform/threads.h"

namespace fermiac::inference {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModelSuffix = "_model";

/// The time now as `format` of strftime has it, in the time zone of `convert`.
std::string now_as(const char* format, std::tm (*convert)(std::time_t)) {
  const std::tm parts = convert(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
  char buffer[40];
  std::strftime(buffer, sizeof buffer, format, &parts);
  return buffer;
}

std::string utc_now() { return now_as("%Y-%m-%d %H:%M:%S UTC", utc_time); }

/// `-20261125-093012`, by the clock on the wall.
std::string stamp_of_now() { return now_as("-%Y%m%d-%H%M%S", local_time); }

/// The first of DIR/NAME, DIR/NAME-2, … that could be created.
Status make_new_folder(const fs::path& parent, const std::string& name, std::string* out) {
  for (int i = 1; i < 100000; ++i) {
    const fs::path path = parent / (name + (i > 1 ? "-" + std::to_string(i) : ""));
    std::error_code error;
    if (fs::create_directory(path, error)) {
      *out = path.string();
      return {};
    }
    if (error) return Status::failed("cannot create the folder '" + path.string() + "': " + error.message());
  }
  return Status::failed("'" + (parent / (name + "-…")).string() + "': too many folders of that name");
}

std::string compiler_of(const CommonOptions& options) {
  return options.stanc_version.empty() ? "fermiac " FERMIAC_VERSION : options.stanc_version;
}

std::string version_and_model(const Model& model, const CommonOptions& options) {
  const StanVersion v = options.layout->version();
  return "# stan_version_major = " + std::to_string(v.major) + "\n# stan_version_minor = " + std::to_string(v.minor) +
         "\n# stan_version_patch = " + std::to_string(v.patch) + "\n# model = " + as_one_line(csv_model_name(model.name())) + "\n";
}

/// Of a file in a folder that another option names; empty: none is given.
bool is_file_name(const std::string& name) {
  return name.find('/') == std::string::npos && std::ranges::none_of(name, is_control) && name != "." && name != "..";
}

}  // namespace

std::string csv_model_name(std::string_view name) {
  return name.ends_with(kModelSuffix) ? std::string(name) : std::string(name) + std::string(kModelSuffix);
}

Status OutputFiles::prepare(const CommonOptions& options, std::string_view model_name) {
  layout_ = options.layout;
  if (!layout_->conventions().has_folder) return {};
  name_ = options.output_name;
  if (!is_file_name(name_))
    return Status::failed("output-name is '" + as_one_line(name_) + "', but must be the start of a file name, without '/' and control characters; --output names the folder");
  if (name_.empty()) name_ = options.model_path.empty() ? bare_model_name(model_name) : plain_name_of_file(options.model_path);
  if (options.output_dir.empty()) {
    const fs::path model(options.model_path);
    const std::string stem = options.model_path.empty() ? name_ : model.stem().string();
    const fs::path parent = model.has_parent_path() ? model.parent_path() : fs::path(".");
    made_ = true;
    return make_new_folder(parent, stem + "-output" + (options.timestamp ? stamp_of_now() : ""), &directory_);
  }
  directory_ = options.output_dir;
  std::error_code error;
  made_ = fs::create_directories(directory_, error);
  if (error) return Status::failed("cannot create the folder '" + directory_ + "': " + error.message());
  return {};
}

void OutputFiles::discard_if_empty() const {
  std::error_code ignored;
  if (made_) fs::remove(directory_, ignored);
}

std::string OutputFiles::path(std::string_view suffix) const {
  return (fs::path(directory_) / (name_ + std::string(suffix))).string();
}

std::string OutputFiles::csv(std::string_view suffix, std::size_t index) const {
  return layout_->csv(path(suffix), index);
}

std::string OutputFiles::metric(std::string_view suffix, std::size_t index) const {
  return layout_->metric(path(suffix), index);
}

std::string OutputFiles::config() const {
  return layout_->config_file(path("_config.json"));
}

const OutputLayout& fermiac_layout() {
  static const OutputLayout layout;
  return layout;
}

std::uint64_t settle_seed(const CommonOptions& options) {
  if (options.seed) return *options.seed;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto micros = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
  return (micros * 0x9e3779b97f4a7c15ULL) >> 33;  // 31 bits: fits every reader's integer
}

std::vector<ConfigNode> run_config(ConfigNode method, const CommonOptions& options, std::uint64_t seed,
                                   const std::string& output_file) {
  ConfigNode seed_node = ConfigNode::integer("seed", static_cast<long long>(seed), 0);
  seed_node.value = std::to_string(seed);
  seed_node.is_default = !options.seed;
  std::vector<ConfigNode> out = {
      std::move(method),
      ConfigNode::integer("id", options.id, 1),
      ConfigNode::group("data", {ConfigNode::text("file", options.data_file, "")}),
      ConfigNode::text("init", options.init, options.default_init),
      ConfigNode::group("random", {seed_node}),
      ConfigNode::group("output",
                        {
                            ConfigNode::text("file", output_file, "output.csv"),
                            ConfigNode::text("diagnostic_file", "", ""),
                            ConfigNode::integer("refresh", options.refresh, 100),
                            ConfigNode::integer("sig_figs", options.sig_figs, 8),
                            ConfigNode::text("profile_file", options.profile_file, "profile.csv"),
                            ConfigNode::boolean("save_cmdstan_config", options.save_config, false),
                        }),
      ConfigNode::integer("num_threads", resolved_threads(options.threads), 1),
  };
  if (!options.instruction_set.empty()) out.push_back(ConfigNode::text("instruction_set", options.instruction_set, ""));
  for (const auto& [key, value] : options.conditioning) out.push_back(ConfigNode::text(key, value, ""));
  return options.layout->config(std::move(out));
}

std::string diagnostic_prolog(const Model& model, const std::vector<ConfigNode>& config, const CommonOptions& options) {
  return version_and_model(model, options) + config_text(config, "# ");
}

std::string csv_prolog(const Model& model, const std::vector<ConfigNode>& config, const CommonOptions& options) {
  std::string out = version_and_model(model, options);
  if (options.layout->conventions().lists_blocks) out += blocks_comment(variable_blocks(model));
  out += "# start_datetime = " + utc_now() + "\n";
  out += config_text(config, "# ");
  out += config_text(options.layout->environment(), "# ");
  out += "# stanc_version = " + compiler_of(options) + "\n# stancflags = " + as_one_line(options.stancflags) + "\n";
  return out;
}

std::string config_file_json(const Model& model, const std::vector<ConfigNode>& config, const CommonOptions& options) {
  const StanVersion version = options.layout->version();
  std::vector<ConfigNode> all = {
      ConfigNode::text("stan_major_version", std::to_string(version.major), ""),
      ConfigNode::text("stan_minor_version", std::to_string(version.minor), ""),
      ConfigNode::text("stan_patch_version", std::to_string(version.patch), ""),
      ConfigNode::text("model_name", csv_model_name(model.name()), ""),
      ConfigNode::text("start_datetime", utc_now(), ""),
  };
  all.insert(all.end(), config.begin(), config.end());
  all.push_back(ConfigNode::boolean("mpi_enabled", false, false));
  for (ConfigNode& node : options.layout->environment()) all.push_back(std::move(node));
  all.push_back(ConfigNode::text("stanc_version", compiler_of(options), ""));
  all.push_back(ConfigNode::text("stancflags", options.stancflags, ""));
  return config_json(all);
}

Status read_text_file(const std::string& path, std::string* out) {
  fermiac::TextFile file = read_plain_text(path);
  *out = std::move(file.text);
  return Status::failed_if_any(std::move(file.problem));
}

Status read_values_file(const std::string& path, const OutputLayout& layout, std::string* json) {
  const bool is_r_dump = layout.conventions().reads_r_dump && !path.ends_with(".json");
  std::string text;
  Status read = read_text_file(path, is_r_dump ? &text : json);
  if (!read || !is_r_dump) return read;
  return r_dump_to_json(text, json).prefixed("'" + path + "', ");
}

Status write_text_file(const std::string& path, bool overwrite, std::string_view text) {
  TextFile file;
  if (Status bad = file.open(path, overwrite); !bad) return bad;
  file.append(text);
  Status result = file.close();
  if (!result) file.discard();
  return result;
}

std::string stop_reason(const RunIo& io) {
  return io.limit && io.limit->reached() ? io.limit->text() : std::string(kInterruptedText);
}

Status files_per_chain(const std::string& option, unsigned chains, unsigned first_id, std::vector<std::string>* out) {
  out->clear();
  if (option.find(',') != std::string::npos) {
    std::size_t start = 0;
    for (std::size_t comma; start <= option.size(); start = comma + 1) {
      comma = std::min(option.find(',', start), option.size());
      out->push_back(option.substr(start, comma - start));
    }
    if (out->size() == chains) return {};
    return Status::failed("'" + option + "' lists " + std::to_string(out->size()) + " files, expected one for each of " +
                        std::to_string(chains) + " chains");
  }
  std::error_code error;
  const fs::path base(option);
  if (chains == 1 || fs::exists(base, error)) {
    out->assign(chains, option);
    return {};
  }
  for (unsigned c = 0; c < chains; ++c) {
    fs::path numbered = base;
    numbered.replace_filename(base.stem().string() + "_" + std::to_string(first_id + c) + base.extension().string());
    if (!fs::exists(numbered, error))
      return Status::failed("cannot find '" + option + "', nor '" + numbered.string() + "' for chain " +
                          std::to_string(first_id + c));
    out->push_back(numbered.string());
  }
  return {};
}

Status check_common(const CommonOptions& options) {
  if (options.sig_figs < 1 || options.sig_figs > 18)
    return Status::failed("sig_figs is " + std::to_string(options.sig_figs) + ", but must be between 1 and 18");
  if (options.threads > 4096)
    return Status::failed("threads is " + std::to_string(options.threads) + ", but must be at most 4096");
  return {};
}

}  // namespace fermiac::inference
