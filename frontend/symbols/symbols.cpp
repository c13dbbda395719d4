#include "frontend/symbols/symbols.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "frontend/ast/blocks.h"
#include "frontend/check/scope.h"
#include "support/base/match.h"

namespace fermiac {
namespace {

using namespace ast;
using UseKind = SymbolUse::Kind;

constexpr Pos kEndOfProgram{0, std::numeric_limits<std::uint32_t>::max()};

std::vector<Formal> formals_of(const FunctionDef& function) {
  std::vector<Formal> out;
  for (const FunctionArgument& argument : function.args) out.push_back({argument.type.type(), argument.data_only});
  return out;
}

Type type_of(const FunctionDef& function) {
  return Type::function({formals_of(function), function.result ? function.result->type() : Type(BaseType::Void)});
}

class Collector {
 public:
  Collector(const Program& program, const SourceMap& sources) : program_(program), sources_(sources) {}

  SymbolTable run() {
    for (std::size_t i = 0; i < program_.functions.size(); ++i) add_function(i);
    for (std::size_t i = 0; i < program_.functions.size(); ++i) function_body(i);
    for (const BlockRow& row : kStatementBlocks)
      if (const std::optional<ProgramBlock>& block = program_.*row.block) top_level(*block, row.kind);
    return std::move(out_);
  }

 private:
  /// Names that are declared while it lives go with it.
  class Scope {
   public:
    Scope(Collector& collector, Span span)
        : collector_(collector), outer_end_(collector.end_), mark_(collector.in_scope_.size()) {
      collector.end_ = collector.end_of(span);
    }
    ~Scope() {
      for (; collector_.in_scope_.size() > mark_; collector_.in_scope_.pop_back())
        collector_.by_name_[collector_.in_scope_.back()].pop_back();
      collector_.end_ = outer_end_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Collector& collector_;
    Pos outer_end_;
    std::size_t mark_;
  };

  /// Where what is declared in here ends to be seen. A scope that is still being typed has no end.
  Pos end_of(Span span) const {
    const std::string_view text = sources_.text(span);
    return text.ends_with('}') || text.ends_with(';') ? span.end : kEndOfProgram;
  }

  // ---- declarations

  void add_function(std::size_t index) {
    const FunctionDef& function = program_.functions[index];
    const int same = function.body ? -1 : definition_of(function);
    symbol_of_.push_back(same >= 0 ? same : static_cast<int>(index));
    Symbol symbol{.kind = Symbol::Kind::Function, .name = function.name, .declaration = function.span, .type_text = {},
                  .type = type_of(function), .block = BlockKind::Functions, .top_level = true, .data_only = false,
                  .function = static_cast<int>(index), .visible_from = {0, 0}, .visible_to = kEndOfProgram};
    if (function.result) symbol.type_text = function.result->span;
    out_.symbols.push_back(std::move(symbol));
    out_.uses.push_back({UseKind::Declaration, function.name.span, function.name.text, symbol_of_.back()});
  }

  /// Of a function that is only declared here.
  int definition_of(const FunctionDef& declaration) const {
    const Type type = type_of(declaration);
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      const FunctionDef& other = program_.functions[i];
      if (other.body && other.name.text == declaration.name.text && type_of(other) == type) return static_cast<int>(i);
    }
    return -1;
  }

  void declare(Symbol symbol) {
    symbol.visible_from = symbol.declaration.end;
    symbol.visible_to = symbol.top_level && block_ != BlockKind::Model ? kEndOfProgram : end_;
    symbol.block = block_;
    const int index = static_cast<int>(out_.symbols.size());
    out_.uses.push_back({UseKind::Declaration, symbol.name.span, symbol.name.text, index});
    by_name_[symbol.name.text].push_back(index);
    in_scope_.push_back(symbol.name.text);
    out_.symbols.push_back(std::move(symbol));
  }

  void function_body(std::size_t index) {
    const FunctionDef& function = program_.functions[index];
    block_ = BlockKind::Functions;
    const Scope scope(*this, function.span);
    for (const FunctionArgument& argument : function.args)
      declare({.kind = Symbol::Kind::Argument, .name = argument.name, .declaration = {argument.type.span.begin, argument.name.span.end},
               .type_text = argument.type.span, .type = argument.type.type(), .data_only = argument.data_only,
               .function = static_cast<int>(index)});
    if (function.body) statement(*function.body, false);
  }

