#include "support/base/diagnostics.h"

#include <utility>

namespace fermiac {

std::string_view diag_name(DiagId id) {
  static constexpr std::string_view kNames[] = {
#define FERMIAC_DIAGNOSTIC(id, name) name,
#include "support/base/diagnostics.def"
#undef FERMIAC_DIAGNOSTIC
  };
  return kNames[static_cast<std::size_t>(id)];
}

void Diagnostics::add(Report report) {
  if (report.kind != DiagKind::Warning) ++errors_;
  reports_.push_back(std::move(report));
}

void Diagnostics::clear() {
  reports_.clear();
  errors_ = 0;
}

}  // namespace fermiac
