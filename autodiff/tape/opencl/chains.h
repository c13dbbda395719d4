// What of a tape can run on a device: chains of element-wise operations of one length that end in target. A chain takes numbers of
// the tape, gathers of them and products of constant matrices with vectors of them, and leaves nothing but terms of target and
// adjoints, so all of it is done in the forward sweep, there and back.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "autodiff/symbolic/map_formula.h"
#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad::device {

/// A tape laid out (replay/tape.h): indexes are of its arena.
struct TapeView {
  std::span<const TapeOp> ops, tiled;
  std::span<const std::uint32_t> index;       // of gathers
  std::span<const std::int32_t> ints;
  std::span<const TapeCall> calls;
  std::span<const TapeCallOperand> call_operands;
  std::span<const double> constants;          // values below parameters_begin
  std::span<const Site> sites, tiled_sites;   // by operation
  const std::vector<bool>* asked = nullptr;   // by site: it is to run on the device whether that pays or not
  std::uint32_t scalars_begin = 0;            // constant vectors lie below
  std::uint32_t weights_begin = 0;
  std::uint32_t parameters_begin = 0;

  bool is_asked(Site site) const { return asked && index_of(site) < asked->size() && (*asked)[index_of(site)]; }
  bool is_weight(std::uint32_t at) const { return at >= weights_begin && at < parameters_begin; }
};

/// Where an operand of an element-wise operation comes from; `at` says which.
struct Source {
  enum class Kind : std::uint8_t {
    Scalar,    // number `at` of the arena
    Vector,    // numbers from `at` of the arena on
    Extra,     // numbers from `at` on of the chain's extra constants
    Local,     // the result of step `at`
    Gathered,  // gather `at` of the chain
    Product,   // product `at` of the chain
    Chosen     // choice `at` of the chain
  } kind{};
  std::uint32_t at = 0;
  friend bool operator==(Source, Source) = default;
};

/// One operation of a chain.
struct Step {
  enum class Kind : std::uint8_t {
    Value, Sink, Target,
    Categories  // a sink: log softmax of the operands behind the first, at the one that the first says (from 1 on)
  } kind{};
  const symbols::MapFormula* map = nullptr;   // null: of a Target, whose operand is a term, and of Categories
  std::vector<Source> x;
  std::uint8_t vector_mask = 0, ad_mask = 0;
  Keep keep;
  std::uint32_t weight = 0;                   // its place in the arena; 0: it counts once
};

/// v[index[first + i]], i < n; or of places of its own.
struct Gathering {
  std::uint32_t first = 0;
  std::vector<std::uint32_t> places;
};

/// Numbers of the arena that are to be finite, each larger than the one before it: `rows` times `n` of them, unless the weight (as of a
/// step) is 0.
struct Ascent {
  std::uint32_t from = 0, n = 0, rows = 1, weight = 0;
};

/// For each element one of a few scalars: the one whose number, from 1 on, its index says, or the nearest that there is. A gather of few numbers
/// without its memory. Of three scalars and `less` 1 the indexes 1, 2, 3, 4 choose the first, the first, the second, the third.
struct Choice {
  Source index;                               // constant
  double less = 0;                            // the number is the index less that
  std::vector<std::uint32_t> scalars;         // of the arena
};

/// A matrix of n rows times a vector.
struct Product {
  Source matrix;                              // constant, column after column
  std::uint32_t vector = 0, columns = 0;      // `columns` numbers of the arena
  bool autodiff = false;
};

struct Chain {
  std::uint32_t n = 0;
  std::vector<Step> steps;
  std::vector<Gathering> gathers;
  std::vector<Choice> choices;
  std::vector<Product> products;
  std::vector<double> extra;                  // blocks of n numbers, padded
  std::vector<Ascent> ascents;                // else the host does it
  std::vector<std::pair<std::uint32_t, double>> constants;  // weight and what the step adds to target besides
  std::vector<std::uint32_t> ops;             // of the tape, that it stands for, in order
  bool asked = false;                         // to be placed whether that pays or not
};

// Densities of ordered outcomes as formulas of one element (multivariate/ordered.cpp has those of the host). Operands: where the outcome lies,
// its location, the cut points below and above it. An outcome at an end has one of the two; the other may be any number.

/// What the first operand says.
enum class OrderedPlace : std::uint8_t { Lowest, Between, Highest };

extern const symbols::MapFormula kOrderedLogistic, kOrderedProbit;

}  // namespace fermiac::ad::device
