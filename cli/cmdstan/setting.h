// The values of one command line: a tree in the shape of the table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/cmdstan/argument.h"
#include "inference/output/config.h"

namespace fermiac::cmdstan {

class Setting {
 public:
  /// Everything at its default. The table outlives the setting.
  explicit Setting(const Argument& argument);

  const Argument& argument() const { return *argument_; }
  /// The child of that name, or null.
  Setting* child(std::string_view name);

  /// False, and nothing changes, where `text` is no valid value.
  bool set(std::string_view text);
  /// Of a seed from the clock: what was used in place of the default, and still counts as it.
  void settle(long long used);

  /// By names joined with dots, `method.sample.adapt.delta`, which must be there.
  const Setting& at(std::string_view path) const;
  /// The first descendant of that name, or null: of lists the value chosen comes before the others.
  const Setting* find(std::string_view name) const;
  double number(std::string_view path) const { return at(path).number_; }
  unsigned count(std::string_view path) const { return static_cast<unsigned>(number(path)); }
  bool truth(std::string_view path) const { return number(path) != 0; }
  const std::string& text(std::string_view path) const { return at(path).text_; }
  bool given() const { return given_; }

  /// As the echo and the files show it: of a list only the value chosen, of a category its members.
  inference::ConfigNode config() const;
  std::vector<inference::ConfigNode> member_configs() const;

 private:
  bool read(std::string_view text);

  const Argument* argument_;
  std::string text_;   // as the echo shows it
  std::string exact_;  // of numbers, with all digits
  double number_ = 0;
  bool is_default_ = true, given_ = false;
  std::vector<Setting> children_;
};

}  // namespace fermiac::cmdstan
