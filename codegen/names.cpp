#include "codegen/names.h"

#include <algorithm>

namespace fermiac::codegen {
namespace {

constexpr std::string_view kPrefix = "_stan_";  // names of the language begin with a letter

/// Keywords, macros, names that declarations of the headers or using-directives bring. A blank ends each word, here and
/// below.
constexpr std::string_view kReserved =
    "BIG_ENDIAN BIG_REAL BOOL_MAX BOOL_WIDTH BSD BSD4_2 BSD4_3 BSD4_4 BUFSIZ BYTE_ORDER CHAR_BIT CLOCKS_PER_SEC "
    "CSIGNAL DECIMAL_DIG EIO EMSCRIPTEN EOF FALSE FILENAME_MAX FOPEN_MAX F_LOCK F_OK F_TEST F_TLOCK F_ULOCK "
    "HOST_NAME_MAX HUGE_VAL INFINITY IOV_MAX LINE_MAX LITTLE_ENDIAN LOGIN_NAME_MAX L_INCR L_SET L_XTND MATH_ERREXCEPT "
    "MATH_ERRNO MAXFLOAT MAX_CANON MAX_INPUT MB_CUR_MAX MB_LEN_MAX NAME_MAX NAN NFDBITS NGROUPS_MAX NULL NZERO "
    "PATH_MAX PDP_ENDIAN PIPE_BUF RAND_MAX RCONST R_OK SEM_VALUE_MAX SMALL_REAL SNAN STRINGIFY STRINGIFY2 "
    "TEMP_FAILURE_RETRY TIMER_ABSTIME TIME_UTC TMP_MAX TRUE TTY_NAME_MAX UNIT_ROUNDOFF VMS WCONTINUED WEOF WEXITED "
    "WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WIN32 WNOHANG WNOWAIT WORD_BIT WSTOPPED WSTOPSIG "
    "WTERMSIG WUNTRACED W_OK X_OK alignas alignof alloca and and_eq asm assert assert_perror be16toh be32toh be64toh "
    "bitand bitor bool booleantype case catch char char16_t char32_t char8_t clamp class co_await co_return co_yield "
    "compl concept const const_cast consteval constexpr constinit decltype default delete do double dynamic_cast "
    "eigen_assert enum errno explicit float friend fvar goto hpux htobe16 htobe32 htobe64 htole16 htole32 htole64 "
    "i386 inline issubnormal le16toh le32toh le64toh likely linux long math_errhandling max min minmax mips "
    "model_base_crtp mutable namespace new noexcept not not_eq nullptr offsetof operator or or_eq private protected "
    "public register reinterpret_cast requires sched_priority short signed size_t sizeof static_assert static_cast "
    "stderr stdin stdout strdupa strndupa sun sunbooleantype switch template this thread_local throw try typeid "
    "typename union unix unlikely unsigned using va_arg va_copy va_end va_start virtual volatile wchar_t xor xor_eq ";

/// Families of macros of the C library and of the libraries behind the headers, by what their names begin with; the
/// rest is in capitals, digits and underscores.
constexpr std::string_view kFamilies[] = {
    "ADJ_",    "ATOMIC_",  "BOOST_",  "CLOCK_", "CLONE_", "CLOSE_RANGE_", "CL_",     "COLAMD_",  "CPU_",
    "CVLS_",   "CV_",      "E",       "EIGEN_", "FD_",    "FP_",          "FUSION_", "HUGE_VAL", "IDALS_",
    "IDA_",    "KINLS_",   "KIN_",    "LC_",    "MOD_",   "M_",           "NL_",     "NV_",      "ODEINT_",
    "OPENCL_", "PTHREAD_", "RENAME_", "SCHED_", "SEEK_",  "SIG",          "SM_",     "SNAN",     "SPARSELU_",
    "STAN_",   "STA_",     "SUN",     "TBB",    "XATTR_"};
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
