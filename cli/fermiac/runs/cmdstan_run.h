// A command that help does not show: a model under CmdStan's command line, without making a program of it first.
#pragma once

#include <span>
#include <string>

namespace fermiac::cli {

inline constexpr char kCmdstanRun[] = "cmdstan-run";

/// `words` are the Stan program and CmdStan's arguments. The exit status.
int run_as_cmdstan(std::span<const std::string> words);

}  // namespace fermiac::cli
