// Names in scope: variables in nested scopes without shadowing, and the functions that a program defines.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/ast/ast.h"

namespace fermiac::check {

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
template <class T>
using NameMap = std::unordered_map<std::string, T, StringHash, std::equal_to<>>;

struct VariableInfo {
  enum class Role : std::uint8_t { Declared, Argument, LoopVariable };

  std::string name;
  Type type;
  AdLevel ad;  // outside generated quantities; inside them everything is data
  ast::BlockKind origin = ast::BlockKind::Model;
  Role role = Role::Declared;
  Span span;  // of the name where it is declared; empty for what no text declared
};

class Scope {
 public:
  const VariableInfo* find(std::string_view name) const;
  /// The caller has made sure that the name is free.
  void declare(VariableInfo variable);
  /// Scopes nest: what was declared after `mark` goes with `release`.
  std::size_t mark() const { return variables_.size(); }
  void release(std::size_t mark);
  /// Takes one variable out; false if there is none.
  bool forget(std::string_view name);
  std::span<const VariableInfo> variables() const { return variables_; }

 private:
  std::vector<VariableInfo> variables_;
  NameMap<std::size_t> by_name_;
};

struct UserFunction {
  std::vector<Formal> formals;
  Type result;
  int index = -1;  // in Program::functions, of the definition if there is one
  bool defined = false;
  Span name_span;  // of the first declaration or definition
};

/// The functions of a program by name, each name's overloads in order of declaration.
class FunctionTable {
 public:
  std::span<const UserFunction> find(std::string_view name) const;
  UserFunction* find_same_types(std::string_view name, std::span<const Formal> formals);
  void add(std::string_view name, UserFunction function) { by_name_[std::string(name)].push_back(std::move(function)); }
  bool forget(std::string_view name);
  std::vector<std::string_view> names() const;

 private:
  NameMap<std::vector<UserFunction>> by_name_;
};

// ---------------------------------------------------------------- what a name says about its function

Suffix suffix_of(std::string_view name);
/// Takes a vertical bar after the first argument.
bool is_conditional(std::string_view name);
bool is_unnormalised(std::string_view name);
/// `foo_lupdf` to `foo_lpdf`; other names unchanged.
std::string normalised(std::string_view name);
/// `foo` of `foo_lpdf`, `foo_rng`, …; the name itself without such a suffix.
std::string_view stem_of(std::string_view name);

}  // namespace fermiac::check
