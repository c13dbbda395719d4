// Signatures of the call that the cursor is in, and which of its arguments.
#include <algorithm>
#include <optional>
#include <utility>

#include "cli/lsp/features.h"
#include "frontend/builtins/builtins.h"
#include "frontend/builtins/language.h"
#include "frontend/check/scope.h"
#include "support/base/json.h"
#include "support/base/json_build.h"

namespace fermiac::lsp {
namespace {

using lex::Tok;

constexpr std::size_t kShown = 12;  // overloads

struct OpenCall {
  std::string name;
  bool distribution = false;  // behind `~`: the variate is no argument
  std::size_t argument = 0;
};

/// A brace within an expression, not that of a block.
bool begins_array(const std::vector<lex::Token>& tokens, std::size_t brace) {
  if (brace == 0) return false;
  const Tok before = tokens[brace - 1].kind;
  return before == Tok::Comma || before == Tok::LParen || before == Tok::LBracket || before == Tok::Assign || (before == Tok::LBrace && begins_array(tokens, brace - 1));
}

/// The innermost call whose bracket is open at an offset.
std::optional<OpenCall> call_at(const Analysis& state, std::uint32_t offset) {
  const std::vector<lex::Token>& tokens = state.stream.tokens;
  std::size_t argument = 0;
  int depth = 0;
  for (std::size_t i = token_at(state, offset); i-- > 0;) {
    const Tok kind = tokens[i].kind;
    if (kind == Tok::Semicolon || (kind == Tok::LBrace && depth == 0 && !begins_array(tokens, i))) return std::nullopt;
    if (kind == Tok::RParen || kind == Tok::RBracket || kind == Tok::RBrace) ++depth;
    if ((kind == Tok::Comma || kind == Tok::Bar) && depth == 0) ++argument;
    if (kind != Tok::LParen && kind != Tok::LBracket && kind != Tok::LBrace) continue;
    if (depth-- > 0) continue;
    depth = 0;
    const bool call = kind == Tok::LParen && i > 0 && tokens[i - 1].kind == Tok::Identifier;
    if (call) return OpenCall{std::string(tokens[i - 1].text), i > 1 && tokens[i - 2].kind == Tok::Tilde, argument};
    argument = 0;  // a bracket of another kind: perhaps within a call
  }
  return std::nullopt;
}

/// `name(A, B) => R` with the places of its arguments in that text.
class Label {
 public:
  explicit Label(const std::string& name) : text_(name + "(") {}
  void argument(const std::string& text) {
    if (!arguments_.empty()) text_ += arguments_.size() == 1 && bar_ ? " | " : ", ";
    const std::size_t begin = text_.size();
    text_ += text;
    arguments_.push_back(json_object({{"label", "[" + std::to_string(begin) + "," + std::to_string(text_.size()) + "]"}}));
  }
  void bar() { bar_ = true; }
  std::size_t size() const { return arguments_.size(); }
  std::string json(const std::string& result, const std::string& doc) const {
    const std::string label = text_ + ")" + (result.empty() ? "" : " => " + result);
    return json_object({{"label", json_quote(label)},
                        {"documentation", doc.empty() ? "" : json_object({{"kind", json_quote("markdown")}, {"value", json_quote(doc)}})},
                        {"parameters", json_array(arguments_)}});
  }

 private:
  std::string text_;
  std::vector<std::string> arguments_;
  bool bar_ = false;
};

class Signatures {
 public:
  explicit Signatures(const OpenCall& call) : call_(call) {}

  /// Of the program itself.
  void add(const Analysis& state, const Symbol& symbol) {
    const ast::FunctionDef& function = state.program->functions[static_cast<std::size_t>(symbol.function)];
    Label label(call_.name);
    if (check::is_conditional(symbol.name.text) && !call_.distribution) label.bar();
    for (std::size_t i = call_.distribution ? 1 : 0; i < function.args.size(); ++i)
      label.argument((function.args[i].data_only ? "data " : "") + function.args[i].type.type().str() + " " + function.args[i].name.text);
    push(label, call_.distribution ? "" : symbol.type.signature().result.str(), "");
  }

