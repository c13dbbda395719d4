// Which functions of a program stand in place of their calls in three-address code.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::interp {

class Inlining {
 public:
  explicit Inlining(const mir::Program& program) : program_(program) {}

  /// Small, gives a number, calls itself in no way, and its calls mean the same wherever they stand.
  bool takes(const mir::Function& function);
  /// Whether a function of that name may be called again while it runs.
  bool recurs(const std::string& name);

 private:
  static constexpr std::size_t kMostNodes = 300;
  const std::vector<std::string>& calls(const std::string& name);
  bool reaches(const std::string& from, const std::string& to, std::vector<std::string>& seen);

  const mir::Program& program_;
  std::unordered_map<std::string, std::vector<std::string>> calls_;  // by name, as far as they were asked for
  std::unordered_map<std::string, bool> recurs_;
};

}  // namespace fermiac::interp
