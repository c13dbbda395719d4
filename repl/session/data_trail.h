// How the variables of a session and the data of its model belong together: which of them files left behind, and which
// were changed after the model was bound to them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fermiac::repl {

class DataTrail {
 public:
  /// The variable has what `origin` gave the model.
  void left_by(const std::string& name, const std::string& origin) { origins_[name] = origin; }
  /// The variable was assigned; `bound` is whether the model has data of this name. True if nobody knew that they differ.
  bool changed(const std::string& name, bool bound) {
    origins_.erase(name);
    return bound && changed_.insert(name).second;
  }
  /// The model has the session's values again.
  void bound() { changed_.clear(); }
  /// Changed since; in order of name.
  const std::set<std::string>& older() const { return changed_; }

  /// `N, y (left by coin.json)`.
  std::string described(const std::vector<std::string>& names) const {
    std::string out;
    for (const std::string& name : names) {
      const auto origin = origins_.find(name);
      out += (out.empty() ? "" : ", ") + name + (origin == origins_.end() ? "" : " (left by " + origin->second + ")");
    }
    return out;
  }
  /// Variables that nobody typed.
  std::vector<std::string> left() const {
    std::vector<std::string> out;
    for (const auto& [name, origin] : origins_) out.push_back(name);
    return out;
  }
  bool is_left(const std::string& name) const { return origins_.contains(name); }
  void clear() { origins_.clear(), changed_.clear(); }

 private:
  std::map<std::string, std::string> origins_;
  std::set<std::string> changed_;
};

}  // namespace fermiac::repl
