// What emitted C++ sees of the engine: values and their numbers, the place of the statement, and a table of functions for
// everything else. Functions are written once over the kind of real: `double`, or `Traced`, which carries derivatives (an
// evaluation without a tape). Emitted code has no symbols to be resolved: the program that loads it hands it the table, so one
// file of machine code serves every program of the same version. It needs no library, so it compiles in a fraction of a second.
//
// Operands stand in braces, { a, b }, for these are computed from the left to the right.
//
// Layouts here are those of interp/value/value.h and interp/exec/runs/frame.h; interp/exec/runs/native_runtime.cpp asserts that they agree.
// Functions of the table throw what the interpreter throws; emitted code throws nothing itself.
#pragma once

#include <stdint.h>

#include <initializer_list>

namespace fermiac::native {

/// Changes with anything in this file that code and program must agree on.
inline constexpr uint32_t kAbi = 6;

// ---------------------------------------------------------------- values

enum Kind : uint8_t { kNone, kInt, kReal, kRef, kInts, kReals, kRefs, kTuple, kTuples };

/// Array dimensions around a scalar, vector, row vector or matrix (0 to 3); see autodiff/shape.h.
struct Shape {
  uint8_t inner;
  bool complex;
  uint8_t rank;
  uint32_t dims[10];
  uint32_t rows, cols;
};

/// What a container owns begins with this.
struct Box {
  uint32_t owners;
  Shape shape;
  void* numbers;  // ints, doubles or references
};

class Value;
struct Traced;
struct Index;
struct Step;
struct Context;
struct Arg;
struct Piece;
struct Function;

/// Names are for messages. `out` may be any value; it is assigned.
struct Runtime {
  void (*release)(Value&);
  void (*unshare)(Value&);
  void (*index_error)(const char* name, int64_t index, int64_t size);  // this and the next three do not return
  void (*division_by_zero)(const char* function);
  void (*no_result)(const char* function);
  void (*interrupted)();
  /// Around a call of a user function: errors where calls nest too deeply.
  void (*enter)(Context& c, const char* function);
  void (*leave)(Context& c);
  double (*scalar)(Context& c, const Function& function, uint32_t propto, const Arg* x, uint32_t n);
  void (*traced_scalar)(Traced& out, Context& c, const Function& function, uint32_t propto, const Traced* x, uint32_t n);
  void (*call)(Value& out, Context& c, const Function& function, uint32_t propto, const Arg* x, uint32_t n);
  /// A user function of which there is no machine code.
  void (*interpret)(Value& out, Context& c, uint32_t function, bool propto, uint64_t active, const Arg* x, uint32_t n);
  void (*part)(Value& out, const Value& x, const char* name, const Index* at, uint32_t n);
  void (*element)(Value& out, const Value& x, const char* name, const int32_t* at, uint32_t n);
  /// One number of a container becomes another; one of them carries derivatives.
  void (*set_traced)(Context& c, Value& to, uint32_t offset, const Traced& x);
  void (*assign)(Value& to, Value& from, const char* name);
  void (*assign_part)(Context& c, Value& to, const Arg& from, const char* name, const Step* steps, uint32_t n);
  void (*fill)(Value& out, uint8_t base, const int32_t* dims, uint32_t n, int32_t rows, int32_t cols);
  void (*check_declared)(const Value& x, const char* name, uint8_t base, const int32_t* dims, uint32_t n, int32_t rows,
                         int32_t cols);
  /// Of a size below the least one; kinds as the check_size below has them.
  void (*size_error)(uint8_t kind, const char* name, const char* text, int32_t n);
  void (*tuple)(Value& out, const Arg* slots, uint32_t n);
  void (*tuples)(Value& out, const Value& tuple, const int32_t* dims, uint32_t n);
  void (*slot)(Value& out, const Value& tuple, uint32_t slot);
  void (*array)(Context& c, Value& out, const Arg* items, uint32_t n);
  void (*row)(Context& c, Value& out, bool matrix, bool complex, const Arg* items, uint32_t n);
  void (*complex)(Value& out, double re, double im);
  void (*promote)(Context& c, Value& out, const Arg& x, uint8_t base);
  int32_t (*length)(const Arg& x);
  double (*sum)(const Arg& x);
  /// Of an evaluation with derivatives: target += x; target += f(x); target().
  void (*target)(Context& c, const Arg& x);
  void (*scalar_to_target)(Context& c, const Function& function, uint32_t propto, const Traced* x, uint32_t n);
  void (*call_to_target)(Context& c, const Function& function, uint32_t propto, const Arg* x, uint32_t n);
  void (*target_value)(Traced& out, Context& c);
  /// More room on the trail.
  void (*more)(Context& c);
  /// Prints what stands in the pieces, or throws it (0 print, 1 reject, 2 fatal_error).
  void (*say)(Context& c, uint8_t what, const Piece* pieces, uint32_t n);
};

/// Set when the code is loaded.
static const Runtime* rt = nullptr;

/// Of a number that carries no derivatives.
inline constexpr uint32_t kNoRef = 0xffffffff;

/// A real, and what it is in the evaluation that is under way.
struct Traced {
  Traced() = default;
  Traced(double value) : v(value) {}   // NOLINT: numbers are operands as they are
  Traced(int32_t value) : v(value) {}  // NOLINT
  Traced(double value, uint32_t reference) : v(value), ref(reference) {}
  bool carries() const { return ref != kNoRef; }
  explicit operator bool() const { return v != 0; }
  double v = 0;
  uint32_t ref = kNoRef;
};

class Value {
 public:
  Value() = default;
  Value(int32_t x) : kind_(kInt) { p_.i = x; }   // NOLINT: as interp::Value
  Value(double x) : kind_(kReal) { p_.r = x; }  // NOLINT
  Value(Traced x) : kind_(x.carries() ? kRef : kReal) {  // NOLINT
    if (x.carries()) p_.ref = x.ref;
    else p_.r = x.v;
  }
  Value(const Value& x) : kind_(x.kind_), p_(x.p_) {
    if (boxed()) __atomic_fetch_add(&p_.box->owners, 1, __ATOMIC_RELAXED);
  }
  Value(Value&& x) noexcept : kind_(x.kind_), p_(x.p_) { x.kind_ = kNone; }
  Value& operator=(Value x) noexcept {
    const Kind kind = kind_;
    const Payload p = p_;
    kind_ = x.kind_, p_ = x.p_;
    x.kind_ = kind, x.p_ = p;
    return *this;
  }
  ~Value() {
    if (boxed()) rt->release(*this);
  }

