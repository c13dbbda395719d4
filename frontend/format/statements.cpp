// Statements, lists of statements with what stands between them, and whole programs.
#include <algorithm>

#include "frontend/ast/blocks.h"
#include "frontend/format/printer.h"
#include "support/base/match.h"

namespace fermiac::format {

// ---------------------------------------------------------------- places

namespace {

/// First size of a type, else its first bound; nothing for plain types and tuples.
const ast::Expr* first_expression(const ast::DeclaredType& type) {
  if (!type.array_sizes.empty()) return type.array_sizes.front().get();
  if (!type.sizes.empty()) return type.sizes.front().get();
  if (type.first) return type.first.get();
  if (type.second) return type.second.get();
  return nullptr;
}

}  // namespace

Pos first_location(const ast::Stmt& stmt) {
  const Pos begin = stmt.span.begin;
  return match(
      stmt.node,
      [](const ast::Declaration& node) {
        if (!node.annotations.empty()) return node.annotations.front().span.begin;
        const ast::Expr* expr = first_expression(node.type);
        return expr ? expr->span.begin : node.names.front().name.span.begin;
      },
      [](const ast::ProcedureCall& node) { return node.name.span.begin; },
      [](const ast::TargetPlus& node) { return node.value->span.begin; },
      [](const ast::JacobianPlus& node) { return node.value->span.begin; },
      [&](const ast::Return& node) { return node.value ? node.value->span.begin : begin; },
      [](const ast::If& node) { return node.test->span.begin; },
      [](const ast::While& node) { return node.test->span.begin; },
      [](const ast::ForRange& node) { return node.variable.span.begin; },
      [](const ast::ForEach& node) { return node.variable.span.begin; },
      [&](const ast::Assignment&) { return begin; }, [&](const ast::Tilde&) { return begin; },
      [&](const ast::Break&) { return begin; }, [&](const ast::Continue&) { return begin; },
      [&](const ast::Print&) { return begin; }, [&](const ast::Profile&) { return begin; },
      [&](const ast::Block&) { return begin; }, [&](const ast::Skip&) { return begin; });
}

Pos first_location(const ast::FunctionDef& function) {
  return function.annotations.empty() ? function.name.span.begin : function.annotations.front().span.begin;
}

Pos Printer::token_after(Pos pos) const {
  const auto at = std::lower_bound(tokens_.begin(), tokens_.end(), pos, [&](const lex::Token& token, Pos p) {
    return sources_.before(token.span.begin, p);
  });
  return at == tokens_.end() ? pos : at->span.begin;
}

bool Printer::hidden(Pos pos) const {
  return !options_.inline_includes && sources_.file(pos.file).included_from.has_value();
}

// ---------------------------------------------------------------- lists of statements

void Printer::ended(Flow& flow, Pos end) const { flow = {false, true, end.file, line(end)}; }

/// A new line two columns to the right of the box around, as text: the box that opens there stands wherever the line of
/// its header began.
void Printer::open_indented() {
  out_.brk();
  out_.text("  ");
  out_.open(Box::V);
}

/// An empty line where the source has at least one.
void Printer::empty_line(Flow& flow, Pos pos) {
  if (flow.started && (flow.file != pos.file || flow.line + 1 < line(pos))) out_.brk();
  flow.started = false;
}

/// A new line; an empty one before it where the source has at least one.
void Printer::next_line(Flow& flow, Pos pos) {
  empty_line(flow, pos);
  if (!std::exchange(flow.fresh, false)) out_.brk();
}

bool Printer::same_line(const Flow& flow, const Trivium& item) const {
  return item.kind != Trivium::Kind::Include && flow.started && flow.file == item.span.begin.file &&
         flow.line == line(item.span.begin);
}

void Printer::between(Flow& flow, const Trivium& item) {
  same_line(flow, item) ? out_.text(" ") : next_line(flow, item.span.begin);
  if (item.kind == Trivium::Kind::Include)
    out_.text("#include " + std::string(item.text));
  else
    comment(item);
  ended(flow, item.span.end);
}

/// Everything that stands before `end` and belongs to no statement. What statements could not place comes after the
/// first comment, set off by an empty line.
void Printer::boundary(Flow& flow, Pos end) {
  const std::vector<Trivium> items = trivia_.take_all(end);
  const std::vector<Trivium> late = trivia_.take_postponed();
  std::size_t i = 0;
  if (!items.empty()) between(flow, items[i++]);
  Flow flow_of_late = flow;
  for (const Trivium& item : late) {
    if (&item != late.data()) {
      between(flow_of_late, item);
      continue;
    }
    out_.brk();
    if (!std::exchange(flow.fresh, false)) out_.brk();
    comment(item);
    flow_of_late.fresh = false;
    ended(flow_of_late, item.span.end);
  }
  for (; i < items.size(); ++i) between(flow, items[i]);
}

template <class Item, class First, class Print>
void Printer::items(const std::vector<Item>& items, Pos close, First first, Print print) {
  Flow flow;
  for (const Item& item : items) {
    const Pos at = first(item);
    if (hidden(at)) continue;
    boundary(flow, at);
    next_line(flow, at);
    ended(flow, print(item));
  }
  boundary(flow, close);
}

void Printer::body(const std::vector<ast::StmtPtr>& statements, Pos close) {
  items(
      statements, close, [](const ast::StmtPtr& stmt) { return first_location(*stmt); },
      [&](const ast::StmtPtr& stmt) {
        statement(*stmt);
        return stmt->span.end;
      });
}

void Printer::block(const std::vector<ast::StmtPtr>& statements, Pos close) {
  out_.text("{");
  open_indented();
  body(statements, close);
  out_.close();
  out_.brk();
  out_.text("}");
}

// ---------------------------------------------------------------- statements

namespace {

Pos last_byte(Span span) { return {span.end.file, span.end.offset - 1}; }

}  // namespace

void Printer::statement(const ast::Stmt& stmt) {
  const auto increment = [&](std::string_view word, const ast::Expr& value) {
    out_.text(word);
    expr(value);
    out_.text(";");
  };
  match(
      stmt.node, [&](const ast::Declaration& node) { declaration(node, stmt); },
      [&](const ast::Assignment& node) {
        out_.open(Box::H);
        expr(*node.left);
        out_.text(node.op ? " " + std::string(operator_row(*node.op).spelling) + "= " : " = ");
        expr(*node.right);
        out_.text(";");
        out_.close();
      },
      [&](const ast::ProcedureCall& node) {
        call(node.name.text, node.args, false, stmt.span.begin, stmt.span.end);
        out_.text(";");
      },
      [&](const ast::TargetPlus& node) { increment("target += ", *node.value); },
      [&](const ast::JacobianPlus& node) { increment("jacobian += ", *node.value); },
      [&](const ast::Tilde& node) { tilde(node, stmt); }, [&](const ast::Break&) { out_.text("break;"); },
      [&](const ast::Continue&) { out_.text("continue;"); },
      [&](const ast::Return& node) {
        if (!node.value) return out_.text("return;");
        out_.open(Box::H);
        increment("return ", *node.value);
        out_.close();
      },
      [&](const ast::Print& node) { print(node); }, [&](const ast::If& node) { branch(node); },
      [&](const ast::While& node) {
        out_.text("while (");
        expr(*node.test);
        out_.text(") ");
        statement(*node.body);
      },
      [&](const ast::ForRange& node) {
        out_.text("for (" + node.variable.text + " in ");
        expr(*node.low);
        out_.text(" : ");
        expr(*node.high);
        out_.text(")");
        controlled(*node.body, {false, true, node.high->span.end.file, line(node.high->span.end)});
      },
      [&](const ast::ForEach& node) {
        out_.text("for (" + node.variable.text + " in ");
        expr(*node.container);
        out_.text(")");
        controlled(*node.body, {false, true, node.container->span.end.file, line(node.container->span.end)});
      },
      [&](const ast::Profile& node) {
        out_.text("profile(\"" + node.name + "\") ");
        block(node.body, last_byte(stmt.span));
      },
      [&](const ast::Block& node) { block(node.body, last_byte(stmt.span)); },
      [&](const ast::Skip&) { out_.text(";"); });
  trivia_.postpone(stmt.span.end);
}

/// The body of an if or a loop: a block stays on the line, anything else goes below.
void Printer::controlled(const ast::Stmt& body, Flow flow) {
  out_.text(" ");
  if (std::holds_alternative<ast::Block>(body.node)) return statement(body);
  const Pos at = first_location(body);
  const std::vector<Trivium> items = trivia_.take_all(at);
  std::size_t i = 0;
  for (; i < items.size() && same_line(flow, items[i]); ++i) between(flow, items[i]);
  if (i == items.size()) empty_line(flow, at);
  open_indented();
  flow.fresh = true;
  for (; i < items.size(); ++i) between(flow, items[i]);
  next_line(flow, at);
  statement(body);
  out_.close();
}

void Printer::branch(const ast::If& node) {
  out_.text("if (");
  expr(*node.test);
  out_.text(")");
  controlled(*node.yes, {false, true, node.test->span.end.file, line(node.test->span.end)});
  if (node.no) otherwise(node);
}

void Printer::otherwise(const ast::If& node) {
  const Pos yes_end = node.yes->span.end;
  const std::vector<Trivium> before = trivia_.take_comments(token_after(yes_end));
  if (std::holds_alternative<ast::Block>(node.yes->node)) {
    Flow flow;
    ended(flow, yes_end);
    const bool below = !before.empty() && !same_line(flow, before.front());
    if (!below) out_.text(" ");
    for (const Trivium& item : before) {
      below ? between(flow, item) : comment(item);
      if (!below) item.ends_line() ? out_.newline() : out_.text(" ");
    }
    if (below) out_.brk();
  } else {
    Flow flow;
    ended(flow, yes_end);
    for (const Trivium& item : before) between(flow, item);
    out_.brk();
  }
  out_.text("else");
  const bool simple = !std::holds_alternative<ast::If>(node.no->node) && !std::holds_alternative<ast::Block>(node.no->node);
  const std::vector<Trivium> after = trivia_.take_comments(simple ? first_location(*node.no) : node.no->span.begin);
  for (const Trivium& item : after) {
    out_.text(" ");
    comment(item);
    item.ends_line() ? out_.newline() : out_.brk();
  }
  if (const auto* chained = std::get_if<ast::If>(&node.no->node)) {
    if (after.empty()) out_.text(" ");
    return branch(*chained);
  }
  if (after.empty()) return controlled(*node.no, {false, true, yes_end.file, line(token_after(yes_end))});
  if (std::holds_alternative<ast::Block>(node.no->node)) return statement(*node.no);
  out_.text("  ");  // on the line that the comment has opened
  out_.open(Box::V);
  statement(*node.no);
  out_.close();
}

void Printer::print(const ast::Print& node) {
  constexpr std::string_view kWords[] = {"print(", "reject(", "fatal_error("};
  out_.text(kWords[static_cast<std::size_t>(node.kind)]);
  out_.open(Box::Hov);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) {
      out_.text(",");
      out_.brk();
    }
    expr(*node.items[i]);
  }
  out_.close();
  out_.text(");");
}

