// Reading oracle cases: typed values, flattening, comparison.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inference/json.h"
#include "interp/io/data.h"
#include "interp/io/oracle.h"
#include "interp/value/value.h"

namespace fermiac::interp::oracle {

using Json = inference::JsonValue;

/// A member that must be there.
const Json& member(const Json& object, std::string_view key);
std::string text_of(const Json& object, std::string_view key, std::string_view otherwise = "");
double number_of(const Json& object, std::string_view key, double otherwise);
bool flag(const Json& object, std::string_view key);
/// A number, or one of the words for non-finite ones.
double to_double(const Json& j);

/// {"type": …, "value": …, "dims": …} as a value.
Value to_value(const Json& typed);
/// A value of the type `type`, sizes taken from the lists.
Value to_value(const std::string& type, const Json& value, const Json* dims = nullptr);
/// An untyped list or number: an int, real, vector, or matrix (a list of lists).
Value guess_value(const Json& value);

/// The numbers of a value in storage order, tuples slot after slot.
std::vector<double> flatten(const Value& v);
/// Scalars of a value (complex ones once), and whether each is complex, in the same order.
struct Scalars {
  std::vector<bool> complex;
};
Scalars scalars_of(const Value& v);

/// Whether `ours` equals `theirs` within tol * max(|theirs|, m) + atol, m the largest finite element of `theirs`.
bool close(double ours, double theirs, double tol, double m, double atol);
double largest(const std::vector<double>& x);

OracleOutcome passed(const Json& c);
OracleOutcome failed(const Json& c, std::string message);
OracleOutcome unsupported(const Json& c, std::string message);
std::string list_text(const std::vector<double>& x);

OracleOutcome check_function(const Json& c);
OracleOutcome check_transform(const Json& c);
OracleOutcome check_rng(const Json& c);

}  // namespace fermiac::interp::oracle