  void add_builtin(const std::string& name) {
    const BuiltinRow* row = find_builtin(name);
    const std::vector<const Signature*> all = plainest_first(name);
    for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i) add(*row, *all[i]);
  }

  /// `ode_rk45(f, initial, t0, times, ARGUMENTS OF f…) => …`: the last argument stands for any number of them.
  void add_form(const LanguageRow& row) {
    const std::string_view form = row.form;
    const std::size_t begin = form.find('(') + 1, end = form.find(')');
    Label label(call_.name);
    for (std::size_t at = begin; at < end;) {
      const std::size_t comma = std::min(form.find(", ", at), end);
      label.argument(std::string(form.substr(at, comma - at)));
      at = comma + 2;
    }
    const std::size_t arrow = form.find("=> ", end);
    push(label, arrow == form.npos ? "" : std::string(form.substr(arrow + 3)), std::string(row.summary));
    last_is_many_ = true;
  }

  std::string result() const {
    if (signatures_.empty()) return "null";
    const auto fits = std::ranges::find_if(sizes_, [&](std::size_t size) { return size > call_.argument; });
    const std::size_t active = fits == sizes_.end() ? 0 : static_cast<std::size_t>(fits - sizes_.begin());
    return json_object({{"signatures", json_array(signatures_)},
                        {"activeSignature", std::to_string(active)},
                        {"activeParameter", std::to_string(last_is_many_ ? std::min(call_.argument, sizes_.back() - 1) : call_.argument)}});
  }

 private:
  void add(const BuiltinRow& row, const Signature& signature) {
    std::vector<ArgumentDoc> docs;
    if (row.is_family()) docs = argument_docs(row);
    const std::size_t skipped = docs.size() > signature.formals.size() ? docs.size() - signature.formals.size() : 0;  // _rng has no variate
    Label label(call_.name);
    if (check::is_conditional(signature.name) && !call_.distribution) label.bar();
    for (std::size_t i = call_.distribution ? 1 : 0; i < signature.formals.size(); ++i) {
      const Formal& formal = signature.formals[i];
      const std::string name = i + skipped < docs.size() ? " " + std::string(docs[i + skipped].name) : "";
      label.argument((formal.data_only ? "data " : "") + formal.type.str() + name);
    }
    push(label, call_.distribution ? "" : signature.result.str(), std::string(row.doc));
  }

  void push(const Label& label, const std::string& result, const std::string& doc) {
    signatures_.push_back(label.json(result, doc));
    sizes_.push_back(label.size());
  }

  const OpenCall& call_;
  std::vector<std::string> signatures_;
  std::vector<std::size_t> sizes_;
  bool last_is_many_ = false;
};

}  // namespace

std::string signature_help(Document& document, const JsonValue& params) {
  const std::vector<View> views = document.views(position_of(params));
  const std::optional<OpenCall> call = call_at(views.front().state, views.front().pos.offset);
  if (!call || in_comment_or_string(views.front().state, views.front().pos.offset)) return "null";
  std::vector<std::string> names{check::normalised(call->name)};
  if (call->distribution) names = {call->name + "_lpdf", call->name + "_lpmf"};
  Signatures out(*call);
  for (const std::string& name : names) {
    bool own = false;
    for (const View& view : views) {
      for (const Symbol& symbol : own ? std::vector<Symbol>() : view.state.symbols.symbols) {
        if (symbol.kind != Symbol::Kind::Function || symbol.name.text != name) continue;
        out.add(view.state, symbol);
        own = true;
      }
    }
    if (is_builtin(name)) out.add_builtin(name);
    else if (const LanguageRow* row = find_language_row(name); row && row->kind == LanguageRow::Kind::TakesFunction) out.add_form(*row);
  }
  return out.result();
}

}  // namespace fermiac::lsp
