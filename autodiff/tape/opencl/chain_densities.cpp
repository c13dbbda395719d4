// Densities that are calls on the tape, as steps of a chain.
#include <algorithm>
#include <cmath>
#include <optional>

#include "autodiff/kernels/linear_models.h"
#include "autodiff/kernels/special_scalar.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/opencl/chains.h"
#include "autodiff/tape/opencl/find_chains.h"

namespace fermiac::ad::device {
namespace {

using symbols::find_formula;
using symbols::MapFormula;

/// Outcomes among ordered categories. Operands of the call: the outcomes, the location, the cut points; or in place of the location a matrix
/// and weights.
struct OrderedModel {
  std::string_view call;
  const MapFormula* density;
  bool matrix;
  std::uint32_t cuts() const { return matrix ? 3 : 2; }
};
constexpr OrderedModel kOrderedModels[] = {
    {"ordered_logistic_lpmf", &kOrderedLogistic, false},
    {"ordered_probit_lpmf", &kOrderedProbit, false},
    {"ordered_logistic_glm_lpmf", &kOrderedLogistic, true},
};

constexpr std::string_view kCategories = "categorical_logit_glm_lpmf";  // of outcomes, matrix, intercepts, weights by category
constexpr std::uint32_t kMostCategories = 30;  // numbers that live at once in a kernel
constexpr std::uint32_t kMostChosen = 8;       // cut points with a sum of adjoints each, in registers; more of them are gathered

template <class Models>
auto* find_model(const Models& models, const TapeCall& call) {
  const auto* const found = std::ranges::find(models, call.kernel->name, [](const auto& m) { return m.call; });
  return found == std::end(models) ? nullptr : found;
}

// ---- what has steps

class Look {
 public:
  Look(const TapeView& tape, const TapeCall& call) : t_(tape), call_(call) {}

  bool has_steps() const {
    if (const LinearModel* const m = find_model(kLinearModels, call_)) return fits(*m);
    if (const OrderedModel* const m = find_model(kOrderedModels, call_)) return fits(*m);
    return call_.kernel->name == kCategories && has_categories();
  }

 private:
  const TapeCallOperand& operand(std::uint32_t j) const { return t_.call_operands[call_.first + j]; }
  /// Constant, with as many rows as there are outcomes: the reference counts one outcome for all rows otherwise.
  bool has_matrix(std::uint32_t at) const {
    const TapeCallOperand& matrix = operand(at);
    if (!is_constant_matrix(t_, matrix) || matrix.shape.rows < 2 || matrix.shape.cols < 1) return false;
    for (std::uint32_t j = 0; j < at; ++j)
      if (operand(j).shape.size() != matrix.shape.rows) return false;
    return true;
  }
  bool fits(const LinearModel& m) const {
    const bool predicts = operand(m.matrix + 1).autodiff || operand(m.matrix + 2).autodiff;
    if (!predicts || counts_numbers() || !has_matrix(m.matrix)) return false;
    for (std::uint32_t j = 0; j < m.matrix; ++j)  // what else there may be wrong the density says
      if (operand(j).ints && !lie_within(operand(j), 0, std::nullopt)) return false;
    return true;
  }
  /// An operand counts though it has no derivatives: what is dropped is not what the density drops.
  bool counts_numbers() const {
    for (std::uint32_t j = 0; j < call_.count; ++j)
      if ((call_.propto.counted() >> j & 1u) && !operand(j).autodiff) return true;
    return false;
  }
  bool fits(const OrderedModel& m) const {
    const TapeCallOperand &y = operand(0), &cuts = operand(m.cuts());
    const std::uint32_t rows = y.shape.size();
    if (!y.ints || rows < 2 || cuts.ints || cuts.shape.inner_size() < 1 || (cuts.shape.rank > 0 && cuts.shape.count() != rows)) return false;
    if (m.matrix ? !has_matrix(1) || cuts.shape.rank > 0 : operand(1).ints || (!operand(1).shape.is_scalar() && operand(1).shape.size() != rows)) return false;
    return lie_within(y, 1, cuts.shape.inner_size() + 1);
  }
  bool has_categories() const {
    const std::uint32_t categories = operand(3).shape.cols;
    if (!has_matrix(1) || operand(2).ints || operand(3).ints || categories < 2 || categories > kMostCategories) return false;
    return (operand(2).autodiff || operand(3).autodiff) && operand(2).shape.size() == categories && lie_within(operand(0), 1, categories);
  }
  bool lie_within(const TapeCallOperand& o, std::int64_t least, std::optional<std::int64_t> most) const {
    const auto numbers = t_.ints.subspan(o.int_offset, o.shape.size());
    return std::ranges::all_of(numbers, [&](std::int32_t x) { return x >= least && (!most || x <= *most); });
  }

