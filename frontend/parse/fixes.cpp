// What the hints propose as edits of the text, and the places that they speak of, for editors. One rule per hint that can
// be carried out without knowing more than the tokens around.
#include "frontend/parse/foreign_words.h"
#include "frontend/parse/parser.h"
#include "support/base/text.h"

namespace fermiac::parse {

ReportNotes replacing(Span span, std::string_view now) {
  return {{}, {{"Write '" + std::string(now) + "'", span, std::string(now)}}};
}

namespace {

bool is_empty(const ReportNotes& notes) { return notes.related.empty() && notes.fixes.empty(); }

}  // namespace

/// In the order of hint().
ReportNotes Parser::notes(std::string_view family) const {
  if (!hint_open_brace().empty()) {
    const Pos open = misaligned_.value_or(open_braces_.back());
    return {{{{open, {open.file, open.offset + 1}}, "This brace is not closed."}}, {}};
  }
  if (!hint_declaration(family).empty()) return {};
  for (ReportNotes notes : {notes_operator(family), notes_open_bracket(), notes_semicolon()})
    if (!is_empty(notes)) return notes;
  return {};
}

ReportNotes Parser::notes_open_bracket() const {
  if (hint_open_bracket().empty()) return {};
  return {{{unclosed_bracket()->span, "This bracket is not closed."}}, {}};
}

ReportNotes Parser::notes_semicolon() const {
  if (hint_semicolon().empty()) return {};
  const Pos end = tokens_[next_ - 1].span.end;
  return {{}, {{"Insert ';'", {end, end}, ";"}}};
}

ReportNotes Parser::notes_operator(std::string_view family) const {
  if (hint_operator(family).empty()) return {};
  const Span here = at().span;
  if (const std::string_view sign = sign_of_word(); !sign.empty()) return replacing(here, sign);
  if (is(Tok::Times) && tokens_[next_ - 1].kind == Tok::Modulo) return replacing({tokens_[next_ - 1].span.begin, at(1).span.end}, "*");
  if (is(Tok::Times)) return replacing({tokens_[next_ - 1].span.begin, here.end}, "^");
  if (is(Tok::Bar)) return replacing(here, "||");
  if (is(Tok::Colon)) return replacing({here.begin, at(1).span.end}, "=");
  if (is(Tok::Assign)) return replacing(here, "==");
  return {};
}

ReportNotes Parser::notes_word(const ast::Name& name) {
  const ForeignWord* row = foreign_word(name.text);
  return row && !row->now.empty() ? replacing(name.span, row->now) : ReportNotes{};
}

ReportNotes Parser::notes_word(const ast::Expr& left) const {
  if (const ast::Name* name = first_name(left); name && foreign_word(name->text)) return notes_word(*name);
  const auto* binary = std::get_if<ast::Binary>(&left.node);
  return binary && !hint_word(left).empty() ? replacing(binary->op_span, "=") : ReportNotes{};
}

ReportNotes Parser::notes_block() const {
  const std::string_view best = nearest_block();
  if (best.empty()) return {};
  const std::size_t last = at(1).kind == Tok::LBrace ? 0 : 1;
  return replacing({here(), at(last).span.end}, best);
}

/// A misspelt name of a bound.
ReportNotes Parser::notes_bound() const {
  static const std::vector<std::string> kNames = {"lower", "upper", "offset", "multiplier"};
  const std::string best = is(Tok::Identifier) ? nearest_identifier(at().text, kNames) : "";
  return best.empty() ? ReportNotes{} : replacing(at().span, best);
}

ReportNotes Parser::notes_character(Span where) const {
  const std::string_view rest = std::string_view(sources_.file(where.begin.file).text).substr(where.begin.offset);
  const ForeignCharacter* row = foreign_character(rest);
  if (!row || row->now.empty()) return {};
  const auto length = static_cast<std::uint32_t>(row->bytes.size());
  return replacing({where.begin, {where.begin.file, where.begin.offset + length}}, row->now);
}

}  // namespace fermiac::parse
