// The command lines of fermiac and stanc as data, for manual pages and completions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/fermiac/spec/program_text.h"

namespace fermiac::cli {

ProgramText fermiac_text(const CLI::App& app);
ProgramText stanc_text();

/// `fermiac manual [PAGE]`: the page of a command, of fermiac or of stanc, as man reads it; into a folder all of them.
int run_manual(const CLI::App& app, const std::string& page, const std::string& folder);
/// `fermiac completion SHELL`.
int run_completion(const CLI::App& app, const std::string& shell);

}  // namespace fermiac::cli
