#include "cli/fermiac/runs/netcdf.h"

#include <filesystem>

#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/refuse.h"
#include "inference/methods/netcdf_files.h"
#include "interp/queries/data_arrays.h"

namespace fermiac::cli {
namespace {

std::vector<inference::DataArray> data_of(const interp::CompiledModel& program, const ModelArgs& args) {
  return args.data.empty() ? std::vector<inference::DataArray>() : interp::data_arrays(program, open_data(args, program, false));
}

}  // namespace

int run_convert(const ConvertArgs& args) {
  std::error_code ignored;
  if (std::filesystem::exists(args.output, ignored) && !args.overwrite) return refuse("'" + args.output + "' exists already; choose another --output, or allow --overwrite");
  if (args.model.model.empty() && !args.model.data.empty()) return refuse("--data needs --model, the program that says which of the data are observed");
  std::vector<inference::DataArray> data;
  if (!args.model.model.empty()) {
    const auto program = load_program(args.model);
    data = data_of(*program, args.model);
  }
  const Status bad = inference::write_netcdf(args.files, data, args.output);
  return bad ? 0 : refuse(bad.message);
}

bool pack_draws(const interp::CompiledModel& program, const ModelArgs& args, inference::SampleRun* run) {
  std::string problem;
  try {
    problem = inference::pack_run(data_of(program, args), run).message;
  } catch (const InputError& e) {
    problem = e.what();
  }
  if (!problem.empty()) refuse(problem + "; the draws stay CSV files");
  return problem.empty();
}

}  // namespace fermiac::cli
