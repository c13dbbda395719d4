#include "bindings/bridgestan/loaded_model.h"

#include <fmt/format.h>

#include <utility>

#include "bindings/bridgestan/version.h"
#include "support/base/language_version.h"

namespace fermiac::capi {
namespace {

/// Clients look for lines of it.
std::string info_text(const ModelFacts& facts) {
  const std::pair<const char*, bool> defines[] = {{"STAN_THREADS", true},
                                                  {"STAN_MPI", false},
                                                  {"STAN_OPENCL", false},
                                                  {"STAN_NO_RANGE_CHECKS", facts.no_range_checks},
                                                  {"BRIDGESTAN_AD_HESSIAN", false}};
  std::string out = fmt::format("BridgeStan version: {}.{}.{}\nStan version: {}\nStan C++ Defines:\n",
                                kAbiVersion.major, kAbiVersion.minor, kAbiVersion.patch, kStanVersion);
  for (const auto& [name, on] : defines) out += fmt::format("\t{}={}\n", name, on);
  return out +
         fmt::format("Stan Compiler Details:\n\tstanc_version = {}\n\tstancflags = {}\n", facts.compiler, facts.flags);
}

}  // namespace

void NameList::join(const std::vector<std::string>& names) const {
  count_ = names.size();
  text_ = fmt::format("{}", fmt::join(names, ","));
}

LoadedModel::LoadedModel(std::unique_ptr<Model> model)
    : model_(std::move(model)), pool_(*model_), name_(model_->name()), info_(info_text(carried_facts())) {}

const NameList& LoadedModel::names(bool transformed, bool generated) const {
  return names_[(transformed ? 1u : 0u) + (generated ? 2u : 0u)].made_by(
      [&] { return model_->names(transformed, generated); });
}

const NameList& LoadedModel::unconstrained_names() const {
  return unconstrained_names_.made_by([&] { return model_->unconstrained_names(); });
}

}  // namespace fermiac::capi
