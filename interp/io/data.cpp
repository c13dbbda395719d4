#include "interp/io/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

#include "support/base/number_text.h"
#include "support/base/text.h"
#include "support/base/text_file.h"
#include "support/platform/descriptor.h"

namespace fermiac::interp {
namespace {

using ad::Inner;

Inner inner_of(BaseType t) {
  switch (t) {
    case BaseType::Vector:
    case BaseType::ComplexVector: return Inner::Vector;
    case BaseType::RowVector:
    case BaseType::ComplexRowVector: return Inner::RowVector;
    case BaseType::Matrix:
    case BaseType::ComplexMatrix: return Inner::Matrix;
    default: return Inner::Scalar;
  }
}

/// One level of nested lists: how many elements, and how far apart their numbers lie in storage.
struct Level {
  std::uint32_t count;
  std::size_t stride;
};

/// From the outermost list inwards. Inside an element matrices are stored column by column, complex numbers as pairs.
std::vector<Level> levels_of(const ExpectedType& type) {
  const std::size_t width = is_complex(type.base) ? 2 : 1;
  std::vector<Level> levels;
  std::size_t stride = std::size_t{type.shape().inner_size()} * width;
  for (auto d = type.array_dims.rbegin(); d != type.array_dims.rend(); ++d) {
    levels.insert(levels.begin(), {*d, stride});
    stride *= *d;
  }
  const Inner inner = inner_of(type.base);
  if (inner == Inner::Vector || inner == Inner::Matrix) levels.push_back({type.rows, width});
  if (inner == Inner::RowVector) levels.push_back({type.cols, width});
  if (inner == Inner::Matrix) levels.push_back({type.cols, width * type.rows});
  if (width == 2) levels.push_back({2, 1});
  return levels;
}

/// `1,5`, which tables of some languages have for 1.5.
bool has_decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || text.find('.') != std::string_view::npos) return false;
  double x = 0;
  return read_number(std::string(text).replace(comma, 1, "."), &x) == NumberText::Number && std::isfinite(x);
}

/// Reads one variable. `path` is where it is: indexes from 1, for messages.
class VariableReader {
 public:
  VariableReader(JsonScan& scan, std::string variable, const ExpectedType& type, MissingNumbers* missing = nullptr)
      : scan_(scan), variable_(std::move(variable)), type_(type), missing_(is_complex(type.base) ? nullptr : missing) {}

  Value read() {
    if (type_.elements() == 0) return read_empty();
    if (type_.base != BaseType::Tuple && accepts_null()) return read_nothing();
    if (type_.base == BaseType::Tuple) return type_.array_dims.empty() ? read_tuple() : read_tuples();
    levels_ = levels_of(type_);
    if (type_.base == BaseType::Int) return read_numbers<std::vector<std::int32_t>>(Value::ints);
    return read_numbers<RealBuffer>([](Shape s, RealBuffer v) { return Value::reals(s, std::move(v)); });
  }

 private:
  Value read_empty();
  Value read_tuple();
  Value read_tuples();
  void read_tuple_level(std::size_t level, std::vector<Value>& out);

  template <class Buffer, class Make>
  Value read_numbers(Make make) {
    const Shape shape = type_.shape();
    const std::uint32_t n = shape.size();
    if (n > scan_.remaining()) refuse_numbers<Buffer>();
    Buffer out = make_buffer<Buffer>(n);
    read_level(0, 0, out);
    return make(shape, std::move(out));
  }

  /// The text is too short for as many numbers as are declared: no storage is made for them, the place of the first list
  /// that is too short is found by reading all numbers to one place.
  template <class Buffer>
  [[noreturn]] void refuse_numbers() {
    for (Level& level : levels_) level.stride = 0;
    Buffer one(1);
    read_level(0, 0, one);
    scan_.fail(fmt::format("{} has too few numbers; it is declared as {}", place(), type_.str()));
  }
  template <class Buffer>
  static Buffer make_buffer(std::size_t n) {
    ad::memory_point(n * sizeof(double));
    return Buffer(n);
  }

