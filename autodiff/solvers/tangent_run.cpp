#include "autodiff/solvers/tangent_run.h"

#include <algorithm>
#include <utility>

namespace fermiac::ad {
namespace {

/// They take as long as making the code.
constexpr std::uint32_t kWarmRuns = 500;

std::uint32_t runs_before(Jit jit) {
  return jit == Jit::Never ? 0 : jit == Jit::Always ? 1 : kWarmRuns;
}

}  // namespace

TangentRun::TangentRun(std::unique_ptr<const TangentProgram> program)
    : program_(std::move(program)), values_(program_->value_slots()) {
  program_->prepare(values_.data());
}

TangentRun::Form& TangentRun::form(std::size_t lanes) {
  const auto it = std::ranges::find(forms_, lanes, &Form::lanes);
  return it != forms_.end() ? *it : forms_.emplace_back(Form{lanes, runs_before(program_->jit()), nullptr});
}

const TangentCode* TangentRun::code(std::size_t lanes) {
  Form& f = form(lanes);
  if (f.runs_left == 0 || --f.runs_left > 0) return f.code.get();
  f.code = make_tangent_code(*program_, lanes);
  if (f.code) values_.resize(std::max(values_.size(), program_->value_slots() + f.code->partials()));
  return f.code.get();
}

bool TangentRun::run(const double* x, double* tangents, std::size_t lanes, double* out, double* rows) {
  const TangentCode* const machine = code(lanes);
  std::copy_n(x, program_->inputs(), values_.begin());
  return machine ? machine->run(values_.data(), tangents, out, rows) : sweep(tangents, lanes, out, rows);
}

bool TangentRun::sweep(double* tangents, std::size_t lanes, double* out, double* rows) {
  if (!program_->run(values_.data(), tangents, lanes)) return false;
  program_->results(values_.data(), out);
  if (lanes > 0) program_->result_tangents(tangents, lanes, rows);
  return true;
}

}  // namespace fermiac::ad
