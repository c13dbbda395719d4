#include "bindings/shared/workspace_pool.h"

#include <exception>
#include <new>

namespace fermiac::capi {

WorkspacePool::Lease::Lease(const WorkspacePool& owner) : owner_(owner), exceptions_(std::uncaught_exceptions()) {
  {
    const std::lock_guard lock(owner.mutex_);
    if (!owner.idle_.empty()) {
      workspace_ = std::move(owner.idle_.back());
      owner.idle_.pop_back();
    }
  }
  if (!workspace_) workspace_ = owner.model_.workspace();
}

WorkspacePool::Lease::~Lease() {
  if (std::uncaught_exceptions() > exceptions_) return;
  const std::lock_guard lock(owner_.mutex_);
  try {
    owner_.idle_.push_back(std::move(workspace_));
  } catch (const std::bad_alloc&) {  // the next call makes a new one
  }
}

}  // namespace fermiac::capi
