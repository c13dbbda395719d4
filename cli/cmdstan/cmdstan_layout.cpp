#include "cli/cmdstan/cmdstan_layout.h"

#include <utility>

namespace fermiac::cmdstan {
namespace {

constexpr inference::OutputConventions kConventions = {
    .exception_prefix = "Exception: ",
    .reports_each_chain = true,
    .always_reports = true,
    .guides = false,
    .times_generation = true,
    .times_gradient = true,
    .short_path_times = true,
    .checks_settings = false,
    .chooses_fixed_param = false,
    .keeps_draws = false,
    .cmdstan_starts = true,
    .finds_mode = false,
    .first_row_is_mode = true,
    .judges_differences = false,
    .failed_search_is_error = true,
    .has_folder = false,
    .lists_blocks = false,
    .one_config_file = true,
    .keeps_files_without_rows = true,
    .has_converged_column = true,
    .has_file_of_only_path = false,
    .reads_r_dump = true,
    .draws_by_position = true,
};

}  // namespace

CmdStanLayout::CmdStanLayout(std::vector<inference::ConfigNode> config, std::vector<inference::ConfigNode> environment)
    : OutputLayout(kConventions), config_(std::move(config)), environment_(std::move(environment)) {}

}  // namespace fermiac::cmdstan
