// Looks at an emitted model from outside, as programs that sample do, and prints everything it says as one JSON object;
// interpreter.cpp prints the same of an interpreted model.
//   driver ID DATA.json SEEDS POINTS [INITS.json]...
// SEEDS: number of seeds for random numbers. POINTS: number of points at which to evaluate. INITS.json: constrained
// values of the parameters.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include <stan/model/model_header.hpp>

#include <stan/io/empty_var_context.hpp>
#include <stan/io/json/json_data.hpp>
#include <stan/services/util/create_rng.hpp>

#include "json_text.h"
#include "registry.h"

namespace emitted {

std::vector<Entry>& registry() {
  static std::vector<Entry> entries;
  return entries;
}

namespace {

using json_text::by_flags;
using json_text::numbers;
using json_text::object;
using stan::math::var;
using stan::model::model_base;
using Vector = Eigen::VectorXd;

template <typename Make>
std::string guarded(Make make) {
  try {
    return make();
  } catch (const std::exception& e) {
    return object({{"error", json_text::quoted(e.what())}});
  }
}

const Entry& find(const std::string& id) {
  for (const Entry& entry : registry())
    if (entry.id == id) return entry;
  throw std::runtime_error("no model " + id);
}

std::unique_ptr<stan::io::var_context> read_json(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot open " + path);
  return std::make_unique<stan::json::json_data>(in);
}

Vector point(const model_base& model, int k) {
  Vector theta(model.num_params_r());
  for (int i = 0; i < theta.size(); ++i) theta[i] = 0.3 * std::sin(1 + 0.7 * i + 1.3 * k);
  return theta;
}

template <typename Params>
auto log_prob(const model_base& model, bool propto, bool jacobian, Params& theta) {
  if (propto) return jacobian ? model.log_prob_propto_jacobian(theta, nullptr) : model.log_prob_propto(theta, nullptr);
  return jacobian ? model.log_prob_jacobian(theta, nullptr) : model.log_prob(theta, nullptr);
}

template <typename Scalar>
auto log_prob_of_array(const model_base& model, bool propto, bool jacobian, const Vector& theta) {
  std::vector<Scalar> params(theta.data(), theta.data() + theta.size());
  std::vector<int> ints;
  if (propto)
    return jacobian ? model.log_prob_propto_jacobian(params, ints, nullptr) : model.log_prob_propto(params, ints, nullptr);
  return jacobian ? model.log_prob_jacobian(params, ints, nullptr) : model.log_prob(params, ints, nullptr);
}

std::string density(const model_base& model, bool propto, bool jacobian, Vector theta) {
  return guarded([&] { return json_text::number(log_prob(model, propto, jacobian, theta)); });
}

std::string density_of_array(const model_base& model, bool propto, bool jacobian, const Vector& theta) {
  return guarded([&] { return json_text::number(log_prob_of_array<double>(model, propto, jacobian, theta)); });
}

template <typename Evaluate>
std::string gradient(const Vector& theta, Evaluate evaluate) {
  stan::math::nested_rev_autodiff nested;
  Eigen::Matrix<var, -1, 1> params = theta.cast<var>();
  var lp = evaluate(params);
  lp.grad();
  Vector adjoints(params.size());
  for (int i = 0; i < params.size(); ++i) adjoints[i] = params[i].adj();
  return object({{"lp", json_text::number(lp.val())}, {"grad", numbers(adjoints)}});
}

std::string gradient(const model_base& model, bool propto, bool jacobian, const Vector& theta) {
  return guarded([&] {
    return gradient(theta, [&](Eigen::Matrix<var, -1, 1>& params) { return log_prob(model, propto, jacobian, params); });
  });
}

std::string gradient_of_array(const model_base& model, bool propto, bool jacobian, const Vector& theta) {
  return guarded([&] {
    stan::math::nested_rev_autodiff nested;
    return json_text::number(log_prob_of_array<var>(model, propto, jacobian, theta).val());
  });
}

#ifdef STAN_MODEL_FVAR_VAR
using stan::math::fvar;

fvar<var> log_prob_of_pairs(const model_base& model, bool propto, bool jacobian, Eigen::Matrix<fvar<var>, -1, 1>& theta) {
  if (propto) return jacobian ? model.log_prob_propto_jacobian(theta, nullptr) : model.log_prob_propto(theta, nullptr);
  return jacobian ? model.log_prob_jacobian(theta, nullptr) : model.log_prob(theta, nullptr);
}

// Density, its derivative along cos(i), and the gradient of that: the Hessian times this direction.
std::string second_order(const model_base& model, bool propto, bool jacobian, const Vector& theta) {
  return guarded([&] {
    stan::math::nested_rev_autodiff nested;
    Eigen::Matrix<fvar<var>, -1, 1> params(theta.size());
    for (int i = 0; i < theta.size(); ++i) params[i] = fvar<var>(theta[i], std::cos(i));
    fvar<var> lp = log_prob_of_pairs(model, propto, jacobian, params);
    lp.d_.grad();
    Vector product(theta.size());
    for (int i = 0; i < theta.size(); ++i) product[i] = params[i].val_.adj();
    return object({{"lp", json_text::number(lp.val_.val())},
                   {"slope", json_text::number(lp.d_.val())},
                   {"product", numbers(product)}});
  });
}
#endif

// What was written before an error counts too.
std::string written(const model_base& model, bool tparams, bool generated, Vector theta, int seed, std::ostream* prints) {
  auto rng = stan::services::util::create_rng(static_cast<unsigned int>(seed), 0);
  Vector out;
  std::string error;
  try {
    model.write_array(rng, theta, out, tparams, generated, prints);
  } catch (const std::exception& e) {
    error = e.what();
  }
  json_text::Members members{{"values", numbers(out)}};
  if (!error.empty()) members.emplace_back("error", json_text::quoted(error));
  return object(members);
}

std::string written_to_array(const model_base& model, bool tparams, bool generated, const Vector& theta, int seed) {
  auto rng = stan::services::util::create_rng(static_cast<unsigned int>(seed), 0);
  std::vector<double> params(theta.data(), theta.data() + theta.size()), out;
  std::vector<int> ints;
  std::string error;
  try {
    model.write_array(rng, params, ints, out, tparams, generated, nullptr);
  } catch (const std::exception& e) {
    error = e.what();
  }
  json_text::Members members{{"values", numbers(out)}};
  if (!error.empty()) members.emplace_back("error", json_text::quoted(error));
  return object(members);
}

Vector constrained(const model_base& model, Vector theta) {
  auto rng = stan::services::util::create_rng(1u, 0);
  Vector out;
  model.write_array(rng, theta, out, false, false, nullptr);
  return out;
}

std::string unconstrained(const model_base& model, const Vector& theta) {
  return guarded([&] {
    Vector out;
    model.unconstrain_array(constrained(model, theta), out, nullptr);
    return numbers(out);
  });
}

std::string unconstrained_array(const model_base& model, const Vector& theta) {
  return guarded([&] {
    const Vector values = constrained(model, theta);
    std::vector<double> out;
    model.unconstrain_array(std::vector<double>(values.data(), values.data() + values.size()), out, nullptr);
    return numbers(out);
  });
}

Vector inits(const model_base& model, const std::string& path) {
  const auto context = read_json(path);
  Vector out;
  model.transform_inits(*context, out, nullptr);
  return out;
}

// The density without Jacobian and what is written there do not depend on how constraints are mapped.
std::string at_inits(const model_base& model, const std::string& path) {
  return guarded([&] {
    const Vector theta = inits(model, path);
    return object({{"theta", numbers(theta)},
                   {"log_prob", density(model, false, false, theta)},
                   {"gradient", gradient(model, false, false, theta)},
                   {"write_array", written(model, true, true, theta, 1, nullptr)}});
  });
}

std::string inits_array(const model_base& model, const std::string& path) {
  return guarded([&] {
    const auto context = read_json(path);
    std::vector<int> ints;
    std::vector<double> out;
    model.transform_inits(*context, ints, out, nullptr);
    return numbers(out);
  });
}

std::string at_point(const model_base& model, int k, int seeds) {
  const Vector theta = point(model, k);
  std::ostringstream prints;
  std::vector<std::string> draws;
  for (int seed = 1; seed <= seeds; ++seed)
    draws.push_back(by_flags(
        [&](bool t, bool g) { return written(model, t, g, theta, seed, seed == 1 && t && g ? &prints : nullptr); }));
  json_text::Members members{
      {"log_prob", by_flags([&](bool p, bool j) { return density(model, p, j, theta); })},
      {"gradient", by_flags([&](bool p, bool j) { return gradient(model, p, j, theta); })},
      {"write_array", json_text::list(draws, [](const std::string& draw) { return draw; })},
      {"write_array_prints", json_text::quoted(prints.str())},
      {"unconstrain_array", unconstrained(model, theta)},
      {"arrays", object({{"log_prob", by_flags([&](bool p, bool j) { return density_of_array(model, p, j, theta); })},
                         {"var_log_prob", by_flags([&](bool p, bool j) { return gradient_of_array(model, p, j, theta); })},
                         {"write_array", by_flags([&](bool t, bool g) { return written_to_array(model, t, g, theta, 1); })},
                         {"unconstrain_array", unconstrained_array(model, theta)}})}};
#ifdef STAN_MODEL_FVAR_VAR
  members.emplace_back("second_order", by_flags([&](bool p, bool j) { return second_order(model, p, j, theta); }));
#endif
  return object(members);
}

template <typename Text>
std::string names(Text text) {
  return by_flags([&](bool tparams, bool generated) {
    std::vector<std::string> out;
    text(out, tparams, generated);
    return json_text::strings(out);
  });
}

std::string dimensions(const model_base& model) {
  return by_flags([&](bool tparams, bool generated) {
    std::vector<std::vector<std::size_t>> out;
    model.get_dims(out, tparams, generated);
    return json_text::list(out, [](const std::vector<std::size_t>& dims) { return numbers(dims); });
  });
}

json_text::Members description(const Entry& entry, const model_base& model) {
  return {{"model_name", json_text::quoted(model.model_name())},
          {"compile_info", json_text::strings(model.model_compile_info())},
          {"num_params", std::to_string(model.num_params_r())},
          {"param_names", names([&](auto& out, bool t, bool g) { model.get_param_names(out, t, g); })},
          {"dims", dimensions(model)},
          {"constrained_names", names([&](auto& out, bool t, bool g) { model.constrained_param_names(out, t, g); })},
          {"unconstrained_names", names([&](auto& out, bool t, bool g) { model.unconstrained_param_names(out, t, g); })},
          {"constrained_types", json_text::quoted(entry.constrained_types(model))},
          {"unconstrained_types", json_text::quoted(entry.unconstrained_types(model))}};
}

// Tells whether transformed data are random.
std::string with_other_draws(const Entry& entry, stan::io::var_context& data) {
  return guarded([&] {
    const std::unique_ptr<model_base> model(&entry.make(data, 2, nullptr));
    return density(*model, false, true, point(*model, 0));
  });
}

std::string report(const Entry& entry, stan::io::var_context& data, int seeds, int points,
                   const std::vector<std::string>& init_files) {
  std::ostringstream prints;
  const std::unique_ptr<model_base> model(&entry.make(data, 1, &prints));
  json_text::Members members = description(entry, *model);
  members.emplace_back("prints", json_text::quoted(prints.str()));
  members.emplace_back("other_data", with_other_draws(entry, data));
  std::vector<std::string> evaluated, read, read_arrays;
  for (int k = 0; k < points; ++k) evaluated.push_back(at_point(*model, k, seeds));
  for (const std::string& file : init_files) {
    read.push_back(at_inits(*model, file));
    read_arrays.push_back(inits_array(*model, file));
  }
  const auto as_is = [](const std::string& text) { return text; };
  members.emplace_back("points", json_text::list(evaluated, as_is));
  members.emplace_back("inits", json_text::list(read, as_is));
  members.emplace_back("inits_arrays", json_text::list(read_arrays, as_is));
  return object(members);
}

}  // namespace
}  // namespace emitted

int main(int argc, char** argv) {
  if (argc < 5) {
    std::cerr << "usage: driver ID DATA.json SEEDS POINTS [INITS.json]...\n";
    return 2;
  }
  std::cout << emitted::guarded([&] {
    const auto data = emitted::read_json(argv[2]);
    return emitted::report(emitted::find(argv[1]), *data, std::atoi(argv[3]), std::atoi(argv[4]),
                           std::vector<std::string>(argv + 5, argv + argc));
  }) << "\n";
  return 0;
}
