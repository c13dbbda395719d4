// A type that is followed by another one: `vector[N] int y`, `int vector[N] y`, `vector real y`. The hint writes the declaration that was
// meant, from the tokens alone.
#include <algorithm>
#include <iterator>

#include "frontend/parse/parser.h"

namespace fermiac::parse {
namespace {

/// A type as written; parts that are missing are empty.
struct WrittenType {
  std::string array;   // sizes of `array[…]`
  std::string word;    // `vector`
  std::string bounds;  // `<lower=0>`
  std::string sizes;   // between the brackets after the word
  bool has_array = false;
};

enum class Elements : std::uint8_t { Int, Real, Complex };

struct WordRow {
  Tok token;
  Elements elements;
  int sizes;  // 0: a scalar
  bool takes_bounds = false;
};
constexpr WordRow kWords[] = {
    {Tok::Int, Elements::Int, 0},
    {Tok::Real, Elements::Real, 0},
    {Tok::Complex, Elements::Complex, 0},
    {Tok::Vector, Elements::Real, 1, true},
    {Tok::RowVector, Elements::Real, 1, true},
    {Tok::Matrix, Elements::Real, 2, true},
    {Tok::ComplexVector, Elements::Complex, 1, true},
    {Tok::ComplexRowVector, Elements::Complex, 1, true},
    {Tok::ComplexMatrix, Elements::Complex, 2, true},
    {Tok::Ordered, Elements::Real, 1},
    {Tok::PositiveOrdered, Elements::Real, 1},
    {Tok::Simplex, Elements::Real, 1},
    {Tok::UnitVector, Elements::Real, 1},
    {Tok::SumToZeroVector, Elements::Real, 1},
    {Tok::SumToZeroMatrix, Elements::Real, 2},
    {Tok::CholeskyFactorCorr, Elements::Real, 1},
    {Tok::CholeskyFactorCov, Elements::Real, 1},
    {Tok::CorrMatrix, Elements::Real, 1},
    {Tok::CovMatrix, Elements::Real, 1},
    {Tok::ColumnStochasticMatrix, Elements::Real, 2},
    {Tok::RowStochasticMatrix, Elements::Real, 2},
};
constexpr std::string_view kComplexWord = "complex_";

const WordRow* find_row(Tok token) {
  const auto* const row = std::ranges::find(kWords, token, &WordRow::token);
  return row == std::end(kWords) ? nullptr : row;
}

/// The index after the bracket that closes the one at `open`; 0 where it is not closed within the statement.
std::size_t after_bracket(const std::vector<lex::Token>& tokens, std::size_t open, Tok close) {
  int depth = 0;
  for (std::size_t i = open + 1; i < tokens.size(); ++i) {
    const Tok kind = tokens[i].kind;
    if (kind == Tok::Semicolon || kind == Tok::Eof || kind == Tok::LBrace || kind == Tok::RBrace) return 0;
    if (depth == 0 && kind == close) return i + 1;
    if (kind == Tok::LBracket || kind == Tok::LParen) ++depth;
    if (kind == Tok::RBracket || kind == Tok::RParen) --depth;
  }
  return 0;
}

class TypeReader {
 public:
  TypeReader(const SourceMap& sources, const std::vector<lex::Token>& tokens, std::size_t first)
      : sources_(sources), tokens_(tokens), at_(first) {}

  /// A type of `array[…]`, a word, bounds and sizes, each of which may be missing. Returns false where brackets are not closed.
  bool read(WrittenType& out) {
    if (kind() == Tok::Array) {
      ++at_;
      out.has_array = true;
      if (kind() != Tok::LBracket || !bracket(out.array, Tok::RBracket)) return false;
    }
    row_ = find_row(kind());
    if (!row_) return out.has_array;
    out.word = std::string(tokens_[at_++].text);
    if (kind() == Tok::Less && !bracket(out.bounds, Tok::Greater)) return false;
    if (!out.bounds.empty()) out.bounds = "<" + out.bounds + ">";
    return kind() != Tok::LBracket || bracket(out.sizes, Tok::RBracket);
  }
  std::size_t at() const { return at_; }
  const WordRow* row() const { return row_; }

 private:
  Tok kind() const { return tokens_[at_].kind; }
  /// The text between a bracket and the one that closes it.
  bool bracket(std::string& inside, Tok close) {
    const std::size_t end = after_bracket(tokens_, at_, close);
    if (end == 0) return false;
    if (end > at_ + 2) inside = std::string(sources_.text({tokens_[at_ + 1].span.begin, tokens_[end - 2].span.end}));
    at_ = end;
    return true;
  }

