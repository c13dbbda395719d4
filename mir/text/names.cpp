#include "mir/text/names.h"

#include <algorithm>
#include <array>

#include "frontend/ast/blocks.h"
#include "mir/ir/build.h"

namespace fermiac::mir::text {
namespace {

constexpr std::array<std::string_view, 19> kTransforms = {
    "Identity",         "Lower",        "Upper",           "LowerUpper",  "Offset",     "Multiplier",
    "OffsetMultiplier", "Ordered",      "PositiveOrdered", "Simplex",     "UnitVector", "SumToZeroVector",
    "SumToZeroMatrix",  "CholeskyCorr", "CholeskyCov",     "Correlation", "Covariance", "StochasticColumn",
    "StochasticRow"};
constexpr std::array<std::string_view, 13> kBases = {
    "UInt",           "UReal",  "UVector", "UComplex", "URowVector", "UMatrix", "UComplexVector", "UComplexRowVector",
    "UComplexMatrix", "UTuple", "UFun",    "UVoid",    "UError"};
constexpr std::array<std::string_view, 6> kSuffixNames = {"FnPlain", "FnRng",    "FnLpdf",
                                                          "FnLpmf",  "FnTarget", "FnJacobian"};

template <class Enum, std::size_t N>
std::optional<Enum> find(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

Sexp list_of(const std::vector<ExprPtr>& exprs, const ExprToSexp& expr) {
  std::vector<Sexp> items;
  for (const ExprPtr& item : exprs) items.push_back(expr(*item));
  return Sexp::list(std::move(items));
}

Sexp record(Internal fn, std::vector<Sexp> fields) {
  fields.insert(fields.begin(), Sexp::of(internal_name(fn)));
  return Sexp::list(std::move(fields));
}

}  // namespace

std::string_view transform_name(TransformKind kind) {
  return kTransforms[static_cast<std::size_t>(kind)];
}
std::optional<TransformKind> transform_kind(std::string_view name) {
  return find<TransformKind>(kTransforms, name);
}
std::string_view block_name(BlockKind kind) {
  return ast::row_of(kind).mir_name;
}
std::optional<BlockKind> block_kind(std::string_view name) {
  const auto found = std::ranges::find(ast::kBlocks, name, &ast::BlockRow::mir_name);
  return found == ast::kBlocks.end() ? std::nullopt : std::optional(found->kind);
}
std::string_view base_name(BaseType base) {
  return kBases[static_cast<std::size_t>(base)];
}
std::optional<BaseType> base_type(std::string_view name) {
  return find<BaseType>(kBases, name);
}
std::string_view suffix_name(Suffix suffix) {
  return kSuffixNames[static_cast<std::size_t>(suffix)];
}
std::optional<Suffix> suffix_kind(std::string_view name) {
  return find<Suffix>(kSuffixNames, name);
}

Sexp field(std::string_view name, Sexp value) {
  return Sexp::list_of(Sexp::of(name), std::move(value));
}

Sexp transform_sexp(const Transform& transform, const ExprToSexp& expr) {
  Sexp name = Sexp::of(transform_name(transform.kind));
  if (!transform.first && !transform.second) return name;
  std::vector<Sexp> items = {std::move(name)};
  if (transform.first) items.push_back(expr(*transform.first));
  if (transform.second) items.push_back(expr(*transform.second));
  return Sexp::list(std::move(items));
}

Sexp internal_sexp(const CompilerInternal& fn, const ExprToSexp& expr) {
  switch (fn.fn) {
    case Internal::FnReadParam:
      return record(fn.fn, {field("constrain", transform_sexp(fn.transform, expr)),
                            field("dims", list_of(fn.dims, expr)), field("mem_pattern", Sexp::of(mem_name(fn.mem)))});
    case Internal::FnWriteParam: {
      std::vector<Sexp> option;
      if (fn.has_transform) option.push_back(transform_sexp(fn.transform, expr));
      return record(fn.fn, {field("unconstrain_opt", Sexp::list(std::move(option))), field("var", expr(*fn.var))});
    }
    case Internal::FnCheck:
      return record(fn.fn, {field("trans", transform_sexp(fn.transform, expr)),
                            field("var_name", Sexp::of(fn.var_name)), field("var", expr(*fn.var))});
    default:
      return Sexp::of(internal_name(fn.fn));
  }
}

std::string shown_name(const std::string& name, bool propto) {
  if (!propto || name.size() < 5) return name;
  const std::string stem = name.substr(0, name.size() - 5);
  if (name.ends_with("_lpdf")) return stem + "_lupdf";
  if (name.ends_with("_lpmf")) return stem + "_lupmf";
  return name;
}

}  // namespace fermiac::mir::text