void Printer::tilde(const ast::Tilde& node, const ast::Stmt& stmt) {
  expr(*node.variate);
  out_.text(" ~ ");
  call(node.distribution.text, node.args, false, node.distribution.span.begin, stmt.span.end);
  if (node.truncation && (node.truncation->lower || node.truncation->upper)) {
    out_.text(" T[");
    if (node.truncation->lower) expr(*node.truncation->lower);
    out_.text(node.truncation->lower ? ", " : " , ");
    if (node.truncation->upper) expr(*node.truncation->upper);
    out_.text("]");
  }
  out_.text(";");
}

// ---------------------------------------------------------------- functions

void Printer::annotations(const std::vector<ast::Annotation>& annotations) {
  for (const ast::Annotation& annotation : annotations) {
    out_.text("@" + annotation.text);
    out_.newline();
  }
}

void Printer::function(const ast::FunctionDef& function) {
  annotations(function.annotations);
  if (function.result)
    type(*function.result);
  else
    out_.text("void");
  const bool long_name = function.name.text.size() > static_cast<std::size_t>(options_.margin / 3);
  // behind a result that takes several lines a long name has a line of its own
  const bool below = long_name && function.result && sources_.text(function.result->span).size() > result_space();
  below ? out_.brk() : out_.text(" ");
  if (long_name) {
    out_.open(Box::HV, 2);
    out_.text(function.name.text + "(");
    out_.cut();
    arguments(function);
    out_.cut(-2);
    out_.text(")");
    out_.close();
  } else {
    const bool many = function.args.size() > static_cast<std::size_t>(options_.margin / 10);
    out_.text(function.name.text + "(");
    out_.open(many ? Box::HV : Box::Pack);
    arguments(function);
    out_.text(")");
    out_.close();
  }
  if (!function.body) return out_.text(";");
  out_.text(" ");
  block(std::get<ast::Block>(function.body->node).body, last_byte(function.body->span));
}

