#include "autodiff/tape/opencl/matrix_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "autodiff/tape/opencl/matrix_tools.h"
#include "autodiff/tape/opencl/step_symbols.h"

namespace fermiac::ad::device {

std::string_view prelude();
std::string_view block_macros();

namespace {

using symbols::Statements;
using symbols::Symbol;
using symbols::Term;
using symbols::Truth;

bool is_matrix(const TapeCallOperand& o) { return !o.shape.is_scalar(); }

/// One of the two kernels.
class KernelText : StepSymbols {
 public:
  explicit KernelText(const MatrixFormula& f) : StepSymbols(f.steps), f_(f), adjoint_of_(f.operands.size()) {
    for (std::size_t i = 0; i < f.steps.size(); ++i) {
      const std::vector<Symbol> x = StepSymbols::operands(f.steps[i]);
      holds_ = holds_ & prepare(i, x);
      values_[i] = f.steps[i].map->value(x.data(), shares_[i].data(), f.steps[i].keep);
    }
  }

  std::string values() {
    const Symbol result = values_.back();
    const Truth holds = holds_ & s_.required();
    const std::string statements = s_.write({result, holds});
    return head("values", "MATRIX to") + numbers() +
           fmt::format("  EACH_OF_BLOCK(order) {{\n{}{}    AT(to, order) = row < n && column < n ? ({} ? {} : NAN) : 0.0;\n  }}\n}}\n", loads(), statements, s_.text(holds), s_.text(result));
  }
  std::string adjoints() {
    adjoints_.back() = s_.named("g");
    back();
    std::vector<Term> wanted;
    for (const auto& a : adjoint_of_)
      if (a) wanted.push_back(*a);
    const std::string statements = s_.write(wanted);
    std::string parameters = "FIXED adjoint", sums, adds, ends;
    std::uint32_t summed = 0;
    for (std::size_t j = 0; j < f_.operands.size(); ++j) {
      if (!f_.operands[j].autodiff) continue;
      const std::string d = adjoint_of_[j] ? s_.text(*adjoint_of_[j]) : "0.0";
      if (is_matrix(f_.operands[j])) {
        parameters += fmt::format(", MATRIX a{}", j);
        adds += fmt::format("    AT(a{}, order) += {};\n", j, d);
      } else {
        sums += fmt::format("  double sum{} = 0.0;\n", j);
        adds += fmt::format("    sum{} += {};\n", j, d);
        ends += fmt::format("  sum{0} = sum_of_group(sum{0}, parts);\n  if (ME == 0) sums[GROUP_AT * SUMS + {1}] = sum{0};\n", j, summed++);
      }
    }
    return fmt::format("#define SUMS {}\n", summed) + head("adjoints", parameters + ", MATRIX sums") + "  __local double parts[256];\n" + numbers() + sums +
           fmt::format("  EACH_OF_BLOCK(order) {{\n    if (row >= n || column >= n) continue;\n    const T g = AT(adjoint, order);\n    if (g == 0.0) continue;\n{}{}{}  }}\n{}}}\n", loads(),
                       statements, adds, ends);
  }
  std::vector<SharedNumber> shared() && { return std::move(shared_); }

 private:
  Symbol outside(const Source& source) override { return s_.named(name(source.at)); }
  void add_outside(const Source& source, const Symbol& d) override {
    std::optional<Symbol>& sum = adjoint_of_[source.at];
    sum = sum ? *sum + d : d;
  }
  Symbol shared_scalar(const Step& step, int i) override {
    SharedNumber q{step.map, i, {}, step.keep};
    for (std::size_t j = 0; j < step.x.size(); ++j) q.operands.push_back(step.vector_mask >> j & 1u ? 0 : step.x[j].at);
    shared_.push_back(std::move(q));
    return s_.named(fmt::format("q{}", shared_.size() - 1));
  }
  std::string name(std::size_t j) const { return fmt::format("{}{}", is_matrix(f_.operands[j]) ? 'x' : 's', j); }

  std::string head(const char* kernel, const std::string& parameters) const {
    std::string matrices;
    for (std::size_t j = 0; j < f_.operands.size(); ++j)
      if (is_matrix(f_.operands[j])) matrices += fmt::format(", FIXED m{}", j);
    return fmt::format("__kernel ITEMS_256 void {}(FIXED numbers{}, {}, uint order, uint n) {{\n", kernel, matrices, parameters);
  }
  std::string numbers() const {
    std::string out;
    std::size_t k = 0;
    for (std::size_t j = 0; j < f_.operands.size(); ++j)
      if (!is_matrix(f_.operands[j])) out += fmt::format("  const T {} = numbers[{}];\n", name(j), k++);
    for (std::size_t q = 0; q < shared_.size(); ++q) out += fmt::format("  const T q{} = numbers[{}];\n", q, k++);
    return out;
  }
  std::string loads() const {
    std::string out;
    for (std::size_t j = 0; j < f_.operands.size(); ++j)
      if (is_matrix(f_.operands[j])) out += fmt::format("    const T {} = AT(m{}, order);\n", name(j), j);
    return out;
  }

