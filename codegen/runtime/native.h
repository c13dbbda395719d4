// What emitted C++ sees of the engine: values and their numbers, the place of the statement, and a table of functions for
// everything else. Emitted code has no symbols to be resolved: the program that loads it hands it the table, so one file of
// machine code serves every program of the same version. No other header is needed, so it compiles in a fraction of a second.
//
// Layouts here are those of interp/value/value.h and interp/eval/frame.h; interp/native/runtime.cpp asserts that they agree.
// Functions of the table throw what the interpreter throws; emitted code throws nothing itself.
#pragma once

#include <stdint.h>

namespace fermiac::native {

/// Changes with anything in this file that code and program must agree on.
inline constexpr uint32_t kAbi = 1;

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
  void (*index_error)(const char* name, int64_t index, int64_t size);  // this and the next four do not return
  void (*bad_access)(const char* name);
  void (*division_by_zero)(const char* function);
  void (*no_result)(const char* function);
  void (*interrupted)();
  /// Around a call of a user function: errors where calls nest too deeply.
  void (*enter)(Context& c, const char* function);
  void (*leave)(Context& c);
  double (*scalar)(Context& c, const Function& function, bool propto, const Arg* x, uint32_t n);
  void (*call)(Value& out, Context& c, const Function& function, bool propto, const Arg* x, uint32_t n);
  /// A user function of which there is no machine code.
  void (*interpret)(Value& out, Context& c, uint32_t function, bool propto, const Arg* x, uint32_t n);
  void (*part)(Value& out, const Value& x, const char* name, const Index* at, uint32_t n);
  void (*element)(Value& out, const Value& x, const char* name, const int32_t* at, uint32_t n);
  void (*assign)(Value& to, Value& from, const char* name);
  void (*assign_part)(Value& to, const Arg& from, const char* name, const Step* steps, uint32_t n);
  void (*fill)(Value& out, uint8_t base, const int32_t* dims, uint32_t n, int32_t rows, int32_t cols);
  void (*check_declared)(const Value& x, const char* name, uint8_t base, const int32_t* dims, uint32_t n, int32_t rows,
                         int32_t cols);
  /// Of a size below the least one; kinds as the check_size below has them.
  void (*size_error)(uint8_t kind, const char* name, const char* text, int32_t n);
  void (*tuple)(Value& out, const Arg* slots, uint32_t n);
  void (*tuples)(Value& out, const Value& tuple, const int32_t* dims, uint32_t n);
  void (*slot)(Value& out, const Value& tuple, uint32_t slot);
  void (*array)(Value& out, const Arg* items, uint32_t n);
  void (*row)(Value& out, bool matrix, bool complex, const Arg* items, uint32_t n);
  void (*complex)(Value& out, double re, double im);
  void (*promote)(Value& out, const Arg& x, uint8_t base);
  int32_t (*length)(const Arg& x);
  double (*sum)(const Arg& x);
  /// Prints what stands in the pieces, or throws it (0 print, 1 reject, 2 fatal_error).
  void (*say)(Context& c, uint8_t what, const Piece* pieces, uint32_t n);
};

/// Set when the code is loaded.
static const Runtime* rt = nullptr;