  template <class Buffer>
  void read_level(std::size_t level, std::size_t at, Buffer& out) {
    if (level == levels_.size()) return convert_or_miss(out[at], at);
    in_list(levels_[level].count, [&](std::uint32_t i) { read_level(level + 1, at + i * levels_[level].stride, out); });
  }

  /// A list of exactly `count` elements.
  template <class Element>
  void in_list(std::uint32_t count, Element element) {
    const std::size_t start = begin_list(count);
    path_.push_back(0);
    for (std::uint32_t i = 0; !scan_.accept(']'); ++i) {
      if (i > 0) scan_.expect(',', "between the elements of an array");
      path_.back() = i + 1;
      if (i == count) wrong_length(start, count, count + 1 + rest_of_list());
      element(i);
      if (i + 1 < count) continue;
      if (scan_.accept(']')) break;
    }
    const std::uint32_t seen = path_.back();
    path_.pop_back();
    if (seen < count) wrong_length(start, count, seen);
  }

  /// A number, or `null` where that is taken.
  template <class Number>
  void convert_or_miss(Number& out, std::size_t at) {
    if (!missing_) return convert(out);
    if (accepts_null()) {
      out = std::is_same_v<Number, double> ? static_cast<Number>(std::numeric_limits<double>::quiet_NaN()) : std::numeric_limits<Number>::min();
    } else {
      convert(out);
      if (!(std::is_same_v<Number, double> && missing_->nan_too && out != out)) return;
    }
    missing_->offsets.push_back(static_cast<std::uint32_t>(at));
  }
  bool accepts_null();
  Value read_nothing();

  std::size_t begin_list(std::uint32_t count);
  std::size_t rest_of_list();
  void convert(std::int32_t& out);
  void convert(double& out);
  double special(std::string_view text, std::size_t start, bool quoted);

  [[noreturn]] void wrong_length(std::size_t start, std::size_t wanted, std::size_t seen);
  [[noreturn]] void wrong_value(std::size_t start, std::string_view text, std::string_view wanted);
  /// "variable 'y', element [3, 2]"
  std::string place() const;

  JsonScan& scan_;
  std::string variable_;
  const ExpectedType& type_;
  MissingNumbers* missing_;  // null: nothing may be missing, as in complex numbers
  std::vector<Level> levels_;
  std::vector<std::uint32_t> path_;
};

std::string VariableReader::place() const {
  std::string text = fmt::format("variable '{}'", variable_);
  if (!path_.empty()) text += fmt::format(", element [{}]", fmt::join(path_, ","));
  return text;
}

void VariableReader::wrong_value(std::size_t start, std::string_view text, std::string_view wanted) {
  scan_.fail_at(start, fmt::format("{} is {}, but must be {}; the variable is declared as {}", place(), text, wanted,
                                   type_.str()));
}

void VariableReader::wrong_length(std::size_t start, std::size_t wanted, std::size_t seen) {
  while (!path_.empty() && path_.back() == 0) path_.pop_back();
  scan_.fail_at(start, fmt::format("{} has {} element{}, but must have {}; the variable is declared as {}", place(), seen,
                                   seen == 1 ? "" : "s", wanted, type_.str()));
}

std::size_t VariableReader::begin_list(std::uint32_t count) {
  const JsonToken token = scan_.peek();
  const std::size_t start = scan_.offset();
  if (token == JsonToken::Array) return scan_.accept('['), start;
  scan_.skip_value();
  const bool pair = is_complex(type_.base) && path_.size() + 1 == levels_.size();
  const std::string wanted = pair ? "a complex number, written [re, im]"
                                  : fmt::format("a list of {} element{}", count, count == 1 ? "" : "s");
  wrong_value(start, token == JsonToken::Object ? "an object" : "a single value", wanted);
}

