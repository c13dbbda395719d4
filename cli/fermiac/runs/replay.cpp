// `fermiac inspect-draw`: one transition of a run again, step by step, and where it diverged.
#include "inference/methods/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cli/fermiac/runs/replayed_path.h"
#include "cli/fermiac/shared/commands.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/refuse.h"
#include "inference/model/column_names.h"
#include "inference/output/csv.h"
#include "inference/output/posterior_table.h"
#include "interp/model/conditioned_model.h"
#include "interp/queries/explain_text.h"
#include "support/base/json.h"
#include "support/base/text_table.h"
#include "support/platform/output.h"

namespace fermiac::cli {
namespace {

using namespace inference;
using Doubling = TransitionWatcher::Doubling;

std::string_view in_words(Doubling how) {
  switch (how) {
    case Doubling::Grown: return "grown";
    case Doubling::Turned: return "the whole turned back";
    case Doubling::Inside: return "the new half turned back within itself and is left out";
    case Doubling::OneWay: return "the new half has a step that the way back would divide otherwise, and is left out";
    case Doubling::Diverged: return "the new half diverged and is left out";
    case Doubling::Stopped: return "stopped";
  }
  return {};
}

/// A move with all that is shown of it.
struct Shown {
  const ReplayedMove* move = nullptr;
  const Block* block = nullptr;     // of samplers by block
  std::string name;                 // of the block, and which of its repetitions
  Path path;
  std::vector<std::size_t> quantities;
};

TextTable table_of(const Shown& s, std::vector<std::string> heading) {
  for (const std::size_t k : s.quantities) heading.push_back(pretty_name(s.path.names[k]));
  return TextTable(std::move(heading));
}

std::vector<std::string> row_of(const Shown& s, std::size_t point, std::vector<std::string> row) {
  for (const std::size_t k : s.quantities) row.push_back(fmt::format("{:.4g}", s.path.points[point][k]));
  return row;
}

std::string steps_text(const Shown& s) {
  const ReplayedMove& m = *s.move;
  TextTable table = table_of(s, {"step", "way", "energy error", "log density"});
  const auto add = [&](std::size_t step, const char* way, double error, double lp) {
    table.add(row_of(s, step, {std::to_string(step), way, fmt::format("{:.4g}", error), fmt::format("{:.5g}", lp)}));
  };
  add(0, "", 0, m.lp);
  auto doubling = m.doublings.begin();
  for (std::size_t i = 0; i < m.steps.size(); ++i) {
    const ReplayedStep& step = m.steps[i];
    add(i + 1, step.forward ? "+" : "-", step.energy_error, step.lp);
    for (; doubling != m.doublings.end() && doubling->steps == i + 1; ++doubling)
      table.note(fmt::format("      depth {}, {}: {}", doubling->depth, doubling->forward ? "forward" : "backward", in_words(doubling->how)));
  }
  return table.text();
}

std::string ends_text(const Shown& s) {
  TextTable table = table_of(s, {"", "log density"});
  table.add(row_of(s, 0, {"before", fmt::format("{:.5g}", s.move->lp)}));
  table.add(row_of(s, 1, {"after", fmt::format("{:.5g}", s.move->end_lp)}));
  return table.text();
}

/// The step that left the trajectory, if one did.
std::optional<std::size_t> divergent_step(const ReplayedMove& m) {
  if (!m.doublings.empty()) return m.doublings.back().how == Doubling::Diverged ? std::optional(m.steps.size() - 1) : std::nullopt;
  const auto found = std::ranges::find_if(m.steps, [](const ReplayedStep& s) { return s.energy_error > Hmc::kMaxEnergyError; });
  return found == m.steps.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - m.steps.begin()));
}

/// Where the trajectory came from, in that direction.
const Vec& before(const ReplayedMove& m, std::size_t step) {
  for (std::size_t i = step; i-- > 0;)
    if (m.steps[i].forward == m.steps[step].forward) return m.steps[i].q;
  return m.start.q;
}

/// The lines of the program at the step that diverged, and just before. The sampled model may know no sites.
struct Blame {
  std::unique_ptr<interp::ConditionedModel> own;
  const interp::ConditionedModel* model = nullptr;
  std::size_t step = 0;
  interp::Explanation before, there;
};

