// :density, :weight, :missing, :fix, :condition, :role, :conditioning, and what is asked about sites: :sites, :query, :predict,
// :discrete-marginals, :loo, :sbc, :sensitivity.
#include <fmt/format.h>

#include <algorithm>

#include "inference/diagnostics/loo.h"
#include "inference/diagnostics/sbc.h"
#include "inference/diagnostics/sensitivity.h"
#include "inference/methods/runs_in_memory.h"
#include "inference/model/quiet_listener.h"
#include "inference/output/run_io.h"
#include "interp/io/print.h"
#include "interp/queries/component_sums.h"
#include "interp/queries/observed.h"
#include "interp/queries/predicted.h"
#include "interp/queries/query.h"
#include "interp/queries/query_text.h"
#include "interp/queries/simulator.h"
#include "interp/queries/site_text.h"
#include "interp/queries/trace.h"
#include "repl/session/commands.h"
#include "repl/session/program_text.h"
#include "repl/session/session.h"
#include "repl/session/show.h"

namespace fermiac::repl {
namespace {

using interp::Conditioning;
using Points = std::vector<std::vector<double>>;

// ---------------------------------------------------------------- what is known, and what counts

/// `value`, a Stan expression, as JSON.
std::string json_of(Session& session, std::string_view value) {
  const Typed result = session.evaluator().evaluate(value);
  return interp::json_text({}, result.value);
}

void context(Session& session, std::string_view arguments) {
  const interp::ContextKind kind = interp::read_context(trimmed(arguments));
  session.condition([kind](Conditioning& c) { c.context = kind; });
}

void weight(Session& session, std::string_view arguments) {
  const auto [pattern, value] = interp::split_assignment(arguments);
  const Conditioning::Weight weight = interp::read_weight(pattern + "=" + json_of(session, value));
  session.condition([&](Conditioning& c) {
    std::erase_if(c.weights, [&](const auto& other) { return other.pattern == weight.pattern; });
    c.weights.push_back(weight);
  });
}

/// A number has one value, whether it is fixed or conditioned on.
void give(Session& session, std::string_view arguments, std::vector<Conditioning::Given> Conditioning::*list) {
  const auto [name, value] = interp::split_assignment(arguments);
  const Conditioning::Given given{name, json_of(session, value)};
  session.condition([&](Conditioning& c) {
    for (auto* each : {&c.fix, &c.condition}) std::erase_if(*each, [&](const auto& other) { return other.name == given.name; });
    (c.*list).push_back(given);
  });
}

void fix(Session& session, std::string_view arguments) {
  give(session, arguments, &Conditioning::fix);
}

void condition(Session& session, std::string_view arguments) {
  give(session, arguments, &Conditioning::condition);
}

void missing(Session& session, std::string_view arguments) {
  const std::vector<std::string> patterns = split_arguments(arguments, ", ");
  session.condition([&](Conditioning& c) {
    for (const std::string& pattern : patterns)
      if (std::ranges::find(c.missing, pattern) == c.missing.end()) c.missing.push_back(pattern);
  });
}

void role(Session& session, std::string_view arguments) {
  const auto given = interp::split_assignment(arguments);
  session.condition([&](Conditioning& c) {
    std::erase_if(c.roles, [&](const auto& other) { return other.first == given.first; });
    c.roles.push_back(given);
  });
}

void conditioning(Session& session, std::string_view arguments) {
  if (arguments == "reset") return session.condition([](Conditioning& c) { c = {}; });
  if (!arguments.empty()) throw InputError(fmt::format("'{}' is not reset; :conditioning alone shows what is conditioned", arguments));
  const LoadedModel& m = session.model();
  std::string out;
  for (const auto& [name, value] : m.conditioning().comments()) out += fmt::format("{} {}\n", name, value);
  session.print(out.empty() ? "nothing: the model runs as it is written\n" : out);
  session.tell_conditioned();
}

// ---------------------------------------------------------------- questions

void sites(Session& session, std::string_view arguments) {
  const LoadedModel& m = session.model();
  if (arguments.empty() && !m.bound()) return session.print(interp::sites_table(interp::site_rows(*interp::conditioned_program(m.compiled(), {})), nullptr));
  if (!arguments.empty() && arguments != "elements") throw InputError(fmt::format("'{}' is not elements", arguments));
  const interp::ConditionedModel& model = m.with_sites();
  session.tell_older_data();
  if (arguments.empty()) {
    const interp::Generative generative = interp::ask_generative(m.compiled(), m.data(), m.conditioning(), session.options().stop);
    return session.print(interp::sites_table(interp::site_rows(model), &generative));
  }
  interp::Trace trace;
  if (const EvalStatus status = interp::trace(model, session.model().point(), true, false, &trace); !status) throw InputError(status.message);
  session.print(interp::trace_by_element(model, trace));
}

/// Values of a query are Stan expressions of the session.
interp::Query query_of(Session& session, std::string_view text) {
  interp::Query query = interp::read_query(text);
  for (auto* items : {&query.events, &query.given})
    for (interp::QueryItem& item : *items)
      if (!item.value.empty()) item.value = json_of(session, item.value);
  return query;
}

void query(Session& session, std::string_view arguments) {
  const LoadedModel& m = session.model();
  m.model();
  session.tell_older_data();
  const interp::Query query = query_of(session, arguments);
  const interp::Questioner questioner(m.compiled(), m.data(), m.conditioning());
  const auto model = questioner.model(query);
  const interp::Answer answer = questioner.answer(*model, query, {.points = {std::vector<double>(model->unconstrained_size())}, .lengths = {}, .holds = {}}, false);
  for (const std::string& remark : answer.remarks) session.complain(remark + "\n");
  session.print(fmt::format("{} = {}\n", query.exponential ? "prob" : "logprob", number_text(answer.value)));
}

const inference::ChainSet& draws_of(const Session& session) {
  session.tell_older_draws();
  return session.some_draws().chains();
}

/// In a model of the same program, whose free numbers are among the columns.
Points points_in(const interp::InterpModel& model, const inference::ChainSet& chains) {
  Points out;
  if (const Status bad = inference::chain_points(model, chains, &out); !bad) throw InputError(bad.message);
  return out;
}

/// Where :lp looks, as one draw.
inference::ChainSet point_as_draw(const LoadedModel& m) {
  inference::ChainSet out;
  out.names = m.model().names(false, false);
  out.rows.emplace_back();
  for (const auto& [name, value] : m.constrained_point()) out.rows[0].push_back(value);
  return out;
}

std::size_t count_of(Session& session, std::string_view text, std::size_t otherwise) {
  if (trimmed(text).empty()) return otherwise;
  const Typed count = session.evaluator().evaluate(text);
  constexpr int kMost = 1'000'000;
  if (!count.value.is_int() || count.value.as_int() < 1 || count.value.as_int() > kMost) throw InputError(fmt::format("how many? an int from 1 to {} was expected", kMost));
  return static_cast<std::size_t>(count.value.as_int());
}

void predict(Session& session, std::string_view arguments) {
  const LoadedModel& m = session.model();
  m.model();
  session.tell_older_data();
  const bool prior = take_flag(arguments, "prior"), draws = !prior && take_flag(arguments, "draws");
  if (!prior && !draws && !take_flag(arguments, "at")) throw InputError("where do parameters come from? :predict prior, at (the point of :lp), or draws");
  interp::Predictor predictor(m.compiled(), m.data(), m.conditioning(), {.prior = prior, .what = {}, .only_ask = false}, session.options().stop);
  Points points;
  if (draws) points = points_in(predictor.model(), draws_of(session));
  else if (!prior) points = points_in(predictor.model(), point_as_draw(m));
  if (draws && !trimmed(arguments).empty()) throw InputError("there is one prediction for each draw");
  const std::size_t n = draws ? points.size() : count_of(session, arguments, 1000);
  session.print(interp::predicted_table(interp::predict_many(predictor, points, {.draws = n, .seed = session.next_seed(), .stop = session.options().stop})));
  if (predictor.acceptance() < 0.01)
    session.print(fmt::format("{:.3g} % of the draws kept to the constraints of the program\n", 100 * predictor.acceptance()));
}

void marginals(Session& session, std::string_view) {
  LoadedModel& m = session.model();
  const interp::ConditionedModel& model = m.with_sites();
  session.tell_older_data();
  const bool draws = session.draws() != nullptr;
  const std::string table = interp::marginals_table(model, draws ? points_in(model, draws_of(session)) : Points{m.point()});
  session.print(table + (draws ? "mean over the draws\n" : "at the point of :lp\n"));
}

void loo(Session& session, std::string_view) {
  const LoadedModel& m = session.model();
  const interp::Observed observed(m.with_sites(), "");
  const inference::ChainSet& draws = draws_of(session);
  const Points points = points_in(m.with_sites(), draws);
  inference::LogLik log_lik;
  if (const Status bad = inference::log_lik_at(observed, points, draws.rows.size(), &log_lik); !bad) throw InputError(bad.message);
  session.print(inference::cross_validation_text(inference::psis_loo(log_lik, {}, {})));
}

void sbc(Session& session, std::string_view arguments) {
  const LoadedModel& m = session.model();
  m.model();
  interp::Predictor predictor(m.compiled(), m.data(), m.conditioning(), {.prior = true, .what = {}, .only_ask = false}, session.options().stop);
  interp::PredictorSimulator simulator(predictor);
  inference::SbcOptions options;
  options.simulations = count_of(session, arguments, options.simulations);
  options.sampling.num_warmup = 500;
  inference::QuietListener quiet;
  const inference::RunIo io{.stop = session.options().stop, .listener = &quiet};
  inference::SbcResult result;
  if (const Status bad = inference::run_sbc(simulator, options, session.next_seed(), io, &result); !bad) throw InputError(bad.message);
  session.print(inference::sbc_text(result, options));
}

void sensitivity(Session& session, std::string_view) {
  const LoadedModel& m = session.model();
  const inference::ScaledDraws draws = interp::scaled_draws(m.with_sites(), points_in(m.with_sites(), draws_of(session)), "", 1);
  session.print(inference::sensitivity_text(draws, inference::sensitivities(draws), {}));
}

constexpr Command kTable[] = {
    {"sites", "[elements]", "List the density statements, or their elements at the point of :lp", ":sites", sites},
    {"density", "joint|prior|likelihood", "Choose the density statements to include", ":density prior", context},
    {"weight", "PATTERN = W", "Weight elements, a density statement (@12), a role or all (*)", ":weight y = 0.5", weight},
    {"missing", "NAME", "Treat data as missing: y, y[3], y[1:3]", ":missing y[1]", missing},
    {"fix", "NAME = VALUE", "Fix a variable and drop its own density statement", ":fix tau = 10", fix},
    {"condition", "NAME = VALUE", "Condition on an observed value of a parameter or data variable", ":condition tau = 10", condition},
    {"role", "@LINE = prior|likelihood", "Classify a target increment without a distribution", ":role @12 = prior", role},
    {"conditioning", "[reset]", "Show the conditioning, or remove all of it", ":conditioning", conditioning},
    {"query", "QUERY", "Compute the probability of an event, optionally given another", ":query prob mu <= 1", query},
    {"predict", "prior|at|draws [N]", "Simulate data from the prior, at the point of :lp, or for each draw", ":predict prior 1000", predict},
    {"discrete-marginals", "", "Compute marginal probabilities of missing integers", ":discrete-marginals", marginals},
    {"loo", "", "Cross-validate the draws by PSIS-LOO", ":loo", loo},
    {"sbc", "[N]", "Check calibration by simulation, with N simulated data sets", ":sbc 100", sbc},
    {"sensitivity", "", "Measure sensitivity to prior and likelihood by power-scaling", ":sensitivity", sensitivity},
};

}  // namespace

std::span<const Command> conditioning_commands() {
  return kTable;
}

}  // namespace fermiac::repl
