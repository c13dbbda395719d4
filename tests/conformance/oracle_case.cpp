#include "tests/conformance/oracle_case.h"

#include <fmt/format.h>

namespace fermiac::selfcheck::oracle {
namespace {

/// Names that the language no longer has, and what they are called now.
struct Renamed {
  std::string_view old_name, name;
};
constexpr Renamed kRenamed[] = {{"fabs", "abs"},
                                {"multiply_log", "lmultiply"},
                                {"binomial_coefficient_log", "lchoose"},
                                {"cov_exp_quad", "gp_exp_quad_cov"}};

Value joined(const Json& rows) {
  Json all{.kind = Json::Kind::Array};
  for (const Json& row : rows.items) all.items.insert(all.items.end(), row.items.begin(), row.items.end());
  return to_value("vector", all);
}

}  // namespace

std::string current_name(const Json& c) {
  const std::string name = text_of(c, "alias_of", text_of(c, "fn"));
  for (const Renamed& r : kRenamed)
    if (r.old_name == name) return std::string(r.name);
  return name;
}

FunctionCase::FunctionCase(const Json& c, Rules& rules) : c_(c), name_(current_name(c)) {
  try {
    read_arguments();
    return;
  } catch (const InputError&) {
    args_.clear();
  }
  // The language has no arrays of vectors of different sizes; to element-wise functions they are like one long vector.
  const std::vector<Json>& args = member(c_, "args").items;
  if (args.size() > 1 || throws()) {
    content_ = Content::Nothing;
    return;
  }
  rules.note(Rule::RaggedArray);
  if (text_of(args[0], "type") == "array[] vector")
    join_vectors();
  else
    content_ = Content::Order;
}

void FunctionCase::read_arguments() {
  for (const Json& a : member(c_, "args").items) args_.push_back(to_value(a));
  if (text_of(c_, "fn") == "fabs") args_[0] = to_reals(args_[0]);  // unlike abs
  if (c_.find("result")) result_ = to_value(member(c_, "result"));
}

void FunctionCase::join_vectors() {
  args_ = {joined(member(member(c_, "args").items[0], "value"))};
  result_ = joined(member(member(c_, "result"), "value"));
}

bool FunctionCase::differentiated(std::size_t arg) const {
  if (is_ints(args_[arg])) return false;
  if (const Json* autodiff = c_.find("autodiff")) return autodiff->items[arg].number != 0;
  const Json* grad = c_.find("grad");
  return grad && grad->items[arg].kind == Json::Kind::Array;
}

unsigned FunctionCase::parameters() const {
  unsigned mask = 0;
  for (std::size_t j = 0; j < args_.size(); ++j)
    if (differentiated(j)) mask |= 1u << j;
  return mask;
}

std::optional<double> FunctionCase::suspect_gradient(std::size_t arg, std::size_t k) const {
  const Json* all = c_.find("suspect_grad");
  const Json* one = all ? all->find(fmt::format("{}:{}", arg, k)) : nullptr;
  return one ? std::optional(to_double(*one)) : std::nullopt;
}

bool FunctionCase::symmetric_argument(std::size_t arg) const {
  return name_ == "gaussian_dlm_obs_lpdf" && arg >= 3 && args_[arg].shape().inner == ad::Inner::Matrix;
}

}  // namespace fermiac::selfcheck::oracle
