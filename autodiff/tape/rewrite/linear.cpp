// Normal likelihoods with a linear predictor and known design: y ~ normal(X b + a, sigma) where X and y are data. The sum
// of squares |y - X b - a|² does not need the N observations again and again: with the QR decomposition of [X 1 y] it is
// |R (b, a, -1)|², a few numbers instead of N. Observations that read different parameters (intercepts by county, say)
// are grouped by which ones they read, and every group has its own small R.
//
// QR keeps full precision: the residuals are rotated, never squared and subtracted. (G. Golub and C. Van Loan, "Matrix
// Computations", section 5.2.)
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "autodiff/kernels/known_kernels.h"
#include "autodiff/tape/ir/hot_ops.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/rewrite/emit.h"
#include "autodiff/tape/rewrite/linear_sink.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

/// coefficient · number, for each of n lanes; both may be the same in all lanes.
struct Term {
  std::vector<Ref> refs;            // one, or one per lane
  std::vector<double> coefficients; // one, or one per lane
  Ref ref(std::size_t lane) const { return refs.size() == 1 ? refs[0] : refs[lane]; }
  double coefficient(std::size_t lane) const { return coefficients.size() == 1 ? coefficients[0] : coefficients[lane]; }
};

struct Affine {
  std::vector<Term> terms;
  std::vector<double> offset;       // one, or one per lane
};

using Lanes = std::vector<double>;  // one number, or one per lane

