#include <cstdio>
#include <string_view>

#include "cli/fermiac/commands.h"
#include "frontend/builtins/builtins.h"
#include "interp/io/json_scan.h"
#include "interp/io/oracle.h"
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
  if (args.signatures) print(dump_signatures());
  else print_table();
  return 0;
}

}  // namespace fermiac::cli
