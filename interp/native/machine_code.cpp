#include "interp/native/machine_code.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

#include "codegen/native/emit.h"
#include "codegen/native/external.h"
#include "interp/native/module.h"
#include "interp/native/user_header.h"
#include "support/base/cache_folder.h"
#include "support/base/checksum.h"
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
    throw MachineCodeError(fmt::format("the C++ compiler that CXX names is not there: {}", given));
  }
  for (const char* name : {"c++", "g++", "clang++"})
    if (has_program(name)) return {name};
  throw MachineCodeError("there is no C++ compiler (c++, g++ or clang++); CXX names another, and `fermiac bundle` needs none");
}

std::string joined(const Words& words) {
  std::string out;
  for (const std::string& word : words) out += word + ' ';
  return out;
}

void write(const fs::path& file, std::string_view text) {
  if (const std::string problem = write_whole_file(file.string(), text); !problem.empty())
    throw MachineCodeError(fmt::format("cannot write '{}': {}", file.string(), problem));
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
    if (!folder) throw MachineCodeError(fmt::format("cannot make a folder for temporary files: {}", folder.path()));
  }
  fs::path operator/(const fs::path& name) const { return fs::path(folder.path()) / name; }
  const TemporaryFolder folder{"fermiac-build-"};
};

/// Compiled in a folder of its own.
std::string compiled_bytes(const Words& compiler, const std::string& text) {
  const BuildFolder build;
  const fs::path source = build / "model.cpp", object = build / "model.so";
  write(source, text);
  const Words command = command_of(compiler, {}, source, object);
  const ProgramRun run = run_program(command);
  if (run.status != 0) throw MachineCodeError(fmt::format("{}failed with status {}:\n{}", joined(command), run.status, run.output));
  TextFile code = read_text_file(object.string(), false);
  if (!code.problem.empty()) throw MachineCodeError(code.problem);
  return std::move(code.text);
}

fs::path in_new_folder(const fs::path& file) {
  std::error_code failed;  // whoever writes the file says so
  fs::create_directories(file.parent_path(), failed);
  return file;
}

}  // namespace

std::string machine_code_text(const CompiledModel& compiled, const std::string& version, const std::string& user_header) {
  namespace native = codegen::native;
  std::string out(native::runtime_header());
  if (!native::external_functions(compiled.program).empty()) {
    if (const std::string problem = native::external_problem(compiled.program); !problem.empty())
      throw MachineCodeError(problem + kUserHeaderPage);
    out += native::before_header(compiled.program) + included_header(user_header);
    out += native::behind_header();
  }
  return out + native::emit(compiled.program, {.version = version, .program = program_sum(compiled)});
}

std::string machine_code_with_header(const std::string& text, const std::string& user_header) {
  const Words compiler = find_compiler();
  const BuildFolder build;
  const fs::path source = build / "model.cpp", object = build / "model.so";
  write(source, text);
  for (const auto& [name, content] : stand_in_headers()) write(in_new_folder(build / name), content);
  const ProgramRun run = run_program(command_of(compiler, stand_in_flags(build.folder.path()), source, object));
  if (run.status != 0) throw MachineCodeError(user_header_problem(user_header, run.output));
  const TextFile code = read_text_file(object.string(), false);
  if (!code.problem.empty()) throw MachineCodeError(code.problem);
  return code.text;
}

std::string machine_code_bytes(const std::string& text) {
  const Words compiler = find_compiler();
  const std::string name = hex_sha256(joined(compiler) + "\n" + joined(kFlags) + "\n" + text) + ".so";
  std::string bytes = read_cached(name);
  if (!bytes.empty()) return bytes;
  bytes = compiled_bytes(compiler, text);
  keep_cached(name, bytes);  // what cannot be kept is made again
  return bytes;
}

std::shared_ptr<const native::Module> machine_code(const std::string& text) {
  try {
    return load_native_bytes(machine_code_bytes(text));
  } catch (const NativeError& e) {
    throw MachineCodeError(e.what());
  }
}

}  // namespace fermiac::interp