/// Nothing where nothing diverged.
std::optional<Blame> blame(const ModelArgs& args, const interp::InterpModel& sampled, const ReplayedMove& m) {
  const auto step = divergent_step(m);
  if (!step) return {};
  Blame out;
  out.model = interp::as_conditioned(sampled);
  out.step = *step;
  if (!out.model) {
    const interp::DataSource data = open_data(args, sampled.compiled(), false);
    out.own = interp::condition(sampled.compiled(), data, read_conditioning(args.conditioning), 0, PrintSink(), &Stop::flag());
    out.model = out.own.get();
  }
  out.before = interp::explain(*out.model, before(m, *step), {.elements = 0});
  out.there = interp::explain(*out.model, m.steps[*step].q, {.elements = 0});
  return out;
}

std::string blame_text(const Blame& b, const ReplayedMove& m) {
  const double error = m.steps[b.step].energy_error;
  const std::string how = std::isfinite(error) ? fmt::format("the energy is {:.4g} above that of the start", error) : "there is no energy";
  return fmt::format("diverged at step {}: {}\n", b.step + 1, how) + interp::change_text(*b.model, b.before, b.there);
}

/// What a table is about: `3 leapfrog steps of size 0.4; energy 6.9 at the start`.
std::string summary_text(const Shown& s, bool are_divided) {
  const ReplayedMove& m = *s.move;
  if (has_steps(s.block))
    return fmt::format("{} {}{} of size {:.4g}; energy {:.5g} at the start\n", m.steps.size(), are_divided ? "step" : "leapfrog step", m.steps.size() == 1 ? "" : "s",
                       m.stepsize, m.energy);
  const bool proposes = s.block->sampler == BlockSampler::Rwm || s.block->sampler == BlockSampler::Walk;
  return proposes ? fmt::format("accepted with probability {:.4g}\n", m.accept) : "one update\n";
}

std::string move_text(const Shown& s, const std::optional<Blame>& b, bool are_divided) {
  std::string out = (s.block ? s.name + ": " : "") + summary_text(s, are_divided);
  out += has_steps(s.block) ? steps_text(s) : ends_text(s);
  return b ? out + blame_text(*b, *s.move) : out;
}

void point_json(JsonGroup& all, const Shown& s, std::size_t point, double lp) {
  all.member("lp") += json_number(lp);
  JsonGroup values(all.member("values"), JsonGroup::Kind::Object);
  for (const std::size_t k : s.quantities) values.member(s.path.names[k]) += json_number(s.path.points[point][k]);
  values.end();
}

void steps_json(JsonGroup& all, const Shown& s) {
  const ReplayedMove& m = *s.move;
  all.member("stepsize") += json_number(m.stepsize);
  all.member("energy") += json_number(m.energy);
  JsonGroup steps(all.member("steps"), JsonGroup::Kind::Array);
  for (std::size_t i = 0; i <= m.steps.size(); ++i) {
    JsonGroup step(steps.item(), JsonGroup::Kind::Object);
    if (i > 0) step.member("forward") += m.steps[i - 1].forward ? "true" : "false";
    step.member("energy_error") += json_number(i > 0 ? m.steps[i - 1].energy_error : 0);
    point_json(step, s, i, i > 0 ? m.steps[i - 1].lp : m.lp);
    step.end();
  }
  steps.end();
  JsonGroup doublings(all.member("doublings"), JsonGroup::Kind::Array);
  for (const ReplayedDoubling& d : m.doublings) {
    JsonGroup doubling(doublings.item(), JsonGroup::Kind::Object);
    doubling.member("steps") += std::to_string(d.steps);
    doubling.member("depth") += std::to_string(d.depth);
    doubling.member("forward") += d.forward ? "true" : "false";
    doubling.member("how") += json_quote(in_words(d.how));
    doubling.end();
  }
  doublings.end();
}

void ends_json(JsonGroup& all, const Shown& s) {
  all.member("accept") += json_number(s.move->accept);
  for (const std::size_t point : {0, 1}) {
    JsonGroup end(all.member(point == 0 ? "before" : "after"), JsonGroup::Kind::Object);
    point_json(end, s, point, point == 0 ? s.move->lp : s.move->end_lp);
    end.end();
  }
}

void blame_json(JsonGroup& all, const Blame& b, const ReplayedMove& m) {
  const auto explained = [&](const char* name, const Vec& q, const interp::Explanation& e) {
    std::string text = interp::explanation_json(*b.model, q, e);
    text.pop_back();  // the end of its line
    all.member(name) += text;
  };
  all.member("divergent_step") += std::to_string(b.step + 1);
  explained("before", before(m, b.step), b.before);
  explained("there", m.steps[b.step].q, b.there);
}

