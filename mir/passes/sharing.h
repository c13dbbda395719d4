// Which containers would be one object in C++ although the program changes one of them and not the other.
//
// A container with one adjoint (struct of arrays) is a pointer there: `b = a`, `b = to_vector(a)`, `b[1] = a` copy the pointer,
// and what is written into a part of b is in a too. Where that happens, the containers have to be kept by element.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// Vectors, row vectors and matrices of reals, and arrays of them: what can be kept whole.
bool is_matrix_like(const Type& type);

class Sharing {
 public:
  /// Of all that is assigned in the body; the cost hardly more than linear in its size.
  explicit Sharing(const std::vector<StmtPtr>& body);

  /// The containers of groups that share one object, of which one is written to in place; and where that happens.
  std::map<std::string, Span> unsafe();

 private:
  void collect(const Stmt& stmt, bool in_loop);
  void assigned(const Assignment& node, Span where, bool in_loop);
  void joined(const std::string& name, const Expr& value);
  std::string group(std::string name);

  std::map<std::string, std::string> parent_;  // of names that share with another one, towards their group
  std::map<std::string, Span> written_;
  std::set<std::string> filled_, repeated_;
};

}  // namespace fermiac::mir
