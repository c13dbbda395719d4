// Time per element of every map that is a function of the language, value with the partials of all real operands, as
// the tape computes them: functions as vectors forward and in reverse, densities and distribution functions as fused
// sums.
//   maps_bench [--points FILE] [--rounds N] [--vectors MASK] [--elements N] [WORD...]    names with one of the words; all without
// Operand j is a vector if bit j of MASK is set (without: all are). It prints name, nanoseconds per element (the smallest of N rounds over all of them); --points also writes the arguments.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>

#include "tests/shared/map_points.h"

namespace fermiac::bench {
namespace {

struct Options {
  std::string points;
  int rounds = 5;
  unsigned vectors = ~0u;
  std::uint32_t elements = 512;
  std::vector<std::string> words;
  bool wants(std::string_view name) const {
    return words.empty() || std::ranges::any_of(words, [&](const auto& w) { return name.find(w) != name.npos; });
  }
};

Options parse(std::span<char*> args) {
  Options o;
  for (std::size_t i = 1; i < args.size(); ++i) {
    const std::string_view arg = args[i];
    if (arg == "--points" && i + 1 < args.size())
      o.points = args[++i];
    else if (arg == "--rounds" && i + 1 < args.size())
      o.rounds = std::atoi(args[++i]);
    else if (arg == "--vectors" && i + 1 < args.size())
      o.vectors = static_cast<unsigned>(std::atoi(args[++i]));
    else if (arg == "--elements" && i + 1 < args.size())
      o.elements = static_cast<std::uint32_t>(std::atoi(args[++i]));
    else
      o.words.emplace_back(arg);
  }
  return o;
}

/// Products of distribution functions are short: long ones are 0.
std::uint32_t count_of(const ad::MapOp& op, const Options& o) {
  return op.product ? std::min(o.elements, 64u) : o.elements;
}

/// One map with its arguments: run() is one evaluation with gradient.
class Subject {
 public:
  Subject(const ad::MapOp& op, Points points, const Options& o)
      : op_(op), n_(count_of(op, o)), points_(std::move(points)), out_(n_ + 8), out_a_(n_ + 8, 0.5) {
    adjoints_.assign(op.arity, std::vector<double>(n_ + 8));
    for (std::size_t j = 0; j < op.arity; ++j) {
      points_.x[j].resize(n_ + 8, points_.x[j].back());
      args_.x[j] = points_.x[j].data();
      if (points_.kinds[j] == 'r')
        args_.a[j] = adjoints_[j].data();
      else
        args_.keep.ad = static_cast<std::uint8_t>(args_.keep.ad & ~(1u << j));
    }
    args_.n = n_;
    args_.vector_mask = static_cast<std::uint16_t>(((1u << op.arity) - 1) & o.vectors);
    args_.out = out_.data();
    args_.out_a = out_a_.data();
  }
  void run() {
    if (op_.density) {
      double sum = 0;
      op_.fused(args_, &sum);
    } else {
      op_.map(args_);
      op_.map_reverse(args_);
    }
  }
  /// Nanoseconds per element over about 2 ms.
  double time() {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    for (long runs = 1;; ++runs) {
      run();
      const double ns = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
      if (ns > 2e6) return ns / (static_cast<double>(runs) * n_);
    }
  }
  std::uint32_t elements() const { return n_; }
  const Points& points() const { return points_; }
  double best = HUGE_VAL;

 private:
  const ad::MapOp& op_;
  std::uint32_t n_;
  Points points_;
  std::vector<double> out_, out_a_;
  std::vector<std::vector<double>> adjoints_;
  ad::MapArgs args_;
};

std::map<std::string, Subject> subjects(const Options& o) {
  std::map<std::string, Subject> all;
  for (const ad::MapOp& op : ad::all_maps()) {
    const std::string name(op.name);
    const auto kinds = o.wants(name) ? scalar_kinds(name, op.arity) : std::nullopt;
    if (!kinds || kinds->find('r') == kinds->npos) continue;
    if (auto points = PointFinder(op, *kinds).find(count_of(op, o)))
      all.try_emplace(name, op, std::move(*points), o);
    else
      std::fprintf(stderr, "%s: no arguments found\n", name.c_str());
  }
  return all;
}

/// Per map: name, kinds, number of elements; then a line of numbers per operand.
void write(const std::map<std::string, Subject>& all, const std::string& file) {
  std::ofstream out(file);
  out.precision(17);
  for (const auto& [name, s] : all) {
    out << name << ' ' << s.points().kinds << ' ' << s.elements() << '\n';
    for (const auto& column : s.points().x) {
      for (std::size_t i = 0; i < s.elements(); ++i) out << column[i] << (i + 1 < s.elements() ? ' ' : '\n');
    }
  }
}

}  // namespace
}  // namespace fermiac::bench

int main(int argc, char** argv) {
  using namespace fermiac::bench;
  const Options options = parse({argv, static_cast<std::size_t>(argc)});
  auto all = subjects(options);
  if (!options.points.empty()) write(all, options.points);
  for (int round = 0; round < options.rounds; ++round)
    for (auto& [name, subject] : all) subject.best = std::min(subject.best, subject.time());
  for (const auto& [name, subject] : all) std::printf("%s\t%.2f\n", name.c_str(), subject.best);
}
