#include "frontend/format/info.h"

#include <algorithm>
#include <set>

#include "frontend/ast/blocks.h"
#include "frontend/format/layout.h"
#include "support/base/json.h"
#include "support/base/match.h"

namespace fermiac::format {
namespace {

// ---------------------------------------------------------------- calls

/// Names of the built-ins that a program calls.
class Calls {
 public:
  std::set<std::string> functions, distributions;

  void program(const ast::Program& program) {
    for (const ast::FunctionDef& function : program.functions)
      if (function.body) stmt(*function.body);
    for (const ast::BlockRow& row : ast::kStatementBlocks)
      if (const std::optional<ast::ProgramBlock>& block = program.*row.block) all(block->body);
  }

 private:
  void all(const std::vector<ast::StmtPtr>& body) {
    for (const ast::StmtPtr& s : body) stmt(*s);
  }
  void all(const std::vector<ast::ExprPtr>& items) {
    for (const ast::ExprPtr& item : items) expr(item);
  }
  static bool is_density(const ast::Call& node) {
    return node.resolution.suffix == Suffix::Lpdf || node.resolution.suffix == Suffix::Lpmf;
  }
  void call(const ast::Call& node) {
    all(node.args);
    if (node.resolution.kind == ast::Resolution::Kind::StanLib)
      (node.conditional || is_density(node) ? distributions : functions).insert(node.name.text);
  }
  void expr(const ast::ExprPtr& e) {
    if (!e) return;
    match(
        e->node, [](const ast::IntLiteral&) {}, [](const ast::RealLiteral&) {}, [](const ast::ImagLiteral&) {},
        [](const ast::StringLiteral&) {}, [](const ast::Variable&) {}, [](const ast::TargetValue&) {},
        [&](const ast::Call& node) { call(node); }, [&](const ast::ArrayLiteral& node) { all(node.items); },
        [&](const ast::RowLiteral& node) { all(node.items); }, [&](const ast::TupleLiteral& node) { all(node.items); },
        [&](const ast::Paren& node) { expr(node.inner); },
        [&](const ast::Binary& node) {
          expr(node.left);
          expr(node.right);
        },
        [&](const ast::Unary& node) { expr(node.operand); },
        [&](const ast::Ternary& node) {
          expr(node.test);
          expr(node.yes);
          expr(node.no);
        },
        [&](const ast::Projection& node) { expr(node.tuple); },
        [&](const ast::Indexed& node) {
          expr(node.base);
          for (const ast::Index& index : node.indexes) {
            expr(index.low);
            expr(index.high);
          }
        });
  }
  void type(const ast::DeclaredType& t) {
    all(t.array_sizes);
    all(t.sizes);
    expr(t.first);
    expr(t.second);
    for (const ast::DeclaredType& slot : t.slots) type(slot);
  }
  void tilde(const ast::Tilde& node) {
    expr(node.variate);
    all(node.args);
    if (node.truncation) {
      expr(node.truncation->lower);
      expr(node.truncation->upper);
    }
    if (node.resolution.kind != ast::Resolution::Kind::StanLib) return;
    const bool mass = node.resolution.suffix == Suffix::Lpmf;
    distributions.insert(node.distribution.text + (mass ? "_lupmf" : "_lupdf"));
  }
  void stmt(const ast::Stmt& s) {
    match(
        s.node,
        [&](const ast::Declaration& node) {
          type(node.type);
          for (const ast::Declarator& declarator : node.names) expr(declarator.init);
        },
        [&](const ast::Assignment& node) {
          expr(node.left);
          expr(node.right);
        },
        [&](const ast::ProcedureCall& node) {
          all(node.args);
          if (node.resolution.kind == ast::Resolution::Kind::StanLib) functions.insert(node.name.text);
        },
        [&](const ast::TargetPlus& node) { expr(node.value); }, [&](const ast::JacobianPlus& node) { expr(node.value); },
        [&](const ast::Tilde& node) { tilde(node); }, [](const ast::Break&) {}, [](const ast::Continue&) {},
        [&](const ast::Return& node) { expr(node.value); },
        [&](const ast::Print& node) {
          constexpr std::string_view kWords[] = {"print", "reject", "fatal_error"};
          functions.emplace(kWords[static_cast<std::size_t>(node.kind)]);
          all(node.items);
        },
        [&](const ast::If& node) {
          expr(node.test);
          stmt(*node.yes);
          if (node.no) stmt(*node.no);
        },
        [&](const ast::While& node) {
          expr(node.test);
          stmt(*node.body);
        },
        [&](const ast::ForRange& node) {
          expr(node.low);
          expr(node.high);
          stmt(*node.body);
        },
        [&](const ast::ForEach& node) {
          expr(node.container);
          stmt(*node.body);
        },
        [&](const ast::Profile& node) { all(node.body); }, [&](const ast::Block& node) { all(node.body); },
        [](const ast::Skip&) {});
  }
};

// ---------------------------------------------------------------- JSON

/// Objects and arrays on one line where they fit, else a member per line; plain strings are filled.
class Json {
 public:
  explicit Json(Layout& out) : out_(out) {}

