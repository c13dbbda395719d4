// The settings of a method (inference/methods/settings.h) from JSON options.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/c/option_reader.h"
#include "bindings/shared/call_threads.h"
#include "inference/model/init_problem.h"
#include "inference/model/options.h"

namespace fermiac::capi {

class SettingReader {
 public:
  explicit SettingReader(OptionReader& reader) : reader_(reader) {}

  template <class T>
  void number(const char* name, T& value, const char*, const inference::Range<std::type_identity_t<T>>& range) {
    reader_.number(name, value, range);
  }
  template <class T>
  void number_or(const char* name, T& value, const char* word, bool& chosen, const char*, const inference::Range<std::type_identity_t<T>>& range) {
    const auto given = reader_.peek(name);
    chosen = given && *given == '"' + std::string(word) + '"';
    if (chosen) reader_.take(name);
    else reader_.number(name, value, range);
  }
  void seed(const char* name, std::optional<std::uint64_t>& value, const char*) {
    std::uint64_t seed = 0;
    if (!reader_.has(name)) return;
    reader_.number<std::uint64_t>(name, seed, {0, std::numeric_limits<std::uint64_t>::max()});
    value = seed;
  }
  void threads(const char* name, unsigned& value);
  void init(const char* name, inference::CommonOptions& options);
  void mode(const char* name, inference::LaplaceOptions& options);
  void text(const char* name, std::string& value, const char*, const char*) { reader_.text(name, value); }
  void texts(const char* name, std::vector<std::string>& values, const char*, const char*) {
    require(name);
    reader_.texts(name, values);
  }
  void flag(const char* name, bool& value, const char*) { reader_.flag(name, value); }
  void unset(const char* name, bool& value, const char*) {
    bool given = !value;
    reader_.flag(name, given);
    value = !given;
  }
  template <class Enum>
  void choice(const char* name, Enum& value, const std::vector<std::pair<std::string, Enum>>& words, const char*) {
    reader_.choice<Enum>(name, value, words);
  }
  template <class Enum>
  void mark(const char* name, Enum& value, Enum meaning, const char*) {
    bool given = false;
    reader_.flag(name, given);
    if (given) value = meaning;
  }
  void retired(const char* name) { reader_.ignore(name); }

 private:
  void require(const char* name) const;

  OptionReader& reader_;
};

}  // namespace fermiac::capi
