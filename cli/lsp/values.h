// A model run with the data beside it: sizes and values of its data, and what each statement adds to the target.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "repl/session/loaded_model.h"

namespace fermiac::lsp {

class Values {
 public:
  /// Data of `M.stan` are those of `M.data.json`, `M.json` or `M.csv` beside it. Runs for two seconds at most.
  /// `compilation`: of a program without errors; nothing of it is compiled again.
  Values(std::shared_ptr<Compilation> compilation, const std::string& path);

  /// Neither the text nor the data have changed since.
  bool current(const std::string& text) const;
  /// Empty, or why the rest is.
  const std::string& problem() const { return problem_; }
  /// The file of the data; empty where there is none.
  const std::string& data() const { return data_; }
  /// With every parameter at zero on the unconstrained scale.
  const repl::Breakdown& breakdown() const { return breakdown_; }
  /// `array[3] vector[2]` and the value, abridged: of data and transformed data. Empty for other names.
  std::string shown(const std::string& name) const;

 private:
  void run(std::shared_ptr<Compilation> compilation);

  std::string text_, path_, data_, problem_;
  std::filesystem::file_time_type changed_{};
  repl::Breakdown breakdown_;
  std::map<std::string, std::string> shown_;
};

}  // namespace fermiac::lsp
