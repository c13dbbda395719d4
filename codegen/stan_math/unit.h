// What the parts of one emitted file share: the program, its places, the callbacks that became function objects.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/locations.h"
#include "mir/ir/ir.h"

namespace fermiac::codegen::stan_math {

/// A function of the program, or a built-in one, as an object that the library calls.
struct Functor {
  enum class Form {
    Plain,     // all arguments, then the stream
    Variadic,  // `leading` arguments, the stream, the others
    Slice      // slice, first and last position from 0, the stream, the others
  } form = Form::Plain;
  std::string function;               // `f_lpdf`, never `f_lupdf`
  std::size_t leading = 0;            // of a variadic one
  std::set<std::size_t> arguments{};  // of a built-in function: how many it is called with

  /// The name of its struct.
  std::string name() const;
};

class Unit {
 public:
  Unit(const mir::Program& program, const SourceMap& sources);

  const mir::Program& program() const { return program_; }
  std::string name_space() const { return program_.name + "_namespace"; }
  Locations& locations() { return locations_; }
  const Locations& locations() const { return locations_; }

  /// Whether the program defines a body for a function of this name.
  bool defines(std::string_view function) const { return bodies_.contains(std::string(function)); }
  bool declares(std::string_view function) const { return names_.contains(std::string(function)); }
  /// Whether a call of `callee` in the body of `caller` may lead back to `caller`.
  bool recurses(const std::string& caller, const std::string& callee) const;
  /// Whether the body reads target, or calls a function that may.
  bool reads_target(const mir::Function& function) const;

  /// @likely or @unlikely of the variable, or of the function, that the condition consists of; nothing for others.
  std::optional<bool> likely(const mir::Expr& condition) const;

  /// Notes that the file needs it; gives its name.
  std::string use(Functor functor);
  /// Numbers a call of map_rect.
  std::size_t map_rect(const std::string& functor);

  const std::map<std::string, Functor>& functors() const { return functors_; }
  const std::vector<std::string>& map_rects() const { return map_rects_; }

 private:
  const mir::Program& program_;
  Locations locations_;
  std::set<std::string> names_, bodies_;
  std::map<std::string, std::set<std::string>> calls_;  // who is called in a body, and by whom these are, …
  std::map<std::string, std::optional<bool>> likely_variables_, likely_functions_;  // empty: declarations disagree
  std::map<std::string, Functor> functors_;
  std::vector<std::string> map_rects_;
};

/// `f_lpdf` for `f_lupdf`; whether it was one.
struct FunctionName {
  std::string name;
  bool propto = false;
};
FunctionName normalised(std::string_view name);

}  // namespace fermiac::codegen::stan_math