  const SourceMap& sources_;
  const std::vector<lex::Token>& tokens_;
  std::size_t at_;
  const WordRow* row_ = nullptr;
};

/// Sizes of a container that an array has in its place: those written, else `N` or `N, M`, or commas in a signature.
std::string sizes_of(const WrittenType& type, const WordRow& row, bool unsized) {
  if (!type.sizes.empty() || row.sizes == 0) return type.sizes;
  if (unsized) return row.sizes == 2 ? "," : "";
  return row.sizes == 2 ? "N, M" : "N";
}

std::string array_of(const std::vector<std::string>& sizes, bool unsized) {
  std::string inside;
  for (std::size_t i = 0; i < sizes.size(); ++i) inside += (i == 0 ? "" : unsized ? "," : ", ") + sizes[i];
  return "array[" + inside + "] ";
}

/// Whether bounds are an offset or a multiplier, which ints cannot have.
bool is_affine(const std::string& bounds) { return bounds.find("offset") != bounds.npos || bounds.find("multiplier") != bounds.npos; }

/// What a type followed by another one means.
struct Meaning {
  std::string why, type;
};

class Reading {
 public:
  Reading(WrittenType first, const WordRow& a, WrittenType second, const WordRow* b, bool unsized)
      : first_(std::move(first)), second_(std::move(second)), a_(a), b_(b), unsized_(unsized) {
    if (first_.has_array) arrays_.push_back(first_.array);
  }

  Meaning meaning() {
    if (!b_) return array_last();
    const bool scalar = a_.sizes == 0, other_scalar = b_->sizes == 0;
    if (scalar && other_scalar) return second_.has_array ? array_last() : Meaning{};
    if (!scalar && !other_scalar) return array_of_containers();
    if (scalar && second_.has_array) arrays_.push_back(second_.array);
    return scalar ? container_of(second_, *b_, first_, a_) : container_of(first_, a_, second_, *b_);
  }

 private:
  std::string arrays() const { return arrays_.empty() ? "" : array_of(arrays_, unsized_); }

  /// `int array[N] y`, `vector[K] array[N] y`
  Meaning array_last() {
    arrays_.push_back(second_.array);
    const std::string sizes = first_.sizes.empty() ? "" : "[" + first_.sizes + "]";
    return {"An array is written", arrays() + first_.word + first_.bounds + sizes};
  }

  /// `vector[N] vector[K] y`
  Meaning array_of_containers() {
    arrays_.push_back(sizes_of(first_, a_, unsized_));
    if (second_.has_array) arrays_.push_back(second_.array);
    return {"An array of containers is written", arrays() + second_.word + second_.bounds + bracketed(sizes_of(second_, *b_, unsized_))};
  }

  /// `vector[N] int y`, `int vector[N] y`
  Meaning container_of(const WrittenType& container, const WordRow& c, const WrittenType& element, const WordRow& e) {
    const std::string bounds = element.bounds.empty() ? container.bounds : element.bounds;
    const std::string what = c.elements == Elements::Complex ? "complex numbers" : "reals";
    if (e.elements == Elements::Int) {
      arrays_.push_back(sizes_of(container, c, unsized_));
      if (&container == &first_ && second_.has_array) arrays_.push_back(second_.array);
      return {"The elements of \"" + container.word + "\" are " + what + "; an array of ints is written", arrays() + "int" + (is_affine(bounds) ? "" : bounds)};
    }
    if (&container == &first_ && second_.has_array) arrays_.push_back(second_.array);
    const std::string rest = (c.takes_bounds ? bounds : "") + bracketed(sizes_of(container, c, unsized_));
    if (e.elements == c.elements) return {"The elements of \"" + container.word + "\" are " + what + " already; write", arrays() + container.word + rest};
    if (!c.takes_bounds) return {};
    const bool complex = e.elements == Elements::Complex;
    const std::string word = complex ? std::string(kComplexWord) + container.word : container.word.substr(kComplexWord.size());
    return {std::string("A container of ") + (complex ? "complex numbers" : "reals") + " is written", arrays() + word + rest};
  }

  std::string bracketed(const std::string& sizes) const { return unsized_ ? "" : "[" + sizes + "]"; }

  WrittenType first_, second_;
  const WordRow& a_;
  const WordRow* b_;
  bool unsized_;
  std::vector<std::string> arrays_;  // sizes, outermost first
};

}  // namespace

std::string Parser::hint_element_type() const {
  WrittenType first, second;
  TypeReader reader(sources_, tokens_, type_begin_);
  if (type_begin_ >= next_ || !reader.read(first) || reader.at() != next_ || !reader.row()) return "";
  TypeReader other(sources_, tokens_, next_);
  if (!other.read(second)) return "";
  const Meaning meaning = Reading(std::move(first), *reader.row(), std::move(second), other.row(), in_signature_).meaning();
  if (meaning.type.empty()) return "";
  const lex::Token& after = tokens_[other.at()];
  const std::string name = after.kind == Tok::Identifier ? " " + std::string(after.text) : "";
  return meaning.why + " \"" + meaning.type + name + "\".";
}

}  // namespace fermiac::parse
