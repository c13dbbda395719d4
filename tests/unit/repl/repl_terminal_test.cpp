// The program at a real (pseudo) terminal: prompt, completion, history, several lines, Ctrl-C, Ctrl-D.
#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <poll.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/shared/programs.h"

namespace fermiac::repl {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(20);


class Terminal {
 public:
  explicit Terminal(const std::string& history, const char* term = "dumb", const char* no_color = "") {
    winsize size{.ws_row = 40, .ws_col = 120, .ws_xpixel = 0, .ws_ypixel = 0};
    pid_ = forkpty(&fd_, nullptr, nullptr, &size);
    if (pid_ == 0) {
      setenv("TERM", term, 1);
      setenv("NO_COLOR", no_color, 1);
      setenv("INPUTRC", "/dev/null", 1);
      std::signal(SIGINT, SIG_DFL);  // a test runner in the background ignores it, and children inherit that
      execl(testing::kFermiac.c_str(), "fermiac", "repl", "--history", history.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
  }
  ~Terminal() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(fd_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void type(const std::string& keys) {
    ASSERT_EQ(write(fd_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }

  /// Reads until `text` appears behind what was read up to the last such call.
  ::testing::AssertionResult sees(const std::string& text, std::chrono::milliseconds patience = kPatience) {
    const auto deadline = Clock::now() + patience;
    for (;;) {
      const std::size_t at = seen_.find(text, from_);
      if (at != std::string::npos) {
        from_ = at + text.size();
        return ::testing::AssertionSuccess();
      }
      if (!more(deadline))
        return ::testing::AssertionFailure() << "'" << text << "' did not appear in:\n" << seen_.substr(from_);
    }
  }

  /// Ctrl-C, once: none is lost.
  ::testing::AssertionResult interrupts(const std::string& text) {
    type("\x03");
    return sees(text);
  }

  /// Exit status; reads what is left meanwhile. A program that does not end in time is killed and gives -1.
  int wait() {
    const auto deadline = Clock::now() + kPatience;
    while (more(deadline)) {
    }
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == 0) {
      // The terminal may close a moment before the program is gone.
      if (Clock::now() >= deadline) kill(pid_, SIGKILL);
      waitpid(pid_, &status, 0);
    }
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  /// Waits for the prompt: what is typed before the line editor has the terminal is taken by the terminal itself, which
  /// gives control characters another meaning.
  ::testing::AssertionResult prompts() { return sees("> "); }
  /// Everything so far.
  const std::string& text() const { return seen_; }
  void resize(unsigned short columns) const {
    winsize size{.ws_row = 40, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    ASSERT_EQ(ioctl(fd_, TIOCSWINSZ, &size), 0);
  }

 private:
  /// Appends to seen_ what the program writes next; false at its end or at the deadline.
  bool more(Clock::time_point deadline) {
    pollfd p{.fd = fd_, .events = POLLIN, .revents = 0};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || poll(&p, 1, static_cast<int>(left)) <= 0) return false;
    char buffer[4096];
    const ssize_t n = read(fd_, buffer, sizeof buffer);
    if (n > 0) seen_.append(buffer, static_cast<std::size_t>(n));
    return n > 0;
  }

  int fd_ = -1;
  pid_t pid_ = 0;
  std::string seen_;
  std::size_t from_ = 0;
};

class ReplTerminal : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("fermiac-terminal-" + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string history() const { return (folder_ / "history").string(); }
  std::filesystem::path folder_;
};

TEST_F(ReplTerminal, PromptsEvaluatesAndEnds) {
  Terminal t(history());
  ASSERT_TRUE(t.prompts());
  t.type("6 * 7\r");
  ASSERT_TRUE(t.sees("42 : int"));
  ASSERT_TRUE(t.prompts());
  t.type("real f(real x) {\r");
  ASSERT_TRUE(t.sees(". "));
  t.type("return 2 * x; }\r");
  ASSERT_TRUE(t.sees("real f(real x)"));
  ASSERT_TRUE(t.prompts());
  t.type("f(4)\r");
  ASSERT_TRUE(t.sees("8 : real"));
  ASSERT_TRUE(t.prompts());
  t.type("\x04");
  EXPECT_EQ(t.wait(), 0);
}

TEST_F(ReplTerminal, CompletesWithTab) {
  Terminal t(history());
  ASSERT_TRUE(t.prompts());
  t.type("my_long_name = 11\r");
  ASSERT_TRUE(t.sees("my_long_name = 11 : int"));
  ASSERT_TRUE(t.prompts());
  t.type("2 * my_l\t\r");
  ASSERT_TRUE(t.sees("22 : int"));
  ASSERT_TRUE(t.prompts());
  t.type(":apr\tinv_wish\r");
  ASSERT_TRUE(t.sees("inv_wishart_lpdf"));
  ASSERT_TRUE(t.prompts());
  t.type("log1p_e\t(0)\r");
  ASSERT_TRUE(t.sees("0.693147 : real"));
}

TEST_F(ReplTerminal, KeepsItsHistory) {
  {
    Terminal t(history());
    ASSERT_TRUE(t.prompts());
    t.type("30 + 3\r");
    ASSERT_TRUE(t.sees("33 : int"));
    ASSERT_TRUE(t.prompts());
    t.type("\x10\r");  // Ctrl-P: the line before
    ASSERT_TRUE(t.sees("33 : int"));
    ASSERT_TRUE(t.prompts());
    t.type(":quit\r");
    EXPECT_EQ(t.wait(), 0);
  }
  Terminal again(history());
  ASSERT_TRUE(again.prompts());
  again.type("\x10\x10\r");
  ASSERT_TRUE(again.sees("33 : int"));
}

TEST_F(ReplTerminal, ControlCCancelsTheLineAndTheEvaluation) {
  Terminal t(history());
  ASSERT_TRUE(t.prompts());
  t.type("1 + 1 + 1");
  ASSERT_TRUE(t.sees("1 + 1 + 1"));
  ASSERT_TRUE(t.interrupts("^C"));
  ASSERT_TRUE(t.prompts());
  t.type("real g(real x) {\r");
  ASSERT_TRUE(t.sees(". "));
  ASSERT_TRUE(t.interrupts("> "));
  t.type("k = 5\r");
  ASSERT_TRUE(t.sees("k = 5 : int"));
  ASSERT_TRUE(t.prompts());
  t.type("print(\"begun\"); while (1) k += 1;\r");
  ASSERT_TRUE(t.sees("begun\r\n"));
  ASSERT_TRUE(t.interrupts("Interrupted."));
  ASSERT_TRUE(t.prompts());
  t.type("k\r");
  ASSERT_TRUE(t.sees("k = 5 : int"));
}

TEST_F(ReplTerminal, ColoursWhatIsTyped) {
  Terminal t(history(), "xterm-256color");
  ASSERT_TRUE(t.prompts());
  t.type("real x = 1.5;");
  ASSERT_TRUE(t.sees("\x1b[0;36mreal\x1b[0m x = \x1b[0;33m1.5\x1b[0m;"));
  t.type(" // half");
  ASSERT_TRUE(t.sees("\x1b[0;2m// half\x1b[0m"));
  t.type("\r");
  ASSERT_TRUE(t.sees("\r\nx = 1.5 : real"));
  ASSERT_TRUE(t.prompts());
  t.type("exp(x))");
  ASSERT_TRUE(t.sees("\x1b[0;34mexp\x1b[0m(x)\x1b[0;41m)\x1b[0m"));
  t.type("\x7f\r");  // takes the lone bracket away
  ASSERT_TRUE(t.sees("4.48169 : real"));
  ASSERT_TRUE(t.prompts());
  t.type(":apr");
  t.type("\t");
  ASSERT_TRUE(t.sees("\x1b[0;1m:apropos\x1b[0m "));
  ASSERT_TRUE(t.interrupts("^C\r"));
}

TEST_F(ReplTerminal, WrapsLongInputAndFollowsTheWindow) {
  Terminal t(history(), "xterm-256color");
  ASSERT_TRUE(t.prompts());
  std::string sum = "1";
  for (int i = 0; i < 70; ++i) sum += "+1";  // 141 characters in 120 columns
  t.type(sum);
  ASSERT_TRUE(t.sees("+\r"));
  t.resize(60);
  t.type("+1");
  t.type(
      "\x01"
      "2+\x05");  // at the start, and back to the end
  t.type("\r");
  ASSERT_TRUE(t.sees("74 : int"));
  ASSERT_TRUE(t.prompts());
  t.type("{ int a = 1;\r");
  ASSERT_TRUE(t.sees(". "));
  t.type("print(a + 40);\r");
  ASSERT_TRUE(t.sees(". "));
  t.type("}\r");
  ASSERT_TRUE(t.sees("\r\n41\r\n"));
  ASSERT_TRUE(t.prompts());
  t.type("\x10");  // all three lines come back
  ASSERT_TRUE(t.sees("print\x1b[0m(a + \x1b[0;33m40"));
  t.type("\r");
  ASSERT_TRUE(t.sees("\r\n41\r\n"));
}

TEST_F(ReplTerminal, KeepsInputsOfSeveralLinesInItsHistory) {
  for (const char* term : {"xterm-256color", "dumb"}) {
    Terminal t(history(), term);
    ASSERT_TRUE(t.prompts());
    if (term == std::string("xterm-256color")) {
      t.type("1 +\t(\r");
      ASSERT_TRUE(t.sees(". "));
      t.type("41)\r");
    } else {
      t.type("\x10\r");
    }
    ASSERT_TRUE(t.sees("42 : int")) << term;
    ASSERT_TRUE(t.prompts());
    t.type("\x04");
    EXPECT_EQ(t.wait(), 0);
  }
}

TEST_F(ReplTerminal, APastedProgramIsOneInput) {
  const std::string program = "data {\r  int M;\r}\r\rparameters { real a; }\rmodel { a ~ normal(M, 1); }\r";
  for (const char* term : {"xterm-256color", "dumb"}) {
    Terminal t(history(), term);
    ASSERT_TRUE(t.prompts());
    t.type("parameters { real old; }\r");
    ASSERT_TRUE(t.sees("model typed_model: 0 data variables, 1 parameter"));
    ASSERT_TRUE(t.prompts());
    t.type(program);  // a terminal without bracketed paste
    ASSERT_TRUE(t.sees("model typed_model: 1 data variable, 1 parameter")) << t.text();
    ASSERT_TRUE(t.prompts());
  t.type("\x04");
    EXPECT_EQ(t.wait(), 0);
    EXPECT_EQ(t.text().find("rror"), std::string::npos) << t.text();
  }
  Terminal t(history(), "xterm-256color");
  ASSERT_TRUE(t.prompts());
  t.type("\x1b[200~" + program + "M = 3\r:data\r\x1b[201~\r");
  ASSERT_TRUE(t.sees("from the session: M")) << t.text();
  ASSERT_TRUE(t.prompts());
  t.type("\x04");
  EXPECT_EQ(t.wait(), 0);
  EXPECT_EQ(t.text().find("rror"), std::string::npos) << t.text();
}

TEST_F(ReplTerminal, EditsTheModelAndLoadsIt) {
  setenv("VISUAL", "sed -i -e s/9/10/ -e s/5/9/", 1);
  Terminal t(history());
  unsetenv("VISUAL");
  ASSERT_TRUE(t.prompts());
  t.type("parameters { real a; } model { a ~ normal(0, 5); }\r");
  ASSERT_TRUE(t.sees("model typed_model: 0 data variables, 1 parameter"));
  ASSERT_TRUE(t.prompts());
  t.type(":edit\r");
  ASSERT_TRUE(t.sees("model typed_model: 0 data variables, 1 parameter")) << t.text();
  ASSERT_TRUE(t.prompts());
  t.type(":lp a = 0\r");
  ASSERT_TRUE(t.sees("a ~ normal(0, 9);")) << t.text();
  ASSERT_TRUE(t.prompts());
  t.type("\x04");
  EXPECT_EQ(t.wait(), 0);
}

TEST_F(ReplTerminal, WhatTheEditorLeftIsKeptWhereItCannotBeLoaded) {
  setenv("VISUAL", "sed -i -e s/almost/normal/ -e s/normla/almost/", 1);
  Terminal t(history());
  unsetenv("VISUAL");
  ASSERT_TRUE(t.prompts());
  t.type("functions { real normla(real x) { return x; } } parameters { real a; } model { a ~ normal(normla(1), 1); }\r");
  ASSERT_TRUE(t.sees("1 parameter"));
  ASSERT_TRUE(t.prompts());
  t.type(":edit\r");  // only the first of a line: `real almost`, and a call of what is gone
  ASSERT_TRUE(t.sees("'normla'")) << t.text();
  ASSERT_TRUE(t.sees("What you wrote is kept: :edit opens it again.")) << t.text();
  ASSERT_TRUE(t.prompts());
  t.type(":lp a = 1\r");
  ASSERT_TRUE(t.sees("lp = ")) << t.text();
  ASSERT_TRUE(t.prompts());
  t.type(":edit\r");  // `real normal`, and a call of `almost`
  ASSERT_TRUE(t.sees("'almost'")) << t.text();
  ASSERT_TRUE(t.prompts());
  t.type("\x04");
  EXPECT_EQ(t.wait(), 0);
}

TEST_F(ReplTerminal, HasNoColoursWhereNoneAreWanted) {
  for (const auto& [term, no_color] : {std::pair{"xterm-256color", "1"}, {"dumb", ""}}) {
    Terminal t(history(), term, no_color);
    ASSERT_TRUE(t.prompts());
    t.type("real x = 1.5;\r");
    ASSERT_TRUE(t.sees("x = 1.5 : real"));
    EXPECT_EQ(t.text().find("\x1b[0;3"), std::string::npos) << term << "\n" << t.text();
  }
}

TEST_F(ReplTerminal, ListsCompletions) {
  Terminal t(history(), "xterm-256color");
  ASSERT_TRUE(t.prompts());
  t.type("normal_l\t\t");
  ASSERT_TRUE(t.sees("normal_lccdf  normal_lcdf   normal_lpdf"));
  ASSERT_TRUE(t.prompts());
  t.type("pdf(0 | 0, 1)\r");
  ASSERT_TRUE(t.sees("-0.918939 : real"));
}

TEST_F(ReplTerminal, ControlCEndsARunInsideAModel) {
  Terminal t(history(), "xterm-256color");
  ASSERT_TRUE(t.prompts());
  t.type("parameters { real a; } model { print(\"begun\"); a ~ normal(0, 1); while (1) {} }\r");
  ASSERT_TRUE(t.sees("data bound"));
  ASSERT_TRUE(t.prompts());
  t.type(":lp\r");
  ASSERT_TRUE(t.sees("begun\r\n"));
  ASSERT_TRUE(t.interrupts("Interrupted."));
  ASSERT_TRUE(t.prompts());
}

TEST_F(ReplTerminal, ThirdControlCEndsWhatCannotBeStopped) {
  Terminal t(history(), "xterm-256color");
  ASSERT_TRUE(t.prompts());
  const std::string pipe = history() + ".pipe";  // nobody will ever write to it
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  t.type(":model " + pipe + "\r");
  usleep(300'000);
  t.type("\x03\x03\x03\x03");  // together they are one: the function gets time to end
  ASSERT_FALSE(t.sees("cannot be stopped", std::chrono::milliseconds(500)));
  usleep(600'000);
  t.type("\x03");
  ASSERT_TRUE(t.sees("cannot be stopped"));
  usleep(1'100'000);
  t.type("\x03");
  EXPECT_EQ(t.wait(), -1);  // of the signal
}

TEST_F(ReplTerminal, ControlCEndsALargeDecomposition) {
  Terminal t(history(), "xterm-256color");
  ASSERT_TRUE(t.prompts());
  t.type("x = linspaced_vector(4000000, 1, 4e6); m = to_matrix(sin(x .* x), 2000, 2000); print(\"begun\"); singular_values(m)\r");
  ASSERT_TRUE(t.sees("begun\r\n"));
  ASSERT_TRUE(t.interrupts("Interrupted."));
  ASSERT_TRUE(t.prompts());
}

TEST_F(ReplTerminal, ControlCEndsALargeFactorisation) {
  Terminal t(history(), "xterm-256color");
  ASSERT_TRUE(t.prompts());
  t.type("m = add_diag(rep_matrix(0.5, 3000, 3000), 1); print(\"begun\"); n = inverse(m);\r");
  ASSERT_TRUE(t.sees("begun\r\n"));
  ASSERT_TRUE(t.interrupts("Interrupted."));
  ASSERT_TRUE(t.prompts());
  t.type("2 + 3\r");
  ASSERT_TRUE(t.sees("5 : int"));
}

TEST_F(ReplTerminal, NoControlCIsLost) {
  Terminal t(history(), "xterm-256color");
  ASSERT_TRUE(t.prompts());
  for (int i = 0; i < 50; ++i) {
    t.type(i % 2 ? "a" : "");  // together with a key: the terminal must not drop it between the news of it and its reading
    ASSERT_TRUE(t.interrupts("^C")) << i;
    ASSERT_TRUE(t.prompts()) << i;
  }
  t.type("2 + 3\r");
  ASSERT_TRUE(t.sees("5 : int"));
}

TEST_F(ReplTerminal, ControlCWhileChainsRunInTheirThreads) {
  Terminal t(history(), "xterm-256color");
  ASSERT_TRUE(t.prompts());
  t.type("parameters { real a; } model { a ~ normal(0, 1); }\r");
  ASSERT_TRUE(t.sees("data bound"));
  ASSERT_TRUE(t.prompts());
  for (int i = 0; i < 3; ++i) {
    t.type(":sample chains=4 samples=100000000\r");
    usleep(200'000);
    ASSERT_TRUE(t.interrupts("Interrupted"));
    ASSERT_TRUE(t.prompts());
    ASSERT_TRUE(t.interrupts("^C"));
    ASSERT_TRUE(t.prompts());
  }
}

/// Output and exit status of the program fed by a pipe.
int piped(const std::string& input, std::string* output) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("fermiac-piped-" + std::to_string(getpid()))).string();
  std::ofstream(file) << input;
  std::FILE* pipe = popen((testing::kFermiac + " repl < " + file + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) output->append(buffer, n);
  const int status = pclose(pipe);
  std::filesystem::remove(file);
  return WEXITSTATUS(status);
}

TEST(ReplPiped, ExitStatusTellsOfFailures) {
  std::string output;
  EXPECT_EQ(piped("x = 3\nvector[2] v =\n  [1, 2]';\nx * v\n", &output), 0);
  EXPECT_NE(output.find("[3, 6] : vector[2]"), std::string::npos) << output;
  output.clear();
  EXPECT_EQ(piped("x = 3\ny\nx + 1\n", &output), 1);
  EXPECT_NE(output.find("4 : int"), std::string::npos) << output;
  output.clear();
  EXPECT_EQ(piped("1\n:quit\nnonsense\n", &output), 0);
}

}  // namespace
}  // namespace fermiac::repl
