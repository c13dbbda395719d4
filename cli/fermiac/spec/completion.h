// Scripts with which shells complete commands, options and their values.
#pragma once

#include <string>
#include <vector>

#include "cli/fermiac/spec/program_text.h"

namespace fermiac::cli {

std::string bash_completion(const std::vector<ProgramText>& programs);
std::string zsh_completion(const std::vector<ProgramText>& programs);
std::string fish_completion(const std::vector<ProgramText>& programs);

}  // namespace fermiac::cli
