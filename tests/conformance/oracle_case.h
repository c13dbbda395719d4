// A case of a function: what it is called with, and what the file says of the result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interp/functions/builtin_tools.h"
#include "interp/functions/functions.h"
#include "tests/conformance/oracle_values.h"

namespace fermiac::selfcheck::oracle {

class FunctionCase {
 public:
  /// What can be compared. Order: the arguments are no values of the language, but what the function does to their
  /// order is known. Nothing: neither is.
  enum class Content { Values, Order, Nothing };

  FunctionCase(const Json& c, Rules& rules);

  const Json& json() const { return c_; }
  const std::string& name() const { return name_; }
  Content content() const { return content_; }
  const std::vector<Value>& args() const { return args_; }
  const Value& result() const { return result_; }

  bool exists() const { return LibraryFunction::find(name_) != nullptr; }
  const LibraryFunction& builtin() const { return *LibraryFunction::find(name_); }
  bool throws() const { return flag(c_, "throws"); }
  bool propto() const { return flag(c_, "propto"); }
  bool gradient_required() const { return !c_.find("grad_note") && !c_.find("grad_throws"); }
  bool differentiated(std::size_t arg) const;
  /// Bit j: argument j is differentiated.
  unsigned parameters() const;
  double number(std::string_view key, double otherwise) const { return number_of(c_, key, otherwise); }
  /// The true derivative by entry k of an argument, where the file's is known to be wrong.
  std::optional<double> suspect_gradient(std::size_t arg, std::size_t k) const;
  /// Arguments that must be symmetric: how a derivative is shared between an element and its mirror image is up to the
  /// algorithm.
  bool symmetric_argument(std::size_t arg) const;

 private:
  void read_arguments();
  void join_vectors();

  const Json& c_;
  std::string name_;
  Content content_ = Content::Values;
  std::vector<Value> args_;
  Value result_;
};

/// What the function of a case is called now: aliases and old names resolved.
std::string current_name(const Json& c);

}  // namespace fermiac::selfcheck::oracle
