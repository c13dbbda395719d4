#include "support/platform/run_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "support/platform/descriptor.h"

extern char** environ;

namespace fermiac {
namespace {

struct Pipe {
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends) close(end);
  }
  void close_writing() {
    close(ends[1]);
    ends[1] = -1;
  }
  std::array<int, 2> ends{};
};

struct Actions {
  explicit Actions(int output) {
    posix_spawn_file_actions_init(&list);
    posix_spawn_file_actions_addopen(&list, STDIN_FILENO, kNullDevice, O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&list, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&list, output, STDERR_FILENO);
  }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() { posix_spawn_file_actions_destroy(&list); }
  posix_spawn_file_actions_t list;
};

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::vector<char*> argument_pointers(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

ProgramRun run_program(const std::vector<std::string>& words) {
  const std::vector<char*> arguments = argument_pointers(words);
  Pipe output;
  const Actions actions(output.ends[1]);
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, arguments[0], &actions.list, nullptr, arguments.data(), environ); error != 0)
    return {127, std::strerror(error)};
  output.close_writing();
  ProgramRun run;
  read_rest(output.ends[0], &run.output);
  run.status = wait_for(child);
  return run;
}

int run_attached_program(const std::vector<std::string>& words) {
  const std::vector<char*> arguments = argument_pointers(words);
  pid_t child = 0;
  if (posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) return 127;
  return wait_for(child);
}

bool has_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path ? path : ""; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    if (access((std::string(folder) + "/" + name).c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
  }
  return false;
}

}  // namespace fermiac
