// Options as a caller writes them: one JSON object, every member of which must be known.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/c/failure.h"
#include "inference/model/option_rows.h"

namespace fermiac::capi {

class OptionReader {
 public:
  /// `what` names the owner of the options in messages. Throws InputError, as all members do; here if the text is not a JSON object.
  OptionReader(const char* json, std::string what);

  /// The text of an option, which the object then no longer has; nothing where it was not given. Hyphens in `name` stand for
  /// underscores too.
  std::optional<std::string_view> take(std::string_view name);
  bool has(std::string_view name) const { return members_.contains(name); }
  /// Drops an option that has no effect any more.
  void ignore(std::string_view name) { members_.erase(std::string(name)); }
  /// What is left has a name that nobody knows.
  void refuse_rest() const;

  /// Sets the option if it was given. Whole numbers may be written 1e3 or 1000.0, as other languages do; words and texts are in
  /// double quotes; initial values and modes may also be values of parameters.
  void read(const inference::OptionRow& row);
  void read(const inference::OptionRows& rows) {
    for (const inference::OptionRow& row : rows) read(row);
  }

  [[noreturn]] static void refuse(std::string_view name, std::string_view found, std::string_view expected);

 private:
  void know(std::string_view name);
  std::string string_of(std::string_view name, std::string_view text) const;
  /// As OptionRow::set takes it.
  std::string text_for(const inference::OptionRow& row, std::string_view given) const;
  std::vector<std::string> texts_of(std::string_view name, std::string_view text) const;

  std::string text_, what_;
  std::map<std::string, std::string_view, std::less<>> members_;
  std::vector<std::string> known_;  // names that were asked for
};

}  // namespace fermiac::capi
