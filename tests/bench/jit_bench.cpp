// Generated quantities as nodes and as machine code made while they run, in turn, the fastest of several windows: time per draw
// and their ratio. Loops of its own, or one model: jit_bench MODEL.stan DATA.json. `jit_bench LOOP nodes|code N` makes N draws of
// one loop and nothing else, for programs that count instructions.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "interp/exec/runs/jit_unit.h"
#include "interp/model/interp_model.h"
#include "support/base/render.h"
#include "support/base/rng.h"

namespace {

using namespace fermiac;  // NOLINT: a program of its own

struct Loop {
  std::string name, text, data;
};

const std::vector<Loop>& loops() {
  static const std::string head = "data { int N; vector[N] y; array[N] int g; matrix[N, 8] X; } parameters { real x; vector[8] b; } generated quantities { ";
  static const std::string data = [] {
    std::string y, g, X;
    for (int i = 0; i < 1000; ++i) {
      const char* const comma = i > 0 ? ", " : "";
      y += fmt::format("{}{}", comma, 0.01 * (i % 37)), g += fmt::format("{}{}", comma, 1 + i % 8);
      X += fmt::format("{}[{}, 1, 2, 3, 4, 5, 6, 7]", comma, i % 5);
    }
    return fmt::format(R"({{"N": 1000, "y": [{}], "g": [{}], "X": [{}]}})", y, g, X);
  }();
  static const std::vector<Loop> all = {
      {"recurrence", head + "real s = x; for (i in 1:N) s = 0.9 * s + x * y[i]; }", data},
      {"elements", head + "vector[N] w; for (i in 1:N) w[i] = y[i] * b[g[i]] + x; }", data},
      {"matrix", head + "real s = 0; for (i in 1:N) for (j in 1:8) s += X[i, j] * b[j]; }", data},
      {"branches", head + "int n = 0; real s = 0; for (i in 1:N) { if (y[i] > x && i % 3 != 0) n += 1; else s += y[i]; } }", data},
      {"calls", "functions { real f(real a, real b) { return a * b + 1 / (a * a + 1); } } " + head + "real s = 0; for (i in 1:N) s += f(x, y[i]); }", data},
      {"random", head + "vector[N] w; for (i in 1:N) w[i] = normal_rng(x, 1); }", data},
      {"exp", head + "vector[N] w; for (i in 1:N) w[i] = exp(x * y[i]) + log1p(y[i]); }", data},
  };
  return all;
}

std::shared_ptr<const interp::CompiledModel> compiled(const Loop& loop, Jit jit) {
  auto out = interp::compile_model({.text = loop.text, .path = loop.name, .name = "bench_model"}, {.jit = jit});
  if (*out) return out;
  fmt::print("{}", render_errors(out->sources(), out->diagnostics));
  std::exit(1);
}

/// Microseconds per draw in one window.
class Draws {
 public:
  Draws(const Loop& loop, Jit jit)
      : compiled_(compiled(loop, jit)),
        model_(compiled_, interp::DataSource::parse(loop.data, "data"), 1, {}, nullptr, {.tapes = false}),
        theta_(model_.unconstrained_size(), 0.1),
        out_(model_.names(true, true).size()) {
    workspace_ = model_.workspace();
  }

  double window(double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    std::size_t count = 0;
    double taken = 0;
    do {
      workspace_->write_array(theta_, true, true, rng_, out_);
      ++count;
      taken = std::chrono::duration<double>(Clock::now() - start).count();
    } while (taken < seconds);
    return taken / static_cast<double>(count) * 1e6;
  }
  /// Milliseconds of the first draw.
  double first() {
    const auto start = std::chrono::steady_clock::now();
    draw(2);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  /// One draw with random numbers of its own.
  std::vector<double> draw(std::uint64_t seed) {
    Rng rng(seed);
    workspace_->write_array(theta_, true, true, rng, out_);
    return out_;
  }
  std::size_t units() const { return compiled_->code->jit_units.size(); }

 private:
  std::shared_ptr<const interp::CompiledModel> compiled_;
  interp::InterpModel model_;
  std::unique_ptr<ModelWorkspace> workspace_;
  std::vector<double> theta_, out_;
  Rng rng_{1};
};

bool same_bits(const std::vector<double>& x, const std::vector<double>& y) {
  return std::ranges::equal(x, y, [](double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b); });
}

/// Milliseconds from the text to a program that can run, the least of ten.
double preparation(const Loop& loop, Jit jit) {
  double least = 1e300;
  for (int k = 0; k < 10; ++k) least = std::min(least, compiled(loop, jit)->milliseconds);
  return least;
}

void compare(const Loop& loop) {
  Draws nodes(loop, Jit::Never), code(loop, Jit::Warm), at_once(loop, Jit::Always);
  const double first_of_nodes = nodes.first(), first_of_code = at_once.first();
  if (!same_bits(nodes.draw(3), at_once.draw(3))) fmt::print("{}: OTHER NUMBERS\n", loop.name);
  double of_nodes = 1e300, of_code = 1e300;
  code.window(0.2);  // until it is warm
  for (int k = 0; k < 5; ++k) {
    of_nodes = std::min(of_nodes, nodes.window(0.1));
    of_code = std::min(of_code, code.window(0.1));
  }
  const double without = preparation(loop, Jit::Never), with = preparation(loop, Jit::Warm);
  fmt::print("{:<24} preparation {:.2f} ms, with units {:.2f} ms; first draw {:.2f} ms, with all code made {:.2f} ms\n", loop.name, without, with,
             first_of_nodes, first_of_code);
  fmt::print("{:<24} units {:>3}  nodes {:>9.2f} us  machine code {:>9.2f} us  ratio {:.2f}\n", loop.name, code.units(), of_nodes, of_code, of_nodes / of_code);
}

std::string file_text(const char* path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

int only_draw(const std::string& name, const std::string& how, int count) {
  const auto loop = std::ranges::find(loops(), name, &Loop::name);
  if (loop == loops().end() || (how != "nodes" && how != "code")) return fmt::print(stderr, "jit_bench LOOP nodes|code N\n"), 2;
  Draws draws(*loop, how == "code" ? Jit::Always : Jit::Never);
  for (int k = 0; k < count; ++k) draws.draw(1);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4) return only_draw(argv[1], argv[2], std::atoi(argv[3]));
  if (argc == 3) return compare({argv[1], file_text(argv[1]), file_text(argv[2])}), 0;
  for (const Loop& loop : loops()) compare(loop);
  return 0;
}
