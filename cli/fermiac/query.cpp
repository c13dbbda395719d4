// `fermiac query`: probabilities of what a program says.
#include "interp/questions/query.h"

#include <iostream>

#include "cli/fermiac/given_points.h"
#include "cli/fermiac/load.h"
#include "cli/fermiac/questions.h"
#include "cli/fermiac/refuse.h"
#include "cli/fermiac/stan_value.h"
#include "support/output.h"

namespace fermiac::cli {
namespace {

std::vector<std::string> queries(const std::string& given) {
  if (given != "-") return {given};
  std::vector<std::string> out;
  for (std::string line; std::getline(std::cin, line);)
    if (!line.empty()) out.push_back(line);
  return out;
}

bool answer_one(const interp::Questioner& questioner, const std::string& text, const QueryArgs& args) {
  interp::Query query = interp::read_query(text);
  for (auto* items : {&query.events, &query.given})
    for (interp::QueryItem& item : *items)
      if (!item.value.empty()) item.value = json_of_value(item.name, item.value);
  const auto model = questioner.model(query);
  std::vector<std::vector<double>> points = draws_in(*model, args.draws);
  if (args.draws.empty()) points.emplace_back(model->unconstrained_size());
  if (points.empty()) throw DataError("there are no draws");
  return write_output(interp::answer_json(query, questioner.answer(*model, query, points, !args.draws.empty(), args.normalised)));
}

}  // namespace

int run_query(const QueryArgs& args, Stop&) {
  const auto program = load_program(args.model);
  if (!program) return 1;
  try {
    const interp::DataSource data = open_data(args.model, *program);
    const interp::Questioner questioner(*program, data, read_conditioning(args.model.conditioning));
    for (const std::string& text : queries(args.text))
      if (!answer_one(questioner, text, args)) return 1;
  } catch (const interp::BindError& e) {
    return refuse(e.what());
  } catch (const DataError& e) {
    return refuse(e.what());
  }
  return 0;
}

}  // namespace fermiac::cli
