// Built-in functions as Markdown: signatures in a block of Stan, then what the table of functions says.
#include <fmt/format.h>

#include <algorithm>

#include "autodiff/distributions/detail/law.h"
#include "cli/lsp/features.h"
#include "frontend/builtins/builtins.h"
#include "frontend/builtins/language.h"
#include "frontend/check/check.h"

namespace fermiac::lsp {
namespace {

constexpr std::size_t kShown = 6;  // overloads

std::string code(const std::string& text) { return "```stan\n" + text + "\n```\n"; }

std::string arguments(const BuiltinRow& family) {
  std::string out;
  for (const ArgumentDoc& a : argument_docs(family)) {
    out += fmt::format("- `{}`", a.name);
    if (!a.role.empty()) out += fmt::format(": {}", a.role);
    if (!a.domain.empty()) out += fmt::format(" ({})", domain_text(a.domain));
    out += "\n";
  }
  return out;
}

std::string family_text(const BuiltinRow& family) {
  std::string out = fmt::format("{}\n", family.doc);
  if (const ad::Law* law = ad::find_law(family.name)) out += fmt::format("\n`{}`\n", law->formula);
  return out + "\n" + arguments(family);
}

std::string overloads(const std::string& name) {
  const std::vector<const Signature*> all = plainest_first(name);
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i) out += (i > 0 ? "\n" : "") + signature_text(*all[i]);
  if (all.size() > kShown) out += fmt::format("\n// … {} overloads in all", all.size());
  return code(out);
}

}  // namespace

std::string builtin_markdown(const std::string& name) {
  if (const BuiltinRow* row = find_builtin(name)) return overloads(name) + "\n" + (row->is_family() ? family_text(*row) : std::string(row->doc) + "\n");
  if (const BuiltinRow* family = find_distribution(name)) {
    std::string members;
    for (const std::string& member : members_of(*family)) members += (members.empty() ? "" : ", ") + fmt::format("`{}`", member);
    return code("distribution " + name) + "\n" + family_text(*family) + "\n" + members + "\n";
  }
  if (const LanguageRow* row = find_language_row(name); row && row->kind == LanguageRow::Kind::TakesFunction)
    return code(std::string(row->form)) + "\n" + std::string(row->summary) + "\n\n" + code(std::string(row->example));
  if (std::ranges::count(special_function_names(), name)) return code(name + "(…)") + "\nTakes a function and any further arguments.\n";
  return "";
}

}  // namespace fermiac::lsp
