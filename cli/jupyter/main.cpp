// The program that notebooks start: jupyter_kernel CONNECTION_FILE.
#include <cstdio>
#include <exception>

#include "cli/jupyter/kernel.h"
#include "support/platform/output.h"
#include "support/platform/signals.h"

int main(int argc, char** argv) {
  fermiac::prepare_streams();
  if (argc != 2) {
    std::fputs("usage: jupyter_kernel CONNECTION_FILE\n'fermiac jupyter install' tells notebooks about it.\n", stderr);
    return 2;
  }
  fermiac::ignore_interrupts();  // Ctrl-C at the notebook's server is not meant for its kernels; they get messages
  try {
    fermiac::jupyter::Kernel(fermiac::jupyter::Connection::read(argv[1])).run();
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "jupyter_kernel: %s\n", e.what());
    return 1;
  }
}