  const TapeView& t_;
  const TapeCall& call_;
};

// ---- its steps

class Steps {
 public:
  Steps(const TapeView& tape, const TapeCall& call, const std::function<Source(std::uint32_t)>& vector, Chain& chain)
      : t_(tape), call_(call), vector_(vector), chain_(chain) {}

  void add() {
    chain_.n = operand(0).shape.size();
    if (const LinearModel* const m = find_model(kLinearModels, call_)) add_linear_model(*m);
    else if (const OrderedModel* const o = find_model(kOrderedModels, call_)) add_ordered(*o);
    else add_categories();
  }

 private:
  const TapeCallOperand& operand(std::uint32_t j) const { return t_.call_operands[call_.first + j]; }
  std::uint32_t weight() const { return call_.weight == kOne ? 0 : t_.weights_begin + index_of(call_.weight) - 1; }
  Source number(std::uint32_t place) const { return {Source::Kind::Scalar, place}; }
  Source last_step() const { return {Source::Kind::Local, static_cast<std::uint32_t>(chain_.steps.size() - 1)}; }

  /// Constants of the chain.
  template <class Numbers>
  Source extra(const Numbers& numbers) {
    const auto at = static_cast<std::uint32_t>(chain_.extra.size());
    chain_.extra.insert(chain_.extra.end(), numbers.begin(), numbers.end());
    chain_.extra.resize(padded(chain_.extra.size()) + kPad);
    return {Source::Kind::Extra, at};
  }
  std::span<const std::int32_t> ints(const TapeCallOperand& o) const { return t_.ints.subspan(o.int_offset, o.shape.size()); }
  /// The numbers of an operand of a call.
  Source numbers(const TapeCallOperand& o) {
    if (o.ints) return extra(ints(o));
    return o.shape.is_scalar() ? number(o.place) : Source{Source::Kind::Vector, o.place};
  }
  static void add_operand(Step& step, Source x, bool autodiff) {
    const auto bit = static_cast<std::uint8_t>(1u << step.x.size());
    if (x.kind != Source::Kind::Scalar) step.vector_mask = static_cast<std::uint8_t>(step.vector_mask | bit);
    if (autodiff) step.ad_mask = static_cast<std::uint8_t>(step.ad_mask | bit);
    step.x.push_back(x);
  }
  void add_density(Step density) {
    density.keep = Keep::of(Propto(static_cast<bool>(call_.propto)), density.ad_mask);
    density.weight = weight();
    chain_.steps.push_back(std::move(density));
  }
  /// A step eta = alpha + X beta, with one column of beta.
  void add_predictor(const TapeCallOperand& matrix, Source alpha, bool autodiff, const TapeCallOperand& beta, std::uint32_t column) {
    Step sum{.kind = Step::Kind::Value, .map = find_formula("add")};
    add_operand(sum, add_product(matrix, beta, column, &chain_), beta.autodiff);
    add_operand(sum, alpha, autodiff);
    chain_.steps.push_back(std::move(sum));
  }

  void add_linear_model(const LinearModel& m) {
    const TapeCallOperand& alpha = operand(m.matrix + 1);
    add_predictor(operand(m.matrix), numbers(alpha), alpha.autodiff, operand(m.matrix + 2), 0);
    Step density{.kind = Step::Kind::Sink, .map = find_formula(m.density)};
    const Source eta = last_step();
    for (std::uint32_t j = 0; j < m.matrix; ++j) add_operand(density, numbers(operand(j)), operand(j).autodiff);
    add_operand(density, eta, true);
    if (m.scale) add_operand(density, numbers(operand(m.matrix + 3)), operand(m.matrix + 3).autodiff);
    if (const double c = constant(m); c != 0) chain_.constants.push_back({weight(), c});
    add_density(std::move(density));
  }
  /// By how much the model's value is above the density's: of the negative binomial other summands are dropped.
  double constant(const LinearModel& m) const {
    if (m.call != "neg_binomial_2_log_glm_lpmf" || !call_.propto) return 0;
    const TapeCallOperand &y = operand(0), &phi = operand(m.matrix + 3);
    double sum = 0;
    if (phi.autodiff)
      for (const std::int32_t k : ints(y)) sum += scalar::log_factorial(k);
    else sum = -static_cast<double>(y.shape.size()) * t_.constants[phi.place] * std::log(t_.constants[phi.place]);
    return sum;
  }

