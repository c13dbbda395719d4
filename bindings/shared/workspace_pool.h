// Work space for calls on one model that come from any number of threads.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "inference/model/model.h"

namespace fermiac::capi {

class WorkspacePool {
 public:
  /// The model outlives the pool.
  explicit WorkspacePool(const Model& model) : model_(model) {}

  /// A work space for one call: one that an earlier call has left, or a new one. It comes back when it goes out of
  /// scope, unless an exception ends the call.
  class Lease {
   public:
    explicit Lease(const WorkspacePool& owner);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ModelWorkspace& operator*() const { return *workspace_; }
    ModelWorkspace* operator->() const { return workspace_.get(); }

   private:
    const WorkspacePool& owner_;
    const int exceptions_;
    std::unique_ptr<ModelWorkspace> workspace_;
  };

 private:
  const Model& model_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<ModelWorkspace>> idle_;
};

}  // namespace fermiac::capi
