// Errors and warnings with related places; their fixes as code actions.
#include <algorithm>

#include "cli/lsp/features.h"
#include "support/base/json.h"
#include "support/base/json_build.h"

namespace fermiac::lsp {
namespace {

constexpr int kError = 1, kWarning = 2, kInformation = 3;  // as the protocol numbers them
constexpr int kDeprecatedTag = 2;

int severity(const Report& report) {
  if (report.kind != DiagKind::Warning) return kError;
  return report.group == WarningGroup::Pedantic ? kInformation : kWarning;
}

/// What lies in an included file is shown at the directive in the text itself.
Span in_text(const SourceMap& sources, Span span) {
  Pos at = span.begin;
  while (at.file != 0) at = *sources.file(at.file).included_from;
  if (at.file == span.begin.file) return span;
  const std::string_view text = sources.file(0).text;
  const std::size_t end = std::min(text.find('\n', at.offset), text.size());
  return {at, {0, static_cast<std::uint32_t>(end)}};
}

std::string related(const Document& document, const Analysis& state, const Report& report) {
  std::vector<std::string> items;
  const auto add = [&](Span span, const std::string& message) {
    items.push_back(json_object({{"location", location(document, state, span)}, {"message", json_quote(message)}}));
  };
  if (report.span.begin.file != 0) add(report.span, "In the file that is included here.");
  for (const RelatedPlace& place : report.notes.related) add(place.span, place.message);
  return items.empty() ? "" : json_array(items);
}

std::string item(const Document& document, const Analysis& state, const Report& report) {
  const bool deprecated = report.group == WarningGroup::Deprecation;
  return json_object({{"range", state.range(in_text(state.sources, report.span))},
                      {"severity", std::to_string(severity(report))},
                      {"code", json_quote(diag_name(report.id))},
                      {"source", json_quote("fermiac")},
                      {"message", json_quote(report.message)},
                      {"tags", deprecated ? "[" + std::to_string(kDeprecatedTag) + "]" : ""},
                      {"relatedInformation", related(document, state, report)}});
}

std::string action(const Document& document, const Analysis& state, const Report& report, const Fix& fix) {
  const std::string edit = json_object({{"range", state.range(fix.span)}, {"newText", json_quote(fix.text)}});
  const std::string changes = json_object({{uri_of(document, state, fix.span.begin), json_array({edit})}});
  return json_object({{"title", json_quote(fix.title)},
                      {"kind", json_quote("quickfix")},
                      {"diagnostics", json_array({item(document, state, report)})},
                      {"isPreferred", report.notes.fixes.size() == 1 ? "true" : "false"},
                      {"edit", json_object({{"changes", changes}})}});
}

/// Two checks may find the same: pedantic mode tells of uninitialised variables, too.
bool is_told(const std::vector<const Report*>& before, const Report& report) {
  return std::ranges::any_of(before, [&](const Report* other) { return other->span == report.span && other->message == report.message; });
}

}  // namespace

std::string diagnostics(Document& document) {
  const Analysis& state = document.now();
  std::vector<const Report*> told;
  std::vector<std::string> items;
  for (const Report& report : state.diagnostics.reports()) {
    if (is_told(told, report)) continue;
    told.push_back(&report);
    items.push_back(item(document, state, report));
  }
  return json_object({{"uri", json_quote(document.uri())}, {"version", document.version}, {"diagnostics", json_array(items)}});
}

std::string code_actions(Document& document, const JsonValue& params) {
  const Analysis& state = document.now();
  const Position begin = position_in(json_path(params, {"range", "start"})), end = position_in(json_path(params, {"range", "end"}));
  std::vector<std::string> items;
  for (const Report& report : state.diagnostics.reports()) {
    const Span shown = in_text(state.sources, report.span);
    if (state.position(shown.begin) > end) continue;
    for (const Fix& fix : report.notes.fixes) {
      const bool reached = state.position(shown.end) >= begin || (fix.span.begin.file == 0 && state.position(fix.span.end) >= begin);
      if (reached) items.push_back(action(document, state, report, fix));
    }
  }
  return json_array(items);
}

}  // namespace fermiac::lsp