Lanes combine(const Lanes& a, const Lanes& b, double (*op)(double, double)) {
  Lanes out(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = op(a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
  return out;
}
double plus(double a, double b) { return a + b; }
double times(double a, double b) { return a * b; }

class Extractor {
 public:
  Extractor(const Trace& t, const TraceGraph& graph) : t_(t), graph_(graph) {}
  void lanes(std::uint32_t n) { n_ = n; }

  /// A constant matrix times numbers from `first` on: one term per column.
  Affine columns(const CallOperand& matrix, Ref first) const {
    Affine form{{}, {0.0}};
    for (std::uint32_t c = 0; c < matrix.shape.cols; ++c)
      form.terms.push_back({{first + c}, constants(matrix.place + c * n_, true)});
    return form;
  }
  static Affine sum(Affine a, Affine b, double sign) {
    b = scaled(std::move(b), {sign});
    a.offset = combine(a.offset, b.offset, plus);
    for (Term& term : b.terms) {
      const auto same = std::find_if(a.terms.begin(), a.terms.end(), [&](const Term& t) { return t.refs == term.refs; });
      if (same == a.terms.end()) a.terms.push_back(std::move(term));
      else same->coefficients = combine(same->coefficients, term.coefficients, plus);
    }
    return a;
  }

  /// The operand as an affine form in autodiff numbers.
  Affine operand(Ref r, bool vector, int depth = 0) const {
    if (r.is_constant()) return {{}, constants(r, vector)};
    if (!vector) return {{{{r}, {1.0}}}, {0.0}};
    const Op* const op = depth < kDeepest ? graph_.maker(r) : nullptr;
    if (op != nullptr && r + n_ <= op->d + op->n_results()) {
      if (op->kind == OpKind::Vector)
        if (auto form = vector_op(*op, r - op->d, depth + 1)) return *form;
      if (op->kind == OpKind::Gather) return gathered(*op, r - op->d);
      if (op->kind == OpKind::Call && r == op->d)
        if (auto form = product(*op)) return *form;
    }
    Term own{{}, {1.0}};
    for (std::uint32_t k = 0; k < n_; ++k) own.refs.push_back(r + k);
    return {{own}, {0.0}};
  }

 private:
  static constexpr int kDeepest = 64;

  Lanes constants(Ref r, bool vector) const {
    const double* const first = numbers_at(t_, r);
    return {first, first + (vector ? n_ : 1)};
  }
  Affine gathered(const Op& op, std::uint32_t offset) const {
    Term own{{}, {1.0}};
    Lanes fixed(n_, 0.0);
    bool any_constant = false;
    for (std::uint32_t k = 0; k < n_; ++k) {
      const Ref r = t_.index[op.table() + offset + k];
      if (r.is_constant()) any_constant = true;
      own.refs.push_back(r);
    }
    if (!any_constant) return {{own}, {0.0}};
    own.refs.clear();  // mixed blocks stay as they are
    for (std::uint32_t k = 0; k < n_; ++k) own.refs.push_back(op.d + offset + k);
    return {{own}, {0.0}};
  }
  /// A vector op is affine if it adds, negates, or multiplies with something constant.
  std::optional<Affine> vector_op(const Op& op, std::uint32_t offset, int depth) const {
    const auto x = [&](int j) {
      const bool vector = op.vector_mask >> j & 1u;
      return operand(vector ? op.x[j] + offset : op.x[j], vector, depth);
    };
    switch (static_cast<Hot>(op.map)) {
      case Hot::Add: return sum(x(0), x(1), 1);
      case Hot::Subtract: return sum(x(0), x(1), -1);
      case Hot::Minus: return scaled(x(0), {-1.0});
      case Hot::Multiply: return product_of(x(0), x(1));
      case Hot::Fma: {
        auto p = product_of(x(0), x(1));
        if (!p) return std::nullopt;
        return sum(std::move(*p), x(2), 1);
      }
      default: return std::nullopt;
    }
  }
  static std::optional<Affine> product_of(Affine a, Affine b) {
    if (a.terms.empty()) return scaled(std::move(b), a.offset);
    if (b.terms.empty()) return scaled(std::move(a), b.offset);
    return std::nullopt;
  }
  static Affine scaled(Affine a, const Lanes& by) {
    for (Term& term : a.terms) term.coefficients = combine(term.coefficients, by, times);
    a.offset = combine(a.offset, by, times);
    return a;
  }
  std::optional<Affine> product(const Op& op) const {
    const CallInfo& call = t_.calls[op.table()];
    if (call.kernel != known_kernels().multiply || call.count != 2) return std::nullopt;
    const CallOperand& matrix = t_.call_operands[call.first];
    const CallOperand& vector = t_.call_operands[call.first + 1];
    if (matrix.autodiff || matrix.ints || matrix.shape.inner != Inner::Matrix || vector.shape.inner != Inner::Vector ||
        matrix.shape.rows != n_)
      return std::nullopt;
    return columns(matrix, vector.place);
  }

  const Trace& t_;
  const TraceGraph& graph_;
  std::uint32_t n_ = 0;
};

/// The triangle R of the QR decomposition of rows that come one by one: whenever the buffer is full, its rows and the
/// triangle so far are reduced to a new triangle by Householder reflections.
class Triangle {
 public:
  Triangle(std::size_t columns, std::size_t rows)
      : columns_(columns), capacity_(columns + std::min(rows, kRows)), a_(columns * capacity_) {}

  double& next(std::size_t column) { return a_[column * capacity_ + rows_]; }
  void row_done() {
    if (++rows_ == capacity_) reduce();
  }
  /// The upper triangle; rows that were never there are zero.
  double entry(std::size_t row, std::size_t column) const { return row < rows_ ? a_[column * capacity_ + row] : 0.0; }

  void reduce() {
    for (std::size_t c = 0; c < columns_ && c + 1 < rows_; ++c) reflect(c);
    rows_ = std::min(rows_, columns_);
  }

 private:
  static constexpr std::size_t kRows = 256;

  /// Norm of column c from the diagonal on; scaled, so that squares neither overflow nor vanish.
  double norm(std::size_t c) const {
    const double* column = &a_[c * capacity_];
    double largest = 0, sum = 0;
    for (std::size_t i = c; i < rows_; ++i) largest = std::fmax(largest, std::fabs(column[i]));
    if (largest == 0) return 0;
    for (std::size_t i = c; i < rows_; ++i) sum += (column[i] / largest) * (column[i] / largest);
    return largest * std::sqrt(sum);
  }
  void reflect(std::size_t c) {
    double* column = &a_[c * capacity_];
    const double length = norm(c);
    if (length == 0) return;
    const double alpha = column[c] > 0 ? -length : length;
    column[c] -= alpha;
    double vv = 0;
    for (std::size_t i = c; i < rows_; ++i) vv += column[i] * column[i];
    for (std::size_t k = c + 1; k < columns_ && vv > 0; ++k) {
      double* other = &a_[k * capacity_];
      double dot = 0;
      for (std::size_t i = c; i < rows_; ++i) dot += column[i] * other[i];
      const double f = 2 * dot / vv;
      for (std::size_t i = c; i < rows_; ++i) other[i] -= f * column[i];
    }
    column[c] = alpha;
    std::fill(column + c + 1, column + rows_, 0.0);
  }

  std::size_t columns_, capacity_, rows_ = 0;
  std::vector<double> a_;  // column-major
};

/// The sum of squares of one normal statement, reduced to a triangle per group of observations.
struct Reduced {
  std::vector<Ref> uniform;          // numbers that all groups read
  std::vector<Ref> local;            // [term][group]
  std::uint32_t groups = 0;
  std::uint32_t local_terms = 0;
  std::vector<double> triangles;     // packed entry-major: entry (r, c >= r) of all groups lie together, groups padded
};

std::optional<Reduced> reduce(const Affine& mu, std::span<const double> y) {
  const std::size_t n = y.size();
  std::vector<const Term*> uniform, local;
  for (const Term& t : mu.terms) (t.refs.size() == 1 ? uniform : local).push_back(&t);
  std::map<std::vector<Ref>, std::vector<std::uint32_t>> groups;  // by the local numbers they read
  std::vector<Ref> key(local.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < local.size(); ++k) key[k] = local[k]->refs[i];
    groups[key].push_back(i);
    if (groups.size() * 4 > n && groups.size() > 1) return std::nullopt;  // too little shared to gain anything
  }
  const std::size_t p = uniform.size() + local.size();
  const std::size_t columns = p + 1;
  const std::size_t entries = columns * (columns + 1) / 2;
  if (groups.size() * entries * 2 > n * (p + 1)) return std::nullopt;
  Reduced out;
  out.groups = static_cast<std::uint32_t>(groups.size());
  out.local_terms = static_cast<std::uint32_t>(local.size());
  for (const Term* t : uniform) out.uniform.push_back(t->refs[0]);
  out.local.resize(local.size() * groups.size());
  const std::size_t stride = padded_groups(out.groups);
  out.triangles.assign(entries * stride, 0.0);
  std::size_t g = 0;
  for (const auto& [refs, lanes] : groups) {
    for (std::size_t k = 0; k < local.size(); ++k) out.local[k * groups.size() + g] = refs[k];
    Triangle triangle(columns, lanes.size());
    for (const std::uint32_t lane : lanes) {
      for (std::size_t c = 0; c < p; ++c) {
        const Term& t = c < uniform.size() ? *uniform[c] : *local[c - uniform.size()];
        triangle.next(c) = t.coefficient(lane);
      }
      triangle.next(p) = mu.offset[mu.offset.size() == 1 ? 0 : lane] - y[lane];
      triangle.row_done();
    }
    triangle.reduce();
    std::size_t entry = 0;
    for (std::size_t r = 0; r < columns; ++r)
      for (std::size_t c = r; c < columns; ++c, ++entry) out.triangles[entry * stride + g] = triangle.entry(r, c);
    ++g;
  }
  for (const double x : out.triangles)
    if (!std::isfinite(x)) return std::nullopt;
  return out;
}

/// A statement that reduces: data y, the linear predictor, and sigma.
struct Candidate {
  std::uint32_t n = 0;
  Ref y;
  Ref sigma;
  bool sigma_autodiff = false;
  bool constants = false;  // summands wanted
  bool log_sigma = false;
  Affine mu;
  Weight weight = kOne;
};

constexpr std::uint32_t kFewest = 16;  // observations

class Finder {
 public:
  Finder(const Trace& t, const TraceGraph& graph) : t_(t), extractor_(t, graph) {}

  std::optional<Candidate> look(const Op& op) {
    if (op.kind == OpKind::VectorSink) return density(op);
    if (op.kind == OpKind::CallSink) return regression(t_.calls[op.table()]);
    return std::nullopt;
  }

 private:
  std::optional<Candidate> density(const Op& op) {
    static const MapCode kNormal = find_map("normal_lpdf");
    if (op.map != kNormal || (op.vector_mask & 0b111) != 0b011 || (op.ad_mask & 0b011) != 0b010 || op.n < kFewest ||
        !op.x[0].is_const_vector())
      return std::nullopt;
    extractor_.lanes(op.n);
    return Candidate{op.n, op.x[0], op.x[2], (op.ad_mask & 0b100) != 0, op.keep.constants(), op.keep.has(0b100),
                     extractor_.operand(op.x[1], true), op.weight()};
  }
  /// normal_id_glm(y | X, alpha, beta, sigma) with X a data matrix and scalar sigma.
  std::optional<Candidate> regression(const CallInfo& call) {
    if (call.kernel != known_kernels().normal_id_glm || call.count != 5) return std::nullopt;
    const CallOperand* o = &t_.call_operands[call.first];
    const std::uint32_t n = o[0].shape.size();
    if (o[0].autodiff || o[1].autodiff || o[1].shape.inner != Inner::Matrix || o[1].shape.rows != n || n < kFewest ||
        !o[4].shape.is_scalar() || !o[0].place.is_const_vector() || !o[3].autodiff)
      return std::nullopt;
    extractor_.lanes(n);
    Affine mu = extractor_.operand(o[2].place, !o[2].shape.is_scalar());
    mu = extractor_.sum(std::move(mu), extractor_.columns(o[1], o[3].place), 1);
    const bool all = !call.propto;
    return Candidate{n, o[0].place, o[4].place, o[4].autodiff, all, all || o[4].autodiff, std::move(mu), call.weight};
  }

  const Trace& t_;
  Extractor extractor_;
};

}  // namespace

