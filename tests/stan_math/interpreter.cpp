// Prints of an interpreted model what driver.cpp prints of an emitted one.
//   stan_math_interpreter MODEL.stan DATA.json SEEDS POINTS [--include-path DIR] [INITS.json]...
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "interp/io/data.h"
#include "interp/model/interp_model.h"
#include "interp/model/layout.h"
#include "support/base/model_name.h"
#include "support/base/render.h"
#include "support/base/rng.h"
#include "support/base/text_file.h"
#include "tests/stan_math/json_text.h"

namespace fermiac {
namespace {

using interp::ExpectedType;
using interp::InterpModel;
using json_text::by_flags;
using json_text::numbers;
using json_text::object;
using json_text::quoted;

struct Arguments {
  std::string program, data;
  int seeds = 1, points = 1;
  std::vector<std::string> include_paths, inits;
};

std::string failed(const std::string& message) {
  return object({{"error", quoted(message)}});
}

std::string text_of(const std::string& path) {
  TextFile file = read_text_file(path, true);
  if (file.state != TextFile::State::Read) throw std::runtime_error(file.problem);
  return std::move(file.text);
}

std::string stem(const std::string& path) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  return name.substr(0, name.rfind('.'));
}

std::shared_ptr<const interp::CompiledModel> compiled(const Arguments& args) {
  const auto model = interp::compile_model({.text = text_of(args.program),
                                            .path = stem(args.program) + ".stan",
                                            .name = model_name(args.program),
                                            .include_paths = args.include_paths});
  if (!*model) throw std::runtime_error(render_errors(model->sources(), model->diagnostics));
  return model;
}

// Names, dimensions and types.

using Output = interp::Output;

bool shown(const Output& output, bool tparams, bool generated) {
  if (output.block == mir::BlockKind::TransformedParameters) return tparams;
  return output.block == mir::BlockKind::Parameters || generated;
}

/// Calls visit(name, dimensions) for every leaf: `t.1`, with the sizes of arrays around it.
template <class Visit>
void leaves(const std::string& name, const ExpectedType& type, std::vector<std::size_t> dims, Visit visit) {
  dims.insert(dims.end(), type.array_dims.begin(), type.array_dims.end());
  for (std::size_t i = 0; i < type.slots.size(); ++i)
    leaves(name + "." + std::to_string(i + 1), type.slots[i], dims, visit);
  if (type.base == BaseType::Tuple) return;
  const bool matrix = type.base == BaseType::Matrix || type.base == BaseType::ComplexMatrix;
  const bool row = type.base == BaseType::RowVector || type.base == BaseType::ComplexRowVector;
  const bool column = type.base == BaseType::Vector || type.base == BaseType::ComplexVector;
  if (matrix || column) dims.push_back(type.rows);
  if (matrix || row) dims.push_back(type.cols);
  const bool complex = type.base == BaseType::Complex || type.base == BaseType::ComplexVector ||
                       type.base == BaseType::ComplexRowVector || type.base == BaseType::ComplexMatrix;
  if (complex) dims.push_back(2);
  visit(name, dims);
}

template <class Visit>
void output_leaves(const InterpModel& model, bool tparams, bool generated, Visit visit) {
  for (const Output& output : model.outputs())
    if (shown(output, tparams, generated)) leaves(output.name, output.type, {}, visit);
}

std::string leaf_names(const InterpModel& model, bool tparams, bool generated) {
  std::vector<std::string> names;
  output_leaves(model, tparams, generated, [&](const std::string& name, const auto&) { names.push_back(name); });
  return json_text::strings(names);
}

std::string leaf_dims(const InterpModel& model, bool tparams, bool generated) {
  std::vector<std::vector<std::size_t>> all;
  output_leaves(model, tparams, generated, [&](const auto&, const auto& dims) { all.push_back(dims); });
  return json_text::list(all, [](const auto& dims) { return numbers(dims); });
}

std::string scalar_names(const InterpModel& model, bool tparams, bool generated, ExpectedType Output::*type) {
  std::vector<std::string> names;
  for (const Output& output : model.outputs())
    if (shown(output, tparams, generated)) interp::append_names(output.name, output.*type, names);
  return json_text::strings(names);
}

std::string type_text(const ExpectedType& type);

std::string element_text(const ExpectedType& type) {
  const auto vector = [](const char* name, std::uint32_t n) {
    return fmt::format(R"({{"name":"{}","length":{}}})", name, n);
  };
  const auto matrix = [&](const char* name) {
    return fmt::format(R"({{"name":"{}","rows":{},"cols":{}}})", name, type.rows, type.cols);
  };
  switch (type.base) {
    case BaseType::Int: return R"({"name":"int"})";
    case BaseType::Real: return R"({"name":"real"})";
    case BaseType::Complex: return R"({"name":"complex"})";
    case BaseType::Vector: return vector("vector", type.rows);
    case BaseType::RowVector: return vector("vector", type.cols);
    case BaseType::ComplexVector: return vector("complex_vector", type.rows);
    case BaseType::ComplexRowVector: return vector("complex_vector", type.cols);
    case BaseType::Matrix: return matrix("matrix");
    case BaseType::ComplexMatrix: return matrix("complex_matrix");
    default: break;
  }
  return fmt::format(R"({{"name":"tuple","num_elements":"{}","element_types":{}}})", type.slots.size(),
                     json_text::list(type.slots, type_text));
}

std::string type_text(const ExpectedType& type) {
  std::string text = element_text(type);
  for (std::size_t k = type.array_dims.size(); k-- > 0;)
    text = fmt::format(R"({{"name":"array","length":{},"element_type":{}}})", type.array_dims[k], text);
  return text;
}

const char* block_name(mir::BlockKind block) {
  if (block == mir::BlockKind::Parameters) return "parameters";
  return block == mir::BlockKind::TransformedParameters ? "transformed_parameters" : "generated_quantities";
}

std::string types(const InterpModel& model, ExpectedType Output::*type) {
  return quoted(json_text::list(model.outputs(), [&](const Output& output) {
    return fmt::format(R"({{"name":"{}","type":{},"block":"{}"}})", output.name, type_text(output.*type),
                       block_name(output.block));
  }));
}

// Values.

std::vector<double> point(const InterpModel& model, int k) {
  std::vector<double> theta(model.unconstrained_size());
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = 0.3 * std::sin(1 + 0.7 * static_cast<double>(i) + 1.3 * k);
  return theta;
}

std::string density(const InterpModel& model, bool jacobian, const std::vector<double>& theta) {
  double lp = 0;
  const EvalStatus status = model.log_density_plain(theta, jacobian, &lp);
  return status ? json_text::number(lp) : failed(status.message);
}

std::string gradient(ModelWorkspace& workspace, bool propto, bool jacobian, const std::vector<double>& theta) {
  double lp = 0;
  std::vector<double> adjoints(theta.size());
  const EvalStatus status = workspace.log_density_gradient(theta, {.propto = propto, .jacobian = jacobian}, &lp, adjoints);
  if (!status) return failed(status.message);
  return object({{"lp", json_text::number(lp)}, {"grad", numbers(adjoints)}});
}

std::string written(const InterpModel& model, ModelWorkspace& workspace, bool tparams, bool generated,
                    const std::vector<double>& theta, int seed) {
  Rng rng(static_cast<std::uint64_t>(seed));
  std::vector<double> out(model.names(tparams, generated).size(), std::nan(""));
  const EvalStatus status = workspace.write_array(theta, tparams, generated, rng, out);
  json_text::Members members{{"values", numbers(out)}};
  if (!status) members.emplace_back("error", quoted(status.message));
  return object(members);
}

std::string unconstrained(const InterpModel& model, ModelWorkspace& workspace, const std::vector<double>& theta) {
  Rng rng(1);
  std::vector<double> values(model.names(false, false).size()), out(theta.size());
  EvalStatus status = workspace.write_array(theta, false, false, rng, values);
  if (status) status = model.unconstrain_array(values, {}, out);
  return status ? numbers(out) : failed(status.message);
}

std::string inits(const InterpModel& model, const std::string& path) {
  std::vector<double> out(model.unconstrained_size());
  const EvalStatus status = model.unconstrain_json(text_of(path), {}, out);
  return status ? numbers(out) : failed(status.message);
}

std::string at_point(const InterpModel& model, std::string& prints, int k, int seeds) {
  const std::vector<double> theta = point(model, k);
  const auto workspace = model.workspace();
  std::vector<std::string> draws;
  std::string printed;
  for (int seed = 1; seed <= seeds; ++seed) {
    draws.push_back(by_flags([&](bool t, bool g) {
      prints.clear();
      std::string values = written(model, *workspace, t, g, theta, seed);
      if (seed == 1 && t && g) printed = prints;
      return values;
    }));
  }
  return object({{"log_prob", by_flags([&](bool, bool j) { return density(model, j, theta); })},
                 {"gradient", by_flags([&](bool p, bool j) { return gradient(*workspace, p, j, theta); })},
                 {"write_array", json_text::list(draws, [](const std::string& draw) { return draw; })},
                 {"write_array_prints", quoted(printed)},
                 {"unconstrain_array", unconstrained(model, *workspace, theta)}});
}

json_text::Members description(const InterpModel& model) {
  return {{"model_name", quoted(std::string(model.name()))},
          {"num_params", std::to_string(model.unconstrained_size())},
          {"param_names", by_flags([&](bool t, bool g) { return leaf_names(model, t, g); })},
          {"dims", by_flags([&](bool t, bool g) { return leaf_dims(model, t, g); })},
          {"constrained_names", by_flags([&](bool t, bool g) { return scalar_names(model, t, g, &Output::type); })},
          {"unconstrained_names", by_flags([&](bool t, bool g) { return scalar_names(model, t, g, &Output::unconstrained); })},
          {"constrained_types", types(model, &Output::type)},
          {"unconstrained_types", types(model, &Output::unconstrained)}};
}

std::string report(const Arguments& args) {
  const interp::DataSource data = interp::DataSource::open(args.data);
  std::string prints;
  const PrintSink sink = [&prints](std::string_view text) { prints += text; };
  InterpModel model(compiled(args), data, 1, sink);
  model.set_print(sink);
  json_text::Members members = description(model);
  members.emplace_back("prints", quoted(prints));
  std::vector<std::string> evaluated, read;
  for (int k = 0; k < args.points; ++k) evaluated.push_back(at_point(model, prints, k, args.seeds));
  for (const std::string& file : args.inits) read.push_back(inits(model, file));
  const auto as_is = [](const std::string& text) { return text; };
  members.emplace_back("points", json_text::list(evaluated, as_is));
  members.emplace_back("inits", json_text::list(read, as_is));
  return object(members);
}

Arguments parse(const std::vector<std::string>& words) {
  Arguments args{.program = words.at(0),
                 .data = words.at(1),
                 .seeds = std::stoi(words.at(2)),
                 .points = std::stoi(words.at(3)),
                 .include_paths = {},
                 .inits = {}};
  for (std::size_t i = 4; i < words.size(); ++i) {
    if (words[i] == "--include-path") {
      args.include_paths.push_back(words.at(++i));
    } else {
      args.inits.push_back(words[i]);
    }
  }
  return args;
}

}  // namespace
}  // namespace fermiac

int main(int argc, char** argv) {
  try {
    std::cout << fermiac::report(fermiac::parse(std::vector<std::string>(argv + 1, argv + argc))) << "\n";
  } catch (const std::exception& e) {
    std::cout << fermiac::failed(e.what()) << "\n";
  }
  return 0;
}
