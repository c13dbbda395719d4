// From C++: handles as unique_ptr, errors as exceptions; the mode of a density and its curvature. See README.md for how to
// build.
#include <fermiac.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

/// An error of the library while it is on its way to an exception.
class Checked {
 public:
  ~Checked() { fermiac_error_free(error_); }
  operator fermiac_error**() { return &error_; }
  template <class T>
  T* made(T* object) {
    if (!object) fail();
    return object;
  }
  void ok(fermiac_status status) {
    if (status != FERMIAC_OK) fail();
  }

 private:
  [[noreturn]] void fail() { throw std::runtime_error(fermiac_error_message(error_)); }
  fermiac_error* error_ = nullptr;
};

template <auto Free>
struct FreeWith {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Program = std::unique_ptr<fermiac_program, FreeWith<fermiac_program_free>>;
using Model = std::unique_ptr<fermiac_model, FreeWith<fermiac_model_free>>;
using Run = std::unique_ptr<fermiac_run, FreeWith<fermiac_run_free>>;

int show(const char* program_file, const char* data_file) {
  Checked check;
  const Program program(check.made(fermiac_program_open(program_file, nullptr, check)));
  if (!fermiac_program_ok(program.get())) {
    std::printf("%s\n", fermiac_program_diagnostics_json(program.get()));
    return 1;
  }
  const Model model(check.made(fermiac_model_open(program.get(), data_file, nullptr, nullptr, nullptr, check)));
  const Run run(
      check.made(fermiac_run_create(model.get(), R"({"method": "optimize", "jacobian": true, "seed": 1})", nullptr, check)));
  check.ok(fermiac_run_execute(run.get(), check));

  std::size_t rows = 0, columns = 0;
  const double* row = fermiac_run_rows(run.get(), 0, &rows, &columns);
  const char* const* names = fermiac_run_columns(run.get(), 0, nullptr);
  for (std::size_t i = 0; i < columns && i < 5; ++i) std::printf("%s = %.3f\n", names[i], row[i]);

  // The row has lp__, then the parameters; the scale of the mode is the unconstrained one.
  const std::size_t n = fermiac_unconstrained_size(model.get());
  std::vector<double> theta(n), gradient(n), hessian(n * n);
  check.ok(fermiac_unconstrain(model.get(), row + 1, fermiac_constrained_size(model.get(), 0), theta.data(), n, check));
  double lp = 0;
  check.ok(fermiac_hessian(model.get(), FERMIAC_JACOBIAN, theta.data(), n, &lp, gradient.data(), hessian.data(), check));
  std::printf("curvature along %s: %.3f\n", fermiac_unconstrained_names(model.get(), nullptr)[0], hessian[0]);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s M.stan D.json\n", argv[0]);
    return 2;
  }
  try {
    return show(argv[1], argv[2]);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
