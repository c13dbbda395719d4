#include "capi/loaded_model.h"

#include <fmt/format.h>

#include <exception>

#include "capi/version.h"

namespace fermiac::capi {
namespace {

/// Clients look for lines of it.
std::string info_text(const ModelFacts& facts) {
  static constexpr const char* kDefines[] = {"STAN_THREADS=true", "STAN_MPI=false", "STAN_OPENCL=false",
                                             "STAN_NO_RANGE_CHECKS=false", "BRIDGESTAN_AD_HESSIAN=false"};
  std::string out = fmt::format("BridgeStan version: {}.{}.{}\nStan version: {}\nStan C++ Defines:\n",
                                kAbiVersion.major, kAbiVersion.minor, kAbiVersion.patch, kStanVersion);
  for (const char* define : kDefines) out += fmt::format("\t{}\n", define);
  return out +
         fmt::format("Stan Compiler Details:\n\tstanc_version = {}\n\tstancflags = {}\n", facts.compiler, facts.flags);
}

}  // namespace

void NameList::join(const std::vector<std::string>& names) const {
  count_ = names.size();
  text_ = fmt::format("{}", fmt::join(names, ","));
}

LoadedModel::LoadedModel(std::unique_ptr<Model> model)
    : model_(std::move(model)), name_(model_->name()), info_(info_text(carried_facts())) {}

const NameList& LoadedModel::names(bool transformed, bool generated) const {
  return names_[(transformed ? 1u : 0u) + (generated ? 2u : 0u)].made_by(
      [&] { return model_->names(transformed, generated); });
}

const NameList& LoadedModel::unconstrained_names() const {
  return unconstrained_names_.made_by([&] { return model_->unconstrained_names(); });
}

LoadedModel::Lease::Lease(const LoadedModel& owner) : owner_(owner), exceptions_(std::uncaught_exceptions()) {
  {
    const std::lock_guard lock(owner.mutex_);
    if (!owner.idle_.empty()) {
      workspace_ = std::move(owner.idle_.back());
      owner.idle_.pop_back();
    }
  }
  if (!workspace_) workspace_ = owner.model().workspace();
}

LoadedModel::Lease::~Lease() {
  if (std::uncaught_exceptions() > exceptions_) return;
  const std::lock_guard lock(owner_.mutex_);
  try {
    owner_.idle_.push_back(std::move(workspace_));
  } catch (const std::bad_alloc&) {  // the next call makes a new one
  }
}

}  // namespace fermiac::capi
