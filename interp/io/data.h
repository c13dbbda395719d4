// Data and initial values: one JSON object whose members are variables. The text is kept as it is;
// opening indexes the members, reading a variable converts its part of the text straight into its storage. So memory is the
// size of the file plus the size of the numbers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/types.h"
#include "interp/value/value.h"
#include "support/base/json_scan.h"

namespace fermiac::interp {

/// A declared type with its sizes worked out.
struct ExpectedType {
  BaseType base = BaseType::Real;         // Int … ComplexMatrix, or Tuple
  std::vector<std::uint32_t> array_dims;  // outermost first
  std::uint32_t rows = 1;                 // vectors and matrices
  std::uint32_t cols = 1;                 // row vectors and matrices
  std::vector<ExpectedType> slots;        // tuples

  /// `array[3] vector[2]`, as the declaration would have it.
  std::string str() const;
  /// Number of scalars; those beyond 2^62 are not counted.
  std::size_t elements() const;
  /// Of a type that is no tuple.
  Shape shape() const;
};

/// Asks a reader to take `null` for a number that is missing, and receives where that was, as offsets in the layout of the value.
struct MissingNumbers {
  bool nan_too = false;                   // NaN counts as missing in reals
  std::vector<std::uint32_t> offsets;
};

/// A variable that the data lack.
struct MissingVariable : InputError {
  MissingVariable(const std::string& message, std::string_view name) : InputError(message), variable(name) {}
  std::string variable;
};

/// The text of a file with data. Throws InputError, which tells a missing file from a folder, an unreadable or an empty one.
std::string read_data_text(const std::string& path);

/// Of models that are programs or libraries of their own: what conditions them, beside their data.
inline constexpr std::string_view kConditioningMember = "__conditioning";

class DataSource;

/// Reads data in the place of their source: what a conditioning knows better.
class DataOverlay {
 public:
  virtual ~DataOverlay() = default;
  virtual Value read(const DataSource& data, const std::string& variable, const ExpectedType& type) = 0;
};

class DataSource {
 public:
  /// No variables at all.
  DataSource() = default;
  /// Keeps the text. `name` stands for it in messages. Throws InputError.
  static DataSource parse(std::string text, std::string name);
  /// Reads the file, see read_data_text.
  static DataSource open(const std::string& path);

  /// Messages about its variables name the source alone: nobody has seen the text. Those about variables that are missing name it
  /// if it is a `file`.
  void hide_places(bool file = false);
  /// Messages about its variables name these lines of the source, see JsonScan::map_lines.
  void map_lines(std::vector<std::size_t> lines);
  /// What else its files have names for, which a message about a missing variable may mention.
  void set_spare(std::vector<std::string> names) { spare_ = std::move(names); }
  /// Takes the variables of `other` in. Throws InputError if both have one.
  void join(DataSource other);

  bool has(std::string_view variable) const { return members_.contains(std::string(variable)); }
  /// The variable is not there from now on.
  void drop(const std::string& variable) { members_.erase(variable); }
  /// What a variable is that no program has declared yet: an int, a real, or an array of either; nothing if it is none of them. Where
  /// `null` stands it is real. Throws InputError where lists of a level have different lengths.
  std::optional<ExpectedType> undeclared_type(const std::string& variable) const;
  /// Names of all variables, in no particular order.
  std::vector<std::string> names() const;
  const std::string& name() const { return name_; }
  /// The name of the text that has the variable; empty if none has.
  std::string source_of(std::string_view variable) const;
  /// `; there is 'n': did you mean 'N'?` for a variable that is missing: a name that is not among `declared` and is like it, or like
  /// another one that is missing, from which it may follow. Where there is none, the columns of tables.
  std::string hint_for(const std::string& variable, const std::vector<std::string>& declared) const;
  /// Errors of variables as CmdStan words them, which its clients look for: the stage is `data initialization`, or
  /// `parameter initialization` of values for parameters.
  void use_stans_words(bool data);
  bool uses_stans_words() const { return !stage_.empty(); }
  /// The variable, which must have exactly this type and these sizes; one without elements may be missing.
  /// Throws InputError naming variable, position, value and what was expected; MissingVariable if it is not there.
  /// With `missing`, `null` is no error but a number that is NaN, or the smallest int.
  Value read(std::string_view variable, const ExpectedType& type, MissingNumbers* missing = nullptr) const;
  /// The text of a member that is no variable (`__conditioning`); empty if there is none.
  std::string text_of(std::string_view member) const;
  /// Variables in whose text `word` (`null`, `NaN`) stands. Costs a look at the text where there is none.
  std::vector<std::string> mentioning(std::string_view word) const;

 private:
  struct Text {
    std::shared_ptr<const std::string> text;
    std::string name;
    bool placed = true;  // messages tell line and column
    std::shared_ptr<const std::vector<std::size_t>> lines = {};  // or those of what it was made from
    bool file = true;    // that the user gave
  };
  struct Member {
    std::size_t text = 0;    // of texts_
    std::size_t offset = 0;  // where the value begins
  };

  void index();
  std::string similar_name(const std::string& variable, const std::vector<std::string>& declared) const;
  JsonScan scan_at(const Member& member) const;
  Value read_found(std::string_view variable, const ExpectedType& type, const Member& member, MissingNumbers* missing) const;
  [[noreturn]] void refuse_like_stan(std::string_view variable, const ExpectedType& type, const Member& member,
                                     const InputError& why) const;

  std::vector<Text> texts_;
  std::string name_;   // of all of them
  std::string stage_;  // in Stan's words, or nothing
  std::unordered_map<std::string, Member> members_;
  std::vector<std::string> spare_;  // names of no member
};

}  // namespace fermiac::interp
