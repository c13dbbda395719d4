// Checks built-in functions; started by `fermiac functions --check` and `--coverage`.
//   conformance check FILE.jsonl          runs every case of an oracle file
//   conformance coverage PREFIX SEED      calls every signature of the functions whose names begin with PREFIX
// Exit status: 0 if nothing is wrong, 1 otherwise.
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "interp/io/data.h"
#include "support/platform/output.h"
#include "tests/conformance/oracle.h"
#include "tests/conformance/sweep.h"

namespace fermiac::selfcheck {
namespace {

int check(const std::string& file) {
  const auto note = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); };
  try {
    return check_oracle_file(file, [](std::string_view text) { write_output(text); }, note) ? 0 : 1;
  } catch (const InputError& e) {
    fmt::print(stderr, "fermiac: {}\n", e.what());
    return 1;
  }
}

int cover(const std::string& prefix, std::uint64_t seed) {
  const SweepReport r = sweep_functions(prefix, seed);
  for (const SweepFinding& f : r.findings) write_output(fmt::format("{}: {}\n", f.signature, f.what));
  write_output(fmt::format("{} signatures, {} take functions, {} of the others implemented, {} too deep, {} called; gradients of "
                           "{} compared with differences, {} with loops over elements; {} findings (seed {})\n",
                           r.signatures, r.take_functions, r.implemented, r.too_deep, r.called, r.differentiated, r.looped,
                           r.findings.size(), seed));
  return r.findings.empty() ? 0 : 1;
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 2 && words[0] == "check") return check(words[1]);
  std::uint64_t seed = 0;
  if (words.size() == 3 && words[0] == "coverage" &&
      std::from_chars(words[2].data(), words[2].data() + words[2].size(), seed).ec == std::errc{})
    return cover(words[1], seed);
  fmt::print(stderr, "usage: conformance check FILE.jsonl | conformance coverage PREFIX SEED\n");
  return 1;
}

}  // namespace
}  // namespace fermiac::selfcheck

int main(int argc, char** argv) {
  fermiac::prepare_streams();
  return fermiac::finish_output("fermiac", fermiac::selfcheck::run({argv + 1, argv + argc}));
}
