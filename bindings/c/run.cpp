// Runs: a method on a model, its callbacks, what it leaves.
#include <chrono>
#include <memory>
#include <optional>

#include "bindings/c/failure.h"
#include "bindings/c/fermiac.h"
#include "bindings/c/method.h"
#include "bindings/c/model.h"
#include "bindings/c/run_tables.h"
#include "bindings/c/structs.h"
#include "bindings/shared/pointers.h"
#include "inference/model/time_limit.h"
#include "support/base/json.h"

using namespace fermiac;
using namespace fermiac::capi;

struct fermiac_run {
  fermiac_run(const fermiac_model& model, const char* options, const fermiac_run_callbacks& callbacks);

  void execute();
  bool is_over() const { return state.load(std::memory_order_acquire) == State::Over; }

  enum class State { New, Running, Over };
  std::atomic<State> state{State::New};
  std::atomic<bool> stop{false};
  RunTables tables;
  std::string result;

 private:
  Status run();
  void describe(const MethodEnd& end, const char* status, const std::string& message, double seconds);

  std::string method_name_ = "sample";
  RunOptions options_;
  std::unique_ptr<Method> method_;
  std::unique_ptr<interp::InterpModel> model_;  // tapes refer to the stop flag: it is declared before
};

fermiac_run::fermiac_run(const fermiac_model& model, const char* options, const fermiac_run_callbacks& callbacks)
    : tables(callbacks, stop) {
  OptionReader reader(options, "a run");
  inference::OptionRows name;
  name.text("method", method_name_, "", "TEXT");
  reader.read(name);
  reader.read(run_rows(options_));
  method_ = make_method(method_name_, reader, options_.keep, model.data_file);
  reader.refuse_rest();
  tables.keep_rows(options_.keep && !method_->keeps_rows());
  model_ = model.model().twin([this](std::string_view text) { tables.print(text); }, &stop);
}

void fermiac_run::execute() {
  State before = State::New;
  if (!state.compare_exchange_strong(before, State::Running)) throw InputError(StatusCode::InvalidArgument, "a run is executed once");
  struct Over {
    std::atomic<State>& state;
    ~Over() { state.store(State::Over, std::memory_order_release); }
  } over{state};
  Status ended;
  try {
    ended = run();
  } catch (const std::exception& e) {  // out of memory, say
    describe({}, "failed", e.what(), 0);
    throw;
  }
  if (!ended) throw StatusError(ended.code, ended.message);
}

Status fermiac_run::run() {
  const auto start = std::chrono::steady_clock::now();
  std::optional<inference::TimeLimit> limit;
  if (options_.timeout < inference::kNoLimit) limit.emplace(options_.timeout, stop);
  const MethodEnd end = method_->run(
      *model_, {.out = nullptr, .err = nullptr, .stop = &stop, .limit = limit ? &*limit : nullptr, .listener = &tables});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (std::size_t c = 0; c < end.chains.size() && c < tables.tables().size(); ++c) tables.tables()[c].kept = end.chains[c];
  const std::string message = !tables.error().empty() ? tables.error() : end.status.message;
  const bool stopped = !end.status && stop;
  describe(end, end.status ? "done" : stopped ? "stopped" : "failed", message, seconds);
  return end.status ? Status{} : Status{stopped ? StatusCode::Interrupted : StatusCode::Failed, message};
}

void fermiac_run::describe(const MethodEnd& end, const char* status, const std::string& message, double seconds) {
  JsonGroup object(result, JsonGroup::Kind::Object);
  object.member("method") += json_quote(method_name_);
  object.member("status") += json_quote(status);
  object.member("message") += json_quote(message);
  object.member("seed") += std::to_string(method_->seed());
  JsonGroup rows(object.member("rows"), JsonGroup::Kind::Array);
  for (const RunTables::Table& table : tables.tables()) rows.item() += std::to_string(table.rows);
  rows.end();
  object.member("seconds") += json_number(seconds);
  if (!end.summary.empty()) {
    object.member("summary") += end.summary;
    object.member("problems") += end.problems;
  }
  object.end();
}

namespace {

/// The tables of a run that is over, or none.
const RunTables::Table* table_of(const fermiac_run* run, std::size_t index) {
  if (!run || !run->is_over() || index >= run->tables.tables().size()) return nullptr;
  return &run->tables.tables()[index];
}

void set_count(std::size_t* out, std::size_t value) {
  if (out) *out = value;
}

}  // namespace

const char* fermiac_methods_json(void) try {
  static const std::string text = methods_json();
  return text.c_str();
} catch (const std::bad_alloc&) {
  return nullptr;
}

fermiac_run* fermiac_run_create(const fermiac_model* model, const char* options, const fermiac_run_callbacks* callbacks,
                                fermiac_error** error) {
  fermiac_run* out = nullptr;
  at_border(error, [&] { out = new fermiac_run(given(model, "model"), options, read_struct(callbacks, "callbacks")); });
  return out;
}

fermiac_status fermiac_run_execute(fermiac_run* run, fermiac_error** error) {
  return at_border(error, [&] { given(run, "run").execute(); });
}

void fermiac_run_stop(fermiac_run* run) {
  if (run) run->stop = true;
}

void fermiac_run_free(fermiac_run* run) {
  delete run;
}

size_t fermiac_run_table_count(const fermiac_run* run) {
  return run && run->is_over() ? run->tables.tables().size() : 0;
}

const char* const* fermiac_run_columns(const fermiac_run* run, size_t table, size_t* count) {
  const RunTables::Table* t = table_of(run, table);
  set_count(count, t ? t->columns.size() : 0);
  return t ? t->columns.data() : nullptr;
}

const double* fermiac_run_rows(const fermiac_run* run, size_t table, size_t* rows, size_t* columns) {
  const RunTables::Table* t = table_of(run, table);
  const std::size_t width = t ? t->columns.size() : 0;
  set_count(columns, width);
  set_count(rows, width > 0 ? t->kept.size() / width : 0);
  return t ? t->kept.data() : nullptr;
}

const char* fermiac_run_result_json(const fermiac_run* run) {
  return run && run->is_over() && !run->result.empty() ? run->result.c_str() : nullptr;
}
