#include "interp/native/machine_code.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

#include "codegen/native/emit.h"
#include "interp/native/module.h"
#include "support/cache_folder.h"
#include "support/checksum.h"
#include "support/run_program.h"
#include "support/write_file.h"

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

/// Removes the file when it goes.
struct Scratch {
  explicit Scratch(fs::path p) : path(std::move(p)) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  const fs::path path;
};

/// Beside its place first: whoever comes at the same time finds all of it, or nothing.
void compile(const Words& compiler, const std::string& text, const fs::path& out) {
  const std::string stem = fmt::format("{}.{}", out.string(), getpid());
  const Scratch source(stem + ".cpp"), object(stem + ".so");
  if (const std::string problem = write_whole_file(source.path.string(), text); !problem.empty())
    throw MachineCodeError(fmt::format("cannot write '{}': {}", source.path.string(), problem));
  Words command = compiler;
  command.insert(command.end(), kFlags.begin(), kFlags.end());
  command.insert(command.end(), {"-o", object.path.string(), source.path.string()});
  const ProgramRun run = run_program(command);
  if (run.status != 0) throw MachineCodeError(fmt::format("{}failed with status {}:\n{}", joined(command), run.status, run.output));
  std::error_code failed;
  fs::rename(object.path, out, failed);
  if (failed) throw MachineCodeError(fmt::format("cannot write '{}': {}", out.string(), failed.message()));
}

}  // namespace

std::string machine_code_text(const CompiledModel& compiled, mir::OptLevel level, const std::string& version) {
  const std::string text = codegen::native::emit(compiled.program, {.version = version, .program = program_sum(compiled, level)});
  return std::string(codegen::native::runtime_header()) + text;
}

std::string machine_code_file(const std::string& text) {
  const Words compiler = find_compiler();
  const fs::path folder = cache_folder();
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw MachineCodeError(fmt::format("cannot make the folder '{}': {}", folder.string(), failed.message()));
  const Checksum sum = Checksum().add(joined(compiler)).add(joined(kFlags)).add(text);
  const fs::path out = folder / fmt::format("{:016x}.so", sum.value());
  if (!fs::exists(out, failed)) compile(compiler, text, out);
  return out.string();
}

std::shared_ptr<const native::Module> machine_code(const std::string& text) {
  try {
    return load_native(machine_code_file(text));
  } catch (const NativeError& e) {
    throw MachineCodeError(e.what());
  }
}

}  // namespace fermiac::interp
