// Everything the checker can say. Texts state what was found, what was expected and, where it helps, how to repair it.
#pragma once

#include <string>

#include "support/base/diagnostics.h"

namespace fermiac::check {

using S = std::string;

template <class... Args>
consteval Diagnostic<Args...> semantic(DiagId id, std::string_view text) {
  return {id, DiagKind::Semantic, text};
}
template <class... Args>
consteval Diagnostic<Args...> warning(DiagId id, std::string_view text, WarningGroup group = WarningGroup::Types) {
  return {id, DiagKind::Warning, text, group};
}

// ---------------------------------------------------------------- names
inline constexpr auto kReservedEnding =
    semantic<S, S>(DiagId::E1001, "Identifier '{}' ends in two underscores; such names are reserved for internal use.{}");
inline constexpr auto kReservedWord =
    semantic<S, S>(DiagId::E1002, "Identifier '{}' is a reserved word and cannot be a name.{}");
inline constexpr auto kModelName =
    semantic<S>(DiagId::E1003, "Identifier '{}' is the name of the model and cannot be used inside it.");
inline constexpr auto kNameInUse = semantic<S>(DiagId::E1004, "Identifier '{}' is already in use.");
inline constexpr auto kUnnormalisedName = semantic<S, S>(
    DiagId::E1005, "Identifier '{}' ends in '{}', which only names the unnormalised form of a density function.");
inline constexpr auto kNotOverloadable = semantic<S>(
    DiagId::E1006, "Function '{}' is built in with rules of its own for its arguments and cannot be overloaded.");
inline constexpr auto kNeverDefined = semantic<S>(DiagId::E1007, "Function '{}' is declared without specifying a definition.");
inline constexpr auto kUndeclared = semantic<S, S>(DiagId::E1008, "Identifier '{}' not in scope.{}");

// ---------------------------------------------------------------- expressions
inline constexpr auto kIntTooLarge = semantic<S>(
    DiagId::E1009,
    "Integer literal {} is too large: the largest int is 2147483647. Write it as a real (with a decimal point) "
    "if that is meant.");
inline constexpr auto kNotAValue =
    semantic<S>(DiagId::E1010,
                "'{}' is a function, not a value. A function's name alone may only be an argument of a "
                "higher-order function.");
inline constexpr auto kVoidValue = semantic<S>(
    DiagId::E1011, "Function '{}' returns nothing, so it cannot be used in an expression; call it as a statement.");
inline constexpr auto kNoCommonElement = semantic<S, S>(
    DiagId::E1012, "The elements of an array must have a common type: this one has type {}, those before it {}.");
inline constexpr auto kTooManyDimensions =
    semantic<int>(DiagId::E1023, "An array has at most {} dimensions, and this literal nests deeper.");
inline constexpr auto kBadRowElement = semantic<S>(
    DiagId::E1013, "The elements of a row vector are scalars and those of a matrix row vectors; this one has type {}.");
inline constexpr auto kRowElementMismatch =
    semantic<S, S>(DiagId::E1014, "Expected {} like the first element, found an element of type {}.");
inline constexpr auto kTernaryTest =
    semantic<S>(DiagId::E1015, "The condition of '? :' must be an int, found type {}.");
inline constexpr auto kTernaryBranches =
    semantic<S, S>(DiagId::E1016, "The branches of '? :' must have a common type, found types {} and {}.");
inline constexpr auto kTooManyIndexes =
    semantic<std::size_t, S>(DiagId::E1017, "Too many indexes: {} given for an expression of type {}.");
inline constexpr auto kIndexType =
    semantic<S>(DiagId::E1018, "An index must be an int, an array of int or a range, found type {}.");
inline constexpr auto kRangeBoundType =
    semantic<S>(DiagId::E1019, "The bounds of an index range must be int, found type {}.");
inline constexpr auto kNotATuple = semantic<S, S>(DiagId::E1020, "Only a tuple has slots; this expression has type {}.{}");
inline constexpr auto kNoSuchSlot =
    semantic<S, S, std::size_t>(DiagId::E1021, "There is no slot {} in type {}: its slots are numbered from 1 to {}.");
inline constexpr auto kOperatorTypes = semantic<S, S, S, S>(
    DiagId::E1022,
    "Ill-typed arguments supplied to operator {}. Available signatures:\n{}\nInstead supplied arguments of "
    "incompatible type: {}.{}");

// ---------------------------------------------------------------- calls
inline constexpr auto kUnknownFunction = semantic<S, S>(DiagId::E1030, "A function named '{}' does not exist.{}");
inline constexpr auto kCalledVariable =
    semantic<S>(DiagId::E1031, "'{}' is a variable and cannot be called as a function.");
inline constexpr auto kIllTypedCall =
    semantic<S, S, S>(DiagId::E1032, "Ill-typed arguments supplied to function '{}':\n{}\n{}");
inline constexpr auto kAmbiguousCall = semantic<S, S, S>(
    DiagId::E1033,
    "The call of '{}' is ambiguous. The argument types\n{}\nare equally far from\n{}\nMake the conversion that "
    "is meant explicit.");
inline constexpr auto kBarMissing = semantic<S>(
    DiagId::E1034, "Function '{}' is conditional: write a vertical bar instead of the comma after the first argument.");
inline constexpr auto kBarSuperfluous =
    semantic<S>(DiagId::E1035,
                "Only functions whose names end in _lpdf, _lupdf, _lpmf, _lupmf, _cdf, _lcdf or _lccdf take a vertical "
                "bar; '{}' is none of them, write a comma.");
inline constexpr auto kValueAsStatement = semantic<S>(
    DiagId::E1036, "Function '{}' returns a value, so its call is no statement. Assign the value to a variable.");
inline constexpr auto kRngPlace =
    semantic<>(DiagId::E1037,
               "Functions ending in _rng may only be called in transformed data, generated quantities and in functions "
               "ending in _rng.");
inline constexpr auto kLpPlace = semantic<>(
    DiagId::E1038, "Functions ending in _lp may only be called in the model block and in functions ending in _lp.");
inline constexpr auto kJacobianPlace =
    semantic<>(DiagId::E1039,
               "Functions ending in _jacobian may only be called in transformed parameters and in functions ending in "
               "_jacobian.");
inline constexpr auto kUnnormalisedPlace = semantic<>(
    DiagId::E1040,
    "Functions ending in _lupdf or _lupmf may only be used in the model block and in functions ending in _lpdf "
    "or _lpmf.");
inline constexpr auto kHigherOrder = semantic<S, S>(DiagId::E1041, "Ill-typed arguments supplied to function '{}': {}");
inline constexpr auto kAmbiguousCallback = semantic<S, S, S>(
    DiagId::E1042, "The call of '{}' is ambiguous: these overloads of '{}' fit its arguments equally well:\n{}");
inline constexpr auto kLaplaceUsage = semantic<S, S>(DiagId::E1043, "Function '{}' is called as {}.");
inline constexpr auto kNotTwiceDifferentiable = semantic<S, S>(
    DiagId::E1044, "The likelihood '{}' needs second derivatives, but it calls '{}', which does not provide them.");
inline constexpr auto kTargetRead = semantic<>(
    DiagId::E1045,
    "The target can only be read in transformed parameters, in the model block and in functions ending in _lp.");

// ---------------------------------------------------------------- declarations
inline constexpr auto kSizeType = semantic<S>(DiagId::E1050, "A size must be an int, found type {}.");
inline constexpr auto kSizeParameter = semantic<S, S>(
    DiagId::E1051, "The sizes of a block's variables must be known before sampling; '{}' is declared in {}.");
inline constexpr auto kSizeRng =
    semantic<>(DiagId::E1052, "The sizes of a block's variables cannot be drawn at random.");
inline constexpr auto kBoundType = semantic<S, S, S>(
    DiagId::E1053, "The {} of a variable must be a scalar or have the variable's own type {}, found type {}.");
inline constexpr auto kIntBoundType = semantic<S>(DiagId::E1054, "The bounds of an int must be int, found type {}.");
inline constexpr auto kComplexConstraint =
    semantic<>(DiagId::E1055, "Complex numbers have no order: constraints are not allowed.");
inline constexpr auto kIntParameter = semantic<S>(
    DiagId::E1056, "({}) parameters cannot be int, nor have int parts: derivatives are taken with respect to them. Sum a discrete "
                   "unknown out of the density (log_sum_exp, log_mix).");

// ---------------------------------------------------------------- statements
inline constexpr auto kAssignTypes = semantic<S, S, S, S>(
    DiagId::E1060, "Ill-typed arguments supplied to assignment operator {}: lhs has type {} and rhs has type {}{}");
inline constexpr auto kAssignFunction =
    semantic<S>(DiagId::E1061, "Functions cannot be assigned; '{}' is the name of one.");
inline constexpr auto kAssignReadOnly = semantic<S, S>(DiagId::E1062, "Cannot assign to '{}': {}.");
inline constexpr auto kNestedMultiIndex = semantic<>(
    DiagId::E1063,
    "On the left of an assignment only the last pair of brackets may hold ranges and other multiple indexes. "
    "Put all indexes into one pair.");
inline constexpr auto kReadAndWritten = semantic<S>(
    DiagId::E1064, "Variable '{}' is read inside the destination that writes it. Use a temporary variable.");
inline constexpr auto kWrittenTwice =
    semantic<S>(DiagId::E1065, "Variable '{}' is written more than once by this assignment.");
inline constexpr auto kTargetPlace = semantic<S, S>(
    DiagId::E1067, "The target can only be changed ({}) in the model block and in functions ending in _lp.{}");
inline constexpr auto kJacobianStatementPlace =
    semantic<>(DiagId::E1068,
               "The Jacobian can only be changed (jacobian +=) in transformed parameters and in functions ending in "
               "_jacobian.");
inline constexpr auto kTermType =
    semantic<S>(DiagId::E1069, "A term must be a number or a container of numbers, found type {}.");
inline constexpr auto kConditionType =
    semantic<S, S>(DiagId::E1070, "A condition must be an int, found type {}.{}");
inline constexpr auto kLoopBoundType = semantic<S>(DiagId::E1071, "The bounds of a loop must be int, found type {}.");
inline constexpr auto kForeachType =
    semantic<S, S>(DiagId::E1072, "A loop runs over an array, a vector, a row vector or a matrix, not over type {}.{}");
inline constexpr auto kOutsideLoop = semantic<S>(DiagId::E1073, "'{}' only makes sense inside a loop.");
inline constexpr auto kReturnOutside = semantic<>(DiagId::E1074, "Only functions return.");
inline constexpr auto kReturnFromVoid =
    semantic<>(DiagId::E1075, "This function is void, so it returns without a value.");
inline constexpr auto kReturnNeedsValue = semantic<S>(DiagId::E1076, "This function must return a value of type {}.");
inline constexpr auto kReturnType =
    semantic<S, S>(DiagId::E1077, "This function returns type {}, found a value of type {}.");

// ---------------------------------------------------------------- distribution statements
inline constexpr auto kTildeSuffix =
    semantic<S, S>(DiagId::E1080, "'~' takes the plain name of a distribution: write '{}' instead of '{}'.");
inline constexpr auto kTildeCdf =
    semantic<S>(DiagId::E1081, "'{}' is a cumulative distribution function and cannot follow '~'.");
inline constexpr auto kTildeUnknown = semantic<S, S, S, S>(
    DiagId::E1082, "There is no distribution '{}': neither a function '{}_lpdf' nor a function '{}_lpmf' exists.{}");
inline constexpr auto kTildeTypes =
    semantic<S, S, S>(DiagId::E1083, "Ill-typed arguments to distribution statement for '{}':\n{}\n{}");
inline constexpr auto kTruncationBound =
    semantic<S>(DiagId::E1084, "A truncation bound must be an int or a real, found type {}.");
inline constexpr auto kTruncationMissing = semantic<S, S>(
    DiagId::E1085,
    "Truncation needs the functions '{}_lcdf' and '{}_lccdf' for a bound followed by these arguments, and at "
    "least one of them does not accept them.");

// ---------------------------------------------------------------- function definitions
inline constexpr auto kSameAsBuiltin =
    semantic<S, S>(DiagId::E1090, "Function '{}' with arguments {} is built in and cannot be defined again.");
inline constexpr auto kRedefined = semantic<S, S>(DiagId::E1091, "Function '{}' with arguments {} is defined already.");
inline constexpr auto kDeclaredTwice =
    semantic<S, S>(DiagId::E1092, "Function '{}' with arguments {} is declared already.");
inline constexpr auto kOverloadByData = semantic<S>(
    DiagId::E1093,
    "Two functions '{}' differ only in which arguments are marked data; that does not tell their calls apart.");
inline constexpr auto kOverloadByReturn =
    semantic<S, S, S>(DiagId::E1094, "Two functions '{}' with the same arguments return different types, {} and {}.");
inline constexpr auto kMissingReturn = semantic<S>(
    DiagId::E1095, "Function '{}' must return a value on every path, but some path reaches the end of its body.");
inline constexpr auto kDensityReturn =
    semantic<S, S>(DiagId::E1096, "Function '{}' must return real, as the ending of its name says; it returns {}.");
inline constexpr auto kDensityVariate = semantic<S, S, S>(DiagId::E1097, "The first argument of '{}' must be {}{}.");
inline constexpr auto kDuplicateArgument = semantic<S, S>(DiagId::E1098, "Function '{}' has two arguments named '{}'.");

// ---------------------------------------------------------------- warnings
inline constexpr auto kWarnIntDivision = warning<S, S, S>(
    DiagId::W2010,
    "Found int division: {} / {}. The result is an int, values are rounded towards zero. If rounding is "
    "intended please use the integer division operator %/%, otherwise write one side as a real number, such "
    "as {}.");
inline constexpr auto kWarnMatrixPower = warning<>(
    DiagId::W2011,
    "Found matrix^scalar. This raises every element to the power. Write .^ to say so, or use matrix_power for "
    "the power of the matrix itself.");
inline constexpr auto kWarnChain = warning<S, S, S>(
    DiagId::W2012,
    "Found {}. This compares the outcome (0 or 1) of the first comparison with the last value. If a chain is "
    "meant, write {}; otherwise write parentheses: {}.");
inline constexpr auto kWarnLpPlace = warning<S>(
    DiagId::W2013,
    "Calling '{}' in transformed parameters is deprecated and will be an error in version 2.40. Use a function "
    "ending in _jacobian with jacobian += instead.");
inline constexpr auto kWarnJacobianData = warning<S, S>(
    DiagId::W2014, "'{}' is called without parameters, so the term it adds to the Jacobian is constant.{}");
inline constexpr auto kWarnSelfInit = warning<S>(DiagId::W2015, "Variable '{}' is used in its own initial value.");
inline constexpr auto kWarnSelfAssign =
    warning<>(DiagId::W2016, "The two sides of this assignment are the same, so it does nothing.");
inline constexpr auto kWarnUnreachable =
    warning<S>(DiagId::W2017, "This statement is never reached: the '{}' before it leaves the block.");
inline constexpr auto kWarnOdeOld = warning<S, S>(
    DiagId::W2018,
    "Function '{}' is deprecated and will be removed in version 3.0. Use '{}', which takes the state as a "
    "vector and any number of further arguments, see "
    "https://mc-stan.org/users-guide/ode_solvers/convert.html",
    WarningGroup::Deprecation);
inline constexpr auto kWarnLkjCov =
    warning<>(DiagId::W2019,
              "Distribution 'lkj_cov' is deprecated and will be removed in version 3.0. Use 'lkj_corr' for the "
              "correlations and lognormal distributions for the scales instead.",
              WarningGroup::Deprecation);
inline constexpr auto kWarnForward = warning<S>(
    DiagId::W2020,
    "Function '{}' is declared and also defined. The declaration is not needed any more: functions may be used "
    "before they are defined.",
    WarningGroup::Deprecation);

}  // namespace fermiac::check
