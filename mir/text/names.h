// Names that printer and reader share. Private to mir/text.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "mir/ir/ir.h"
#include "mir/text/sexp.h"

namespace fermiac::mir::text {

/// Converts an expression inside a transform or an internal function: as a tree in the complete form, as one atom in
/// the pretty one.
using ExprToSexp = std::function<Sexp(const Expr&)>;

Sexp transform_sexp(const Transform& transform, const ExprToSexp& expr);
/// `FnLength`, or `(FnReadParam (constrain T) (dims (E)) (mem_pattern AoS))`.
Sexp internal_sexp(const CompilerInternal& fn, const ExprToSexp& expr);
/// `(name value)`.
Sexp field(std::string_view name, Sexp value);

std::string_view transform_name(TransformKind kind);
std::optional<TransformKind> transform_kind(std::string_view name);
std::string_view block_name(BlockKind kind);
std::optional<BlockKind> block_kind(std::string_view name);
/// `UReal`; without its letter U the name of the sized type.
std::string_view base_name(BaseType base);
std::optional<BaseType> base_type(std::string_view name);
std::string_view suffix_name(Suffix suffix);
std::optional<Suffix> suffix_kind(std::string_view name);
inline std::string_view mem_name(MemPattern mem) {
  return mem == MemPattern::AoS ? "AoS" : "SoA";
}

/// Name under which a density is shown: `_lupdf` for an unnormalised `_lpdf`.
std::string shown_name(const std::string& name, bool propto);

}  // namespace fermiac::mir::text