  void top_level(const ProgramBlock& block, BlockKind kind) {
    block_ = kind;
    if (kind == BlockKind::Model) {
      const Scope scope(*this, block.span);
      return list(block.body, true);
    }
    list(block.body, true);  // stays in scope
  }

  // ---- statements

  void list(const std::vector<StmtPtr>& body, bool top) {
    for (const StmtPtr& item : body) statement(*item, top);
  }

  void statement(const Stmt& stmt, bool top) {
    match(
        stmt.node, [&](const Declaration& node) { declaration(stmt, node, top); },
        [&](const Assignment& node) {
          destination(*node.left);
          expression(*node.right);
        },
        [&](const ProcedureCall& node) {
          call(node.name, node.resolution);
          all(node.args);
        },
        [&](const TargetPlus& node) { maybe(node.value); }, [&](const JacobianPlus& node) { maybe(node.value); },
        [&](const Tilde& node) { tilde(node); }, [](const Break&) {}, [](const Continue&) {},
        [&](const Return& node) { maybe(node.value); }, [&](const Print& node) { all(node.items); },
        [&](const If& node) {
          maybe(node.test);
          statement(*node.yes, false);
          if (node.no) statement(*node.no, false);
        },
        [&](const While& node) {
          maybe(node.test);
          statement(*node.body, false);
        },
        [&](const ForRange& node) {
          maybe(node.low);
          maybe(node.high);
          loop(stmt, node.variable, BaseType::Int, *node.body);
        },
        [&](const ForEach& node) {
          maybe(node.container);
          loop(stmt, node.variable, element_of(node.container->type), *node.body);
        },
        [&](const Profile& node) {
          const Scope scope(*this, stmt.span);
          list(node.body, false);
        },
        [&](const Block& node) {
          const Scope scope(*this, stmt.span);
          list(node.body, false);
        },
        [](const Skip&) {});
  }

  static Type element_of(const Type& type) {
    if (type.is_array()) return type.element();
    return type.is_error() ? type : Type(is_complex(type.base()) ? BaseType::Complex : BaseType::Real);
  }

  void declaration(const Stmt& stmt, const Declaration& node, bool top) {
    declared_type(node.type);
    for (const Declarator& declarator : node.names) {
      maybe(declarator.init);
      declare({.kind = Symbol::Kind::Variable, .name = declarator.name, .declaration = stmt.span, .type_text = node.type.span,
               .type = node.type.type(), .top_level = top});
    }
  }

  void loop(const Stmt& stmt, const Name& variable, Type type, const Stmt& body) {
    const Scope scope(*this, stmt.span);
    declare({.kind = Symbol::Kind::LoopVariable, .name = variable, .declaration = variable.span, .type_text = {}, .type = std::move(type)});
    statement(body, false);
  }

  void tilde(const Tilde& node) {
    expression(*node.variate);
    int symbol = user_function(node.resolution);
    for (const char* ending : {"_lpdf", "_lpmf"})
      if (symbol < 0 && node.resolution.name.empty()) symbol = function_named(node.distribution.text + ending);
    out_.uses.push_back({UseKind::Distribution, node.distribution.span, node.distribution.text, symbol});
    all(node.args);
    if (node.truncation) maybe(node.truncation->lower), maybe(node.truncation->upper);
  }

  void declared_type(const DeclaredType& type) {
    all(type.array_sizes);
    maybe(type.first);
    maybe(type.second);
    all(type.sizes);
    for (const DeclaredType& slot : type.slots) declared_type(slot);
  }

  // ---- expressions

  void all(const std::vector<ExprPtr>& items) {
    for (const ExprPtr& item : items) expression(*item);
  }
  void maybe(const ExprPtr& expr) {
    if (expr) expression(*expr);
  }

  /// The left side of an assignment: its base is written, its indexes are read.
  void destination(const Expr& left) {
    if (const auto* variable = std::get_if<Variable>(&left.node)) return use(UseKind::Write, variable->name);
    if (const auto* indexed = std::get_if<Indexed>(&left.node)) {
      destination(*indexed->base);
      return indexes(*indexed);
    }
    if (const auto* projection = std::get_if<Projection>(&left.node)) return destination(*projection->tuple);
    if (const auto* tuple = std::get_if<TupleLiteral>(&left.node))
      for (const ExprPtr& item : tuple->items) destination(*item);
  }

