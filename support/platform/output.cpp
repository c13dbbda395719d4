#include "support/platform/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "support/platform/descriptor.h"

namespace fermiac {
namespace {

// Standard output is one for the whole program, and so is the reason of its first failure.
std::atomic<int> output_error{0};

/// `errno` belongs to the call that failed just now.
bool failed(std::FILE* file) {
  int none = 0;
  if (file == stdout) output_error.compare_exchange_strong(none, errno != 0 ? errno : EIO);
  return false;
}

bool lost(std::FILE* file) {
  return file == stdout && output_error.load() != 0;
}

/// Some file systems report a failure only when the file is closed.
bool close_a_copy(int fd) {
  const int copy = dup(fd);
  return copy < 0 || close(copy) == 0;
}

}  // namespace

void prepare_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)  // the lowest free number is the one that open() gives
      static_cast<void>(open(kNullDevice, fd == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

bool write_output(std::string_view text, std::FILE* file) {
  if (lost(file)) return false;
  errno = 0;
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() || failed(file);
}

bool flush_output(std::FILE* file) {
  if (lost(file)) return false;
  errno = 0;
  return std::fflush(file) == 0 || failed(file);
}

void flush_output_if_free(std::FILE* file) {
  if (ftrylockfile(file) != 0) return;
  std::fflush(file);
  funlockfile(file);
}

bool silence(std::FILE* file) { return std::freopen(kNullDevice, "w", file) != nullptr; }

bool silence_streams() { return silence(stdout) && silence(stderr); }

std::FILE* copy_of_standard_error() { return fdopen(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3), "w"); }

bool send_standard_error_to(int descriptor) {
  std::fflush(stderr);
  return descriptor >= 0 && dup2(descriptor, STDERR_FILENO) >= 0;
}

int finish_output(std::string_view program, int status) {
  if (flush_output() && std::ferror(stdout)) {  // written past write_output: the reason is not known
    errno = 0;
    failed(stdout);
  }
  if (!lost(stdout) && !close_a_copy(STDOUT_FILENO)) failed(stdout);
  const int why = output_error;
  if (why == 0) return status;
  if (why != EPIPE)
    std::fprintf(stderr, "%.*s: cannot write standard output: %s\n", static_cast<int>(program.size()), program.data(),
                 std::strerror(why));
  return status == 0 ? 1 : status;
}

}  // namespace fermiac
