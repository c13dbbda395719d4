// Where the draws of a session come from: :sample of a model, :pathfinder, :generate, :draws.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <vector>

#include "inference/diagnostics/summary.h"
#include "inference/output/draw_files.h"
#include "repl/session/commands.h"
#include "repl/session/draws.h"
#include "repl/session/session.h"
#include "repl/session/show.h"

namespace fermiac::repl {
namespace {

// ---------------------------------------------------------------- options of runs

/// `chains=4`: reads the number; false if it is none.
struct RunOption {
  std::string_view name;
  std::function<bool(std::string_view)> read;
};

template <class T>
RunOption number(std::string_view name, T* out) {
  return {name, [out](std::string_view text) {
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
            return error == std::errc() && end == text.data() + text.size();
          }};
}

/// `other` is what else might have stood there.
void read_options(std::string_view arguments, const std::vector<RunOption>& options, std::string_view other) {
  for (const std::string& text : split_arguments(arguments, " ,")) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string name = text.substr(0, equals), value = text.substr(std::min(equals + 1, text.size()));
    const auto option = std::ranges::find(options, std::string_view(name), &RunOption::name);
    if (option == options.end()) {
      std::string all;
      for (const RunOption& known : options) all += fmt::format("{}{}=", all.empty() ? "" : ", ", known.name);
      throw InputError(fmt::format("'{}' is {} one of {}", text, other, all));
    }
    if (!option->read(value)) throw InputError(fmt::format("{} needs a number, '{}' is none", name, value));
  }
}

void keep(Session& session, LoadedModel::Run run) {
  session.complain(run.said);
  session.keep_draws(std::move(run.chains));
  run_command(session, "summary");
}

LoadedModel& ready_model(Session& session) {
  LoadedModel& model = session.model();
  model.model();
  session.tell_older_data();
  return model;
}

// ---------------------------------------------------------------- :pathfinder, :generate

void pathfinder(Session& session, std::string_view arguments) {
  inference::PathfinderOptions o;
  std::uint64_t seed = session.next_seed();
  read_options(arguments, {number("paths", &o.num_paths), number("draws", &o.num_psis_draws), number("seed", &seed)}, "not");
  o.seed = seed;
  o.num_draws = std::max(o.num_draws, o.num_psis_draws);
  keep(session, ready_model(session).pathfinder(o, session.options().stop));
}

void generate(Session& session, std::string_view) {
  const Draws& draws = session.some_draws();
  const LoadedModel& model = ready_model(session);
  session.keep_draws(model.generate(draws.chains(), session.next_seed(), session.evaluator()));
  session.print(fmt::format("{} draws, with the transformed parameters and generated quantities of the program as it is\n", session.some_draws().count()));
}

// ---------------------------------------------------------------- :draws

void list(const Session& session, const Draws& draws) {
  std::string out = fmt::format("{} draws of each, in {} chain{}\n", draws.count(), draws.chains().rows.size(), draws.chains().rows.size() == 1 ? "" : "s");
  for (const Draws::Variable& v : draws.variables())
    out += fmt::format("  {} : {}{}\n", v.name, v.type.str(), session.evaluator().find(v.name) ? ", hidden by a variable of the session" : "");
  session.print(out);
}

void draws(Session& session, std::string_view arguments) {
  if (arguments.empty()) {
    session.tell_older_draws();
    return list(session, session.some_draws());
  }
  inference::ChainSet chains;
  if (const auto bad = inference::load_chains(file_list(arguments), &chains); !bad) throw InputError(bad.message);
  for (const std::string& line : chains.missing) session.complain(fmt::format("Warning: {}\n", line));
  session.keep_draws(std::move(chains));
  list(session, session.some_draws());
}

constexpr Command kTable[] = {
    {"pathfinder", "[paths=4 draws=1000]", "Draw from an approximation along quasi-Newton paths", ":pathfinder", pathfinder},
    {"generate", "", "Re-evaluate the generated quantities of the draws", ":generate", generate},
    {"draws", "[FILE…]", "Read draws from a folder or CSV files; alone: list the draws", ":draws eight_schools_draws", draws},
};

}  // namespace

namespace {

/// Of :sample, into these.
std::vector<RunOption> sample_options(inference::SampleOptions& o, std::uint64_t& seed) {
  return {number("chains", &o.chains), number("warmup", &o.num_warmup), number("samples", &o.num_samples),
          number("adapt_delta", &o.adapt.delta), number("max_treedepth", &o.max_treedepth), number("seed", &seed)};
}

/// `adapt-delta` as :sample takes it; what it does not take, the command does.
std::string option_here(std::string name) {
  inference::SampleOptions ignored;
  std::uint64_t seed = 0;
  std::string here = name;
  std::ranges::replace(here, '-', '_');
  const std::vector<RunOption> known = sample_options(ignored, seed);
  return std::ranges::find(known, std::string_view(here), &RunOption::name) != known.end() ? here + "=" : "fermiac sample --" + name;
}

}  // namespace

std::string with_options_of_session(const std::string& advice) {
  constexpr std::string_view kMark = "--", kLetters = "abcdefghijklmnopqrstuvwxyz-";
  std::string out;
  std::size_t at = 0;
  for (std::size_t next = 0; (next = advice.find(kMark, at)) != std::string::npos;) {
    const std::size_t begin = next + kMark.size(), end = std::min(advice.find_first_not_of(kLetters, begin), advice.size());
    out += advice.substr(at, next - at) + option_here(advice.substr(begin, end - begin));
    at = end;
  }
  return out + advice.substr(at);
}

void sample_model(Session& session, std::string_view arguments) {
  inference::SampleOptions o;
  std::uint64_t seed = session.next_seed();
  read_options(arguments, sample_options(o, seed), "neither a distribution with its arguments nor");
  o.seed = seed;
  const SessionOptions& s = session.options();
  keep(session, ready_model(session).sample(o, s.stop, s.terminal, s.progress));
}

std::span<const Command> draws_commands() {
  return kTable;
}

}  // namespace fermiac::repl
