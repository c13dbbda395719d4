// Element-wise maps and everything that is a sum of independent terms: arithmetic, elementary and special functions,
// univariate densities, mass functions and log cdfs. An operation is one functor (functor.h) from which driver.h derives
// scalar, vector, reducing and fused forms, once per instruction set.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "autodiff/kernels/propto.h"

namespace fermiac::ad {

/// Which summands to compute and which partials are wanted.
struct Keep {
  std::uint8_t terms = 0xff;  // bit j: operand j counts as kept; bit 7: constants are kept
  std::uint8_t ad = 0xff;     // bit j: the partial of operand j is wanted
  static constexpr Keep everything() { return {}; }
  /// Bit j of `ad_operands`: operand j carries derivatives.
  static constexpr Keep propto(std::uint8_t ad_operands) { return {ad_operands, ad_operands}; }
  static constexpr Keep of(Propto propto, std::uint8_t ad_operands) {
    if (!propto) return everything();
    return {static_cast<std::uint8_t>(ad_operands | (propto.counted() & 0x7fu)), ad_operands};
  }
  /// A summand that depends on the operands in `mask` is needed.
  constexpr bool has(unsigned mask) const { return (terms & mask) != 0; }
  constexpr bool constants() const { return (terms & 0x80u) != 0; }
  /// No operand is kept: a density is then 0, whatever its arguments.
  constexpr bool nothing() const { return terms == 0; }
  constexpr bool wants(int operand) const { return (ad >> operand & 1u) != 0; }
};

/// Domain of an operand, checked by the drivers in the same pass that computes.
enum class Rule : std::uint8_t {
  NotNan, Finite, Positive /* > 0, +inf allowed */, PositiveFinite, NonNegative, NonNegativeFinite, Probability /* [0,1] */,
  Bounded01Open, GreaterOrEqual /* than operand `other` */, LessOrEqual, Less, Greater,
  NotBelow /* than `bound`; NaN passes, as for the following */, NotAbove
};
struct DomainRule {
  std::uint8_t operand;
  Rule rule;
  const char* label;        // as messages call the operand: "Scale parameter"
  std::uint8_t other = 0;   // for the comparing rules
  const char* other_label = nullptr;
  double bound = 0;
};

/// An op of the tape has room for four operands (32 bytes in all): a function with more is a Kernel, not a map.
inline constexpr int kMaxMapArity = 4;

/// Operands of one application to n elements. Operand j is a vector if bit j of vector_mask is set, else one scalar.
/// Vectors are padded: reading (and writing `out`) up to the next multiple of 8 doubles past n must be allowed.
struct MapArgs {
  const double* x[kMaxMapArity] = {};
  double* a[kMaxMapArity] = {};      // adjoints to add to; null for data
  double* out = nullptr;             // map: n results
  const double* out_a = nullptr;     // map_reverse: their adjoints
  double g = 1;                      // fused: adjoint of the sum
  std::uint32_t n = 1;
  std::uint16_t vector_mask = 0;
  Keep keep;
};

struct MapOp {
  std::string_view name;             // the function name: "exp", "normal_lpdf"
  std::uint8_t arity = 1;
  bool density = false;              // applied to containers it reduces by summation; has summands to drop
  bool product = false;              // applied to containers it reduces by multiplication (cdfs): `reduce` gives the product
                                     // and `fused` its partials, so that only scalar applications may be merged by addition
  bool flat = false;                 // the derivative is zero wherever it exists (floor, step): results are still autodiff
  bool by_elements = false;          // of a function of one container: operand j is its element j, a lane is a whole call
  std::uint8_t suffix = 0;           // characters at the end of the name that are not the function's
  std::span<const DomainRule> rules;
  bool total = false;                // no numbers break a rule or throw: where nothing reads the result, the op can go
  bool throws = true;                // what fits the rules may still leave the domain, and then throws

  bool (*valid)(const double* x) = nullptr;                   // every domain rule holds for these scalars
  double (*value)(const double* x, Keep keep) = nullptr;
  /// Value, and d[j] = partial with respect to operand j.
  double (*value_and_partials)(const double* x, Keep keep, double* d) = nullptr;
  bool (*map)(const MapArgs&) = nullptr;                      // out[i] = f(x_i)
  void (*map_reverse)(const MapArgs&) = nullptr;              // a[j][i] += out_a[i] ∂f/∂x_j; `out` holds the values
  bool (*reduce)(const MapArgs&, double* sum) = nullptr;      // Σ f(x_i); Π f(x_i) for products
  bool (*fused)(const MapArgs&, double* sum) = nullptr;       // the same, and a[j] += g ∂/∂x_j of it
  // Each bool is false when an operand broke a domain rule: call explain_domain for the message.

  /// As messages call it.
  constexpr std::string_view function() const { return name.substr(0, name.size() - suffix); }
};
static_assert(sizeof(MapOp) == 104);  // scalar maps look theirs up at every op: larger rows show in the time of a gradient

/// Index into the table of all maps for the instruction set in use; stable within one process.
enum class MapCode : std::uint16_t {};
inline constexpr MapCode kNoMap{0xffff};
constexpr std::uint16_t index_of(MapCode code) { return static_cast<std::uint16_t>(code); }

MapCode find_map(std::string_view name);
const MapOp& map_op(MapCode code);
std::span<const MapOp> all_maps();

/// Throws DomainError for the first element that breaks a rule, in the form
/// "normal_lpdf: Scale parameter[3] is -1, but must be positive!". Does nothing when every rule holds.
void explain_domain(const MapOp& op, const MapArgs& args);
/// The same for what is no map but has its rules.
void explain_rules(std::string_view function, std::span<const DomainRule> rules, const MapArgs& args);

}  // namespace fermiac::ad
