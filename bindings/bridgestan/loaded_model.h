// A model as the entry points hold it: bound to data, with the texts it has given out and the work space of its
// threads.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bindings/bridgestan/model_source.h"
#include "bindings/shared/workspace_pool.h"
#include "inference/model/model.h"

namespace fermiac::capi {

/// Names with commas between them, made when somebody asks first.
class NameList {
 public:
  template <class Make>
  const NameList& made_by(Make make) const {
    std::call_once(once_, [&] { join(make()); });
    return *this;
  }
  const std::string& text() const { return text_; }
  std::size_t count() const { return count_; }

 private:
  void join(const std::vector<std::string>& names) const;

  mutable std::once_flag once_;
  mutable std::string text_;
  mutable std::size_t count_ = 0;
};

class LoadedModel {
 public:
  explicit LoadedModel(std::unique_ptr<Model> model);

  const Model& model() const { return *model_; }
  const std::string& name() const { return name_; }
  const std::string& info() const { return info_; }
  const NameList& names(bool transformed, bool generated) const;
  const NameList& unconstrained_names() const;

  /// A work space for one call.
  struct Lease : WorkspacePool::Lease {
    explicit Lease(const LoadedModel& owner) : WorkspacePool::Lease(owner.pool_) {}
  };

 private:
  std::unique_ptr<Model> model_;
  WorkspacePool pool_;
  std::string name_, info_;
  std::array<NameList, 4> names_;
  NameList unconstrained_names_;
};

}  // namespace fermiac::capi