Change reduce_normal_likelihoods(Trace& t, TraceGraph& graph) {
  Finder finder(t, graph);
  std::optional<Emitter> rewritten;  // none before there is something to change
  for (std::uint32_t i = 0; i < t.ops.size(); ++i) {
    const auto candidate = finder.look(t.ops[i]);
    std::optional<Reduced> reduced;
    if (candidate)
      reduced = reduce(candidate->mu, std::span(numbers_at(t, candidate->y), candidate->n));
    if (!reduced) {
      if (rewritten) rewritten->copy(i);
      continue;
    }
    if (!rewritten) {
      rewritten.emplace(t);
      for (std::uint32_t k = 0; k < i; ++k) rewritten->copy(k);
    }
    Emitter& out = *rewritten;
    const Ref triangles = out.constant_block(reduced->triangles);
    const Ref uniform = out.block(reduced->uniform);
    const Ref local = out.block(reduced->local);
    const auto size = [](const auto& v) { return static_cast<std::uint32_t>(v.size()); };
    const std::int32_t layout[] = {static_cast<std::int32_t>(candidate->n), static_cast<std::int32_t>(reduced->groups),
                                   static_cast<std::int32_t>(reduced->local_terms), candidate->constants ? 1 : 0,
                                   candidate->log_sigma ? 1 : 0};
    const KernelOperand operands[] = {
        {.shape = Shape::vector(size(reduced->triangles)), .ref = triangles},
        {.shape = Shape::vector(size(reduced->uniform)), .ref = uniform, .autodiff = !reduced->uniform.empty()},
        {.shape = Shape::vector(size(reduced->local)), .ref = local, .autodiff = !reduced->local.empty()},
        {.shape = Shape::scalar(), .ref = out.mapped(candidate->sigma), .autodiff = candidate->sigma_autodiff},
        {.shape = Shape::array(5, Shape::scalar()), .ints = layout}};
    out.push_call_sink(kLinearNormalSink, "normal_lpdf", operands, t.sites[i], candidate->weight);
  }
  if (!rewritten) return Change::None;
  t = std::move(*rewritten).finish();
  return Change::LeavesDeadOps;
}

}  // namespace fermiac::ad
