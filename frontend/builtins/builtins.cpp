#include "frontend/builtins/builtins.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>

#include "frontend/builtins/expand.h"
#include "frontend/builtins/table.h"
#include "support/base/check.h"

namespace fermiac {
namespace {

/// A member of a family: the suffix of its name and the kind (in BuiltinRow::kinds) that gives it.
struct Member {
  std::string_view suffix;
  std::string_view kind;
};
constexpr std::array<Member, 6> kMembers = {
    {{"_lpdf", "lpdf"}, {"_lpmf", "lpmf"}, {"_rng", "rng"}, {"_cdf", "cdf"}, {"_lcdf", "ccdf"}, {"_lccdf", "ccdf"}}};

bool has_kind(std::string_view kinds, std::string_view kind) {
  while (!kinds.empty()) {
    const auto comma = std::min(kinds.find(", "), kinds.size());
    if (kinds.substr(0, comma) == kind) return true;
    kinds.remove_prefix(std::min(comma + 2, kinds.size()));
  }
  return false;
}

const BuiltinRow* find_in(std::span<const BuiltinRow> rows, std::string_view name) {
  auto found = std::ranges::lower_bound(rows, name, {}, &BuiltinRow::name);
  return found != rows.end() && found->name == name ? &*found : nullptr;
}

struct Found {
  const BuiltinRow* row = nullptr;
  std::size_t member = 0;  // index into kMembers, for families
};

Found find_member(std::string_view name) {
  for (std::size_t i = 0; i < kMembers.size(); ++i) {
    if (!name.ends_with(kMembers[i].suffix)) continue;
    const auto* row = find_in(distribution_rows(), name.substr(0, name.size() - kMembers[i].suffix.size()));
    if (row && has_kind(row->kinds, kMembers[i].kind) && !is_missing_member(name)) return {row, i};
  }
  return {};
}

Found find_row(std::string_view name) {
  if (const auto* row = find_in(function_rows(), name)) return {row, 0};
  return find_member(name);
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// The scheme of one member of a family. Generators take what the densities take after the variate, ints included.
std::string member_scheme(const BuiltinRow& row, std::string_view kind) {
  const std::string all(row.scheme);
  if (all.front() == '(') return all;  // written out
  if (kind != "rng") return "(" + all + ") => real";
  const bool discrete = has_kind(row.kinds, "lpmf");
  const auto comma = all.find(", ");
  const std::string parameters =
      comma == std::string::npos ? "" : replace_all(all.substr(comma + 2), "VReal", "VNumber");
  return "(" + parameters + ") => " + (discrete ? "int/array[] int" : "real/array[] real");
}

// ---------------------------------------------------------------- expanded overloads, kept

struct Expanded {
  std::string name;
  std::vector<Signature> signatures;
};

std::unique_ptr<Expanded> expand(const Found& found) {
  auto out = std::make_unique<Expanded>();
  const BuiltinRow& row = *found.row;
  const Member& member = kMembers[found.member];
  out->name = std::string(row.name) + std::string(row.is_family() ? member.suffix : "");
  out->signatures =
      expand_scheme(out->name, row.is_family() ? member_scheme(row, member.kind) : std::string(row.scheme));
  return out;
}

/// A memo of constants: what a slot holds depends on the table alone, so who fills it first does not matter.
using Slot = std::atomic<const Expanded*>;

Slot& slot_of(const Found& found) {
  // never freed: spans of it may be in use until the very end of the program
  static Slot* const slots = new Slot[function_rows().size() + distribution_rows().size() * kMembers.size()]();
  if (!found.row->is_family()) return slots[static_cast<std::size_t>(found.row - function_rows().data())];
  const auto family = static_cast<std::size_t>(found.row - distribution_rows().data());
  return slots[function_rows().size() + family * kMembers.size() + found.member];
}

const Expanded& expanded(const Found& found) {
  Slot& slot = slot_of(found);
  if (const auto* ready = slot.load(std::memory_order_acquire)) return *ready;
  auto fresh = expand(found);
  const Expanded* expected = nullptr;
  if (slot.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  return *expected;
}

std::string_view cut(std::string_view& text, char separator) {
  const auto at = std::min(text.find(separator), text.size());
  const auto head = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return head;
}

}  // namespace

const BuiltinRow* find_builtin(std::string_view name) {
  return find_row(name).row;
}

const BuiltinRow* find_distribution(std::string_view stem) {
  return find_in(distribution_rows(), stem);
}

std::span<const Signature> signatures(std::string_view name) {
  const Found found = find_row(name);
  if (!found.row) return {};
  return expanded(found).signatures;
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> out;
  for (const auto& row : function_rows()) out.emplace_back(row.name);
  for (const auto& row : distribution_rows())
    for (const auto& member : kMembers) {
      auto name = std::string(row.name) + std::string(member.suffix);
      if (has_kind(row.kinds, member.kind) && !is_missing_member(name)) out.push_back(std::move(name));
    }
  std::ranges::sort(out);
  return out;
}

std::vector<ArgumentDoc> argument_docs(const BuiltinRow& row) {
  std::vector<ArgumentDoc> out;
  for (std::string_view rest = row.arguments; !rest.empty();) {
    auto item = cut(rest, ';');
    ArgumentDoc doc;
    doc.name = cut(item, ':');
    doc.role = cut(item, ':');
    doc.domain = item;
    out.push_back(doc);
  }
  return out;
}

bool supports_soa(const Signature& signature) {
  const auto* row = find_builtin(signature.name);
  if (!row || row->soa.empty()) return false;
  if (row->soa == "*") return true;
  const bool negated = row->soa.front() == '!';
  const auto listed = expand_scheme(signature.name, row->soa.substr(negated ? 1 : 0));
  const bool found =
      std::ranges::any_of(listed, [&](const Signature& other) { return other.formals == signature.formals; });
  return found != negated;
}

std::string signature_text(const Signature& signature) {
  std::string out(signature.name);
  out += '(';
  for (std::size_t i = 0; i < signature.formals.size(); ++i) {
    if (i > 0) out += ", ";
    out += signature.formals[i].type.str();
  }
  return out + ") => " + signature.result.str();
}

std::string dump_signatures() {
  std::string out;
  for (const auto& name : builtin_names())
    for (const auto& signature : signatures(name)) out += signature_text(signature) + '\n';
  return out;
}

std::string dump_distributions() {
  std::string out;
  for (const auto& row : distribution_rows()) out += std::string(row.name) + ": " + std::string(row.kinds) + '\n';
  return out;
}

}  // namespace fermiac