  const MatrixFormula& f_;
  Statements s_;
  Truth holds_ = true;
  std::vector<std::optional<Symbol>> adjoint_of_;  // by operand
  std::vector<SharedNumber> shared_;
};

class FormulaCall final : public MatrixCall {
 public:
  FormulaCall(MatrixDesk& desk, const MatrixCallInfo& info)
      : desk_(desk), formula_(*info.formula), text_(write_formula(formula_)), out_(desk, *info.call, info.host_reads), numbers_(count(false) + text_.shared.size()),
        buffer_(desk.buffer(numbers_.size())), by_block_(out_.matrix().blocks() * count(true)), sums_(desk.buffer(by_block_.size())) {
    for (std::size_t j = 0; j < formula_.operands.size(); ++j)
      if (is_matrix(formula_.operands[j])) matrices_.emplace_back(desk, info.call->in[j], info.sources[j]);
    make_kernels();
  }
  void forward(const KernelCall& c, bool with_gradient) override {
    for (std::size_t j = 0, m = 0; j < c.in.size(); ++j)
      if (is_matrix(formula_.operands[j])) matrices_[m++].bring(c.in[j], with_gradient);
    fill_in(c);
    if (!numbers_.empty()) desk_.write(*buffer_, numbers_);
    desk_.run(values_);
    out_.made(c, with_gradient);
  }
  void reverse(const KernelCall& c) override {
    out_.take_adjoints(c);
    desk_.run(adjoints_);
    const std::size_t each = count(true);
    if (each == 0) return;
    desk_.read(*sums_, by_block_);
    std::vector<double> totals(each);
    for (std::size_t i = 0; i < by_block_.size(); ++i) totals[i % each] += by_block_[i];
    for (std::size_t j = 0, k = 0; j < c.in.size(); ++j)
      if (is_summed(formula_.operands[j])) *c.in[j].a += totals[k++];
  }
  DeviceMatrix* result() override { return &out_.matrix(); }

 private:
  static bool is_summed(const TapeCallOperand& o) { return !is_matrix(o) && o.autodiff; }
  /// Operands that are numbers, or those of them with derivatives.
  std::size_t count(bool summed) const {
    return static_cast<std::size_t>(std::ranges::count_if(formula_.operands, [summed](const auto& o) { return summed ? is_summed(o) : !is_matrix(o); }));
  }
  void make_kernels() {
    const std::shared_ptr<DeviceProgram> program = desk_.build(text_.source);
    const std::uint32_t order = out_.matrix().order(), n = out_.matrix().rows;
    std::vector<DeviceArgument> values{buffer_.get()};
    for (const MatrixOperand& m : matrices_) values.push_back(m.v());
    std::vector<DeviceArgument> adjoints = values;
    values.insert(values.end(), {out_.v(), order, n});
    adjoints.push_back(out_.a());
    for (std::size_t j = 0, m = 0; j < formula_.operands.size(); ++j) {
      if (!is_matrix(formula_.operands[j])) continue;
      if (formula_.operands[j].autodiff) adjoints.push_back(matrices_[m].a());
      ++m;
    }
    adjoints.insert(adjoints.end(), {sums_.get(), order, n});
    values_ = desk_.kernel(*program, "values", out_.matrix().blocks(), values);
    adjoints_ = desk_.kernel(*program, "adjoints", out_.matrix().blocks(), adjoints);
  }
  void fill_in(const KernelCall& c) {
    std::size_t k = 0;
    for (std::size_t j = 0; j < c.in.size(); ++j)
      if (!is_matrix(formula_.operands[j])) numbers_[k++] = c.in[j].scalar();
    for (const SharedNumber& q : text_.shared) {
      double x[kMaxMapArity]{};
      for (std::size_t j = 0; j < q.operands.size(); ++j)
        if (const KernelArg& in = c.in[q.operands[j]]; in.shape.is_scalar()) x[j] = in.scalar();
      numbers_[k++] = q.map->share_numbers(q.number, x, q.keep);
    }
  }

  MatrixDesk& desk_;
  const MatrixFormula& formula_;
  MatrixFormulaText text_;
  MatrixOutcome out_;
  std::vector<MatrixOperand> matrices_;
  std::vector<double> numbers_;
  std::unique_ptr<DeviceBuffer> buffer_;
  std::vector<double> by_block_;
  std::unique_ptr<DeviceBuffer> sums_;
  Launch values_, adjoints_;
};

std::unique_ptr<MatrixCall> make(MatrixDesk& desk, const MatrixCallInfo& info) { return std::make_unique<FormulaCall>(desk, info); }

}  // namespace

MatrixFormulaText write_formula(const MatrixFormula& formula) {
  KernelText values(formula), adjoints(formula);  // names of one would stay written in the other
  MatrixFormulaText out{fmt::format("#define LANES 1\n#define GROUP 256\n{}{}\n{}\n{}", prelude(), block_macros(), values.values(), adjoints.adjoints()), {}};
  out.shared = std::move(values).shared();
  return out;
}

const MatrixFunction& formula_function() {
  static constexpr MatrixFunction kFormula{.kernel = "formula", .make = make};
  return kFormula;
}

Work work_of(const MatrixFormula& formula) {
  const double numbers = formula.out.size();
  Work w{.read = 2 * sizeof(double) * numbers, .launches = 3};
  for (const Step& step : formula.steps) {
    w.host_ns += numbers * host_ns_of_element(step.map);
    w.functions += is_arithmetic(step.map) ? 0 : numbers;
  }
  w.read += 2 * sizeof(double) * numbers * static_cast<double>(std::ranges::count_if(formula.operands, is_matrix));
  return w;
}

}  // namespace fermiac::ad::device
