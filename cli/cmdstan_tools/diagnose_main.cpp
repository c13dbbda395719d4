#include <algorithm>

#include "cli/cmdstan_tools/tools.h"
#include "support/platform/output.h"

int main(int argc, char** argv) {
  fermiac::prepare_streams();
  return fermiac::finish_output("diagnose", fermiac::cmdstan::diagnose({argv + 1, argv + std::max(argc, 1)}));
}
