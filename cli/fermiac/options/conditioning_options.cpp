#include "cli/fermiac/options/conditioning_options.h"

#include "cli/fermiac/options/checked_option.h"
#include "support/base/json_scan.h"
#include "support/base/text_file.h"

namespace fermiac::cli {

void add_conditioning_options(CLI::App& app, ConditioningArgs& args) {
  const auto each = [&](const char* name, std::vector<std::string>& values, const char* about, const char* type) {
    app.add_option(name, values, about)->type_name(type)->allow_extra_args(false)->group("Conditioning");
  };
  app.add_option("--conditioning", args.file, "JSON file with the options of this group")->type_name("C.json")->group("Conditioning");
  app.add_option("--density", args.context, "Density statements to include: joint, prior or likelihood")
      ->check(CLI::IsMember({"joint", "prior", "likelihood"}))
      ->group("Conditioning");
  each("--weight", args.weights, "Weight of the density statements or elements that match", "PATTERN=W");
  each("--fix", args.fix, "Fix a variable and drop its own density statement (intervention)", "NAME=VALUE");
  each("--condition", args.condition, "Condition on an observed value of a parameter or data variable", "NAME=VALUE");
  each("--missing", args.missing, "Data to treat as missing", "PATTERN");
  each("--role", args.roles, "Classify a target increment without a distribution as prior or likelihood", "@LINE=ROLE");
  app.add_flag("--nan-is-missing", args.nan_is_missing, "Treat NaN in the data as missing")->group("Conditioning");
  add_number(app, "max-discrete-states", args.max_table, "Maximum number of joint states of missing integers summed over at once", {1, std::size_t{1} << 30})
      ->group("Conditioning");
  app.add_option("--missing-output", args.missing_output, "Columns of partly missing variables: all elements, or the missing ones")
      ->check(CLI::IsMember({"all", "missing"}))
      ->capture_default_str()
      ->group("Conditioning");
}

void add_pointwise_options(CLI::App& app, ConditioningArgs& args) {
  app.add_option("--log-lik", args.log_lik, "Add columns with the log likelihood of each observation (default name: log_lik)")
      ->type_name("NAME")
      ->expected(0, 1)
      ->default_str("log_lik")
      ->group("Conditioning");
  app.add_option("--lprior", args.lprior, "Add a column with the log prior (default name: lprior)")
      ->type_name("NAME")
      ->expected(0, 1)
      ->default_str("lprior")
      ->group("Conditioning");
}

void add_block_option(CLI::App& app, ConditioningArgs& args) {
  app.add_option("--block", args.blocks, "Sample these variables as a block with nuts, walnuts, hmc, rwm or slice (missing integers: enumerate or walk)")
      ->type_name("'NAMES: SAMPLER'")
      ->allow_extra_args(false)
      ->group("Conditioning");
}

std::vector<inference::Block> read_blocks(const ConditioningArgs& args) {
  std::vector<inference::Block> out(args.blocks.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    if (const Status bad = inference::parse_block(args.blocks[i], &out[i]); !bad) throw InputError(bad.message);
  return out;
}

interp::Conditioning read_conditioning(const ConditioningArgs& args) {
  interp::Conditioning out;
  if (!args.file.empty()) {
    TextFile file = read_text_file(args.file, true);
    if (file.state != TextFile::State::Read) throw InputError(file.problem);
    interp::read_conditioning(file.text, args.file, out);
  }
  const auto given = [](const std::vector<std::string>& texts, std::vector<interp::Conditioning::Given>& to) {
    for (const std::string& text : texts) {
      auto [name, value] = interp::split_assignment(text);
      std::string json = json_of_value(name, value);
      to.push_back({std::move(name), std::move(json)});
    }
  };
  if (!args.context.empty()) out.context = interp::read_context(args.context);
  for (const std::string& text : args.weights) out.weights.push_back(interp::read_weight(text));
  given(args.fix, out.fix);
  given(args.condition, out.condition);
  out.missing.insert(out.missing.end(), args.missing.begin(), args.missing.end());
  for (const std::string& text : args.roles) out.roles.push_back(interp::split_assignment(text));
  out.nan_is_missing |= args.nan_is_missing;
  out.max_table = args.max_table;
  for (const inference::Block& block : read_blocks(args))
    if (inference::is_for_ints(block.sampler)) out.sampled.insert(out.sampled.end(), block.names.begin(), block.names.end());
  return out;
}

}  // namespace fermiac::cli
