// What `fermiac sample` is told.
#pragma once

#include "cli/fermiac/shared/commands.h"
#include "inference/model/options.h"

namespace fermiac::cli {

struct SampleArgs {
  ModelArgs model;
  inference::SampleOptions options;
  bool gather = false;  // under mpirun: the processes have no folder in common
};

}  // namespace fermiac::cli
