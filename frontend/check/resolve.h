// Overload resolution: which signature takes given arguments at least cost, and why the others do not.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/builtins/builtins.h"
#include "frontend/check/scope.h"

namespace fermiac::check {

/// One overload of a name; views into the function table or the built-ins.
struct Candidate {
  std::span<const Formal> formals;
  const Type* result = nullptr;
  int user_index = -1;
};

/// Why a candidate does not take the arguments.
struct Mismatch {
  bool arity = false;
  std::size_t position = 0;  // of the first argument that does not fit (from 0)
  std::size_t errors = 1;    // how many do not fit
  int distance = 0;          // how far their shapes are from those that were expected
  std::string reason;
};

struct Match {
  enum class Kind : std::uint8_t { Unique, Ambiguous, None } kind = Kind::None;
  Candidate best;
  int cost = 0;
  std::vector<Candidate> tied;  // only if ambiguous
};

using Arguments = std::span<const ast::ExprPtr>;

class Resolver {
 public:
  explicit Resolver(const FunctionTable& functions) : functions_(functions) {}

  /// Every overload of a (normalised) name, the program's own first.
  std::vector<Candidate> overloads(std::string_view name) const;
  bool exists(std::string_view name) const;

  /// Cost of passing the arguments, none if they do not fit.
  std::optional<int> cost(std::span<const Formal> formals, Arguments arguments) const;
  std::optional<int> cost(const Formal& formal, const ast::Expr& argument) const;
  Match match(std::span<const Candidate> candidates, Arguments arguments) const;
  Match match(std::string_view name, Arguments arguments) const;
  /// The built-in that takes the arguments at least cost, the first of several; none if no one takes them.
  std::optional<Match> cheapest_builtin(std::string_view name, Arguments arguments) const;

  std::optional<Mismatch> explain(std::span<const Formal> formals, Arguments arguments) const;
  /// Text about the candidates nearest to fitting, best first. `note` follows the numbers of arguments, where they
  /// differ.
  std::string explain_all(std::span<const Candidate> candidates, Arguments arguments, std::string_view note = "") const;

  /// The overload of a function's name that a function-typed argument takes.
  std::optional<Candidate> callback(const FunctionType& wanted, const ast::Expr& argument) const;

  /// What is wrong with an argument that does not fit: "has type int, found type real".
  std::string reason(const Formal& formal, const ast::Expr& argument) const;

 private:
  /// A question about built-ins whose answer does not change: which of a name's signatures takes arguments like these.
  struct Question {
    const Signature* signatures = nullptr;
    bool ties = false;                         // whether two equally good ones are an answer
    std::array<std::uint16_t, 7> arguments{};  // type and level of each; 0 behind the last
    friend bool operator==(const Question&, const Question&) = default;
  };
  struct QuestionHash {
    std::size_t operator()(const Question& question) const;
  };
  static std::optional<Question> question(std::span<const Signature> signatures, bool ties, Arguments arguments);

  std::span<const Signature> builtins(std::string_view name) const;
  Match match_signatures(std::span<const Signature> signatures, bool ties, Arguments arguments) const;
  Match remembered(std::span<const Signature> signatures, bool ties, Arguments arguments) const;

  const FunctionTable& functions_;
  // programs call the same few functions with the same few types
  mutable NameMap<std::span<const Signature>> builtins_;
  mutable std::unordered_map<Question, Match, QuestionHash> answers_;
};

/// "\nWrite to_vector(...) to convert it.", why an int cannot be had, or nothing if no function converts.
std::string conversion_hint(const ast::Expr& from, const Type& to);
/// `(int, vector)`.
std::string types_text(Arguments arguments);
/// `(int, data vector) => real`.
std::string signature_line(std::span<const Formal> formals, const Type& result);
/// The same for all, a line each.
std::string candidate_lines(const std::vector<Candidate>& candidates);
/// The bare name of a function, if the expression is one.
const ast::Variable* function_name(const ast::Expr& expr);

}  // namespace fermiac::check
