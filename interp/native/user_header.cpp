#include "interp/native/user_header.h"

#include <fmt/format.h>

#include <filesystem>
#include <regex>

#include "codegen/code.h"
#include "codegen/native/external.h"

namespace fermiac::interp {
namespace {

/// What headers include of Stan: everything that there is stands in front of them already.
constexpr std::string_view kStanHeaders[] = {
    "stan/math.hpp", "stan/math/prim.hpp", "stan/math/rev.hpp", "stan/math/mix.hpp", "stan/math/rev/core.hpp",
    "stan/math/prim/meta.hpp", "stan/math/prim/fun.hpp", "stan/math/prim/err.hpp", "stan/model/model_header.hpp",
};

/// The first name that is looked for in namespace stan and is not there; or empty. Words of g++, then of clang++.
std::string missing_name(std::string output) {
  for (const std::string_view quote : {"\u2018", "\u2019"})
    for (std::size_t at = 0; (at = output.find(quote, at)) != std::string::npos;) output.replace(at, quote.size(), "'");
  static const std::regex kMissing("'(\\w+)' is not a (?:class template|member) (?:of|name in) '(stan[:\\w]*)'"
                                   "|no (?:member|type|template) named '(\\w+)' in (?:namespace )?'(stan[:\\w]*)'");
  std::smatch found;
  if (!std::regex_search(output, found, kMissing)) return {};
  return found[1].matched ? found[2].str() + "::" + found[1].str() : found[4].str() + "::" + found[3].str();
}

/// The text of the first static_assert or #error of ours; or empty.
std::string asserted(const std::string& output) {
  static const std::regex kAssertion("static.assert(?:ion)? failed[^\\n]*?(the header has [^\\n\"]*[^\\n\" ])|#error \"([^\\n\"]*)");
  std::smatch found;
  if (!std::regex_search(output, found, kAssertion)) return {};
  return found[1].matched ? found[1].str() : found[2].str();
}

}  // namespace

std::string included_header(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(file, ignored);
  return "#include \"" + whole.string() + "\"\n";
}

std::vector<std::pair<std::string, std::string_view>> stand_in_headers() {
  std::vector<std::pair<std::string, std::string_view>> out;
  for (const std::string_view name : kStanHeaders) out.emplace_back("stan_math/" + std::string(name), "");
  out.emplace_back("last/boost/math/tools/promotion.hpp", codegen::native::promotion_header());
  return out;
}

std::vector<std::string> stand_in_flags(const std::string& folder) {
  return {"-I", folder + "/stan_math", "-idirafter", "/usr/include/eigen3", "-idirafter", "/usr/local/include/eigen3",
          "-idirafter", folder + "/last"};
}

std::string user_header_problem(const std::string& file, const std::string& output) {
  const std::string ours = asserted(output), name = missing_name(output);
  const std::string why = !ours.empty() ? ours : !name.empty() ? "there is no " + name + " here" : "the C++ compiler refuses it";
  return fmt::format("'{}': {}{}\n{}", file, why, kUserHeaderPage, output);
}

}  // namespace fermiac::interp
