#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <string_view>
#include <vector>

#include "cli/fermiac/shared/commands.h"
#include "cli/fermiac/shared/refuse.h"
#include "cli/selfcheck/oracle.h"
#include "cli/selfcheck/sweep.h"
#include "frontend/builtins/builtins.h"
#include "frontend/builtins/language.h"
#include "frontend/check/check.h"
#include "support/base/json_scan.h"
#include "support/platform/output.h"

namespace fermiac::cli {
namespace {

/// By name; functions that take functions and whatever those need have no row of signatures.
void print_table() {
  std::map<std::string_view, std::string_view> all;
  const std::vector<std::string> names = builtin_names();
  for (const std::string& name : names)
    if (const BuiltinRow* row = find_builtin(name)) all[name] = row->doc;
  for (const std::string_view name : special_function_names()) all[name] = "embedded Laplace approximation";  // but for these:
  for (const LanguageRow& row : language_rows())
    if (row.kind == LanguageRow::Kind::TakesFunction) all[row.name] = row.summary;
  for (const auto& [name, doc] : all) write_output(fmt::format("{:<36} {}\n", name, doc));
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
      return refuse(e.what());
    }
  }
  if (args.coverage) return print_coverage(args);
  if (args.reference) write_output(functions_reference());
  else if (args.signatures) write_output(dump_signatures());
  else print_table();
  return 0;
}

}  // namespace fermiac::cli
