// S-expressions: the carrier of the MIR's machine-readable form.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermiac::mir {

struct Sexp {
  bool is_list = false;
  std::string atom;
  std::vector<Sexp> items;

  static Sexp of(std::string_view text) { return {.is_list = false, .atom = std::string(text), .items = {}}; }
  static Sexp list(std::vector<Sexp> items) { return {.is_list = true, .atom = {}, .items = std::move(items)}; }
  template <class... Items>
  static Sexp list_of(Items... items) {  // an initialiser list would copy the trees
    std::vector<Sexp> all;
    all.reserve(sizeof...(items));
    (all.push_back(std::move(items)), ...);
    return list(std::move(all));
  }
};

/// On one line, blanks only between two unquoted atoms: `(FnCheck(trans(Lower 0))(var_name N))`.
std::string compact(const Sexp& sexp);
/// In packing boxes, indent 1, margin 90.
std::string readable(const Sexp& sexp);

struct SexpResult {
  std::optional<Sexp> value;
  std::string error;  // what is wrong and at which byte, if there is no value
};
/// Deeper than the MIR of any program goes; whoever reads a tree may recurse.
inline constexpr std::size_t kMaxNesting = 16'000;
/// Exactly one expression, with blanks around it, at most `kMaxNesting` lists deep.
SexpResult parse_sexp(std::string_view text);

}  // namespace fermiac::mir