class Value {
 public:
  Value() = default;
  Value(int32_t x) : kind_(kInt) { p_.i = x; }   // NOLINT: as interp::Value
  Value(double x) : kind_(kReal) { p_.r = x; }  // NOLINT
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
  Arg(const Value& x) { __builtin_memcpy(this, &x, sizeof x); }  // NOLINT
  Kind kind;
  union {
    int32_t i;
    double r;
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
};

struct Context {
  void* machine;
  const void* code;           // the program
  uint32_t* site;             // place of the statement that runs
  const unsigned char* stop;  // set by others to end the run; may be null
  double* target;
  const uint32_t* sites;      // places of the program's statements, as this code numbers them
  const Function* functions;  // library functions, as this code numbers them
  bool propto;
  bool jacobian;
};

/// A statement in machine code. `variables`: names of what it reads and assigns, in the order of its slots.
struct Region {
  uint32_t statement;  // its number (mir/analysis/statement_numbers.h)
  Flow (*run)(Context& c, Value* const* slots);
  const char* const* variables;
  uint32_t count;
};

/// A function of the program: reads its arguments, assigns the result.
struct UserFunction {
  uint32_t index;  // among the functions of the program
  void (*run)(Context& c, const Value* arguments, Value& result);
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
  Call(Context& caller, const char* function, bool propto) : context(caller) {
    rt->enter(context, function);
    context.propto = propto && caller.propto;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { rt->leave(context); }
  Context context;
};
template <class F, class... A>
auto invoke(Context& c, const char* name, bool propto, F function, const A&... arguments) {
  const uint32_t site = *c.site;
  Call call(c, name, propto);
  if constexpr (__is_same(decltype(function(call.context, arguments...)), void)) {
    function(call.context, arguments...);
    *c.site = site;
  } else {
    auto result = function(call.context, arguments...);
    *c.site = site;
    return result;
  }
}

template <class... A>
Value call(Context& c, uint32_t function, bool propto, const A&... x) {
  const Arg args[sizeof...(A) + 1] = {Arg(x)..., Arg(0)};
  Value out;
  rt->call(out, c, c.functions[function], propto, args, sizeof...(A));
  return out;
}
template <class... A>
Value interpret(Context& c, uint32_t function, bool propto, const A&... x) {
  const Arg args[sizeof...(A) + 1] = {Arg(x)..., Arg(0)};
  Value out;
  rt->interpret(out, c, function, propto, args, sizeof...(A));
  return out;
}
/// Of numbers: a number.
template <class... A>
double scalar(Context& c, uint32_t function, bool propto, A... x) {
  const Arg args[] = {Arg(x)...};
  return rt->scalar(c, c.functions[function], propto, args, sizeof...(A));
}

// ---------------------------------------------------------------- numbers

/// Overflow wraps.
constexpr int32_t wrap(uint32_t x) { return static_cast<int32_t>(x); }
constexpr int32_t add(int32_t x, int32_t y) { return wrap(static_cast<uint32_t>(x) + static_cast<uint32_t>(y)); }
constexpr int32_t subtract(int32_t x, int32_t y) { return wrap(static_cast<uint32_t>(x) - static_cast<uint32_t>(y)); }
constexpr int32_t multiply(int32_t x, int32_t y) { return wrap(static_cast<uint32_t>(x) * static_cast<uint32_t>(y)); }
constexpr int32_t minus(int32_t x) { return wrap(0u - static_cast<uint32_t>(x)); }
inline int32_t divide(int32_t x, int32_t y) {
  if (y == 0) [[unlikely]] rt->division_by_zero("divide");
  return static_cast<int32_t>(static_cast<int64_t>(x) / y);
}
inline int32_t modulus(int32_t x, int32_t y) {
  if (y == 0) [[unlikely]] rt->division_by_zero("modulus");
  return static_cast<int32_t>(static_cast<int64_t>(x) % y);
}
constexpr double square(double x) { return x * x; }

// ---------------------------------------------------------------- elements

[[gnu::noinline, gnu::cold, noreturn]] inline void fail_index(const char* name, int32_t index, uint32_t size) {
  rt->index_error(name, index, size);
  __builtin_unreachable();
}
[[gnu::noinline, gnu::cold, noreturn]] inline void fail_access(const char* name) {
  rt->bad_access(name);
  __builtin_unreachable();
}
/// An index from 1 as an offset from 0.
[[gnu::always_inline]] inline uint32_t checked(const char* name, int32_t index, uint32_t size) {
  const uint32_t offset = static_cast<uint32_t>(index) - 1;
  if (offset >= size) [[unlikely]] fail_index(name, index, size);
  return offset;
}

/// Where x[i, j, …] lies: Rank array dimensions around scalars (Inner 0), vectors or row vectors (1), matrices (2, which
/// are column-major).
template <int Rank, int Inner>
[[gnu::always_inline]] inline uint32_t offset(const char* name, const Shape& s, const int32_t* index) {
  uint32_t o = 0;
  for (int k = 0; k < Rank; ++k) o = o * s.dims[k] + checked(name, index[k], s.dims[k]);
  if constexpr (Inner == 1) {
    const uint32_t n = s.rows * s.cols;
    o = o * n + checked(name, index[Rank], n);
  }
  if constexpr (Inner == 2) {
    const uint32_t row = checked(name, index[Rank], s.rows);
    o = (o * s.cols + checked(name, index[Rank + 1], s.cols)) * s.rows + row;
  }
  return o;
}
template <class T>
constexpr Kind kKindOf = __is_same(T, double) ? kReals : kInts;

template <class T, int Rank, int Inner, class... I>
[[gnu::always_inline]] inline T element(const char* name, const Value& x, I... i) {
  const int32_t index[] = {i...};
  if (x.kind() != kKindOf<T>) [[unlikely]] fail_access(name);
  return static_cast<const T*>(x.numbers())[offset<Rank, Inner>(name, x.shape(), index)];
}
template <class T, int Rank, int Inner, class... I>
[[gnu::always_inline]] inline void set_element(const char* name, Value& x, T value, I... i) {
  const int32_t index[] = {i...};
  if (x.kind() != kKindOf<T>) [[unlikely]] fail_access(name);
  T* numbers = static_cast<T*>(x.own());
  numbers[offset<Rank, Inner>(name, x.shape(), index)] = value;
}

// ---------------------------------------------------------------- parts and whole containers

template <class... I>
Value array_element(const char* name, const Value& x, I... i) {
  const int32_t index[] = {i...};
  Value out;
  rt->element(out, x, name, index, sizeof...(I));
  return out;
}
template <class... I>
Value part(const char* name, const Value& x, const I&... at) {
  const Index index[] = {at...};
  Value out;
  rt->part(out, x, name, index, sizeof...(I));
  return out;
}
inline void assign(const char* name, Value& to, Value from) { rt->assign(to, from, name); }
template <class... S>
void assign_part(const char* name, Value& to, const Arg& from, const S&... steps) {
  const Step all[] = {steps...};
  rt->assign_part(to, from, name, all, sizeof...(S));
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
template <class... A>
Value tuple(const A&... slots) {
  const Arg all[] = {Arg(slots)...};
  Value out;
  rt->tuple(out, all, sizeof...(A));
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
template <class... A>
Value array(const A&... items) {
  const Arg all[] = {Arg(items)...};
  Value out;
  rt->array(out, all, sizeof...(A));
  return out;
}
template <bool Matrix, bool Complex, class... A>
Value row(const A&... items) {
  const Arg all[sizeof...(A) + 1] = {Arg(items)..., Arg(0)};
  Value out;
  rt->row(out, Matrix, Complex, all, sizeof...(A));
  return out;
}
inline Value imaginary(double x) {
  Value out;
  rt->complex(out, 0, x);
  return out;
}
template <uint8_t Base>
Value promote(const Arg& x) {
  Value out;
  rt->promote(out, x, Base);
  return out;
}
template <class T>
int32_t length(const T& x) {
  return rt->length(Arg(x));
}

// ---------------------------------------------------------------- target and text

inline void add_to_target(Context& c, const Arg& x) { *c.target += rt->sum(x); }

/// A part of what is printed: text as it is, or a value.
struct Piece {
  Piece(const char* literal) : text(literal), value(0) {}  // NOLINT: pieces are written as they are
  Piece(const Arg& x) : text(nullptr), value(x) {}          // NOLINT
  Piece(const Value& x) : text(nullptr), value(x) {}        // NOLINT
  Piece(int32_t x) : text(nullptr), value(x) {}             // NOLINT
  Piece(double x) : text(nullptr), value(x) {}              // NOLINT
  const char* text;
  Arg value;
};
template <uint8_t What, class... P>
void say(Context& c, const P&... pieces) {
  const Piece all[sizeof...(P) + 1] = {Piece(pieces)..., Piece("")};
  rt->say(c, What, all, sizeof...(P));
}
[[noreturn]] inline void no_result(const char* function) {
  rt->no_result(function);
  __builtin_unreachable();
}

}  // namespace fermiac::native
