// Names that may stand at a place: what is in scope, functions, distributions behind `~`, keywords, blocks.
#include <algorithm>
#include <set>

#include "cli/lsp/features.h"
#include "frontend/ast/blocks.h"
#include "frontend/builtins/builtins.h"
#include "frontend/builtins/language.h"
#include "frontend/builtins/table.h"
#include "frontend/check/check.h"
#include "frontend/check/scope.h"
#include "support/base/json.h"
#include "support/base/json_build.h"
#include "support/base/text.h"

namespace fermiac::lsp {
namespace {

using lex::Tok;

enum class ItemKind : int { Function = 3, Variable = 6, Class = 7, Module = 9, Keyword = 14, Constant = 21 };  // the protocol's numbers

/// Words that begin blocks; they are offered between the blocks only.
constexpr bool is_block_word(Tok kind) { return kind == Tok::Functions || kind == Tok::Data || kind == Tok::Parameters || kind == Tok::Model; }


/// What stands around the word that is being typed.
struct Context {
  std::string word;         // up to the cursor
  bool distribution = false;  // behind `~`
  bool outside = false;       // of every block
  bool bound = false;         // the name of a bound: `real<lo`, `real<lower=0, up`
};

constexpr bool takes_bounds(Tok type) { return type >= Tok::Int && type <= Tok::ComplexMatrix; }

/// Bounds begin with the `<` behind a type, and have no bracket, brace or semicolon.
bool is_bound(const Analysis& state, std::size_t token) {
  const auto& tokens = state.stream.tokens;
  if (token == 0) return false;
  std::size_t i = token - 1;
  if (tokens[i].kind == Tok::Less) return i > 0 && takes_bounds(tokens[i - 1].kind);
  if (tokens[i].kind != Tok::Comma) return false;
  const auto names_bound = [](Tok kind) { return kind == Tok::Lower || kind == Tok::Upper || kind == Tok::Offset || kind == Tok::Multiplier; };
  while (i > 0 && tokens[i].kind != Tok::Less && tokens[i].kind != Tok::Semicolon && tokens[i].kind != Tok::LBrace) --i;
  return i > 0 && tokens[i].kind == Tok::Less && names_bound(tokens[i + 1].kind) && takes_bounds(tokens[i - 1].kind);
}

Context context_at(const Analysis& state, std::uint32_t offset) {
  const std::string_view text = state.text();
  std::size_t begin = offset;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  const std::size_t blank = text.substr(0, begin).find_last_not_of(" \t\r\n");
  Context out{std::string(text.substr(begin, offset - begin)), blank != std::string_view::npos && text[blank] == '~'};
  const std::size_t end = token_at(state, static_cast<std::uint32_t>(begin));
  out.bound = is_bound(state, end);
  int depth = 0;
  for (std::size_t i = 0; i < end; ++i)
    depth += (state.stream.tokens[i].kind == Tok::LBrace) - (state.stream.tokens[i].kind == Tok::RBrace);
  out.outside = depth <= 0 && !(state.program && state.program->functions_only);
  return out;
}

class Items {
 public:
  explicit Items(const std::string& word) : word_(word) {}

  /// `order` sorts what may stand here: names of the program come first.
  void add(const std::string& label, ItemKind kind, const std::string& detail, const std::string& doc, char order) {
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b)); };
    const bool begins = label.size() >= word_.size() && std::equal(word_.begin(), word_.end(), label.begin(), same);
    if (!begins || !seen_.insert(label).second) return;
    items_.push_back(json_object({{"label", json_quote(label)},
                                  {"kind", std::to_string(static_cast<int>(kind))},
                                  {"detail", detail.empty() ? "" : json_quote(detail)},
                                  {"documentation", doc.empty() ? "" : json_quote(doc)},
                                  {"sortText", json_quote(order + label)}}));
  }
  std::string result() const { return json_object({{"isIncomplete", "false"}, {"items", json_array(items_)}}); }

 private:
  std::string word_;
  std::set<std::string> seen_;
  std::vector<std::string> items_;
};

void add_symbol(Items& items, const Analysis& state, const Symbol& symbol) {
  const bool function = symbol.kind == Symbol::Kind::Function;
  const bool fixed = symbol.top_level && (symbol.block == ast::BlockKind::Data || symbol.block == ast::BlockKind::TransformedData);
  const std::string where = symbol.top_level && !function ? std::string(ast::block_name(symbol.block)) : "";
  items.add(symbol.name.text, function ? ItemKind::Function : fixed ? ItemKind::Constant : ItemKind::Variable,
            declaration_text(state, symbol), where, '0');
}

void add_distributions(Items& items, const std::vector<View>& views) {
  for (const View& view : views)
    for (const Symbol& symbol : view.state.symbols.symbols)
      if (symbol.kind == Symbol::Kind::Function && (symbol.name.text.ends_with("_lpdf") || symbol.name.text.ends_with("_lpmf")))
        items.add(std::string(check::stem_of(symbol.name.text)), ItemKind::Function, declaration_text(view.state, symbol), "", '0');
  for (const BuiltinRow& row : distribution_rows()) items.add(std::string(row.name), ItemKind::Function, "distribution", std::string(row.doc), '1');
}

std::string summary_of(std::string_view name) {
  const LanguageRow* row = find_language_row(name);
  return row ? std::string(row->summary) : std::string();
}

void add_functions(Items& items) {
  for (const std::string& name : builtin_names()) {
    const BuiltinRow* row = find_builtin(name);
    items.add(name, ItemKind::Function, row->is_family() ? "of the distribution " + std::string(row->name) : "function", std::string(row->doc), '2');
  }
  for (const std::string_view name : special_function_names())
    items.add(std::string(name), ItemKind::Function, "takes a function", summary_of(name), '2');
}

void add_keywords(Items& items) {
  for (int kind = 0; kind <= static_cast<int>(Tok::EltDivideAssign); ++kind) {
    const Tok tok = static_cast<Tok>(kind);
    std::string_view spelled = lex::describe(tok);
    if (!lex::is_keyword(tok) || is_block_word(tok) || !spelled.starts_with('"')) continue;
    spelled = spelled.substr(1, spelled.size() - 2);
    if (spelled.find(' ') == std::string_view::npos) items.add(std::string(spelled), ItemKind::Keyword, "", summary_of(spelled), '3');
  }
}

}  // namespace

std::string completion(Document& document, const JsonValue& params) {
  const std::vector<View> views = document.views(position_of(params));
  const View& here = views.front();
  if (in_comment_or_string(here.state, here.pos.offset)) return "null";
  const Context context = context_at(here.state, here.pos.offset);
  Items items(context.word);
  if (context.distribution) return add_distributions(items, views), items.result();
  if (context.outside) {
    for (const ast::BlockRow& row : ast::kBlocks) items.add(std::string(row.name), ItemKind::Module, "block", "", '0');
    return items.result();
  }
  if (context.bound) {
    for (const std::string_view name : {"lower", "upper", "offset", "multiplier"}) items.add(std::string(name), ItemKind::Keyword, "bound", summary_of(name), '0');
    return items.result();
  }
  for (const View& view : views)
    for (const std::size_t i : view.state.symbols.visible_at(view.state.sources, view.pos)) add_symbol(items, view.state, view.state.symbols.symbols[i]);
  add_functions(items);
  add_keywords(items);
  return items.result();
}

}  // namespace fermiac::lsp