void move_json(JsonGroup& all, const Shown& s, const std::optional<Blame>& b) {
  if (s.block) all.member("block") += json_quote(s.name);
  if (has_steps(s.block)) steps_json(all, s);
  else ends_json(all, s);
  if (b) blame_json(all, *b, *s.move);
}

/// `x: nuts (2 of 3)`.
std::string name_of(const Block& block, const std::vector<ReplayedMove>& moves, std::size_t move) {
  const std::string name = block_text(block);
  if (block.repeat == 1) return name;
  const auto same = std::count_if(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(move), [&](const ReplayedMove& m) { return m.block == moves[move].block; });
  return fmt::format("{} ({} of {})", name, same + 1, block.repeat);
}

class Printer {
 public:
  Printer(const ModelArgs& model_args, const interp::InterpModel& model, const SampleOptions& options, const ReplayArgs& wanted, const CsvDraws& file)
      : model_args_(model_args), options_(options), wanted_(wanted), file_(file), then_(model, options.blocks.get()) {}

  int print(const ReplayedTransition& t) {
    std::string text, json;
    JsonGroup all(json, JsonGroup::Kind::Object);
    all.member("chain") += std::to_string(wanted_.chain);
    all.member("draw") += std::to_string(wanted_.draw);
    text = fmt::format("chain {}, draw {}: ", wanted_.chain, wanted_.draw);
    if (const Status bad = options_.blocks ? add_sweep(t, &text, all) : add_move(t, 0, &text, all); !bad) return refuse(bad.message);
    all.end();
    text += fmt::format("the draw is that of '{}'\n", file_.path);
    return write_output(wanted_.format == "json" ? json + "\n" : text) ? 0 : 1;
  }

 private:
  Status add_sweep(const ReplayedTransition& t, std::string* text, JsonGroup& all) {
    *text += fmt::format("{} {} in a sweep\n", t.moves.size(), t.moves.size() == 1 ? "move" : "moves");
    JsonGroup moves(all.member("moves"), JsonGroup::Kind::Array);
    for (std::size_t i = 0; i < t.moves.size(); ++i) {
      JsonGroup move(moves.item(), JsonGroup::Kind::Object);
      if (Status bad = add_move(t, i, text, move); !bad) return bad;
      move.end();
    }
    moves.end();
    return {};
  }

  Status add_move(const ReplayedTransition& t, std::size_t i, std::string* text, JsonGroup& all) {
    const ReplayedMove& m = t.moves[i];
    Shown s{&m, block_of(options_.blocks.get(), m), {}, {}, {}};
    if (s.block) s.name = name_of(*s.block, t.moves, i);
    s.path = path_of(then_, s.block, m);
    if (Status bad = chosen_quantities(s.path, file_, wanted_.names, s.block != nullptr, &s.quantities); !bad) return bad;
    const std::optional<Blame> b = blame(model_args_, then_.at(m.start), m);
    *text += move_text(s, b, s.block ? s.block->sampler == BlockSampler::Walnuts : options_.engine == Engine::Walnuts);
    move_json(all, s, b);
    return {};
  }

  const ModelArgs& model_args_;
  const SampleOptions& options_;
  const ReplayArgs& wanted_;
  const CsvDraws& file_;
  ModelThen then_;
};

}  // namespace

int run_replay(const ModelArgs& args, SampleOptions options, const ReplayArgs& wanted, Stop& stop) {
  const auto model = sampled_model(args, &options);
  const std::string stem = fmt::format("{}/{}_{}", options.output_dir, options.output_name, wanted.chain);
  ReplayedTransition t;
  CsvDraws file;
  if (const Status bad = replay(*model, options, {wanted.chain, wanted.draw}, stem + ".state", &Stop::flag(), &t); !bad)
    return refuse(error_text(bad, stop.reason()));
  if (const Status bad = read_csv(stem + ".csv", &file); !bad) return refuse(bad.message);
  file.path = fmt::format("{}/{}_{}.csv", wanted.folder, options.output_name, wanted.chain);  // as it was asked for
  if (const Status bad = compare_with_file(t, file, wanted.draw, options.sig_figs); !bad) return refuse(bad.message);
  return Printer(args, *model, options, wanted, file).print(t);
}

}  // namespace fermiac::cli
