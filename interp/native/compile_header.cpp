#include "interp/native/compile_header.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

#include "codegen/native/external.h"
#include "interp/native/user_header.h"
#include "support/base/text_file.h"
#include "support/platform/run_program.h"
#include "support/platform/temporary.h"

namespace fermiac::interp {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Contraction would round otherwise than the interpreter does.
const Words kFlags = {"-std=c++20", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno"};

Words words_of(const std::string& text) {
  std::istringstream in(text);
  Words out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

Words find_compiler() {
  if (const char* given = std::getenv("CXX"); given && *given) {
    const Words words = words_of(given);
    if (!words.empty() && has_program(words[0])) return words;
    throw InputError(fmt::format("the C++ compiler that CXX names is not there: {}", given));
  }
  for (const char* name : {"c++", "g++", "clang++"})
    if (has_program(name)) return {name};
  throw InputError("there is no C++ compiler (c++, g++ or clang++); CXX names another");
}

void write(const fs::path& file, std::string_view text) {
  if (const Status problem = write_whole_file(file.string(), text); !problem)
    throw InputError(fmt::format("cannot write '{}': {}", file.string(), problem.message));
}

Words command_of(const Words& compiler, const Words& more, const fs::path& source, const fs::path& object) {
  Words out = compiler;
  out.insert(out.end(), kFlags.begin(), kFlags.end());
  out.insert(out.end(), more.begin(), more.end());
  out.insert(out.end(), {"-o", object.string(), source.string()});
  return out;
}

/// For the files of one build.
struct BuildFolder {
  BuildFolder() {
    if (!folder) throw InputError(fmt::format("cannot make a folder for temporary files: {}", folder.path()));
  }
  fs::path operator/(const fs::path& name) const { return fs::path(folder.path()) / name; }
  const TemporaryFolder folder{"fermiac-build-"};
};

fs::path in_new_folder(const fs::path& file) {
  std::error_code failed;  // whoever writes the file says so
  fs::create_directories(file.parent_path(), failed);
  return file;
}

}  // namespace

std::string header_text(const CompiledModel& compiled, const std::string& version, const std::string& header) {
  namespace native = codegen::native;
  if (const Status bad = native::check_external(compiled.program); !bad) throw InputError(bad.message + kUserHeaderPage);
  return native::before_header(compiled.program) + included_header(header) + native::after_header(compiled.program, version, program_sum(compiled));
}

std::string compile_header(const std::string& text, const std::string& header) {
  const Words compiler = find_compiler();
  const BuildFolder build;
  const fs::path source = build / "model.cpp", object = build / "model.so";
  write(source, text);
  for (const auto& [name, content] : stand_in_headers()) write(in_new_folder(build / name), content);
  const ProgramRun run = run_program(command_of(compiler, stand_in_flags(build.folder.path()), source, object));
  if (run.status != 0) throw InputError(user_header_problem(header, run.output));
  const TextFile code = read_text_file(object.string(), false);
  if (!code.problem.empty()) throw InputError(code.problem);
  return code.text;
}

}  // namespace fermiac::interp