  void add_ordered(const OrderedModel& m) {
    const TapeCallOperand& cuts = operand(m.cuts());
    const std::uint32_t k = cuts.shape.inner_size();
    Step density{.kind = Step::Kind::Sink, .map = m.density};
    add_operand(density, extra(places(k)), false);
    if (m.matrix) add_operand(density, add_product(operand(1), operand(2), 0, &chain_), operand(2).autodiff);
    else add_operand(density, operand(1).shape.is_scalar() ? number(operand(1).place) : vector_(operand(1).place), operand(1).autodiff);
    const bool few = cuts.shape.rank == 0 && k <= kMostChosen;
    const Source outcomes = few ? extra(ints(operand(0))) : Source{};
    for (const std::uint32_t below : {2u, 1u}) add_operand(density, few ? chosen(cuts, outcomes, below) : gathered(cuts, below), cuts.autodiff);
    chain_.ascents.push_back({cuts.place, k, cuts.shape.rank > 0 ? cuts.shape.count() : 1, weight()});
    add_density(std::move(density));
  }
  /// Of the outcomes, given k cut points.
  std::vector<double> places(std::uint32_t k) const {
    std::vector<double> out;
    for (const std::int32_t y : ints(operand(0))) {
      const OrderedPlace place = y == 1 ? OrderedPlace::Lowest : static_cast<std::uint32_t>(y) == k + 1 ? OrderedPlace::Highest : OrderedPlace::Between;
      out.push_back(static_cast<double>(place));
    }
    return out;
  }
  /// For every outcome y the cut point of number y - below from 0 on, or the nearest one that there is. Of three cut points and `below` 2 the
  /// outcomes 1, 2, 3, 4 have the numbers 0, 0, 1, 2.
  Source gathered(const TapeCallOperand& cuts, std::uint32_t below) {
    const std::int64_t k = cuts.shape.inner_size(), step = cuts.shape.rank > 0 ? k : 0;
    Gathering g;
    std::int64_t row = 0;
    for (const std::int64_t y : ints(operand(0))) g.places.push_back(static_cast<std::uint32_t>(cuts.place + step * row++ + std::clamp<std::int64_t>(y - below, 0, k - 1)));
    chain_.gathers.push_back(std::move(g));
    return {Source::Kind::Gathered, static_cast<std::uint32_t>(chain_.gathers.size() - 1)};
  }
  Source chosen(const TapeCallOperand& cuts, Source outcomes, std::uint32_t below) {
    Choice choice{outcomes, below - 1.0, {}};
    for (std::uint32_t i = 0; i < cuts.shape.inner_size(); ++i) choice.scalars.push_back(cuts.place + i);
    chain_.choices.push_back(std::move(choice));
    return {Source::Kind::Chosen, static_cast<std::uint32_t>(chain_.choices.size() - 1)};
  }

  void add_categories() {
    const TapeCallOperand &alpha = operand(2), &beta = operand(3);
    Step outcome{.kind = Step::Kind::Categories, .vector_mask = 1};
    outcome.x.push_back(extra(ints(operand(0))));
    for (std::uint32_t k = 0; k < beta.shape.cols; ++k) {
      add_predictor(operand(1), number(alpha.place + k), alpha.autodiff, beta, k);
      outcome.x.push_back(last_step());
    }
    add_density(std::move(outcome));
  }

  const TapeView& t_;
  const TapeCall& call_;
  const std::function<Source(std::uint32_t)>& vector_;
  Chain& chain_;
};

}  // namespace

bool is_constant_matrix(const TapeView& t, const TapeCallOperand& o) {
  return o.shape.inner == Inner::Matrix && o.shape.rank == 0 && !o.ints && !o.autodiff && !o.shape.complex && o.place < t.scalars_begin;
}

Source add_product(const TapeCallOperand& matrix, const TapeCallOperand& vector, std::uint32_t column, Chain* to) {
  to->products.push_back({{Source::Kind::Vector, matrix.place}, vector.place + column * matrix.shape.cols, matrix.shape.cols, vector.autodiff});
  return {Source::Kind::Product, static_cast<std::uint32_t>(to->products.size() - 1)};
}

std::vector<std::string_view> densities_with_steps() {
  std::vector<std::string_view> out{kCategories};
  for (const LinearModel& m : kLinearModels) out.push_back(m.call);
  for (const OrderedModel& m : kOrderedModels) out.push_back(m.call);
  return out;
}
bool has_steps(const TapeView& tape, const TapeCall& call) { return Look(tape, call).has_steps(); }
bool reads_elements(const TapeCall& call, std::uint32_t operand) {
  const OrderedModel* const m = find_model(kOrderedModels, call);
  return m && !m->matrix && operand == 1;
}
void add_steps(const TapeView& tape, const TapeCall& call, const std::function<Source(std::uint32_t)>& vector, Chain* to) {
  Steps(tape, call, vector, *to).add();
}

}  // namespace fermiac::ad::device
