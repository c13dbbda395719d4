#include "interp/model/evaluation.h"

#include <utility>

#include "interp/parallel/remote_parts.h"

namespace fermiac::interp {

// ---------------------------------------------------------------- profiles

void ProfileTable::add(const Profile& profile) {
  const std::lock_guard lock(mutex_);
  ProfileCosts& mine = by_thread_[std::this_thread::get_id()];
  for (const auto& [name, cost] : profile.costs()) mine[name].add(cost);
}

std::map<std::thread::id, ProfileCosts> ProfileTable::costs() const {
  const std::lock_guard lock(mutex_);
  return by_thread_;
}

// ---------------------------------------------------------------- context

namespace {

std::vector<bool> sites_for_device(const EvaluationSettings& settings, const CompiledModel& compiled, const EvaluationContext* origin) {
  if (!settings.device) return {};
  return origin && origin->settings.device ? origin->asked_of_device : device_sites(compiled);
}

std::shared_ptr<const BoundProgram> with_columns(std::shared_ptr<const BoundProgram> program, const EvaluationSettings& settings) {
  return settings.missing_only ? program->with_missing_only() : std::move(program);
}

}  // namespace

EvaluationContext::EvaluationContext(std::shared_ptr<const BoundProgram> bound, EvaluationSettings given, PrintSink sink,
                                     const std::atomic<bool>* stop_flag, const EvaluationContext* origin)
    : program(with_columns(std::move(bound), given)),
      settings(std::move(given)),
      print(std::move(sink)),
      stop(stop_flag),
      max_memory(program->max_memory()),
      profiles(settings.profiles && code().has_profiles ? std::make_unique<ProfileTable>() : nullptr),
      uses_tapes(settings.tapes && !profiles),
      asked_of_device(sites_for_device(settings, compiled(), origin)),
      remote(settings.cluster ? std::make_unique<const RemoteJobs>(RemoteJobs{*settings.cluster, code()}) : nullptr) {}

EvaluationContext::~EvaluationContext() = default;

}  // namespace fermiac::interp