  Kind kind() const { return kind_; }
  int32_t as_int() const { return p_.i; }
  double as_real() const { return kind_ == kInt ? p_.i : p_.r; }
  uint32_t as_ref() const { return p_.ref; }
  /// Of boxed values.
  const Shape& shape() const { return p_.box->shape; }
  void* numbers() const { return p_.box->numbers; }
  /// For writing: makes this the only owner first.
  void* own() {
    if (__atomic_load_n(&p_.box->owners, __ATOMIC_ACQUIRE) != 1) rt->unshare(*this);
    return p_.box->numbers;
  }

 private:
  bool boxed() const { return kind_ >= kInts; }
  Kind kind_ = kNone;
  union Payload {
    int32_t i;
    double r;
    uint32_t ref;
    Box* box;
  } p_{};
};

/// A value as an operand: bits without ownership, so whoever calls keeps the value alive.
struct Arg {
  Arg(int32_t x) : kind(kInt) { p.i = x; }  // NOLINT: operands are written as they are
  Arg(double x) : kind(kReal) { p.r = x; }  // NOLINT
  Arg(const Traced& x) : kind(x.carries() ? kRef : kReal) {  // NOLINT
    if (x.carries()) p.ref = x.ref;
    else p.r = x.v;
  }
  Arg(const Value& x) { __builtin_memcpy(this, &x, sizeof x); }  // NOLINT
  Kind kind;
  union {
    int32_t i;
    double r;
    uint32_t ref;
    void* box;
  } p;
};
static_assert(sizeof(Arg) == sizeof(Value) && sizeof(Value) == 16, "an operand has the bits of a value");

/// One index: kinds as in MIR (all, single, from low on, low to high, a list).
struct Index {
  uint8_t kind;
  int32_t low;
  int32_t high;
  const Value* list;
};
inline Index all() { return {0, 1, 0, nullptr}; }
inline Index single(int32_t i) { return {1, i, 0, nullptr}; }
inline Index from(int32_t low) { return {2, low, 0, nullptr}; }
inline Index between(int32_t low, int32_t high) { return {3, low, high, nullptr}; }
inline Index list(const Value& at) { return {4, 1, 0, &at}; }

/// On the way into a variable that is assigned to: indexes, or the slot of a tuple (from 1).
struct Step {
  uint32_t slot;
  const Index* at;
  uint32_t n;
};

/// How a statement ended.
enum class Flow : uint8_t { Next, Break, Continue, Return };

// ---------------------------------------------------------------- a run

/// A library function: an element-wise map of scalars, or any other.
struct Function {
  const void* map;
  const void* builtin;
  uint32_t code;  // of the map
};

/// A scalar result d and its derivatives by a and, unless that is kNoRef, by b (autodiff/tape/record/trail.h).
struct TrailStep {
  uint32_t d, a, b;
  double da, db;
};

/// Of an evaluation with derivatives: where its numbers lie, and room for results of scalar operations, one step for each.
struct Trail {
  const double* pools[4];  // by the two upper bits of a reference
  TrailStep* steps;
  double* results;  // result k is number first + k
  uint32_t first;
  uint32_t used;
  uint32_t room;
  uint64_t* path;  // a hash of what comparisons said
};

/// In the word that says what a density drops, beside the bits of the operands that count.
inline constexpr uint32_t kDrops = 1u << 31;

struct Context {
  void* machine;
  const void* code;           // the program
  uint32_t* site;             // place of the statement that runs
  const unsigned char* stop;  // set by others to end the run; may be null
  double* target;
  Trail* trail;               // null in a plain evaluation
  const uint32_t* sites;      // places of the program's statements, as this code numbers them
  const Function* functions;  // library functions, as this code numbers them
  uint64_t active;            // arguments that carry derivatives (mir/analysis/activity.h)
  bool propto;
  bool jacobian;
};

/// A statement in machine code. `variables`: names of what it reads and assigns, in the order of its slots.
struct Region {
  uint32_t statement;  // its number (mir/analysis/statement_numbers.h)
  Flow (*run)(Context& c, Value* const* slots);
  Flow (*traced)(Context& c, Value* const* slots);  // the same with derivatives; may be null
  const char* const* variables;
  uint32_t count;
};

/// A function of the program: reads its arguments, assigns the result.
struct UserFunction {
  uint32_t index;  // among the functions of the program
  void (*run)(Context& c, const Value* arguments, Value& result);
  void (*traced)(Context& c, const Value* arguments, Value& result);
};

/// Numbers of an operand or a result, in the layout of a value. `dims`: of arrays, outermost first, then those of the element
/// (a vector's size, or rows and columns of a matrix).
struct ExternalNumbers {
  const int32_t* ints;  // of an int or an array of them, else null
  const double* reals;
  const uint32_t* dims;
};

/// How a function in a header ended: with a result, with a point that it refuses, or with what no other point mends.
enum class Ending : uint8_t { Done, Refused, Failed };

/// One call of a function that a header in C++ defines. Nothing is thrown through it. A tuple is as many operands
/// or results as it has slots. What functions add to target is one more result, a real, what target is before them one more operand.
struct ExternalCall {
  const ExternalNumbers* operands;
  bool flag;                 // propto of densities and of `_lp`, jacobian of `_jacobian`
  const double* adjoints;    // of the reals of all results, in order; for pulling back alone
  double* const* gradients;  // by operand: what their products with the partials are added to, or null
  void* host;                // what the functions below are about
  void (*result)(void* host, const ExternalNumbers& numbers);  // once for each
  void (*print)(void* host, const char* text, uint64_t size);
  void (*message)(void* host, const char* text);
  void (*reads_target)(void* host);  // tells that what was there before matters
  // Of functions `_rng` alone: 64 random bits, and a draw of a library function; its result is null, or what is wrong with the operands.
  uint64_t (*bits)(void* host);
  const char* (*draw)(void* host, const char* function, const double* x, uint64_t n, double* out);
};

/// A function of the program that a header in C++ defines. `pull_back` is null where it takes no numbers with derivatives.
struct ExternalFunction {
  uint32_t index;  // among the functions of the program
  Ending (*value)(const ExternalCall& call);
  Ending (*pull_back)(const ExternalCall& call);
};

/// A library function that is used, and with how many operands if all are numbers; else 0.
struct FunctionName {
  const char* name;
  uint32_t scalars;
};

/// What a file of machine code exports, as `fermiac_native_module`.
struct Module {
  uint32_t abi;
  const char* program;  // what it was made of, as a sum over the text
  const FunctionName* functions;
  uint32_t function_count;
  const uint32_t* sites;  // numbers of statements
  uint32_t site_count;
  const Region* regions;
  uint32_t region_count;
  const UserFunction* user_functions;
  uint32_t user_function_count;
  const ExternalFunction* external_functions;
  uint32_t external_function_count;
  void (*load)(const Runtime* runtime);
};

// ---------------------------------------------------------------- places, loops, calls

[[gnu::always_inline]] inline void at(Context& c, uint32_t site) { *c.site = c.sites[site]; }
[[gnu::always_inline]] inline void poll(Context& c) {
  if (c.stop && __atomic_load_n(c.stop, __ATOMIC_RELAXED)) [[unlikely]] rt->interrupted();
}

/// Calls a user function; the place of the caller is back where it returns.
class Call {
 public:
  Call(Context& caller, const char* function, bool propto, uint64_t active) : context(caller), site_(*caller.site) {
    rt->enter(context, function);
    context.propto = propto && caller.propto;
    context.active = active;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { rt->leave(context); }
  void back() const { *context.site = site_; }
  Context context;

 private:
  uint32_t site_;
};
/// Of type T; a constructor, so that the arguments can stand in braces.
template <class T>
struct Result {
  template <class F, class... A>
  Result(Context& c, const char* name, bool propto, uint64_t active, F function, const A&... arguments)
      : Result(Call(c, name, propto, active), function, arguments...) {}
  template <class F, class... A>
  Result(Call&& call, F function, const A&... arguments) : value(function(call.context, arguments...)) {
    call.back();
  }
  T value;
};
template <>
struct Result<void> {
  template <class F, class... A>
  Result(Context& c, const char* name, bool propto, uint64_t active, F function, const A&... arguments) {
    Call call(c, name, propto, active);
    function(call.context, arguments...);
    call.back();
  }
};

using Args = std::initializer_list<Arg>;
/// Operands of a function of numbers.
template <class R>
struct NumbersOf {
  using List = Args;
};
template <>
struct NumbersOf<Traced> {
  using List = std::initializer_list<Traced>;
};
template <class R>
using Numbers = typename NumbersOf<R>::List;

inline Value call(Context& c, uint32_t function, uint32_t propto, Args x) {
  Value out;
  rt->call(out, c, c.functions[function], propto, x.begin(), x.size());
  return out;
}
inline Value interpret(Context& c, uint32_t function, bool propto, uint64_t active, Args x) {
  Value out;
  rt->interpret(out, c, function, propto, active, x.begin(), x.size());
  return out;
}
/// Of numbers: a number.
template <class R>
R scalar(Context& c, uint32_t function, uint32_t propto, Numbers<R> x) {
  if constexpr (__is_same(R, double)) {
    return rt->scalar(c, c.functions[function], propto, x.begin(), x.size());
  } else {
    Traced out;
    rt->traced_scalar(out, c, c.functions[function], propto, x.begin(), x.size());
    return out;
  }
}

// ---------------------------------------------------------------- numbers

template <class T>
constexpr bool kTraced = __is_same(T, Traced);

/// A real of which only a comparison is made: whether it carries derivatives counts, they do not.
template <class R>
struct SeenAs {
  using Type = R;
};
struct SeenTraced {
  SeenTraced(double value) : v(value) {}                                // NOLINT: as Traced
  SeenTraced(const Traced& x) : v(x.v), carries_(x.carries()) {}        // NOLINT
  SeenTraced(double value, bool c) : v(value), carries_(c) {}
  bool carries() const { return carries_; }
  double v;
  bool carries_ = false;
};
template <>
struct SeenAs<Traced> {
  using Type = SeenTraced;
};
template <class R>
using Seen = typename SeenAs<R>::Type;
template <class T>
constexpr bool kSeen = __is_same(T, SeenTraced);

/// Two operands of an int or real operator.
template <class T>
struct Two {
  template <class X, class Y>
  [[gnu::always_inline]] Two(const X& a, const Y& b) : x(a), y(b) {}
  T x, y;
};

/// A value that is a number.
template <class R>
R real(Context&, const Value& x) {
  return x.as_real();
}
/// The number that a reference names. Constants carry no derivatives.
[[gnu::always_inline]] inline Traced number_at(const Context& c, uint32_t ref) {
  return {c.trail->pools[ref >> 30][ref & 0x3fffffff], ref >> 31 ? kNoRef : ref};
}
template <>
inline Traced real<Traced>(Context& c, const Value& x) {
  return x.kind() == kRef ? number_at(c, x.as_ref()) : Traced(x.as_real());
}

/// A result with its derivatives by x, and by y.
[[gnu::always_inline]] inline Traced result(Context& c, double value, const Traced& x, double dx, const Traced& y, double dy) {
  Trail& t = *c.trail;
  if (t.used == t.room) [[unlikely]] rt->more(c);
  const uint32_t k = t.used++;
  t.steps[k] = {t.first + k, x.ref, y.ref, dx, dy};
  t.results[k] = value;
  return {value, t.first + k};
}
[[gnu::always_inline]] inline Traced result(Context& c, double value, const Traced& x, double dx) {
  return result(c, value, x, dx, {}, 0);
}
/// The same of operands not both of which carry any.
[[gnu::always_inline]] inline Traced joined(Context& c, double value, const Traced& x, double dx, const Traced& y, double dy) {
  if (!x.carries()) return y.carries() ? result(c, value, y, dy) : Traced(value);
  return result(c, value, x, dx, y, dy);
}
/// An operand that leaves the other as it is.
inline bool is_data(const Traced& x, double value) { return !x.carries() && x.v == value; }

inline SeenTraced sum(Context&, const SeenTraced& x, const SeenTraced& y) { return {x.v + y.v, x.carries() || y.carries()}; }
inline SeenTraced difference(Context&, const SeenTraced& x, const SeenTraced& y) { return {x.v - y.v, x.carries() || y.carries()}; }
inline SeenTraced product(Context&, const SeenTraced& x, const SeenTraced& y) { return {x.v * y.v, x.carries() || y.carries()}; }
inline SeenTraced quotient(Context&, const SeenTraced& x, const SeenTraced& y) { return {x.v / y.v, x.carries() || y.carries()}; }
inline Traced sum(Context& c, const Traced& x, const Traced& y) {
  if (is_data(y, 0)) return x;
  return is_data(x, 0) ? y : joined(c, x.v + y.v, x, 1, y, 1);
}
inline Traced difference(Context& c, const Traced& x, const Traced& y) {
  return is_data(y, 0) ? x : joined(c, x.v - y.v, x, 1, y, -1);
}
inline Traced product(Context& c, const Traced& x, const Traced& y) {
  if (is_data(y, 1)) return x;
  return is_data(x, 1) ? y : joined(c, x.v * y.v, x, y.v, y, x.v);
}
inline Traced quotient(Context& c, const Traced& x, const Traced& y) {
  if (is_data(y, 1)) return x;
  const double v = x.v / y.v;
  return joined(c, v, x, 1 / y.v, y, -v / y.v);
}

/// Overflow of ints wraps.
constexpr int32_t wrap(uint32_t x) { return static_cast<int32_t>(x); }

template <class T>
[[gnu::always_inline]] inline T add([[maybe_unused]] Context& c, const Two<T>& p) {
  if constexpr (kTraced<T> || kSeen<T>) return sum(c, p.x, p.y);
  else if constexpr (__is_same(T, double)) return p.x + p.y;
  else return wrap(static_cast<uint32_t>(p.x) + static_cast<uint32_t>(p.y));
}
template <class T>
[[gnu::always_inline]] inline T subtract([[maybe_unused]] Context& c, const Two<T>& p) {
  if constexpr (kTraced<T> || kSeen<T>) return difference(c, p.x, p.y);
  else if constexpr (__is_same(T, double)) return p.x - p.y;
  else return wrap(static_cast<uint32_t>(p.x) - static_cast<uint32_t>(p.y));
}
template <class T>
[[gnu::always_inline]] inline T multiply([[maybe_unused]] Context& c, const Two<T>& p) {
  if constexpr (kTraced<T> || kSeen<T>) return product(c, p.x, p.y);
  else if constexpr (__is_same(T, double)) return p.x * p.y;
  else return wrap(static_cast<uint32_t>(p.x) * static_cast<uint32_t>(p.y));
}
inline int32_t quotient(int32_t x, int32_t y) {
  if (y == 0) [[unlikely]] rt->division_by_zero("divide");
  return static_cast<int32_t>(static_cast<int64_t>(x) / y);
}
template <class T>
[[gnu::always_inline]] inline T divide([[maybe_unused]] Context& c, const Two<T>& p) {
  if constexpr (kTraced<T> || kSeen<T>) return quotient(c, p.x, p.y);
  else if constexpr (__is_same(T, double)) return p.x / p.y;
  else return quotient(p.x, p.y);
}
template <class T>
[[gnu::always_inline]] inline int32_t modulus(Context&, const Two<T>& p) {
  if (p.y == 0) [[unlikely]] rt->division_by_zero("modulus");
  return static_cast<int32_t>(static_cast<int64_t>(p.x) % p.y);
}
template <class T>
[[gnu::always_inline]] inline T minus([[maybe_unused]] Context& c, const T& x) {
  if constexpr (kTraced<T>) return x.carries() ? result(c, -x.v, x, -1) : Traced(-x.v);
  else if constexpr (kSeen<T>) return {-x.v, x.carries()};
  else if constexpr (__is_same(T, double)) return -x;
  else return wrap(0u - static_cast<uint32_t>(x));
}
template <class T>
[[gnu::always_inline]] inline T square([[maybe_unused]] Context& c, const T& x) {
  if constexpr (kTraced<T>) return x.carries() ? result(c, x.v * x.v, x, 2 * x.v) : Traced(x.v * x.v);
  else if constexpr (kSeen<T>) return {x.v * x.v, x.carries()};
  else return x * x;
}

/// holds(x, y) of two numbers.
template <class T, class Holds>
[[gnu::always_inline]] inline int32_t compare([[maybe_unused]] Context& c, const Two<T>& p, Holds holds) {
  if constexpr (kTraced<T> || kSeen<T>) {
    const bool outcome = holds(p.x.v, p.y.v);
    if (p.x.carries() || p.y.carries()) *c.trail->path = (*c.trail->path ^ outcome) * 0x100000001b3;
    return outcome;
  } else {
    return holds(p.x, p.y);
  }
}
struct Less { bool operator()(double x, double y) const { return x < y; } };
struct LessOrEqual { bool operator()(double x, double y) const { return x <= y; } };
struct Greater { bool operator()(double x, double y) const { return x > y; } };
struct GreaterOrEqual { bool operator()(double x, double y) const { return x >= y; } };
struct Equal { bool operator()(double x, double y) const { return x == y; } };
struct NotEqual { bool operator()(double x, double y) const { return x != y; } };

// ---------------------------------------------------------------- elements

[[gnu::noinline, gnu::cold, noreturn]] inline void fail_index(const char* name, int32_t index, uint32_t size) {
  rt->index_error(name, index, size);
  __builtin_unreachable();
}
/// What a container of plain numbers keeps.
constexpr int32_t stored(int32_t x) { return x; }
constexpr double stored(double x) { return x; }
inline double stored(const Traced& x) { return x.v; }

/// An index from 1 as an offset from 0.
[[gnu::always_inline]] inline uint32_t checked(const char* name, int32_t index, uint32_t size) {
  const uint32_t offset = static_cast<uint32_t>(index) - 1;
  if (offset >= size) [[unlikely]] fail_index(name, index, size);
  return offset;
}

template <class T>
constexpr Kind kKindOf = __is_same(T, int32_t) ? kInts : kReals;

/// Where the numbers of a container lie: Rank array dimensions around scalars (Inner 0), vectors or row vectors (1), matrices
/// (2, which are column-major). Good for as long as nothing else changes the container.
template <class T, int Rank, int Inner>
class View {
 public:
  [[gnu::always_inline]] explicit View(const Value& x) { look(x); }

