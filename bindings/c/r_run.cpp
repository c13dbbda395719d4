// Runs for R: on a thread of their own, with what they say kept until R looks in.
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "bindings/c/answer.h"
#include "bindings/c/fermiac_r.h"
#include "bindings/shared/pointers.h"
#include "support/platform/signals.h"

using namespace fermiac::capi;

namespace {

struct Progress {
  unsigned done, total;
  int warmup;
};

}  // namespace

struct fermiac_background_run {
  explicit fermiac_background_run(fermiac_answer& prints) : prints_(prints) {}
  ~fermiac_background_run();

  /// Starts it unless *error is set.
  void start(const fermiac_model* model, const char* options, fermiac_error** error);
  bool wait(double seconds);
  void stop() { fermiac_run_stop(run_); }

  // Once it is over.
  const fermiac_run* run() const { return run_; }
  const fermiac_error* error() const { return error_; }
  /// Rows one after the other.
  std::pair<const double*, std::size_t> rows(std::size_t table, bool warmup) const;

  std::string messages();
  std::string progress();

 private:
  fermiac_run_callbacks callbacks();
  template <class Body>
  static int told(void* self, Body body) noexcept;  // 1, which ends the run, where there is no memory

  fermiac_answer& prints_;
  fermiac_run* run_ = nullptr;
  fermiac_error* error_ = nullptr;
  std::vector<std::vector<double>> warmup_;  // by table; written by the run alone until it is over
  std::mutex mutex_;                         // of what follows
  std::condition_variable ended_;
  bool over_ = false;
  std::string messages_;
  std::map<std::size_t, Progress> progress_;
  std::thread thread_;
};

fermiac_background_run::~fermiac_background_run() {
  stop();
  if (thread_.joinable()) thread_.join();
  fermiac_run_free(run_);
  fermiac_error_free(error_);
}

void fermiac_background_run::start(const fermiac_model* model, const char* options, fermiac_error** error) {
  const fermiac_run_callbacks told = callbacks();
  run_ = fermiac_run_create(model, options, &told, error);
  if (!run_) return;
  at_border(error, [&] {
    const fermiac::SignalsHeldBack held;  // signals are R's: its handlers belong on its thread
    thread_ = std::thread([this] {
      fermiac_run_execute(run_, &error_);
      const std::lock_guard lock(mutex_);
      over_ = true;
      ended_.notify_all();
    });
  });
}

bool fermiac_background_run::wait(double seconds) {
  constexpr double kLongest = 3600;
  const std::chrono::duration<double> most(seconds > 0 && seconds < kLongest ? seconds : 0);
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, most, [this] { return over_; });
}

template <class Body>
int fermiac_background_run::told(void* self, Body body) noexcept {
  auto& run = *static_cast<fermiac_background_run*>(self);
  try {
    const std::lock_guard lock(run.mutex_);
    body(run);
    return 0;
  } catch (...) {
    return 1;
  }
}

fermiac_run_callbacks fermiac_background_run::callbacks() {
  fermiac_run_callbacks out{};
  out.size = sizeof out;
  out.user_data = this;
  out.row = [](void* self, const fermiac_row* row) {
    if (!row->warmup) return 0;
    return told(self, [&](fermiac_background_run& run) {
      if (run.warmup_.size() <= row->table) run.warmup_.resize(row->table + 1);
      run.warmup_[row->table].insert(run.warmup_[row->table].end(), row->values, row->values + row->count);
    });
  };
  out.message = [](void* self, const char* text) {
    return told(self, [&](fermiac_background_run& run) { run.messages_ += text; });
  };
  out.progress = [](void* self, std::size_t chain, unsigned done, unsigned total, int warmup) {
    return told(self, [&](fermiac_background_run& run) { run.progress_[chain] = {done, total, warmup}; });
  };
  out.print = [](void* self, const char* text, std::size_t size) {
    return told(self, [&](fermiac_background_run& run) { run.prints_.add_printed({text, size}); });
  };
  return out;
}

