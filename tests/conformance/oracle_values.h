// Reading oracle cases: typed values, flattening, comparison.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interp/io/data.h"
#include "interp/value/value.h"
#include "support/base/json_tree.h"
#include "tests/conformance/names.h"
#include "tests/conformance/oracle_report.h"

namespace fermiac::selfcheck::oracle {

using Json = JsonValue;

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

/// What is known of a case whose file is wrong: members that replace those of the case, with the reason. Null for other cases.
const Json* known_difference(std::string_view id);
std::vector<std::string> known_difference_ids();
/// The case with those members.
Json corrected(Json c, const Json& known);

OracleOutcome passed(const Json& c);
OracleOutcome failed(const Json& c, std::string message);
OracleOutcome unsupported(const Json& c, std::string message);
std::string list_text(const std::vector<double>& x);

OracleOutcome check_function(const Json& c);
/// The error that the call of a case raises: its class in the files' words (domain_error, invalid_argument, out_of_range) and
/// its message; both empty when there is none.
struct Raised {
  std::string kind, message;
};
Raised raised_error(const Json& c);
OracleOutcome check_transform(const Json& c);
OracleOutcome check_rng(const Json& c);

}  // namespace fermiac::selfcheck::oracle