bool VariableReader::accepts_null() {
  if (!missing_ || scan_.peek() != JsonToken::Word) return false;
  const JsonScan before = scan_;
  if (scan_.word() == "null") return true;
  scan_ = before;
  return false;
}

/// A variable of which all is missing.
Value VariableReader::read_nothing() {
  const Shape shape = type_.shape();
  for (std::uint32_t i = 0; i < shape.size(); ++i) missing_->offsets.push_back(i);
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  if (type_.base == BaseType::Int) return shape.is_scalar() ? Value(kLeast) : Value::ints(shape, std::vector<std::int32_t>(shape.size(), kLeast));
  return shape.is_scalar() ? Value(kNaN) : Value::reals(shape, kNaN);
}

/// Number of further elements before the list closes.
std::size_t VariableReader::rest_of_list() {
  scan_.skip_value();
  std::size_t n = 0;
  while (!scan_.accept(']')) {
    scan_.expect(',', "between the elements of an array");
    scan_.skip_value();
    ++n;
  }
  path_.pop_back();
  return n;
}

void VariableReader::convert(std::int32_t& out) {
  const JsonToken token = scan_.peek();
  const std::size_t start = scan_.offset();
  if (token == JsonToken::Number) {
    const std::string_view text = scan_.number();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error == std::errc() && end == text.data() + text.size()) return;
    const bool integer = text.find_first_of(".eE") == std::string_view::npos;
    wrong_value(start, shown(text), integer ? "an int between -2147483648 and 2147483647" : "an integer");
  }
  if (token == JsonToken::Word) wrong_value(start, shown(scan_.word()), "an integer");
  if (token == JsonToken::String) wrong_value(start, fmt::format("the string \"{}\"", shown(scan_.string())), "an integer");
  scan_.skip_value();
  wrong_value(start, token == JsonToken::Array ? "a list" : "an object", "a single integer");
}

double VariableReader::special(std::string_view text, std::size_t start, bool quoted) {
  const bool negative = text.starts_with('-');
  const std::string_view name = negative ? text.substr(1) : text;
  const double sign = negative ? -1 : 1;
  if (name == "Inf" || name == "Infinity") return sign * std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  const std::string found = quoted ? fmt::format("the string \"{}\"", shown(text)) : shown(text);
  if (has_decimal_comma(text)) wrong_value(start, found, "a number, with a point before its decimals");
  const char* hint = text == "NA" ? "a number, or one of NaN, Inf, -Inf, Infinity, -Infinity; a missing value is written null"
                                  : "a number, or one of NaN, Inf, -Inf, Infinity, -Infinity";
  wrong_value(start, found, hint);
}

void VariableReader::convert(double& out) {
  const JsonToken token = scan_.peek();
  const std::size_t start = scan_.offset();
  if (token == JsonToken::Word) return void(out = special(scan_.word(), start, false));
  if (token == JsonToken::String) return void(out = special(scan_.string(), start, true));
  if (token == JsonToken::Array || token == JsonToken::Object) {
    scan_.skip_value();
    wrong_value(start, token == JsonToken::Array ? "a list" : "an object", "a single number");
  }
  const std::string_view text = scan_.number();
  if (read_number(text, &out) != NumberText::Number)
    wrong_value(start, shown(text), "a number that fits into a double");
}

/// Nothing is expected: anything without a number in it will do.
Value VariableReader::read_empty() {
  scan_.peek();
  const std::size_t start = scan_.offset();
  const std::size_t seen = scan_.skip_value();
  if (seen > 0) wrong_length(start, 0, seen);
  const Shape shape = type_.shape();
  if (type_.base == BaseType::Int) return Value::ints(shape, {});
  if (type_.base == BaseType::Tuple && !type_.array_dims.empty() && shape.count() == 0) return Value::tuples(shape, {});
  if (type_.base != BaseType::Tuple) return Value::reals(shape, 0.0);
  std::vector<Value> slots;  // a tuple of empty things
  for (const ExpectedType& slot : type_.slots) {
    JsonScan nothing("[]", "");
    slots.push_back(VariableReader(nothing, variable_, slot).read());
  }
  const Value tuple = Value::tuple(std::move(slots));
  return type_.array_dims.empty() ? tuple : Value::tuples(shape, filled(shape.count(), tuple));
}

