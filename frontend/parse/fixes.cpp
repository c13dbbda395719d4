// What the hints propose as edits of the text, and the places that they speak of, for editors. One rule per hint that can
// be carried out without knowing more than the tokens around.
#include <iterator>

#include "frontend/parse/parser.h"

namespace fermiac::parse {
namespace {

struct Word {
  std::string_view word, now;
};
constexpr Word kWords[] = {{"elif", "else if"}, {"elseif", "else if"}, {"elsif", "else if"}, {"float", "real"},
                           {"double", "real"},  {"integer", "int"},    {"bool", "int"},      {"boolean", "int"},
                           {"numeric", "real"}};

ReportNotes replacing(Span span, std::string_view now) {
  return {{}, {{"Write '" + std::string(now) + "'", span, std::string(now)}}};
}

bool is_empty(const ReportNotes& notes) { return notes.related.empty() && notes.fixes.empty(); }

const ast::Name* first_name(const ast::Expr& expr) {
  if (const auto* call = std::get_if<ast::Call>(&expr.node)) return &call->name;
  if (const auto* variable = std::get_if<ast::Variable>(&expr.node)) return &variable->name;
  if (const auto* indexed = std::get_if<ast::Indexed>(&expr.node)) return first_name(*indexed->base);
  return nullptr;
}

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
  if (is(Tok::Times)) return replacing({tokens_[next_ - 1].span.begin, here.end}, "^");
  if (is(Tok::Bar)) return replacing(here, "||");
  if (is(Tok::Colon)) return replacing({here.begin, at(1).span.end}, "=");
  if (is(Tok::Assign)) return replacing(here, "==");
  return {};
}

ReportNotes Parser::notes_word(const ast::Name& name) {
  for (const Word& row : kWords)
    if (row.word == name.text) return replacing(name.span, row.now);
  return {};
}

ReportNotes Parser::notes_word(const ast::Expr& left) const {
  if (const ast::Name* name = first_name(left); name && !hint_word(name->text).empty()) return notes_word(*name);
  const auto* binary = std::get_if<ast::Binary>(&left.node);
  return binary && !hint_word(left).empty() ? replacing(binary->op_span, "=") : ReportNotes{};
}

ReportNotes Parser::notes_block() const {
  const std::string_view best = nearest_block();
  if (best.empty()) return {};
  const std::size_t last = at(1).kind == Tok::LBrace ? 0 : 1;
  return replacing({here(), at(last).span.end}, best);
}

ReportNotes Parser::notes_character(Span where) const {
  const std::string_view text = sources_.text(where);
  if (text.starts_with('&')) return replacing(where, "&&");
  if (text.starts_with('#')) return replacing({where.begin, {where.begin.file, where.begin.offset + 1}}, "//");
  return {};
}

}  // namespace fermiac::parse
