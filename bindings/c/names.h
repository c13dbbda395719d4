// Names as C takes them: an array of texts, made when somebody asks first.
#pragma once

#include <mutex>
#include <string>
#include <vector>

namespace fermiac::capi {

class NameArray {
 public:
  void set(std::vector<std::string> names) {
    names_ = std::move(names);
    pointers_.clear();
    for (const std::string& name : names_) pointers_.push_back(name.c_str());
    pointers_.push_back(nullptr);  // also an array of none has an address
  }
  const char* const* data() const { return pointers_.data(); }
  std::size_t size() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::vector<const char*> pointers_;
};

class LazyNames {
 public:
  template <class Make>
  const NameArray& made_by(Make make) const {
    std::call_once(once_, [&] { names_.set(make()); });
    return names_;
  }

 private:
  mutable std::once_flag once_;
  mutable NameArray names_;
};

}  // namespace fermiac::capi
