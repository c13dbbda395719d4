// `fermiac sites`: what a program consists of.

#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/questions.h"
#include "cli/fermiac/shared/refuse.h"
#include "interp/model/conditioned_model.h"
#include "interp/queries/site_text.h"
#include "support/base/json.h"
#include "support/platform/output.h"

namespace fermiac::cli {
namespace {

using interp::Generative;
using interp::SiteRow;

int print_names(const interp::ConditionedModel& model) {
  std::string out;
  JsonGroup object(out, JsonGroup::Kind::Object);
  object.member("unconstrained") += std::to_string(model.unconstrained_size());
  object.member("names") += json_list(model.names_of_free_numbers());
  object.end();
  return write_output(out + "\n") ? 0 : 1;
}

/// Whether a program is generative is a question about one with data: without, nothing is said.
int print_rows(const std::vector<SiteRow>& rows, const SitesArgs& args, const Generative* generative) {
  return write_output(args.format == "table" ? interp::sites_table(rows, generative) : interp::sites_json(rows, generative)) ? 0 : 1;
}

Generative ask(const interp::CompiledModel& program, const ModelArgs& args) {
  return interp::ask_generative(program, open_data(args, program, false), read_conditioning(args.conditioning), &Stop::flag());
}

}  // namespace

int run_sites(const SitesArgs& args) {
  const ModelArgs& given = args.model;
  const auto program = load_program(given);
  if (given.data.empty() && !args.names) return print_rows(interp::site_rows(*interp::conditioned_program(*program, {})), args, nullptr);
  const auto model = bind_conditioned_model(given, program);
  if (args.names) return print_names(*model);
  try {
    const Generative generative = ask(*program, given);
    return print_rows(interp::site_rows(*model), args, &generative);
  } catch (const InputError&) {  // sizes that would be drawn, say
    return print_rows(interp::site_rows(*model), args, nullptr);
  }
}

}  // namespace fermiac::cli
