#include "codegen/names.h"

#include <algorithm>

namespace fermiac::codegen {
namespace {

constexpr std::string_view kPrefix = "_stan_";  // names of the language begin with a letter

/// Keywords, macros and names that using-directives bring. A blank ends each word, here and below.
constexpr std::string_view kReserved =
    "BIG_ENDIAN BSD BSD4_2 BSD4_3 BSD4_4 BUFSIZ BYTE_ORDER CHAR_BIT DECIMAL_DIG EMSCRIPTEN EOF HUGE_VAL INFINITY "
    "LITTLE_ENDIAN NAN NULL PDP_ENDIAN RAND_MAX R_OK SNAN STAN_MAJOR STAN_MATH_MAJOR STAN_MATH_MINOR "
    "STAN_MATH_PATCH STAN_MINOR STAN_PATCH TRUE FALSE VMS WIN32 W_OK X_OK alignas alignof alloca and and_eq asm "
    "assert bitand bitor bool case catch char char16_t char32_t char8_t clamp class co_await co_return co_yield "
    "compl concept const const_cast consteval constexpr constinit decltype default delete do double dynamic_cast "
    "enum errno explicit float friend fvar goto hpux i386 inline likely linux long max min minmax mips mutable "
    "namespace new noexcept not not_eq nullptr offsetof operator or or_eq private protected public register "
    "reinterpret_cast requires short signed size_t sizeof static_assert static_cast stderr stdin stdout sun "
    "switch template this thread_local throw try typeid typename union unix unlikely unsigned using virtual "
    "volatile wchar_t xor xor_eq ";

/// Families of macros of the C library, by what their names begin with; the rest is in capitals, digits and
/// underscores.
constexpr std::string_view kFamilies[] = {"CLONE_", "E", "FP_", "M_", "SCHED_", "SEEK_", "SIG"};
/// Limits: a family, then MAX, MIN and the like.
constexpr std::string_view kLimits =
    "CHAR_ DBL_ FLT_ INTMAX_ INTPTR_ INT_ LDBL_ LLONG_ LONG_ PTRDIFF_ SCHAR_ SHRT_ SIZE_ SSIZE_ UCHAR_ UINTMAX_ "
    "UINTPTR_ UINT_ ULLONG_ ULONG_ USHRT_ WCHAR_ WINT_ INT8_ INT16_ INT32_ INT64_ UINT8_ UINT16_ UINT32_ UINT64_ ";

constexpr std::string_view kMembers =
    "constrained_param_names get_constrained_sizedtypes get_dims get_param_names get_unconstrained_sizedtypes "
    "log_prob log_prob_impl model_compile_info model_name num_params_i num_params_r transform_inits "
    "transform_inits_impl unconstrain_array unconstrain_array_impl unconstrained_param_names write_array "
    "write_array_impl ";

/// Calls visit(word) for the words of a list until it returns true; whether it did.
template <class Visit>
bool any_word(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const std::size_t end = list.find(' ');
    if (visit(list.substr(0, end))) return true;
    list.remove_prefix(end + 1);
  }
  return false;
}

bool among(std::string_view name, std::string_view list) {
  return any_word(list, [&](std::string_view word) { return word == name; });
}

bool is_macro_case(std::string_view rest) {
  return !rest.empty() &&
         std::ranges::all_of(rest, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

/// Macros of error numbers have at least three more letters (EDOM).
bool in_family(std::string_view name) {
  for (const std::string_view family : kFamilies)
    if (name.starts_with(family) && is_macro_case(name.substr(family.size())) && (family != "E" || name.size() > 3))
      return true;
  return any_word(kLimits, [&](std::string_view limit) {
    return name.starts_with(limit) && is_macro_case(name.substr(limit.size()));
  });
}

bool is_reserved(std::string_view name) {
  return among(name, kReserved) || in_family(name);
}

std::string marked(std::string_view name) {
  return std::string(kPrefix).append(name);
}

}  // namespace

std::string function_id(std::string_view name) {
  return is_reserved(name) ? marked(name) : std::string(name);
}

std::string variable_id(std::string_view name) {
  return is_reserved(name) || among(name, kMembers) ? marked(name) : std::string(name);
}

}  // namespace fermiac::codegen
