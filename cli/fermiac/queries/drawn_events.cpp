#include "cli/fermiac/queries/drawn_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "inference/output/draw_files.h"
#include "interp/conditioning/conditioned.h"

namespace fermiac::cli {
namespace {

using interp::QueryItem;
using interp::Relation;

inference::ChainSet one_chain(const inference::ChainSet& all, std::size_t chain) {
  inference::ChainSet out;
  out.names = all.names;
  out.rows = {all.rows[chain]};
  out.num_samples = static_cast<unsigned>(all.names.empty() ? 0 : all.rows[chain].size() / all.names.size());
  return out;
}

bool holds_between(Relation relation, double a, double b) {
  switch (relation) {
    case Relation::Less: return a < b;
    case Relation::AtMost: return a <= b;
    case Relation::Above: return a > b;
    case Relation::AtLeast: return a >= b;
    case Relation::Holds: return a != 0;
    default: return a == b;
  }
}

}  // namespace

DrawnEvents::DrawnEvents(ProgramScope& scope, const std::vector<std::string>& files) : scope_(scope) {
  inference::ChainSet all;
  if (const Status bad = inference::load_chains(files, &all); !bad) throw InputError(bad.message);
  for (const std::string& line : all.missing) std::fprintf(stderr, "fermiac: %s\n", line.c_str());
  for (std::size_t c = 0; c < all.rows.size(); ++c) {
    chains_.emplace_back(one_chain(all, c), &scope.model());
    lengths_.push_back(chains_.back().count());
  }
  if (count() == 0) throw InputError("there are no draws");
  for (const repl::Draws::Variable& v : chains_.front().variables()) names_.insert(v.name);
}

std::size_t DrawnEvents::count() const { return std::accumulate(lengths_.begin(), lengths_.end(), std::size_t{0}); }

bool DrawnEvents::decides(const QueryItem& event) const {
  if (!event.is_element) return true;
  const interp::Pattern pattern = interp::read_pattern(event.name);
  const mir::Program& program = scope_.model().compiled().program;
  const auto named = [&](const auto& variable) { return variable.name == pattern.name; };
  if (std::ranges::none_of(program.input_vars, named)) return std::ranges::any_of(program.output_vars, named) || names_.contains(pattern.name);
  const interp::Conditioned* c = scope_.model().context().conditioned();  // data, some of which may be missing, and so drawn
  const interp::NumberTable::Variable* v = c ? c->numbers().find(pattern.name) : nullptr;
  return v && std::ranges::any_of(c->numbers().numbers(*v, pattern.steps, event.name),
                                  [&](interp::NumberName n) { return c->state(n) != interp::NumberState::Observed && c->state(n) != interp::NumberState::Fixed; });
}

std::string DrawnEvents::observed_in(const std::string& text) const {
  std::string out;
  for (const mir::InputVar& variable : scope_.model().compiled().program.input_vars)
    if (!names_.contains(variable.name) && repl::mentions_word(text, variable.name)) out += (out.empty() ? "" : ", ") + variable.name;
  return out;
}

DrawnEvents::Drawn DrawnEvents::evaluated(const std::string& text) const {
  Drawn out;
  scope_.evaluating([&] { out = evaluated_here(text); });
  return out;
}

DrawnEvents::Drawn DrawnEvents::evaluated_here(const std::string& text) const {
  Drawn out;
  try {
    scope_.bring_in(text, names_);
    for (const repl::Draws& chain : chains_) {
      if (chain.count() == 0) continue;
      repl::Evaluator& evaluator = scope_.evaluator();
      repl::DrawScope scope(evaluator, chain, text);
      const repl::DrawnExpression drawn = repl::over_draws(evaluator, chain, scope, evaluator.parse_expression(text), text);
      if (out.width != 0 && out.width != drawn.chains.names.size()) throw InputError(fmt::format("'{}' has different sizes in different draws", text));
      out.width = drawn.chains.names.size();
      out.values.insert(out.values.end(), drawn.chains.rows[0].begin(), drawn.chains.rows[0].end());
    }
  } catch (const InputError& e) {
    throw InputError(fmt::format("'{}' cannot be evaluated over the draws: {}", text, e.what()));
  }
  return out;
}

void DrawnEvents::narrow(const QueryItem& event, std::vector<double>& holds) const {
  if (event.relation == Relation::Equal)
    throw InputError(fmt::format("{} has its value from the draws, which show no density: write {} == VALUE, or an interval such as {} > VALUE", event.name, event.name, event.name));
  const Drawn left = evaluated(event.name), right = event.relation == Relation::Holds ? Drawn{1, std::vector<double>(count())} : evaluated(event.value);
  if (right.width != 1 && left.width != 1 && right.width != left.width)
    throw InputError(fmt::format("{} compares {} numbers with {}", text_of(event), left.width, right.width));
  const std::size_t width = std::max(left.width, right.width);
  const auto number = [](const Drawn& of, std::size_t draw, std::size_t k) { return of.values[draw * of.width + (of.width == 1 ? 0 : k)]; };
  std::size_t undecided = 0;
  for (std::size_t draw = 0; draw < holds.size(); ++draw) {
    bool all = true, known = true;
    for (std::size_t k = 0; k < width; ++k) {
      const double a = number(left, draw, k), b = number(right, draw, k);
      known = known && !std::isnan(a) && !std::isnan(b);
      all = all && holds_between(event.relation, a, b);
    }
    undecided += known ? 0 : 1;
    holds[draw] *= (event.relation == Relation::Differs ? !all : all) ? 1 : 0;
  }
  if (undecided > 0) throw InputError(fmt::format("{} compares values that are not a number in {} of {} draws", text_of(event), undecided, holds.size()));
}

}  // namespace fermiac::cli
