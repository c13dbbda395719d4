#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "cli/fermiac/commands.h"
#include "cli/selfcheck/oracle.h"
#include "cli/selfcheck/sweep.h"
#include "frontend/builtins/builtins.h"
#include "support/json_scan.h"
#include "support/output.h"

namespace fermiac::cli {
namespace {

void print_table() {
  for (const std::string& name : builtin_names()) {
    const BuiltinRow* row = find_builtin(name);
    write_output(fmt::format("{:<36} {}\n", name, row == nullptr ? "" : row->doc));
  }
}

int print_coverage(const FunctionsArgs& args) {
  const selfcheck::SweepReport r = selfcheck::sweep_functions(args.only, args.seed);
  for (const selfcheck::SweepFinding& f : r.findings) write_output(fmt::format("{}: {}\n", f.signature, f.what));
  write_output(fmt::format("{} signatures, {} take functions, {} of the others implemented, {} too deep, {} called; gradients of "
                           "{} compared with differences, {} with loops over elements; {} findings (seed {})\n",
                           r.signatures, r.take_functions, r.implemented, r.too_deep, r.called, r.differentiated, r.looped,
                           r.findings.size(), args.seed));
  return r.findings.empty() ? 0 : 1;
}

}  // namespace

int run_functions(const FunctionsArgs& args) {
  if (!args.check.empty()) {
    try {
      const auto note = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); };
      return selfcheck::check_oracle_file(args.check, [](std::string_view text) { write_output(text); }, note) ? 0 : 1;
    } catch (const interp::DataError& e) {
      std::fprintf(stderr, "fermiac: %s\n", e.what());
      return 1;
    }
  }
  if (args.coverage) return print_coverage(args);
  if (args.reference) write_output(functions_reference());
  else if (args.signatures) write_output(dump_signatures());
  else print_table();
  return 0;
}

}  // namespace fermiac::cli
