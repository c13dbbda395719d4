#include "interp/queries/non_finite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autodiff/tape/ir/storage.h"

namespace fermiac::interp {
namespace {

constexpr std::uint32_t kMostShown = 4;  // numbers of a list
constexpr int kDeepest = 2;              // operations that are told of an operand without a name

/// Indexes of the element with this offset, as the program writes them: arrays outermost, columns of matrices one after the other.
std::string indexes_text(const Shape& shape, std::uint32_t offset) {
  std::vector<std::uint32_t> inner;
  std::uint32_t rest = offset;
  const auto take = [&](std::uint32_t size) {
    inner.insert(inner.begin(), rest % size + 1);
    rest /= size;
  };
  if (shape.inner == ad::Inner::Matrix) {
    const std::uint32_t row = rest % shape.rows;
    rest /= shape.rows;
    take(shape.cols);
    inner.insert(inner.begin(), row + 1);
  } else if (shape.inner != ad::Inner::Scalar) {
    take(shape.inner_size());
  }
  for (int k = shape.rank; k-- > 0;) take(shape.array_dims[static_cast<std::size_t>(k)]);
  return fmt::format("{}", fmt::join(inner, ","));
}

class Finder {
 public:
  Finder(const ad::Trace& trace, const RefNames& names) : trace_(trace), names_(names) {}

  std::optional<BadValue> operator()() const {
    for (std::size_t i = 0; i < trace_.ops.size(); ++i) {
      const ad::Op& op = trace_.ops[i];
      if (!ad::has_result(op.kind) || op.kind == ad::OpKind::Gather) continue;
      const std::uint32_t n = op.kind == ad::OpKind::Call ? trace_.calls[op.table()].out.scalars() : op.n_results();
      const Ref first = op.kind == ad::OpKind::Call ? trace_.calls[op.table()].out_place : op.d;
      for (std::uint32_t k = 0; k < n; ++k)
        if (!std::isfinite(number(first + k))) return described(i, k, number(first + k));
    }
    return std::nullopt;
  }

 private:
  double number(Ref r) const { return *ad::numbers_at(trace_, r); }

  BadValue described(std::size_t i, std::uint32_t k, double value) const {
    const ad::Op& op = trace_.ops[i];
    BadValue out{trace_.sites[i], {}, value, {}};
    if (op.kind == ad::OpKind::Call) {
      describe_call(trace_.calls[op.table()], out);
      return out;
    }
    out.function = ad::map_op(op.map).function();
    const bool summed = op.kind == ad::OpKind::VectorReduce;
    for (int j = 0; j < ad::map_arity(op.map); ++j) {
      const bool vector = is_vector(op, j);
      if (vector && summed) out.operands.push_back(list(op.x[j], op.n));
      else out.operands.push_back(scalar(vector ? op.x[j] + k : op.x[j], i, kDeepest));
    }
    return out;
  }

  static bool is_vector(const ad::Op& op, int j) { return (op.vector_mask >> j & 1) != 0; }

  /// A number that the op at `reader` reads: its name and value, or how it was made.
  std::pair<std::string, std::string> scalar(Ref r, std::size_t reader, int depth) const {
    const std::string value = fmt::format("{:.6g}", number(r));
    if (const std::string_view name = names_.of(r); !name.empty() || r.is_constant()) return {std::string(name), value};
    const std::string made = made_by(r, reader, depth);
    return {"", made.empty() ? value : value + " = " + made};
  }

  /// `add(a = 0, multiply(b = 3, 400))`; empty of what is no scalar operation, or too deep.
  std::string made_by(Ref r, std::size_t reader, int depth) const {
    std::size_t i = reader;
    while (i > 0 && !(trace_.ops[i - 1].kind == ad::OpKind::Map && trace_.ops[i - 1].d == r)) --i;
    if (depth == 0 || i == 0) return {};
    const ad::Op& op = trace_.ops[i - 1];
    std::string out;
    for (int j = 0; j < ad::map_arity(op.map); ++j) {
      const auto [name, value] = scalar(op.x[j], i - 1, 0);
      const std::string made = name.empty() && !op.x[j].is_constant() ? made_by(op.x[j], i - 1, depth - 1) : std::string();
      out += (j > 0 ? ", " : "") + (!made.empty() ? made : name.empty() ? value : name + " = " + value);
    }
    return fmt::format("{}({})", ad::map_op(op.map).function(), out);
  }

  void describe_call(const ad::CallInfo& call, BadValue& out) const {
    out.function = call.name;
    for (std::uint32_t j = 0; j < call.count; ++j) {
      const ad::CallOperand& x = trace_.call_operands[call.first + j];
      if (!x.ints) out.operands.push_back(list(x.place, x.shape.scalars()));
    }
  }

  /// `theta`, `[1, 2, 3, 4, …]`
  std::pair<std::string, std::string> list(Ref first, std::uint32_t n) const {
    if (n == 0) return {"", "[]"};
    std::string_view name = names_.of(first);
    if (n == 1) return {std::string(name), fmt::format("{:.6g}", number(first))};
    std::string out;
    for (std::uint32_t k = 0; k < std::min(n, kMostShown); ++k) out += fmt::format("{}{:.6g}", k > 0 ? ", " : "", number(first + k));
    return {std::string(name.substr(0, name.find('['))), "[" + out + (n > kMostShown ? ", …]" : "]")};
  }

  const ad::Trace& trace_;
  const RefNames& names_;
};

}  // namespace

void RefNames::add(const std::string& variable, const Value& value) {
  if (value.kind() == Value::Kind::Ref) {
    names_.try_emplace(value.as_ref(), variable);
  } else if (value.kind() == Value::Kind::Refs && !value.shape().complex) {
    const std::vector<Ref>& refs = value.ref_data();
    for (std::uint32_t i = 0; i < refs.size(); ++i) names_.try_emplace(refs[i], variable + "[" + indexes_text(value.shape(), i) + "]");
  }
}

std::string_view RefNames::of(Ref r) const {
  const auto found = names_.find(r);
  return found == names_.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<BadValue> first_bad_value(const ad::Trace& trace, const RefNames& names) { return Finder(trace, names)(); }

}  // namespace fermiac::interp
