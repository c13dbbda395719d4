#include "cli/fermiac/run_model.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string_view>

namespace fermiac::cli {
namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the handler must not wait for a lock");

void on_interrupt(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

inference::RunIo terminal_io() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  const char* term = std::getenv("TERM");
  const bool can_redraw = isatty(STDERR_FILENO) != 0 && term && std::string_view(term) != "dumb";
  return {.out = stdout, .err = stderr, .terminal = can_redraw, .stop = &interrupted};
}

const std::atomic<bool>* interrupt_flag() {
  return &interrupted;
}

void describe_model(const ModelArgs& args, inference::CommonOptions* options) {
  options->model_path = args.model;
  options->data_file = args.data;
}

}  // namespace fermiac::cli