std::optional<std::size_t> slot_number(std::string_view key, std::size_t slots) {
  std::size_t k = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), k);
  if (error != std::errc() || end != key.data() + key.size() || k < 1 || k > slots) return std::nullopt;
  return k;
}

Value VariableReader::read_tuple() {
  const JsonToken token = scan_.peek();
  const std::size_t start = scan_.offset();
  const std::string wanted = fmt::format("a tuple, written as an object with keys \"1\" to \"{}\"", type_.slots.size());
  if (token != JsonToken::Object) {
    scan_.skip_value();
    wrong_value(start, token == JsonToken::Array ? "a list" : "a single value", wanted);
  }
  std::vector<Value> slots(type_.slots.size());
  scan_.accept('{');
  for (bool first = true; !scan_.accept('}'); first = false) {
    if (!first) scan_.expect(',', "between the members of an object");
    scan_.peek();
    const std::size_t at = scan_.offset();
    const std::string_view key = scan_.string();
    const auto k = slot_number(key, slots.size());
    if (!k) wrong_value(at, fmt::format("an object with the key \"{}\"", shown(key)), wanted);
    if (!slots[*k - 1].is_none()) scan_.fail_at(at, fmt::format("{}: slot {} is given twice", place(), *k));
    scan_.expect(':', "after the name of a member");
    slots[*k - 1] = VariableReader(scan_, fmt::format("{}{}.{}", variable_, path_.empty() ? "" : fmt::format("[{}]", fmt::join(path_, ",")), *k),
                                   type_.slots[*k - 1])
                        .read();
  }
  for (std::size_t k = 0; k < slots.size(); ++k)
    if (slots[k].is_none()) wrong_value(start, fmt::format("an object without the key \"{}\"", k + 1), wanted);
  return Value::tuple(std::move(slots));
}

void VariableReader::read_tuple_level(std::size_t level, std::vector<Value>& out) {
  if (level == type_.array_dims.size()) return out.push_back(read_tuple());
  in_list(type_.array_dims[level], [&](std::uint32_t) { read_tuple_level(level + 1, out); });
}

Value VariableReader::read_tuples() {
  std::vector<Value> elements;
  read_tuple_level(0, elements);
  return Value::tuples(type_.shape(), std::move(elements));
}

// ---- sizes, in Stan's words

struct SizesFound {
  bool differ = false;
  std::string_view what;
  std::string position;  // of the first size that differs
  std::vector<std::size_t> declared, found;
};

std::vector<std::size_t> declared_sizes(const ExpectedType& type) {
  std::vector<std::size_t> out;
  for (const Level& level : levels_of(type)) out.push_back(level.count);
  return out;
}

/// Of nested lists: the length of the outermost, of its first element, and so on.
std::vector<std::size_t> found_sizes(JsonScan& scan) {
  if (scan.peek() != JsonToken::Array) return {};
  scan.accept('[');
  if (scan.accept(']')) return {0};
  const std::vector<std::size_t> inner = found_sizes(scan);
  std::size_t n = 1;
  if (inner.empty()) scan.skip_value();
  for (; !scan.accept(']'); ++n) {
    scan.expect(',', "between the elements of an array");
    scan.skip_value();
  }
  std::vector<std::size_t> out = {n};
  out.insert(out.end(), inner.begin(), inner.end());
  return out;
}