  void indexes(const Indexed& node) {
    for (const Index& index : node.indexes) maybe(index.low), maybe(index.high);
  }

  void expression(const Expr& expr) {
    match(
        expr.node, [](const IntLiteral&) {}, [](const RealLiteral&) {}, [](const ImagLiteral&) {}, [](const StringLiteral&) {},
        [&](const Variable& node) { variable(expr, node); },
        [&](const Call& node) {
          call(node.name, node.resolution);
          all(node.args);
        },
        [](const TargetValue&) {}, [&](const ArrayLiteral& node) { all(node.items); }, [&](const RowLiteral& node) { all(node.items); },
        [&](const TupleLiteral& node) { all(node.items); }, [&](const Paren& node) { maybe(node.inner); },
        [&](const Binary& node) { maybe(node.left), maybe(node.right); }, [&](const Unary& node) { maybe(node.operand); },
        [&](const Ternary& node) { maybe(node.test), maybe(node.yes), maybe(node.no); },
        [&](const Projection& node) { maybe(node.tuple); },
        [&](const Indexed& node) {
          maybe(node.base);
          indexes(node);
        });
  }

  void variable(const Expr& expr, const Variable& node) {
    if (!variable_named(node.name.text) && (node.is_function || function_named(node.name.text) >= 0))
      return out_.uses.push_back({UseKind::Call, node.name.span, node.name.text, function_named(node.name.text, &expr.type)});
    use(UseKind::Read, node.name);
  }

  void call(const Name& name, const Resolution& resolution) {
    int symbol = user_function(resolution);
    if (symbol < 0 && resolution.name.empty()) symbol = function_named(check::normalised(name.text));
    out_.uses.push_back({UseKind::Call, name.span, name.text, symbol});
  }

  void use(UseKind kind, const Name& name) {
    const int* symbol = variable_named(name.text);
    out_.uses.push_back({kind, name.span, name.text, symbol ? *symbol : -1});
  }

  const int* variable_named(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() || found->second.empty() ? nullptr : &found->second.back();
  }

  int user_function(const Resolution& resolution) const {
    const bool user = resolution.kind == Resolution::Kind::User && resolution.user_index >= 0;
    return user && static_cast<std::size_t>(resolution.user_index) < symbol_of_.size() ? symbol_of_[static_cast<std::size_t>(resolution.user_index)] : -1;
  }

  /// The overload of that type, or else the first one; -1 if there is none.
  int function_named(const std::string& name, const Type* type = nullptr) const {
    int first = -1;
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      if (program_.functions[i].name.text != name) continue;
      if (type && type->base() == BaseType::Function && out_.symbols[i].type == *type) return symbol_of_[i];
      if (first < 0) first = symbol_of_[i];
    }
    return first;
  }

  const Program& program_;
  const SourceMap& sources_;
  SymbolTable out_;
  std::vector<int> symbol_of_;  // by function
  std::unordered_map<std::string, std::vector<int>> by_name_;
  std::vector<std::string> in_scope_;
  BlockKind block_ = BlockKind::Functions;
  Pos end_ = kEndOfProgram;
};

}  // namespace

const SymbolUse* SymbolTable::use_at(Pos pos) const {
  const auto holds = [&](const SymbolUse& use) {
    return use.span.begin.file == pos.file && use.span.begin.offset <= pos.offset && pos.offset <= use.span.end.offset;
  };
  const auto found = std::ranges::find_if(uses, holds);
  return found == uses.end() ? nullptr : &*found;
}

std::vector<std::size_t> SymbolTable::visible_at(const SourceMap& sources, Pos pos) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (!sources.before(pos, symbols[i].visible_from) && !sources.before(symbols[i].visible_to, pos)) out.push_back(i);
  return out;
}

std::vector<const SymbolUse*> SymbolTable::uses_of(int symbol) const {
  std::vector<const SymbolUse*> out;
  for (const SymbolUse& use : uses)
    if (use.symbol == symbol && symbol >= 0) out.push_back(&use);
  return out;
}

SymbolTable symbols_of(const ast::Program& program, const SourceMap& sources) { return Collector(program, sources).run(); }

}  // namespace fermiac
