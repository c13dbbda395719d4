// What programs pay that use the library: text to program to model to gradient, the call itself, memory of one more model.
// FERMIAC_BENCH_MODEL=examples/radon/radon takes another model than the eight schools.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bindings/c/fermiac.h"

namespace {

std::string file_text(const char* ending) {
  const char* wish = std::getenv("FERMIAC_BENCH_MODEL");
  std::ifstream in((wish ? wish : FERMIAC_SOURCE_DIR "/examples/eight_schools/eight_schools") + std::string(ending));
  return {std::istreambuf_iterator<char>(in), {}};
}
const std::string& text() {
  static const std::string text = file_text(".stan");
  return text;
}
const std::string& data() {
  static const std::string text = file_text(".json");
  return text;
}

fermiac_program* new_program() {
  return fermiac_program_create(text().c_str(), nullptr, nullptr);
}
fermiac_model* new_model(const fermiac_program* program) {
  return fermiac_model_create(program, data().c_str(), nullptr, nullptr, nullptr, nullptr);
}
double gradient(const fermiac_model* model) {
  const std::size_t n = fermiac_unconstrained_size(model);
  const std::vector<double> theta(n, 0.1);
  std::vector<double> out(n);
  double lp = 0;
  fermiac_gradient(model, FERMIAC_PROPTO | FERMIAC_JACOBIAN, theta.data(), n, &lp, out.data(), nullptr);
  return lp;
}

void program(benchmark::State& state) {
  for (auto _ : state) fermiac_program_free(new_program());
}
BENCHMARK(program);

void bind_data(benchmark::State& state) {
  fermiac_program* program = new_program();
  for (auto _ : state) fermiac_model_free(new_model(program));
  fermiac_program_free(program);
}
BENCHMARK(bind_data);

void bind_and_first_gradient(benchmark::State& state) {
  fermiac_program* program = new_program();
  for (auto _ : state) {
    fermiac_model* model = new_model(program);
    benchmark::DoNotOptimize(gradient(model));
    fermiac_model_free(model);
  }
  fermiac_program_free(program);
}
BENCHMARK(bind_and_first_gradient);

void next_gradient(benchmark::State& state) {
  fermiac_program* program = new_program();
  fermiac_model* model = new_model(program);
  for (auto _ : state) benchmark::DoNotOptimize(gradient(model));
  fermiac_model_free(model);
  fermiac_program_free(program);
}
BENCHMARK(next_gradient);

std::size_t resident_kib() {
  std::ifstream in("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  in >> total >> resident;
  return resident * 4;
}

/// With a gradient evaluated, so with its tape.
void memory_of_one_more(benchmark::State& state) {
  constexpr std::size_t kModels = 500;
  fermiac_program* program = new_program();
  std::vector<fermiac_model*> models;
  for (auto _ : state) {
    const std::size_t before = resident_kib();
    for (std::size_t i = 0; i < kModels; ++i) {
      models.push_back(new_model(program));
      benchmark::DoNotOptimize(gradient(models.back()));
    }
    state.counters["KiB"] = static_cast<double>(resident_kib() - before) / kModels;
  }
  for (fermiac_model* model : models) fermiac_model_free(model);
  fermiac_program_free(program);
}
BENCHMARK(memory_of_one_more)->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
