// What the command line asks for, and how it is started: alone, or as one of several processes under mpirun.
#pragma once

#include <functional>

#include "cli/fermiac/shared/commands.h"
#include "cli/fermiac/shared/stop.h"

namespace fermiac::cli {

struct Invocation {
  std::function<int(Stop&)> run;
  ModelArgs* model = nullptr;         // of commands that evaluate one
  const unsigned* threads = nullptr;  // of those that take a number
  const double* timeout = nullptr;    // of those that can be limited, in seconds
  const SampleArgs* chains = nullptr;  // of the command that draws chains, which several processes may deal out among them
  std::function<int()> session;       // in place of `run`: a command that deals with signals itself
};

/// The result of `body`. An InputError or a request to stop is printed, and is status 1. `stop` is that of the command, if it has one.
int run_reported(const Invocation& invocation, const std::function<int()>& body, const Stop* stop = nullptr);

/// Runs the command and returns its exit status. Under mpirun (or another launcher that tells processes their number by
/// OMPI_COMM_WORLD_RANK or PMI_RANK) process 0 does, and the others serve jobs of map_rect in silence until it ends; chains of `sample` are
/// dealt out among all, and processes that are left serve those that draw (inference/mcmc/chain_plan.h). FERMIAC_MPI=off makes every process run the command for itself.
int start(const Invocation& invocation);

}  // namespace fermiac::cli