std::pair<const double*, std::size_t> fermiac_background_run::rows(std::size_t table, bool warmup) const {
  std::size_t columns = 0, rows = 0;
  if (!warmup) {
    const double* first = fermiac_run_rows(run_, table, &rows, &columns);
    return {first, rows};
  }
  fermiac_run_columns(run_, table, &columns);
  if (table >= warmup_.size() || columns == 0) return {nullptr, 0};
  return {warmup_[table].data(), warmup_[table].size() / columns};
}

std::string fermiac_background_run::messages() {
  const std::lock_guard lock(mutex_);
  return messages_;
}

std::string fermiac_background_run::progress() {
  const std::lock_guard lock(mutex_);
  std::string out;
  for (const auto& [chain, at] : progress_)
    out += std::to_string(chain) + " " + std::to_string(at.done) + " " + std::to_string(at.total) + " " +
           std::to_string(at.warmup) + "\n";
  return out;
}

namespace {

/// A run that is over, or null.
const fermiac_background_run* over(fermiac_background_run** run) {
  return *run && (*run)->wait(0) ? *run : nullptr;
}

std::size_t width(const fermiac_background_run& run, std::size_t table) {
  std::size_t columns = 0;
  fermiac_run_columns(run.run(), table, &columns);
  return columns;
}

}  // namespace

void fermiac_background_run_create_R(fermiac_model** model, const char* options, fermiac_background_run** run,
                                     fermiac_answer** answer, int* status, double* sizes) {
  Outcome{answer, status, sizes}.of([&](fermiac_error** error) {
    auto made = std::make_unique<fermiac_background_run>(**answer);
    made->start(*model, or_null(options), error);
    *run = *error ? nullptr : made.release();
  });
}

void fermiac_background_run_wait_R(fermiac_background_run** run, const double* seconds, int* over,
                                   fermiac_answer** answer, int* status, double* sizes) {
  *over = 0;
  const fermiac_error* failed = nullptr;
  Outcome{answer, status, sizes}.of([&](fermiac_error** error) {
    at_border(error, [&] { given(*run, "run"); });
    if (*error) return;
    *over = (*run)->wait(*seconds);
    failed = *over ? (*run)->error() : nullptr;
    (*answer)->text = failed ? fermiac_error_json(failed) : (*run)->progress();
  });
  if (failed && *status == FERMIAC_OK) *status = fermiac_error_status(failed);
}

void fermiac_background_run_stop_R(fermiac_background_run** run) {
  if (*run) (*run)->stop();
}

void fermiac_background_run_free_R(fermiac_background_run** run) {
  delete *run;
}

void fermiac_background_run_messages_R(fermiac_background_run** run, fermiac_answer** answer, int* status,
                                       double* sizes) {
  Outcome{answer, status, sizes}.of([&](fermiac_error**) {
    if (*run) (*answer)->text = (*run)->messages();
  });
}

void fermiac_background_run_result_json_R(fermiac_background_run** run, fermiac_answer** answer, int* status,
                                          double* sizes) {
  Outcome{answer, status, sizes}.text_of([&] { return over(run) ? fermiac_run_result_json((*run)->run()) : nullptr; });
}

void fermiac_background_run_table_count_R(fermiac_background_run** run, double* count) {
  *count = over(run) ? static_cast<double>(fermiac_run_table_count((*run)->run())) : 0;
}

void fermiac_background_run_columns_R(fermiac_background_run** run, const double* table, fermiac_answer** answer,
                                      int* status, double* sizes) {
  std::size_t count = 0;
  const char* const* names = over(run) ? fermiac_run_columns((*run)->run(), count_of(*table), &count) : nullptr;
  Outcome{answer, status, sizes}.lines_of(names, count);
}

void fermiac_background_run_size_R(fermiac_background_run** run, const double* table, const int* warmup, double* rows,
                                   double* columns) {
  *rows = *columns = 0;
  if (!over(run)) return;
  *rows = static_cast<double>((*run)->rows(count_of(*table), *warmup != 0).second);
  *columns = static_cast<double>(width(**run, count_of(*table)));
}

void fermiac_background_run_rows_R(fermiac_background_run** run, const double* table, const int* warmup, double* out) {
  if (!over(run)) return;
  const auto [first, rows] = (*run)->rows(count_of(*table), *warmup != 0);
  const std::size_t columns = width(**run, count_of(*table));
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) out[c * rows + r] = first[r * columns + c];
}
