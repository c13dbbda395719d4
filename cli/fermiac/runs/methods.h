// Commands that run a method: sample, resume and replay; optimize, pathfinder, laplace, variational, generate, diagnose; CmdStan's
// command line.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/fermiac/shared/invocation.h"

namespace fermiac::cli {

class Commands;

/// Adds the subcommands of all methods but sampling.
void add_methods(Commands& commands);

// A command that help does not show: a model under CmdStan's command line, without making a program of it first.

inline constexpr char kCmdstanRun[] = "cmdstan-run";

/// `words` are the Stan program and CmdStan's arguments. The exit status.
int run_as_cmdstan(std::span<const std::string> words);

// `fermiac sample`, and `fermiac resume` and `fermiac inspect-draw`, which take the options of the former from what its run left.

void add_sample(Commands& commands);
void add_resume(Commands& commands);  // and replay

}  // namespace fermiac::cli
