#include "cli/lsp/values.h"

#include <atomic>
#include <exception>

#include "inference/model/time_limit.h"
#include "repl/session/evaluator.h"
#include "repl/session/session.h"
#include "repl/session/show.h"
#include "support/base/memory.h"
#include "support/base/stop.h"

namespace fermiac::lsp {
namespace {

constexpr double kSeconds = 2;

/// The first that is there; else empty.
std::string data_beside(const std::string& path) {
  const std::string stem = path.ends_with(".stan") ? path.substr(0, path.size() - 5) : path;
  std::error_code ignored;
  for (const char* ending : {".data.json", ".json", ".csv"})
    if (std::filesystem::is_regular_file(stem + ending, ignored)) return stem + ending;
  return "";
}

std::filesystem::file_time_type time_of(const std::string& file) {
  std::error_code ignored;
  return file.empty() ? std::filesystem::file_time_type{} : std::filesystem::last_write_time(file, ignored);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

Values::Values(std::shared_ptr<Compilation> compilation, const std::string& path)
    : text_(compilation->text()), path_(path), data_(data_beside(path)), changed_(time_of(data_)) {
  try {
    run(std::move(compilation));
  } catch (const std::exception& e) {
    problem_ = first_line(repl::error_lines(e));
  }
}

bool Values::current(const std::string& text) const { return text == text_ && data_beside(path_) == data_ && time_of(data_) == changed_; }

std::string Values::shown(const std::string& name) const {
  const auto found = shown_.find(name);
  return found == shown_.end() ? "" : found->second;
}

void Values::run(std::shared_ptr<Compilation> compilation) {
  std::atomic<bool> stop{false};
  const inference::TimeLimit limit(kSeconds, stop);
  const ad::StopScope stoppable(&stop);
  const ad::MemoryScope limited(ad::memory_limit());
  repl::Evaluator evaluator(1, &stop);
  evaluator.set_print([](std::string_view) {});  // standard output belongs to the protocol
  std::string warnings;
  repl::LoadedModel model(std::move(compilation), &warnings);
  if (data_.empty() && !model.compiled().program.input_vars.empty()) return;
  model.bind_files(data_.empty() ? std::vector<std::string>{} : std::vector{data_}, evaluator);
  for (const auto& [name, typed] : model.data_variables()) shown_[name] = repl::show(name, typed.type, typed.value);
  breakdown_ = model.breakdown(evaluator);
}

}  // namespace fermiac::lsp
