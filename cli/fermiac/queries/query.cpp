// `fermiac query`: probabilities of what a program says.
#include "interp/queries/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <optional>

#include "cli/fermiac/queries/drawn_events.h"
#include "cli/fermiac/shared/file_sums.h"
#include "cli/fermiac/shared/given_points.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/program_scope.h"
#include "cli/fermiac/shared/questions.h"
#include "cli/fermiac/shared/refuse.h"
#include "support/platform/output.h"

namespace fermiac::cli {
namespace {

using interp::QueryItem;
using interp::Relation;

std::vector<std::string> queries(const std::string& given) {
  if (given != "-") return {given};
  std::vector<std::string> out;
  for (std::string line; std::getline(std::cin, line);)
    if (!line.empty()) out.push_back(line);
  return out;
}

/// What a query asks, by what decides it: the program's distributions, or the draws themselves.
struct Split {
  interp::Query elements;
  std::vector<QueryItem> events, given;
};

class Asker {
 public:
  Asker(const QueryArgs& args, const interp::CompiledModel& program)
      : args_(args), data_(open_data(args.model, program)), questioner_(program, data_, read_conditioning(args.model.conditioning)), scope_(args.model, program) {
    if (args.draws.empty()) return;
    warn_of_other_data(args.draws, args.model.data);
    draws_.emplace(scope_, args.draws);
  }

  interp::Answer answer(const interp::Query& query) {
    Split split{query, {}, {}};
    interp::QueryPoints at{.parameters_known = draws_.has_value()};
    if (draws_) {
      split = split_by_draws(query);
      at.lengths = draws_->lengths();
      at.given = holds(split.given);
      at.holds = holds(split.events);
    }
    interp::Answer out = split.elements.events.empty() ? share(at, query.exponential) : of_elements(split.elements, std::move(at));
    for (std::string& remark : remarks_on_data(query, out.mcse && std::isnan(*out.mcse))) out.remarks.push_back(std::move(remark));
    return out;
  }

 private:
  Split split_by_draws(const interp::Query& query) const {
    Split out;
    out.elements.exponential = query.exponential;
    for (const QueryItem& item : query.events) (draws_->decides(item) ? out.events : out.elements.events).push_back(item);
    for (const QueryItem& item : query.given) (item.relation == Relation::Equal ? out.elements.given : out.given).push_back(item);
    if (!out.events.empty()) refuse_values(out.elements.given);
    return out;
  }
  /// The draws are given what their run was given; other values would need other draws.
  void refuse_values(const std::vector<QueryItem>& given) const {
    for (const QueryItem& item : given)
      if (!item.value.empty() || draws_->decides(item))
        throw InputError(fmt::format("the draws were not made given {}: condition on it when they are made, or give an interval of it", text_of(item)));
  }

  /// Data in an expression are what was observed, though an event of one element asks for a new value of it.
  std::vector<std::string> remarks_on_data(const interp::Query& query, bool is_constant) const {
    std::vector<std::string> out;
    if (!draws_) return out;
    for (const QueryItem& item : query.events)
      if (std::string remark = remark_on_data(item, is_constant); !remark.empty()) out.push_back(std::move(remark));
    return out;
  }

  std::string remark_on_data(const QueryItem& item, bool is_constant) const {
    if (item.is_element && !draws_->decides(item)) {
      const std::string observed = draws_->observed_in(item.value);
      return observed.empty() ? "" : fmt::format("{} compares a new {} with the observed {}", text_of(item), item.name, observed);
    }
    const std::string observed = is_constant ? draws_->observed_in(item.name + " " + item.value) : "";
    if (observed.empty()) return {};
    return fmt::format("{} reads the observed {}, which is the same in all draws; separate events with a comma ask for new values of data", text_of(item), observed);
  }

  std::vector<double> holds(const std::vector<QueryItem>& items) const {
    std::vector<double> out(draws_->count(), 1.0);
    for (const QueryItem& item : items) draws_->narrow(item, out);
    return out;
  }

  static interp::Answer share(const interp::QueryPoints& at, bool exponential) {
    std::vector<double> logs;
    for (const double holds : at.holds) logs.push_back(std::log(holds));
    interp::Answer out = interp::mean_over_draws(logs, at.lengths, at.given, exponential);
    if (out.mcse != 0) return out;
    out.mcse = std::nan("");
    out.remarks = {fmt::format("the event has the same truth value in all {} draws, so its Monte Carlo error is not known", out.draws)};
    return out;
  }

  interp::Answer of_elements(interp::Query query, interp::QueryPoints at) {
    for (auto* items : {&query.events, &query.given})
      for (QueryItem& item : *items)
        if (!item.value.empty() && item.is_element) {
          refuse_drawn_value(item);
          item.value = scope_.json(item.name, item.value);
        }
    const auto model = questioner_.model(query);
    if (draws_) at.points = draws_in(*model, args_.draws);
    else at.points.emplace_back(model->unconstrained_size());
    if (draws_ && at.points.size() != draws_->count()) throw InputError("the draws have warm-up draws among them, or files without draws");
    return questioner_.answer(*model, query, at, args_.normalized);
  }

  /// A new value of data is compared with one number, not with a parameter.
  void refuse_drawn_value(const QueryItem& item) const {
    for (const mir::OutputVar& v : scope_.model().compiled().program.output_vars)
      if (repl::mentions_word(item.value, v.name))
        throw InputError(fmt::format("{} compares a new {} with {}, which differs between draws: draw {} with 'fermiac predict', and ask its folder (--draws)", text_of(item),
                                    item.name, v.name, item.name));
  }

  const QueryArgs& args_;
  interp::DataSource data_;
  interp::Questioner questioner_;
  mutable ProgramScope scope_;
  std::optional<DrawnEvents> draws_;
};

/// `--draws a.csv b.csv 'prob mu > 0'` takes the query for a file.
void find_query(QueryArgs& args) {
  if (!args.text.empty() || args.draws.size() < 2) return;
  args.text = std::move(args.draws.back());
  args.draws.pop_back();
}

}  // namespace

int run_query(const QueryArgs& given) {
  QueryArgs args = given;
  find_query(args);
  if (args.text.empty()) return refuse("query is required: `logprob EVENTS | GIVEN` or `prob EVENTS | GIVEN`", 2);
  const auto program = load_program(args.model);
  Asker asker(args, *program);
  for (const std::string& text : queries(args.text)) {
    const interp::Query query = interp::read_query(text, !args.draws.empty());
    const interp::Answer answer = asker.answer(query);
    for (const std::string& remark : answer.remarks) std::fprintf(stderr, "%s\n", remark.c_str());
    if (!write_output(interp::answer_json(query, answer))) return 1;
  }
  return 0;
}

}  // namespace fermiac::cli
