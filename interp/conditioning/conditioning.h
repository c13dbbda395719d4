// What a run is to do with a program: which sites count how much, which numbers are known and which are not.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interp/conditioning/number_table.h"

namespace fermiac::interp {

enum class ContextKind : std::uint8_t { Joint, Prior, Likelihood };

/// As given by options or a file; nothing is looked up yet.
struct Conditioning {
  struct Weight {
    std::string pattern;
    std::vector<double> values;
    bool list = false;               // one for each element
  };
  struct Given {
    std::string name;                // `tau`, `theta[1]`
    std::string value;               // JSON
  };
  ContextKind context = ContextKind::Joint;
  std::vector<Weight> weights;
  std::vector<Given> fix, condition;
  std::vector<std::string> missing;
  std::vector<std::pair<std::string, std::string>> roles;  // `@12`, `prior`
  bool nan_is_missing = false;
  std::size_t max_table = 65536;   // most entries of a table over missing ints
  std::vector<std::string> sampled;  // missing ints, or patterns of them, that are sampled instead of summed out
  std::vector<std::string> lifted;  // data that the density declares as it does parameters, although they are known
  std::vector<std::string> drawn;  // data that will be drawn: they may be absent, and their values do not count

  /// Nothing but the program as it is.
  bool empty() const;
  /// As the configuration comments of files have it: `context = prior`, `weight = y[3]=0`.
  std::vector<std::pair<std::string, std::string>> comments() const;
};

/// `{"context": "prior", "weights": {"y[3]": 0}, "fix": {"tau": 10}, "condition": {}, "missing": ["y[1:3]"], "roles": {"@12": "prior"}}`.
/// Adds to what there is. Throws InputError with line and column.
void read_conditioning(std::string_view json, std::string_view source, Conditioning& out);
/// `NAME=VALUE`, `PATTERN=W`, `@LINE=ROLE`: what stands before and behind the last `=` outside of brackets. Throws InputError.
std::pair<std::string, std::string> split_assignment(std::string_view text);
Conditioning::Weight read_weight(std::string_view text);
ContextKind read_context(std::string_view text);
std::string_view context_name(ContextKind kind);

/// What a pattern says.
struct Pattern {
  enum class Kind : std::uint8_t { All, Role, Place, Name } kind = Kind::Name;
  bool prior = false;                // Role: of prior sites, else of likelihood sites
  std::uint32_t line = 0, column = 0;
  bool has_column = false;
  std::string name;
  std::vector<PatternStep> steps;    // of names: the first is that of the variable itself
  bool is_whole() const { return steps.size() == 1 && steps[0].indexes.empty(); }
};
/// Throws InputError.
Pattern read_pattern(std::string_view text);

}  // namespace fermiac::interp
