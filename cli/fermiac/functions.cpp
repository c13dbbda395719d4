#include <cstdio>
#include <string_view>

#include "cli/fermiac/commands.h"
#include "frontend/builtins/builtins.h"
#include "interp/io/json_scan.h"
#include "interp/io/oracle.h"
#include "interp/io/sweep.h"
#include "interp/model/source_case.h"

namespace fermiac::cli {
namespace {

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_table() {
  for (const std::string& name : builtin_names()) {
    const BuiltinRow* row = find_builtin(name);
    std::printf("%-36s %s\n", name.c_str(), row == nullptr ? "" : std::string(row->doc).c_str());
  }
}

int print_coverage(const FunctionsArgs& args) {
  const interp::SweepReport r = interp::sweep_functions(args.only, args.seed);
  for (const interp::SweepFinding& f : r.findings) std::printf("%s: %s\n", f.signature.c_str(), f.what.c_str());
  std::printf("%zu signatures, %zu take functions, %zu of the others implemented, %zu too deep, %zu called; gradients of %zu compared with "
              "differences, %zu with loops over elements; %zu findings (seed %llu)\n",
              r.signatures, r.take_functions, r.implemented, r.too_deep, r.called, r.differentiated, r.looped, r.findings.size(),
              static_cast<unsigned long long>(args.seed));
  return r.findings.empty() ? 0 : 1;
}

}  // namespace

int run_functions(const FunctionsArgs& args) {
  if (!args.check.empty()) {
    try {
      return interp::check_oracle_file(args.check, print, interp::check_source_case) ? 0 : 1;
    } catch (const interp::DataError& e) {
      std::fprintf(stderr, "fermiac: %s\n", e.what());
      return 1;
    }
  }
  if (args.coverage) return print_coverage(args);
  if (args.reference) print(functions_reference());
  else if (args.signatures) print(dump_signatures());
  else print_table();
  return 0;
}

}  // namespace fermiac::cli