void Printer::functions(const std::vector<ast::FunctionDef>& functions, Pos close) {
  items(
      functions, close, [](const ast::FunctionDef& f) { return first_location(f); },
      [&](const ast::FunctionDef& f) {
        function(f);
        trivia_.postpone(f.span.end);
        return f.span.end;
      });
}

void Printer::functions_file(const ast::Program& program) {
  Flow flow;
  bool first = true;
  const auto separate = [&](Pos at) { std::exchange(first, false) ? void() : next_line(flow, at); };
  const auto trivia = [&](std::vector<Trivium> items) {
    for (const Trivium& item : items) {
      if (!std::exchange(first, false)) {
        between(flow, item);
        continue;
      }
      item.kind == Trivium::Kind::Include ? out_.text("#include " + std::string(item.text)) : comment(item);
      ended(flow, item.span.end);
    }
  };
  for (const ast::FunctionDef& f : program.functions) {
    const Pos at = first_location(f);
    if (hidden(at)) continue;
    trivia(trivia_.take_all(at));
    separate(at);
    function(f);
    trivia_.postpone(f.span.end);
    ended(flow, f.span.end);
  }
  trivia(trivia_.take_rest());
}

// ---------------------------------------------------------------- programs

void Printer::program(const ast::Program& program) {
  Flow flow;  // of comments only: blocks follow each other without empty lines
  bool first = true;
  const auto separate = [&] {
    if (!std::exchange(first, false)) out_.brk();
  };
  const auto trivia = [&](const std::vector<Trivium>& items) {
    for (const Trivium& item : items) {
      empty_line(flow, item.span.begin);
      separate();
      item.kind == Trivium::Kind::Include ? out_.text("#include " + std::string(item.text)) : comment(item);
      ended(flow, item.span.end);
    }
    return !items.empty();
  };
  bool trailing = false;
  for (const auto& [kind, name, identifier, mir_name, member] : ast::kBlocks) {
    const std::optional<ast::ProgramBlock>& found = program.*member;
    if (!found || hidden(found->span.begin)) continue;
    trivia(trivia_.take_all(found->span.begin));
    empty_line(flow, found->span.begin);
    flow = {};
    separate();
    out_.text(std::string(name) + " ");
    if (kind != ast::BlockKind::Functions) {
      block(found->body, last_byte(found->span));
      continue;
    }
    out_.text("{");
    open_indented();
    functions(program.functions, last_byte(found->span));
    out_.close();
    out_.brk();
    out_.text("}");
  }
  trailing = trivia(trivia_.take_rest());
  if (!trailing && !first) out_.brk();
}

Printer::Printer(const SourceMap& sources, const lex::TokenStream& stream, const Options& options)
    : sources_(sources), tokens_(stream.tokens), options_(options), out_(options.margin),
      trivia_(sources, stream, {!options.strip_comments, options.inline_includes}) {}

std::optional<std::string> Printer::run(const ast::Program& program) {
  out_.open(Box::V);
  program.functions_only ? functions_file(program) : this->program(program);
  out_.close();
  if (trivia_.broken()) return std::nullopt;
  return out_.finish();
}

std::optional<std::string> format_program(const SourceMap& sources, const lex::TokenStream& stream,
                                          const ast::Program& program, const Options& options) {
  return Printer(sources, stream, options).run(program);
}

std::string expression_text(const ast::Expr& expr) {
  const SourceMap sources;
  const lex::TokenStream none;
  const Options options{.margin = 1'000'000, .inline_includes = true, .strip_comments = true};
  Printer printer(sources, none, options);
  printer.expr(expr);
  return printer.finish();
}

}  // namespace fermiac::format
