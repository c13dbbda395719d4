// What a program consists of, as tables and as JSON lines.
#pragma once

#include <string>
#include <vector>

#include "interp/queries/predict.h"
#include "interp/queries/site_list.h"

namespace fermiac::interp {

/// Whether `predict --prior` draws from a program, and if not, why.
struct Generative {
  const CompiledModel* program = nullptr;
  std::vector<Reason> reasons;

  bool yes() const { return reasons.empty(); }
  LineColumn place(const Reason& reason) const { return program->sources().line_column(reason.span.begin); }
  /// Whether the left side of this site is drawn by it.
  bool of(const SiteRow& row) const;
};

Generative ask_generative(const CompiledModel& program, const DataSource& data, const Conditioning& conditioning,
                          const std::atomic<bool>* stop);

// One line for each site, then what is to be said of the whole; null: nothing.
std::string sites_table(const std::vector<SiteRow>& rows, const Generative* generative);
std::string sites_json(const std::vector<SiteRow>& rows, const Generative* generative);

}  // namespace fermiac::interp
