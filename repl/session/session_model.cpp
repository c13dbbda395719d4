// The session's model: loading it, changing blocks, binding data.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "compiler/compilation.h"
#include "interp/io/data_files.h"
#include "interp/model/conditioned_model.h"
#include "repl/session/program_text.h"
#include "repl/session/session.h"
#include "repl/session/show.h"
#include "support/base/text.h"
#include "support/base/text_file.h"
#include "support/platform/temporary.h"
#include "support/platform/terminal.h"

namespace fermiac::repl {
namespace {

constexpr std::string_view kTyped = "typed.stan";
constexpr std::string_view kChanged = " (changed)";
constexpr std::string_view kNeedsData = "It needs data: use :data FILE, or define the variables of its data block and type :data.\n";

/// Stands for a text that is no longer that of the file.
std::string changed_path(const std::string& path) {
  return path == kTyped || path.ends_with(kChanged) ? path : path + std::string(kChanged);
}

}  // namespace

LoadedModel& Session::model() {
  if (!model_) throw InputError("there is no model; load one with :model FILE, or type its blocks");
  return *model_;
}

void Session::load_model(std::string text, const std::string& path) {
  std::string warnings;
  CompileOptions options = compile_options(std::move(text), path);
  options.include_rule = options_.include_rule;
  options.tallest = evaluator_.tallest();
  const auto compilation = std::make_shared<Compilation>(std::move(options), evaluator_.shared_sources());
  auto fresh = std::make_unique<LoadedModel>(compilation, &warnings);
  complain(warnings);
  evaluator_.define(*compilation);  // if a name cannot be taken, nothing has changed yet
  model_ = std::move(fresh);
  draft_.clear();
  draws_older_ = true;
  trail_.bound();
  const mir::Program& program = model_->compiled().program;
  std::size_t parameters = 0;
  for (const mir::OutputVar& output : program.output_vars) parameters += output.block == mir::BlockKind::Parameters;
  print(fmt::format("model {}: {}, {}\n", program.name, counted(program.input_vars.size(), "data variable"),
                    counted(parameters, "parameter")));
  bind_from_session();
}

/// A model whose data are all there is bound at once; one that they do not fit waits for others.
void Session::bind_from_session() {
  const auto known = [&](const mir::InputVar& input) { return evaluator_.find(input.name) != nullptr; };
  if (waiting_files_.empty() && !std::ranges::all_of(model_->compiled().program.input_vars, known)) return print(kNeedsData);
  try {
    bind_data(std::vector(waiting_files_));
  } catch (const InputError& e) {
    complain(error_lines(e));
    const char* const what = waiting_files_.empty() ? "The session has variables of these names" : "There are data already";
    print(fmt::format("{}, but they do not fit. {}", what, kNeedsData));
  }
}

void Session::load_model_file(const std::string& path) {
  load_model(read_file(path), path);
}

void Session::reload_model() {
  std::string path = model().path();
  if (path == kTyped) throw InputError("the model was typed: there is no file to load again; :save FILE writes one");
  if (path.ends_with(kChanged)) path.resize(path.size() - kChanged.size());
  load_model_file(path);
}

namespace {

std::string editor() {
  for (const char* variable : {"VISUAL", "EDITOR"})
    if (const char* name = std::getenv(variable); name && *name) return name;
  return "vi";
}

/// Throws InputError if it fails.
void edit_file(const std::string& path) {
  const std::string command = editor() + " " + shell_quoted(path);
  if (const int status = std::system(command.c_str()); status != 0) throw InputError(fmt::format("the editor failed: {}", command));
}

}  // namespace

void Session::edit_model() {
  if (options_.display || !is_terminal(stdin)) throw InputError("an editor needs a terminal");
  const std::string path = model_ ? model_->path() : std::string(kTyped);
  if (model_ && path != kTyped && !path.ends_with(kChanged)) {
    edit_file(path);
    return load_model_file(path);
  }
  const TemporaryFile made("fermiac-", ".stan");
  if (!made) throw InputError(fmt::format("no file can be made in {}", std::filesystem::temp_directory_path().string()));
  const std::string& file = made.path();
  const std::string before = !draft_.empty() ? draft_ : model_ ? model_->text() : "";
  if (const Status why = write_whole_file(file, before); !why) throw InputError(why.message);
  edit_file(file);
  draft_ = read_file(file);
  try {
    load_model(draft_, path);
  } catch (const InputError& e) {
    if (draft_.empty()) throw;
    throw InputError(e.code, trimmed_end(e.what()) + "What you wrote is kept: :edit opens it again.");
  }
}

void Session::save_model(const std::string& path) {
  std::string text = model().text();
  if (!text.ends_with('\n')) text += '\n';
  if (const Status why = write_whole_file(path, text); !why)
    throw InputError(fmt::format("cannot write '{}': {}", path, why.message));
  load_model(std::move(text), path);
}

/// Files whose model is still to come: their variables can be looked at.
void Session::keep_data(const std::vector<std::string>& paths) {
  std::vector<interp::DerivedSize> none;
  const interp::DataSource data = interp::open_data_files(paths, nullptr, &none);
  std::vector<std::string> names = data.names(), kept;
  std::ranges::sort(names);
  for (const std::string& name : names) {
    try {
      const auto type = data.undeclared_type(name);
      if (!type) continue;
      interp::MissingNumbers missing;
      evaluator_.set(name, {Type(type->base, static_cast<std::uint8_t>(type->array_dims.size())), data.read(name, *type, &missing)});
    } catch (const InputError&) {  // texts, say: a program need not declare all columns; or a name that the language has
      continue;
    }
    trail_.left_by(name, data.source_of(name));
    kept.push_back(name);
  }
  waiting_files_ = paths;
  waiting_names_ = kept;
  print(fmt::format("{}; the next model is bound to {}\n", kept.empty() ? "no variables" : fmt::format("{}", fmt::join(kept, ", ")),
                    kept.size() == 1 ? "it" : "them"));
}

void Session::bind_data(const std::vector<std::string>& paths) {
  if (!model_ && !paths.empty()) return keep_data(paths);
  LoadedModel& m = model();
  std::vector<interp::DerivedSize> sizes;
  interp::DataSource files = interp::open_data_files(paths, &m.compiled().program, &sizes);
  if (paths == waiting_files_)
    for (const std::string& name : waiting_names_)
      if (evaluator_.find(name) && !trail_.is_left(name)) files.drop(name);  // changed since
  const std::vector<std::string> taken = m.bind(std::move(files), evaluator_);
  waiting_files_.clear();
  draws_older_ = true;
  if (!sizes.empty()) print(interp::derived_text(sizes) + "\n");
  const std::size_t n = m.model().unconstrained_size();
  print(fmt::format("data bound: {}\n", counted(n, "unconstrained parameter")));
  if (const auto* conditioned = interp::as_conditioned(m.model())) {
    const std::string missing = interp::missing_text(*conditioned);
    print(missing + (missing.empty() ? "" : "\n"));
  }
  if (!taken.empty()) print(fmt::format("from the session: {}\n", trail_.described(taken)));
  trail_.bound();
  for (auto& [name, value] : m.data_variables()) {
    try {
      evaluator_.set(name, std::move(value));
    } catch (const InputError&) {  // a name that a function of the session has: the variable stays the model's own
      continue;
    }
    if (std::ranges::find(taken, name) != taken.end()) continue;
    trail_.left_by(name, m.has_input(name) ? m.source_of(name) : "transformed data of " + m.compiled().program.name);
  }
}

void Session::condition(const std::function<void(interp::Conditioning&)>& change) {
  interp::Conditioning changed = model().conditioning();
  change(changed);
  model_->condition(std::move(changed), evaluator_);
  draws_older_ = true;
  tell_conditioned();
}

void Session::tell_conditioned() const {
  if (!model_->bound()) return print(kNeedsData);
  const interp::InterpModel& m = model_->model();
  if (const auto* conditioned = interp::as_conditioned(m))
    if (const std::string text = interp::missing_text(*conditioned); !text.empty()) print(text + "\n");
  print(fmt::format("{}{}\n", model_->conditioning().empty() ? "as it is: " : "conditioned: ", counted(m.unconstrained_size(), "unconstrained parameter")));
}

std::string Session::prompt() const {
  if (!model_ || model_->conditioning().empty()) return "> ";
  const interp::ContextKind context = model_->conditioning().context;
  return (context == interp::ContextKind::Joint ? "conditioned" : std::string(interp::context_name(context))) + "> ";
}

void Session::note_change(const std::string& name) {
  const bool bound = model_ && model_->bound() && model_->has_input(name);
  if (trail_.changed(name, bound) && !options_.bare)
    print(fmt::format("The model keeps the {} that it was bound to; :data binds this one.\n", name));
}

void Session::tell_older_data() const {
  if (trail_.older().empty()) return;
  print(fmt::format("With the data as they were bound: {} changed since; :data binds what is there now.\n", fmt::join(trail_.older(), ", ")));
}

const Draws& Session::some_draws() const {
  if (!draws_) throw InputError("there are no draws yet; :sample makes some");
  return *draws_;
}

void Session::keep_draws(inference::ChainSet chains) {
  draws_ = std::make_unique<const Draws>(std::move(chains), model_ && model_->bound() ? &model_->model() : nullptr);
  draws_older_ = false;
}

void Session::tell_older_draws() const {
  if (draws_ && draws_older_) print("The draws were made before the model or its data changed.\n");
}

std::vector<std::string> Session::model_names() const {
  std::vector<std::string> out;
  if (!model_) return out;
  for (const mir::OutputVar& output : model_->compiled().program.output_vars) out.push_back(output.name);
  return out;
}

std::vector<std::string> Session::parameter_names() const {
  std::vector<std::string> out;
  if (!model_) return out;
  for (const mir::OutputVar& output : model_->compiled().program.output_vars)
    if (output.block == mir::BlockKind::Parameters) out.push_back(output.name);
  return out;
}

void Session::new_model() {
  model_.reset();
  std::string gone;
  for (const std::string& name : trail_.left())
    if (evaluator_.forget(name)) gone += (gone.empty() ? "" : ", ") + name;
  trail_.clear();
  waiting_files_.clear();
  draws_.reset();
  print("no model: type the blocks of one, or use :model FILE\n");
  if (!gone.empty()) print(fmt::format("gone with its data: {}\n", gone));
}

/// Blocks that make a whole program replace the model. Others take the place of the model's own, or join them.
void Session::program(std::string_view text) {
  const bool whole = is_whole_program(leading_blocks(text));
  const std::string old = whole || !model_ ? std::string() : model_->text();
  const std::string path = whole || !model_ ? std::string(kTyped) : changed_path(model_->path());
  try {
    load_model(whole ? std::string(text) + "\n" : with_blocks(old, text), path);
  } catch (const InputError& e) {
    if (whole || old.empty()) throw;
    throw InputError(e.code, trimmed_end(e.what()) + "The model is as it was. :clear-model starts another, and the blocks of a whole program, typed as one input, replace it.");
  }
}

}  // namespace fermiac::repl
