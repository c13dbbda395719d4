#include "bindings/c/method.h"

#include <fmt/format.h>

#include "bindings/c/setting_reader.h"
#include "inference/diagnostics/summary.h"
#include "inference/methods/settings.h"
#include "inference/output/output.h"
#include "inference/output/run_io.h"
#include "support/base/json.h"

namespace fermiac::capi {
namespace {

using namespace inference;

template <class Options>
Options options_of(OptionReader& reader) {
  Options options;
  SettingReader settings(reader);
  visit_settings(settings, options);
  options.seed = settle_seed(options);
  return options;
}

template <class Options>
class FunctionMethod final : public Method {
 public:
  using Function = Status (*)(const Model&, const Options&, const RunIo&);
  FunctionMethod(Options options, Function function) : options_(std::move(options)), function_(function) {}

  MethodEnd run(const Model& model, const RunIo& io) override {
    return {.succeeded = bool(function_(model, options_, io)), .error = {}, .chains = {}, .summary = {}, .problems = {}};
  }
  std::uint64_t seed() const override { return *options_.seed; }
  bool keeps_rows() const override { return false; }

 private:
  Options options_;
  Function function_;
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
    MethodEnd end{.succeeded = run.succeeded, .error = std::move(run.error), .chains = {}, .summary = {}, .problems = {}};
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
  auto options = options_of<SampleOptions>(reader);
  options.data_file = data_file;
  if (const Status bad = check_options(options); !bad) throw Failure(FERMIAC_ARGUMENT, bad.message);
  return std::make_unique<SampleMethod>(std::move(options), keep);
}

}  // namespace

std::unique_ptr<Method> make_method(const std::string& name, OptionReader& reader, bool keep, const std::string& data_file) {
  if (name == "sample") return make_sample(reader, keep, data_file);
  std::unique_ptr<Method> out;
  std::string names = "sample";
  each_method([&]<class Options>(const char* known, const char*, Status (*function)(const Model&, const Options&, const RunIo&)) {
    names += std::string(", ") + known;
    if (name != known) return;
    auto options = options_of<Options>(reader);
    options.data_file = data_file;
    out = std::make_unique<FunctionMethod<Options>>(std::move(options), function);
  });
  if (!out) throw Failure(FERMIAC_ARGUMENT, fmt::format("method is {}, but must be one of {}", json_quote(name), names));
  return out;
}

}  // namespace fermiac::capi
