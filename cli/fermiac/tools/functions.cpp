#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/fermiac/shared/commands.h"
#include "cli/fermiac/shared/refuse.h"
#include "frontend/builtins/builtins.h"
#include "frontend/builtins/language.h"
#include "frontend/check/check.h"
#include "support/base/json_scan.h"
#include "support/platform/output.h"
#include "support/platform/process.h"
#include "support/platform/run_program.h"

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

/// Starts the program that checks functions, which is made for development and not installed.
int run_conformance(std::vector<std::string> words) {
  const std::string program = private_file("conformance").string();
  if (!has_program(program)) return refuse("there is no " + program + ": functions are checked in a build folder, after cmake --build");
  words.insert(words.begin(), program);
  return run_attached_program(words);
}

}  // namespace

int run_functions(const FunctionsArgs& args) {
  if (!args.check.empty()) return run_conformance({"check", args.check});
  if (args.coverage) return run_conformance({"coverage", args.only, std::to_string(args.seed)});
  if (args.reference) write_output(functions_reference());
  else if (args.signatures) write_output(dump_signatures());
  else print_table();
  return 0;
}

}  // namespace fermiac::cli
