#include "frontend/builtins/builtins.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "frontend/builtins/expand.h"
#include "frontend/builtins/table.h"
#include "support/base/check.h"

namespace fermiac {
namespace {

const BuiltinEntry* find_entry(std::string_view name) {
  const std::optional<Builtin> fn = builtin_named(name);
  if (!fn || *fn == Builtin::beta_proportion_cdf) return nullptr;  // its row has one, the language has none
  const BuiltinEntry& entry = builtin_entries()[static_cast<std::size_t>(*fn)];
  return entry.row ? &entry : nullptr;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// The scheme of one member of a family. Generators take what the densities take after the variate, ints included.
std::string member_scheme(const BuiltinRow& row, std::string_view suffix) {
  const std::string all(row.scheme);
  if (all.front() == '(') return all;  // written out
  if (suffix != "rng") return "(" + all + ") => real";
  const bool discrete = row.kinds.find("lpmf") != row.kinds.npos;
  const auto comma = all.find(", ");
  const std::string parameters =
      comma == std::string::npos ? "" : replace_all(all.substr(comma + 2), "VReal", "VNumber");
  return "(" + parameters + ") => " + (discrete ? "int/array[] int" : "real/array[] real");
}

// ---------------------------------------------------------------- expanded overloads, kept

/// A memo of constants: what a slot holds depends on the table alone, so who fills it first does not matter.
using Slot = std::atomic<const std::vector<Signature>*>;

Slot& slot_of(const BuiltinEntry& entry) {
  // never freed: spans of it may be in use until the very end of the program
  static Slot* const slots = new Slot[builtin_entries().size()]();
  return slots[&entry - builtin_entries().data()];
}

const std::vector<Signature>& expanded(const BuiltinEntry& entry) {
  Slot& slot = slot_of(entry);
  if (const auto* ready = slot.load(std::memory_order_acquire)) return *ready;
  const BuiltinRow& row = *entry.row;
  auto fresh = std::make_unique<const std::vector<Signature>>(
      expand_scheme(entry.name, row.is_family() ? member_scheme(row, entry.suffix) : std::string(row.scheme)));
  const std::vector<Signature>* expected = nullptr;
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
  const BuiltinEntry* entry = find_entry(name);
  return entry ? entry->row : nullptr;
}

const BuiltinRow* find_distribution(std::string_view stem) {
  const auto rows = distribution_rows();
  const auto found = std::ranges::lower_bound(rows, stem, {}, &BuiltinRow::name);
  return found != rows.end() && found->name == stem ? &*found : nullptr;
}

std::span<const Signature> signatures(std::string_view name) {
  const BuiltinEntry* entry = find_entry(name);
  if (!entry) return {};
  return expanded(*entry);
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> out;
  for (const BuiltinEntry& entry : builtin_entries())
    if (find_entry(entry.name)) out.emplace_back(entry.name);
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