SizesFound compare_sizes(const ExpectedType& type, JsonScan& scan) {
  SizesFound out{.declared = declared_sizes(type), .found = found_sizes(scan)};
  if (out.declared.size() != out.found.size()) {
    out.differ = true;
    out.what = "mismatch in number dimensions declared and found in context";
    return out;
  }
  const auto at = std::ranges::mismatch(out.declared, out.found).in1;
  out.differ = at != out.declared.end();
  out.what = "mismatch in dimension declared and found in context";
  out.position = fmt::format("position={}; ", at - out.declared.begin());
  return out;
}

// ---- files

[[noreturn]] void cannot_open(const std::string& path, std::string_view why) {
  throw InputError(fmt::format("cannot read the data file '{}': {}", path, why));
}

/// To the end, which some devices never reach. Read, not mapped: a file that somebody cuts short while it is mapped ends
/// the process by SIGBUS. `expected` bytes are taken at once.
std::string read_all(const std::string& path, int fd, std::size_t expected) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  ad::memory_point(expected);
  std::string text;
  text.reserve(expected);
  const int error = read_pieces(fd, [&](std::string_view piece) {
    if (piece.find('\0') != std::string_view::npos) cannot_open(path, "it is no text, it has bytes that are 0");
    if (text.size() + piece.size() > std::max(kMost, expected)) cannot_open(path, "it is no file and gives more than a gigabyte");
    if (text.size() + piece.size() > text.capacity()) ad::memory_point(2 * text.capacity());
    text.append(piece);
    return true;
  });
  if (error != 0) cannot_open(path, std::strerror(error));
  return text;
}

