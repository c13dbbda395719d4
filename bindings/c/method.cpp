#include "bindings/c/method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "bindings/shared/call_threads.h"
#include "inference/diagnostics/summary.h"
#include "inference/methods/sample.h"
#include "inference/methods/settings.h"
#include "inference/output/output.h"
#include "inference/output/run_io.h"
#include "support/base/json.h"

namespace fermiac::capi {
namespace {

using namespace inference;
using Kind = OptionRow::Kind;

/// Threads that are not given are those of STAN_NUM_THREADS.
void read_options(OptionReader& reader, const OptionRows& rows, CommonOptions& options, const std::string& data_file) {
  options.threads = wanted_threads(options.threads);
  reader.read(rows);
  options.seed = settle_seed(options);
  options.data_file = data_file;
}

class FunctionMethod final : public Method {
 public:
  explicit FunctionMethod(std::unique_ptr<MethodCall> call) : call_(std::move(call)) {}

  MethodEnd run(const Model& model, const RunIo& io) override {
    return {.status = {call_->run(model, io).code}, .chains = {}, .summary = {}, .problems = {}};
  }
  std::uint64_t seed() const override { return *call_->common().seed; }
  bool keeps_rows() const override { return false; }

 private:
  std::unique_ptr<MethodCall> call_;
};

std::string summary_json(const std::vector<ColumnSummary>& columns) {
  std::string out;
  JsonGroup list(out, JsonGroup::Kind::Array);
  for (const ColumnSummary& c : columns) {
    JsonGroup one(list.item(), JsonGroup::Kind::Object);
    one.member("name") += json_quote(c.name);
    const std::pair<const char*, double> numbers[] = {{"mean", c.mean},        {"mcse", c.mcse},         {"sd", c.sd},
                                                      {"mad", c.mad},          {"q5", c.quantiles[0]},   {"q50", c.quantiles[1]},
                                                      {"q95", c.quantiles[2]}, {"ess_bulk", c.ess_bulk}, {"ess_tail", c.ess_tail},
                                                      {"rhat", c.rhat}};
    for (const auto& [name, x] : numbers) one.member(name) += json_number(x);
    one.end();
  }
  list.end();
  return out;
}

class SampleMethod final : public Method {
 public:
  SampleMethod(SampleOptions options, bool keep) : options_(std::move(options)), keep_(keep) {
    options_.keep_draws = keep_ || options_.summary;
    options_.keep_many = keep_;
  }

  MethodEnd run(const Model& model, const RunIo& io) override {
    SampleRun run = sample(model, options_, io);
    MethodEnd end{.status = std::move(run.status), .chains = {}, .summary = {}, .problems = {}};
    if (options_.summary && run.has_draws && run.chains.draws_per_chain() >= 2) {
      const std::vector<ColumnSummary> columns = summarise(run.chains, options_.threads);
      end.summary = summary_json(columns);
      end.problems = json_quote(problems_in_words(find_problems(run.chains, columns)));
    }
    if (keep_) end.chains = std::move(run.chains.rows);
    return end;
  }
  std::uint64_t seed() const override { return *options_.seed; }
  bool keeps_rows() const override { return true; }

 private:
  SampleOptions options_;
  bool keep_;
};

std::unique_ptr<Method> make_sample(OptionReader& reader, bool keep, const std::string& data_file) {
  SampleOptions options;
  OptionRows rows;
  add_options(rows, options);
  read_options(reader, rows, options, data_file);
  if (const Status bad = check_options(options); !bad) throw InputError(StatusCode::InvalidArgument, bad.message);
  return std::make_unique<SampleMethod>(std::move(options), keep);
}

/// The name of an option in JSON: `target_ess` for `target-ess`.
std::string json_name(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

/// The text with options as JSON has them: `--target-ess` as `target_ess`.
std::string with_underscores(std::string_view text) {
  constexpr std::string_view kNameBytes = "abcdefghijklmnopqrstuvwxyz-";
  std::string out;
  for (std::size_t at = text.find("--"); at != std::string_view::npos; at = text.find("--")) {
    const std::string name(text.substr(at + 2, text.find_first_not_of(kNameBytes, at) - at - 2));
    out.append(text.substr(0, at)) += json_name(name);
    text.remove_prefix(at + 2 + name.size());
  }
  return out.append(text);
}

/// The help text, with valid words and the default.
std::string about(const OptionRow& row) {
  std::string out = with_underscores(row.about);
  if (row.kind == Kind::Choice) out += ": " + row.expected;
  if (row.kind == Kind::Init) out += "; or values by name, or a list of them, one per chain";
  if (row.kind == Kind::Mode) out += "; or values by name";
  if (!row.otherwise.empty()) out += " (default: no files)";
  else if (!row.standard.empty() && out.find("(default") == std::string::npos) out += " (default: " + row.standard + ")";
  return out;
}

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::Flag: return "flag";
    case Kind::Whole:
    case Kind::Threads: return "whole";
    case Kind::Real: return "real";
    case Kind::Choice: return "choice";
    case Kind::Text: return "text";
    case Kind::File: return "file";
    case Kind::Files: return "files";
    case Kind::Init:
    case Kind::Mode:
    case Kind::Retired: break;
  }
  return "values";
}

void append_json(const OptionRow& row, std::string& out) {
  JsonGroup object(out, JsonGroup::Kind::Object);
  object.member("name") += json_quote(json_name(row.name));
  object.member("kind") += json_quote(kind_name(row.kind));
  object.member("about") += json_quote(about(row));
  if (!row.standard.empty()) object.member("default") += json_quote(row.standard);
  object.member("words") += json_list(row.choices);
  object.member("required") += row.required ? "true" : "false";
  object.end();
}

}  // namespace

OptionRows run_rows(RunOptions& options) {
  constexpr double kLongest = 1e9;
  OptionRows rows;
  rows.flag("keep", options.keep, "Keep the draws in memory; false: pass them to the callback only (default: true)");
  rows.number("timeout", options.timeout, "Time limit in seconds, after which the run stops and keeps its results", {0, kLongest, true});
  return rows;
}

std::string methods_json() {
  std::string out;
  JsonGroup all(out, JsonGroup::Kind::Object);
  for (const inference::Method& method : methods()) {
    JsonGroup object(all.member(method.name), JsonGroup::Kind::Object);
    object.member("about") += json_quote(method.about);
    JsonGroup options(object.member("options"), JsonGroup::Kind::Array);
    const auto call = method.make();
    RunOptions shared;
    for (const OptionRow& row : run_rows(shared)) append_json(row, options.item());
    for (const OptionRow& row : call->rows())
      if (row.kind != Kind::Retired) append_json(row, options.item());
    options.end();
    object.end();
  }
  all.end();
  return out;
}

std::unique_ptr<Method> make_method(const std::string& name, OptionReader& reader, bool keep, const std::string& data_file) {
  const inference::Method* const method = find_method(name);
  if (!method) {
    const auto names = methods() | std::views::transform(&inference::Method::name);
    throw InputError(StatusCode::InvalidArgument, fmt::format("method is {}, but must be one of {}", json_quote(name), fmt::join(names, ", ")));
  }
  if (method == methods().data()) return make_sample(reader, keep, data_file);
  auto call = method->make();
  read_options(reader, call->rows(), call->common(), data_file);
  return std::make_unique<FunctionMethod>(std::move(call));
}

}  // namespace fermiac::capi
