// A program run as a child, in whatever surroundings: limits, closed streams, signals that come at a given time.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/shared/programs.h"

namespace fermiac::testing {

struct Child {
  Words command;
  std::string input;                   // standard input, from a file; empty: /dev/null
  std::string output;                  // standard output goes to this file; empty: is kept
  bool close_input = false, close_output = false, close_errors = false;
  std::size_t read_at_most = SIZE_MAX; // of standard output, which is then closed: a reader that goes away
  std::optional<rlim_t> file_size, memory;
  struct Signal {
    int number;
    double seconds;
  };
  std::vector<Signal> signals;         // in the order of time
  const std::atomic<bool>* enough = nullptr;  // SIGTERM once this is true
  double patience = 30;                // seconds; then it is killed, and `hung` is set
};

struct ChildEnd {
  int status = 0;  // 128 + number for a signal
  bool hung = false;
  double seconds = 0;
  std::string out, err;
};

namespace child {

inline void limit(int resource, const std::optional<rlim_t>& value) {
  const rlimit bound{value.value_or(0), value.value_or(0)};
  if (value) setrlimit(resource, &bound);
}

inline void redirect(int fd, const std::string& path, int flags) {
  const int opened = open(path.c_str(), flags, 0666);
  if (opened < 0 || dup2(opened, fd) < 0) _exit(97);
  close(opened);
}

[[noreturn]] inline void become(const Child& c, const int out[2], const int err[2]) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is ended leaves nothing behind
  std::vector<char*> arguments;
  for (const std::string& a : c.command) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
  redirect(STDIN_FILENO, c.input.empty() ? "/dev/null" : c.input, O_RDONLY);
  if (c.output.empty()) dup2(out[1], STDOUT_FILENO);
  else redirect(STDOUT_FILENO, c.output, O_WRONLY | O_CREAT | O_APPEND);
  dup2(err[1], STDERR_FILENO);
  for (const int fd : {out[0], out[1], err[0], err[1]}) close(fd);
  if (c.close_input) close(STDIN_FILENO);
  if (c.close_output) close(STDOUT_FILENO);
  if (c.close_errors) close(STDERR_FILENO);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  limit(RLIMIT_FSIZE, c.file_size);
  limit(RLIMIT_AS, c.memory);
  execv(arguments[0], arguments.data());
  _exit(98);
}

/// Reads what is there; closes the descriptor at its end, or when `most` is reached.
inline void drain(int& fd, std::string& text, std::size_t most) {
  char bytes[4096];
  const ssize_t n = read(fd, bytes, std::min(sizeof bytes, most - text.size()));
  if (n > 0) text.append(bytes, static_cast<std::size_t>(n));
  if (n > 0 && text.size() < most) return;
  close(fd);
  fd = -1;
}

}  // namespace child

inline ChildEnd run_child(const Child& c) {
  using Clock = std::chrono::steady_clock;
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return {};
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const pid_t pid = fork();
  if (pid == 0) child::become(c, out, err);
  close(out[1]);
  close(err[1]);
  ChildEnd end;
  std::size_t sent = 0;
  int status = 0;
  bool exited = false, told = false;
  while (!exited || out[0] >= 0 || err[0] >= 0) {
    pollfd ends[] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
    poll(ends, 2, 2);
    if (out[0] >= 0 && ends[0].revents) child::drain(out[0], end.out, c.read_at_most);
    if (err[0] >= 0 && ends[1].revents) child::drain(err[0], end.err, SIZE_MAX);
    for (; sent < c.signals.size() && elapsed() >= c.signals[sent].seconds && !exited; ++sent)
      kill(pid, c.signals[sent].number);
    if (c.enough && *c.enough && !told && !exited) {
      told = true;
      kill(pid, SIGTERM);
    }
    if (!exited && waitpid(pid, &status, WNOHANG) == pid) {
      exited = true;
      end.seconds = elapsed();
    }
    if (!exited && elapsed() > c.patience && !end.hung) {
      end.hung = true;
      kill(pid, SIGKILL);
    }
  }
  end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return end;
}

inline std::string describe(const Child& c, const ChildEnd& e) {
  std::string text;
  for (const std::string& a : c.command) text += a + " ";
  if (c.file_size) text += "\n  files of at most " + std::to_string(*c.file_size) + " bytes";
  for (const Child::Signal& s : c.signals)
    text += "\n  signal " + std::to_string(s.number) + " after " + std::to_string(s.seconds) + " s";
  return text + "\n  status " + std::to_string(e.status) + (e.hung ? ", hung" : "") + " after " + std::to_string(e.seconds) +
         " s\n--- out\n" + e.out.substr(0, 2000) + "--- err\n" + e.err.substr(0, 2000);
}

}  // namespace fermiac::testing