  template <class... I>
  [[gnu::always_inline]] T get([[maybe_unused]] Context& c, const char* name, I... i) const {
    const uint32_t at = offset(name, i...);
    if constexpr (kTraced<T>)
      if (kind_ == kRefs) return number_at(c, static_cast<const uint32_t*>(numbers_)[at]);
    return static_cast<const Stored*>(numbers_)[at];
  }

 protected:
  using Stored = decltype(stored(T()));

  /// Without numbers of this kind no index is in range.
  [[gnu::always_inline]] void look(const Value& x) {
    kind_ = x.kind();
    if (kind_ != kKindOf<T> && !(kTraced<T> && kind_ == kRefs)) return;
    numbers_ = x.numbers();
    const Shape& s = x.shape();
    for (int k = 0; k < Rank; ++k) sizes_[k] = s.dims[k];
    if constexpr (Inner == 1) sizes_[Rank] = s.rows * s.cols;
    if constexpr (Inner == 2) sizes_[Rank] = s.rows, sizes_[Rank + 1] = s.cols;
  }
  template <class... I>
  [[gnu::always_inline]] uint32_t offset(const char* name, I... i) const {
    const int32_t index[] = {i...};
    uint32_t o = 0;
    for (int k = 0; k < Rank; ++k) o = o * sizes_[k] + checked(name, index[k], sizes_[k]);
    if constexpr (Inner == 1) o = o * sizes_[Rank] + checked(name, index[Rank], sizes_[Rank]);
    if constexpr (Inner == 2) {
      const uint32_t row = checked(name, index[Rank], sizes_[Rank]);
      o = (o * sizes_[Rank + 1] + checked(name, index[Rank + 1], sizes_[Rank + 1])) * sizes_[Rank] + row;
    }
    return o;
  }

