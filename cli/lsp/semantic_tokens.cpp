// What each word of the text is, in the packed form of the protocol.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "cli/lsp/features.h"
#include "frontend/builtins/builtins.h"
#include "support/base/json.h"
#include "support/base/json_build.h"
#include "support/base/utf8.h"

namespace fermiac::lsp {
namespace {

using lex::Tok;

enum Type : int { kKeyword, kType, kNumber, kString, kComment, kFunction, kVariable, kParameter, kDecorator };
constexpr std::array<std::string_view, 9> kTypes = {"keyword", "type", "number", "string", "comment", "function", "variable", "parameter", "decorator"};
enum Modifier : int { kNone = 0, kDeclaration = 1, kReadonly = 2, kLibrary = 4 };
constexpr std::array<std::string_view, 3> kModifiers = {"declaration", "readonly", "defaultLibrary"};

struct Piece {
  std::uint32_t begin = 0, end = 0;
  int type = 0, modifiers = 0;
};

int type_of(Tok kind) {
  if (kind >= Tok::Int && kind <= Tok::RowStochasticMatrix) return kType;
  if (lex::is_keyword(kind) || kind == Tok::TransformedData || kind == Tok::TransformedParameters || kind == Tok::GeneratedQuantities) return kKeyword;
  switch (kind) {
    case Tok::IntLit: case Tok::RealLit: case Tok::DotNumber: case Tok::ImagLit: return kNumber;
    case Tok::StringLit: return kString;
    case Tok::Annotation: return kDecorator;
    case Tok::Identifier: case Tok::Truncate: return kVariable;
    default: return -1;
  }
}

/// What the symbol table knows of a name that is written somewhere.
Piece named(const Analysis& state, const SymbolUse& use) {
  Piece out{.begin = use.span.begin.offset, .end = use.span.end.offset, .type = kVariable, .modifiers = kNone};
  const bool called = use.kind == SymbolUse::Kind::Call || use.kind == SymbolUse::Kind::Distribution;
  if (called) out.type = kFunction;
  if (use.symbol < 0) return out.modifiers = called ? kLibrary : kNone, out;
  const Symbol& symbol = state.symbols.symbols[static_cast<std::size_t>(use.symbol)];
  if (symbol.kind == Symbol::Kind::Function) out.type = kFunction;
  const bool unknown = symbol.kind == Symbol::Kind::Argument || (symbol.top_level && symbol.block == ast::BlockKind::Parameters);
  if (unknown && symbol.kind != Symbol::Kind::Function) out.type = kParameter;
  const bool fixed = symbol.kind == Symbol::Kind::LoopVariable ||
                     (symbol.top_level && (symbol.block == ast::BlockKind::Data || symbol.block == ast::BlockKind::TransformedData));
  if (fixed) out.modifiers |= kReadonly;
  if (use.kind == SymbolUse::Kind::Declaration) out.modifiers |= kDeclaration;
  return out;
}

std::vector<Piece> pieces(const Analysis& state) {
  std::map<std::uint32_t, Piece> names;
  for (const SymbolUse& use : state.symbols.uses)
    if (use.span.begin.file == 0) names[use.span.begin.offset] = named(state, use);
  std::vector<Piece> out;
  for (const lex::Token& token : state.stream.tokens) {
    const int type = type_of(token.kind);
    if (token.span.begin.file != 0 || token.span.end.file != 0 || type < 0) continue;
    const auto name = names.find(token.span.begin.offset);
    out.push_back(name != names.end() ? name->second : Piece{token.span.begin.offset, token.span.end.offset, type, kNone});
  }
  for (const lex::Comment& comment : state.stream.comments)
    if (comment.span.begin.file == 0) out.push_back({comment.span.begin.offset, comment.span.end.offset, kComment, kNone});
  for (const lex::Include& include : state.stream.includes)
    if (include.span.begin.file == 0) out.push_back({include.span.begin.offset, include.span.end.offset, kKeyword, kNone});
  std::ranges::sort(out, {}, &Piece::begin);
  return out;
}

/// Numbers each piece by how far it is from the one before; a piece ends where its line does.
class Packer {
 public:
  Packer(std::string_view text, const Positions& positions) : text_(text), positions_(positions) {}

  void add(const Piece& piece) {
    std::uint32_t begin = piece.begin;
    while (begin < piece.end) {
      const std::size_t found = text_.substr(begin, piece.end - begin).find_first_of("\r\n");  // not beyond: lines may be long
      const auto end = found == std::string_view::npos ? piece.end : begin + static_cast<std::uint32_t>(found);
      if (end > begin) put(begin, end, piece);
      begin = std::max(end, begin);
      while (begin < piece.end && (text_[begin] == '\r' || text_[begin] == '\n')) ++begin;
    }
  }
  std::string data() const { return json_array(out_); }

 private:
  void put(std::uint32_t begin, std::uint32_t end, const Piece& piece) {
    const Position at = positions_.position(begin);
    const std::size_t lines = at.line - last_.line, from = lines > 0 ? 0 : last_.character;
    const std::size_t length = utf16_units(text_.substr(begin, end - begin));
    for (const std::size_t n :
         {lines, at.character - from, length, static_cast<std::size_t>(piece.type), static_cast<std::size_t>(piece.modifiers)})
      out_.push_back(std::to_string(n));
    last_ = at;
  }

  std::string_view text_;
  const Positions& positions_;
  Position last_;
  std::vector<std::string> out_;
};

template <class Names>
std::string quoted(const Names& names) {
  std::vector<std::string> out;
  for (const std::string_view name : names) out.push_back(json_quote(name));
  return json_array(out);
}

}  // namespace

std::string semantic_legend() { return json_object({{"tokenTypes", quoted(kTypes)}, {"tokenModifiers", quoted(kModifiers)}}); }

std::string semantic_tokens(Document& document, const JsonValue&) {
  const Analysis& state = document.now();
  Packer packer(state.text(), state.positions.front());
  for (const Piece& piece : pieces(state)) packer.add(piece);
  return json_object({{"data", packer.data()}});
}

}  // namespace fermiac::lsp