bool is_identifier(std::string_view key) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !key.empty() && letter(key[0]) &&
         std::ranges::all_of(key, [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace

std::string ExpectedType::str() const {
  std::string text;
  if (!array_dims.empty()) text = fmt::format("array[{}] ", fmt::join(array_dims, ", "));
  if (base == BaseType::Tuple) {
    std::vector<std::string> parts;
    for (const ExpectedType& slot : slots) parts.push_back(slot.str());
    return text + fmt::format("tuple({})", fmt::join(parts, ", "));
  }
  if (base == BaseType::Int) return text + "int";
  ExpectedType element = *this;
  element.array_dims.clear();
  return text + element.shape().str();
}

std::size_t ExpectedType::elements() const {
  std::uint64_t n = 1;
  for (const std::uint32_t d : array_dims) n = ad::saturated_product({n, d});
  if (base != BaseType::Tuple) return ad::saturated_product({n, rows, cols});
  std::uint64_t inside = 0;
  for (const ExpectedType& slot : slots) inside = std::min(inside + slot.elements(), std::uint64_t{1} << 62);
  return ad::saturated_product({n, inside});
}

Shape ExpectedType::shape() const {
  Shape s{.inner = inner_of(base), .complex = is_complex(base), .rows = rows, .cols = cols};
  for (auto d = array_dims.rbegin(); d != array_dims.rend(); ++d) s = Shape::array(*d, s);
  return s;
}

DataSource DataSource::parse(std::string text, std::string name) {
  DataSource source;
  source.texts_.push_back({std::make_shared<const std::string>(std::move(text)), name});
  source.name_ = std::move(name);
  source.index();
  return source;
}

void DataSource::hide_places(bool file) {
  for (Text& text : texts_) text.placed = false, text.file = file;
}

void DataSource::map_lines(std::vector<std::size_t> lines) {
  for (Text& text : texts_) text.lines = std::make_shared<const std::vector<std::size_t>>(lines);
}

std::string DataSource::source_of(std::string_view variable) const {
  const auto it = members_.find(std::string(variable));
  return it == members_.end() ? std::string() : texts_[it->second.text].name;
}

std::string DataSource::similar_name(const std::string& variable, const std::vector<std::string>& declared) const {
  std::vector<std::string> there = names();
  there.insert(there.end(), spare_.begin(), spare_.end());
  std::erase_if(there, [&](const std::string& name) { return std::ranges::find(declared, name) != declared.end(); });
  std::ranges::sort(there);
  const auto found = nearest_identifier(variable, there);
  return found.empty() ? "" : fmt::format("; there is '{}': did you mean '{}'?", found, variable);
}

std::string DataSource::hint_for(const std::string& variable, const std::vector<std::string>& declared) const {
  std::string hint = similar_name(variable, declared);
  for (const std::string& other : declared)
    if (hint.empty() && !has(other)) hint = similar_name(other, declared);
  if (!hint.empty() || spare_.empty()) return hint;
  constexpr std::size_t kMost = 8;
  std::string columns;
  for (std::size_t i = 0; i < std::min(kMost, spare_.size()); ++i) columns += fmt::format("{}'{}'", i > 0 ? ", " : "", shown(spare_[i]));
  return fmt::format("; there are the columns {}{}", columns, spare_.size() > kMost ? ", …" : "");
}

void DataSource::join(DataSource other) {
  for (const auto& [name, member] : other.members_) {
    const auto [known, fresh] = members_.try_emplace(name, Member{texts_.size() + member.text, member.offset});
    if (!fresh)
      throw InputError(fmt::format("the variable '{}' is given twice: in {} and in {}", name, texts_[known->second.text].name,
                                  other.texts_[member.text].name));
  }
  for (Text& text : other.texts_) {
    if (text.file) name_ += (name_.empty() ? "" : ", ") + text.name;
    texts_.push_back(std::move(text));
  }
  spare_.insert(spare_.end(), other.spare_.begin(), other.spare_.end());
}

std::string DataSource::text_of(std::string_view member) const {
  const auto found = members_.find(std::string(member));
  if (found == members_.end()) return {};
  JsonScan scan = scan_at(found->second);
  scan.peek();
  const std::size_t begin = scan.offset();
  scan.skip_value();
  return texts_[found->second.text].text->substr(begin, scan.offset() - begin);
}

JsonScan DataSource::scan_at(const Member& member) const {
  const Text& from = texts_[member.text];
  JsonScan scan(*from.text, from.name, member.offset);
  if (!from.placed) scan.hide_places();
  if (from.lines) scan.map_lines(*from.lines);
  return scan;
}

std::string read_data_text(const std::string& path) {
  const Descriptor file(path);
  if (!file) cannot_open(path, errno == ENOENT ? "there is no such file" + similar_file(path) : std::strerror(errno));
  FileFacts facts;
  if (!read_facts(file.get(), &facts)) cannot_open(path, std::strerror(errno));
  if (facts.kind == FileType::Folder) cannot_open(path, "it is a folder");
  const bool regular = facts.kind == FileType::Regular;
  if (regular && facts.size == 0) cannot_open(path, "it is empty; data without variables is written {}");
  return read_all(path, file.get(), regular ? static_cast<std::size_t>(facts.size) : 0);
}

DataSource DataSource::open(const std::string& path) {
  return parse(read_data_text(path), path);
}

/// Walks over the whole text once: its syntax is right afterwards, and every variable is known by where it begins.
void DataSource::index() {
  JsonScan scan(*texts_.front().text, name_);
  if (scan.peek() == JsonToken::End) scan.fail("the data is empty; data without variables is written {}");
  if (scan.peek() != JsonToken::Object) scan.fail("data must be one JSON object, beginning with '{'");
  scan.accept('{');
  for (bool first = true; !scan.accept('}'); first = false) {
    if (scan.peek() == JsonToken::End) scan.fail("the text ends before the closing '}' of the data");
    if (!first) scan.expect(',', "between two variables");
    if (!first && scan.accept('}')) scan.fail_at(scan.offset() - 1, "a ',' stands before the closing '}': nothing follows it");
    if (scan.peek() != JsonToken::String) scan.fail("the name of a variable was expected, in double quotes");
    const std::size_t at = scan.offset();
    const std::string_view key = scan.string();
    scan.expect(':', fmt::format("after the name \"{}\"", shown(key)));
    scan.peek();
    if ((is_identifier(key) || key == kConditioningMember) && !members_.try_emplace(std::string(key), Member{0, scan.offset()}).second)
      scan.fail_at(at, fmt::format("the variable '{}' is given twice", shown(key)));
    scan.skip_value();
  }
  scan.expect_end();
}

std::vector<std::string> DataSource::names() const {
  std::vector<std::string> all;
  for (const auto& [name, member] : members_) all.push_back(name);
  return all;
}

std::optional<ExpectedType> DataSource::undeclared_type(const std::string& variable) const {
  const Member& member = members_.at(variable);
  JsonScan sizes = scan_at(member);
  ExpectedType type{.base = BaseType::Int, .array_dims = {}, .slots = {}};
  for (const std::size_t n : found_sizes(sizes)) type.array_dims.push_back(static_cast<std::uint32_t>(n));
  JsonScan end = scan_at(member);
  end.skip_value();
  const std::string_view text = std::string_view(*texts_[member.text].text).substr(member.offset, end.offset() - member.offset);
  if (text.find_first_of("{}") != std::string_view::npos) return std::nullopt;
  if (text.find_first_not_of("0123456789-+[], \t\r\n") != std::string_view::npos) type.base = BaseType::Real;
  return type;
}

void DataSource::use_stans_words(bool data) {
  stage_ = data ? "data initialization" : "parameter initialization";
}

Value DataSource::read_found(std::string_view variable, const ExpectedType& type, const Member& member, MissingNumbers* missing) const {
  JsonScan scan = scan_at(member);
  return VariableReader(scan, std::string(variable), type, missing).read();
}

/// Sizes that do not fit, or an int with a value that is none; anything else is told as it is.
void DataSource::refuse_like_stan(std::string_view variable, const ExpectedType& type, const Member& member,
                                  const InputError& why) const {
  JsonScan scan = scan_at(member);
  const SizesFound found = compare_sizes(type, scan);
  if (found.differ)
    throw InputError(fmt::format("{}; processing stage={}; variable name={}; {}dims declared=({}); dims found=({})", found.what,
                                stage_, variable, found.position, fmt::join(found.declared, ","), fmt::join(found.found, ",")));
  if (type.base != BaseType::Int) throw why;
  throw InputError(fmt::format("int variable contained non-int values; processing stage={}; variable name={}; base type=int",
                              stage_, variable));
}

std::vector<std::string> DataSource::mentioning(std::string_view word) const {
  std::vector<std::string> out;
  if (std::ranges::none_of(texts_, [&](const Text& t) { return t.text->find(word) != std::string::npos; })) return out;
  for (const auto& [variable, member] : members_) {
    JsonScan scan = scan_at(member);
    scan.skip_value();
    const std::string_view value = std::string_view(*texts_[member.text].text).substr(member.offset, scan.offset() - member.offset);
    if (value.find(word) != std::string_view::npos) out.push_back(variable);
  }
  std::ranges::sort(out);
  return out;
}

Value DataSource::read(std::string_view variable, const ExpectedType& type, MissingNumbers* missing) const {
  const auto it = members_.find(std::string(variable));
  if (it == members_.end() && type.elements() > 0) {
    if (uses_stans_words())
      throw InputError(fmt::format("variable does not exist; processing stage={}; variable name={}; base type={}", stage_,
                                  variable, type.base == BaseType::Int ? "int" : "double"));
    throw MissingVariable(fmt::format("{}: the variable '{}' is missing; it is declared as {}",
                                      name_.empty() ? "data" : name_, variable, type.str()),
                          variable);
  }
  if (it == members_.end()) {
    JsonScan nothing("[]", "");
    return VariableReader(nothing, std::string(variable), type).read();
  }
  if (!uses_stans_words() || type.base == BaseType::Tuple) return read_found(variable, type, it->second, missing);
  try {
    return read_found(variable, type, it->second, missing);
  } catch (const InputError& e) {
    refuse_like_stan(variable, type, it->second, e);
  }
}

}  // namespace fermiac::interp
