// Diagnostics as typed objects: a constexpr Diagnostic declares the text beside its emit, `report` fills it in.
//
//   constexpr Diagnostic<Type, Type> kAssignMismatch{
//       DiagId::E0412, DiagKind::Semantic, "Ill-typed arguments supplied to assignment operator =: lhs has type {} and rhs has type {}"};
//   diags.report(span, kAssignMismatch, left, right);
//
// Ids live in support/base/diagnostics.def (number, name); numbers are never reused. Rendering (source box, caret, include
// chain) is in support/base/render.h and follows the compiler's documented layout.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/base/source.h"

namespace fermiac {

enum class DiagId : std::uint16_t {
#define FERMIAC_DIAGNOSTIC(id, name) id,
#include "support/base/diagnostics.def"
#undef FERMIAC_DIAGNOSTIC
};

/// The name that documentation gives an id.
std::string_view diag_name(DiagId id);

/// Decides the headline: "Syntax error in LOC, lexing error:", "Semantic error in LOC:", "Warning in LOC:" ….
enum class DiagKind : std::uint8_t { Lexing, Including, Parsing, Semantic, Warning, Error };

/// Which group of warnings a warning belongs to (groups print together).
enum class WarningGroup : std::uint8_t { None, Parser, Types, Deprecation, Uninitialised, Pedantic };

/// Another place that a report speaks of, and what is there.
struct RelatedPlace {
  Span span;
  std::string message;
};

/// A repair: `text` in place of what `span` holds; an empty span inserts. `title` is an order: "Write '='".
struct Fix {
  std::string title;
  Span span;
  std::string text;
};

/// What a report has beyond its text, for editors.
struct ReportNotes {
  std::vector<RelatedPlace> related;
  std::vector<Fix> fixes;
};

/// What was reported, ready to render.
struct Report {
  DiagId id{};
  DiagKind kind = DiagKind::Error;
  WarningGroup group = WarningGroup::None;
  Span span;
  std::string message;
  ReportNotes notes;
};

/// A message with typed holes. The constructor does not compile when text and parameters disagree in number.
template <class... Args>
struct Diagnostic {
  DiagId id;
  DiagKind kind;
  std::string_view text;
  WarningGroup group = WarningGroup::None;

  consteval Diagnostic(DiagId id_, DiagKind kind_, std::string_view text_, WarningGroup group_ = WarningGroup::None)
      : id(id_), kind(kind_), text(text_), group(group_) {
    std::size_t holes = 0;
    for (std::size_t i = 0; i + 1 < text_.size(); ++i)
      if (text_[i] == '{' && text_[i + 1] == '}') ++holes;
    if (holes != sizeof...(Args)) throw "a diagnostic's text and its parameters disagree";
  }
};

/// Collects reports. Phases get it by reference; there is no global instance.
class Diagnostics {
 public:
  template <class... Args>
  void report(Span span, const Diagnostic<Args...>& what, const std::type_identity_t<Args>&... args) {
    report_with({}, span, what, args...);
  }
  template <class... Args>
  void report_with(ReportNotes notes, Span span, const Diagnostic<Args...>& what, const std::type_identity_t<Args>&... args) {
    add({what.id, what.kind, what.group, span, fmt::format(fmt::runtime(what.text), args...), std::move(notes)});
  }
  void add(Report report);

  bool has_errors() const { return errors_ > 0; }
  std::size_t error_count() const { return errors_; }
  const std::vector<Report>& reports() const { return reports_; }
  void clear();

 private:
  std::vector<Report> reports_;
  std::size_t errors_ = 0;
};

}  // namespace fermiac