  /// `head` is what stands before the opening bracket on its line: members are indented from there.
  template <class Items, class Print>
  void group(const std::string& head, std::string_view open, std::string_view close, const Items& items, Print print,
             bool filled = false) {
    out_.open(Box::HV, 2);
    out_.text(head);
    out_.text(open);
    if (!items.empty()) {
      out_.brk();
      if (filled) out_.open(Box::Hov);
      bool first = true;
      for (const auto& item : items) {
        if (!std::exchange(first, false)) {
          out_.text(",");
          out_.brk();
        }
        print(item);
      }
      if (filled) out_.close();
      out_.brk(1, -2);
    }
    out_.text(close);
    out_.close();
  }
  static std::string key(std::string_view name) { return json_quote(name) + ": "; }
  void string(std::string_view text) { out_.text(json_quote(text)); }
  void strings(const std::string& head, const std::vector<std::string>& items) {
    group(head, "[", "]", items, [&](const std::string& item) { string(item); }, true);
  }
  Layout& out() { return out_; }

 private:
  Layout& out_;
};

/// The word for the numbers of a type.
std::string_view element(BaseType base) {
  if (base == BaseType::Int) return "int";
  return is_complex(base) ? "complex" : "real";
}

void type_json(Json& json, const std::string& head, const Type& type) {
  const bool tuple = type.base() == BaseType::Tuple;
  const std::string dims = std::to_string(type.array_dims() + inner_dimensions(type.base()));
  const std::vector<std::string> keys = {Json::key("type"), Json::key("dimensions")};
  json.group(head, "{", "}", keys, [&](const std::string& key) {
    if (&key == &keys[1]) return json.out().text(key + dims);
    if (tuple) return json.group(key, "[", "]", type.slots(), [&](const Type& slot) { type_json(json, "", slot); });
    json.out().text(key);
    json.string(element(type.base()));
  });
}

struct Variable {
  std::string name;
  Type type;
};

std::vector<Variable> variables(const std::optional<ast::ProgramBlock>& block) {
  std::vector<Variable> result;
  if (!block) return result;
  for (const ast::StmtPtr& stmt : block->body)
    if (const auto* declaration = std::get_if<ast::Declaration>(&stmt->node))
      for (const ast::Declarator& declarator : declaration->names)
        result.push_back({declarator.name.text, declaration->type.type()});
  return result;
}

std::vector<std::string> included_files(const SourceMap& sources, const lex::TokenStream& stream) {
  std::vector<std::string> result;
  for (const lex::Include& include : stream.includes) {
    if (include.file == 0) continue;  // replaced by nothing
    const std::string& name = sources.file(include.file).name;
    if (std::find(result.begin(), result.end(), name) == result.end()) result.push_back(name);
  }
  return result;
}

}  // namespace

std::string info_json(const SourceMap& sources, const lex::TokenStream& stream, const ast::Program& program) {
  Calls calls;
  calls.program(program);
  struct Member {
    std::string_view key;
    std::vector<Variable> variables;
    std::vector<std::string> strings;
    bool object;
  };
  const auto list = [](const std::set<std::string>& names) {
    return std::vector<std::string>(names.begin(), names.end());
  };
  const std::vector<Member> members = {
      {"inputs", variables(program.data), {}, true},
      {"parameters", variables(program.parameters), {}, true},
      {"transformed parameters", variables(program.transformed_parameters), {}, true},
      {"generated quantities", variables(program.generated_quantities), {}, true},
      {"functions", {}, list(calls.functions), false},
      {"distributions", {}, list(calls.distributions), false},
      {"included_files", {}, included_files(sources, stream), false},
  };
  Layout out(80);
  Json json(out);
  json.group("", "{", "}", members, [&](const Member& member) {
    const std::string key = Json::key(member.key);
    if (!member.object) return json.strings(key, member.strings);
    json.group(key, "{", "}", member.variables,
               [&](const Variable& variable) { type_json(json, Json::key(variable.name), variable.type); });
  });
  return out.finish() + "\n";
}

}  // namespace fermiac::format
