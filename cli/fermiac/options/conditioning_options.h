// Options that condition a program, of every command that takes a model.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

#include "inference/mcmc/blocks.h"
#include "interp/conditioning/conditioning.h"
#include "interp/value/value.h"

namespace fermiac::cli {

/// As given on the command line.
struct ConditioningArgs {
  std::string file;                        // JSON; options add to it
  std::string context;
  std::vector<std::string> weights, fix, condition, missing, roles;
  bool nan_is_missing = false;
  std::size_t max_table = 65536;           // combinations of missing ints in one table
  std::string missing_output = "all";       // all | missing
  std::vector<std::string> blocks;         // `NAMES: SAMPLER`
  std::string log_lik, lprior;             // names of columns to add; empty: none
  bool allow_improper = false;             // sample a prior that is none
};

void add_conditioning_options(CLI::App& app, ConditioningArgs& args);

/// For commands that write draws: `--log-lik`, `--lprior`.
void add_pointwise_options(CLI::App& app, ConditioningArgs& args);

/// `--block`, of commands that sample.
void add_block_option(CLI::App& app, ConditioningArgs& args);
/// Throws InputError.
std::vector<inference::Block> read_blocks(const ConditioningArgs& args);

/// Reads file and options. Throws InputError.
interp::Conditioning read_conditioning(const ConditioningArgs& args);

// Values on the command line.

/// JSON as data files have it; Stan's `1.` and `.5` are not.
bool is_json(const std::string& text);
/// JSON is taken as it is, anything else as a Stan expression. Throws InputError, which names `name`.
std::string json_of_value(const std::string& name, const std::string& text);
/// The JSON of what `evaluate` returns. Adds `name` to an InputError.
std::string value_text(const std::string& name, const std::function<interp::Value()>& evaluate);

}  // namespace fermiac::cli