  Kind kind_ = kNone;
  void* numbers_ = nullptr;
  uint32_t sizes_[Rank + Inner] = {};
};

/// The same of one that is written to: it has one owner from then on.
template <class T, int Rank, int Inner>
class Writer : public View<T, Rank, Inner> {
 public:
  [[gnu::always_inline]] explicit Writer(Value& x) : View<T, Rank, Inner>(x), x_(x) {
    if (this->numbers_) x.own(), this->look(x);
  }
  template <class... I>
  [[gnu::always_inline]] void set([[maybe_unused]] Context& c, const char* name, const T& value, I... i) {
    const uint32_t at = this->offset(name, i...);
    if constexpr (kTraced<T>) {
      if (this->kind_ == kRefs || value.carries()) return set_traced(c, at, value);
    }
    static_cast<typename View<T, Rank, Inner>::Stored*>(this->numbers_)[at] = stored(value);
  }

 private:
  void set_traced(Context& c, uint32_t at, const Traced& value) {
    if (this->kind_ == kRefs && value.carries()) {
      static_cast<uint32_t*>(this->numbers_)[at] = value.ref;
    } else {
      rt->set_traced(c, x_, at, value);
      this->look(x_);
    }
  }
  Value& x_;
};

template <class T, int Rank, int Inner, class... I>
[[gnu::always_inline]] inline T element(Context& c, const char* name, const Value& x, I... i) {
  return View<T, Rank, Inner>(x).get(c, name, i...);
}
template <class T, int Rank, int Inner, class... I>
[[gnu::always_inline]] inline void set_element(Context& c, const char* name, Value& x, const T& value, I... i) {
  Writer<T, Rank, Inner>(x).set(c, name, value, i...);
}

// ---------------------------------------------------------------- parts and whole containers

inline Value array_element(const char* name, const Value& x, std::initializer_list<int32_t> at) {
  Value out;
  rt->element(out, x, name, at.begin(), at.size());
  return out;
}
inline Value part(const char* name, const Value& x, std::initializer_list<Index> at) {
  Value out;
  rt->part(out, x, name, at.begin(), at.size());
  return out;
}
inline void assign(const char* name, Value& to, Value from) { rt->assign(to, from, name); }
template <class... S>
void assign_part(Context& c, const char* name, Value& to, const Arg& from, const S&... steps) {
  const Step all[] = {steps...};
  rt->assign_part(c, to, from, name, all, sizeof...(S));
}
/// A step by indexes, which live as long as this does.
template <int N>
struct Into {
  Index at[N];
  operator Step() const { return {0, at, N}; }  // NOLINT: stands for the step
};
inline Step into_slot(uint32_t slot) { return {slot, nullptr, 0}; }

/// A declared container before anything is assigned to it.
template <uint8_t Base, class... D>
Value fill(int32_t rows, int32_t cols, D... dims) {
  const int32_t all[] = {dims..., 0};
  Value out;
  rt->fill(out, Base, all, sizeof...(D), rows, cols);
  return out;
}
/// What a declaration gives at once.
template <uint8_t Base, class... D>
Value declared(const char* name, Value from, int32_t rows, int32_t cols, D... dims) {
  const int32_t all[] = {dims..., 0};
  rt->check_declared(from, name, Base, all, sizeof...(D), rows, cols);
  return from;
}
/// 0: any size that is not negative, 1: of a simplex, 2: of a unit vector. `text` is the size as the program has it.
inline void check_size(uint8_t kind, const char* name, const char* text, int32_t n) {
  if (n < kind) [[unlikely]] rt->size_error(kind, name, text, n);
}
inline Value tuple(Args slots) {
  Value out;
  rt->tuple(out, slots.begin(), slots.size());
  return out;
}
template <class... D>
Value tuples(const Value& one, D... dims) {
  const int32_t all[] = {dims...};
  Value out;
  rt->tuples(out, one, all, sizeof...(D));
  return out;
}
inline Value slot(const Value& x, uint32_t number) {
  Value out;
  rt->slot(out, x, number);
  return out;
}
inline Value array(Context& c, Args items) {
  Value out;
  rt->array(c, out, items.begin(), items.size());
  return out;
}
template <bool Matrix, bool Complex>
Value row(Context& c, Args items) {
  Value out;
  rt->row(c, out, Matrix, Complex, items.begin(), items.size());
  return out;
}
inline Value imaginary(double x) {
  Value out;
  rt->complex(out, 0, x);
  return out;
}
template <uint8_t Base>
Value promote(Context& c, const Arg& x) {
  Value out;
  rt->promote(c, out, x, Base);
  return out;
}
template <class T>
int32_t length(const T& x) {
  return rt->length(Arg(x));
}

// ---------------------------------------------------------------- target and text

template <class R>
void add_to_target(Context& c, const Arg& x) {
  if constexpr (kTraced<R>) rt->target(c, x);
  else *c.target += x.kind == kReal ? x.p.r : x.kind == kInt ? x.p.i : rt->sum(x);
}
/// target += f(x), with the partials at once.
template <class R>
void scalar_to_target(Context& c, uint32_t function, uint32_t propto, Numbers<R> x) {
  if constexpr (kTraced<R>) rt->scalar_to_target(c, c.functions[function], propto, x.begin(), x.size());
  else *c.target += scalar<R>(c, function, propto, x);
}
template <class R>
void call_to_target(Context& c, uint32_t function, uint32_t propto, Args x) {
  if constexpr (kTraced<R>) rt->call_to_target(c, c.functions[function], propto, x.begin(), x.size());
  else add_to_target<R>(c, call(c, function, propto, x));
}
template <class R>
R target(Context& c) {
  if constexpr (kTraced<R>) {
    Traced out;
    rt->target_value(out, c);
    return out;
  } else {
    return *c.target;
  }
}

/// A part of what is printed: text as it is, or a value.
struct Piece {
  Piece(const char* literal) : text(literal), value(0) {}  // NOLINT: pieces are written as they are
  Piece(const Arg& x) : text(nullptr), value(x) {}          // NOLINT
  Piece(const Value& x) : text(nullptr), value(x) {}        // NOLINT
  Piece(int32_t x) : text(nullptr), value(x) {}             // NOLINT
  Piece(double x) : text(nullptr), value(x) {}              // NOLINT
  Piece(const Traced& x) : text(nullptr), value(x) {}       // NOLINT
  const char* text;
  Arg value;
};
template <uint8_t What>
void say(Context& c, std::initializer_list<Piece> pieces) {
  rt->say(c, What, pieces.begin(), pieces.size());
}
[[noreturn]] inline void no_result(const char* function) {
  rt->no_result(function);
  __builtin_unreachable();
}

}  // namespace fermiac::native
