// Three-address code of a loop or a function body over scalars: what is made of the MIR (interp/exec/lowering/jit_lower.h) and what
// machine code is made of (emit.h). Ints and reals live in virtual registers; containers stay in the slots of the frame and
// are read and written by elements through views. Whatever has no instruction runs as the node of the interpreter that it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fermiac::jit {

/// How the operands of a comparison lie.
enum class Condition : std::uint8_t { Less, LessOrEqual, Greater, GreaterOrEqual, Equal, NotEqual };
constexpr Condition opposite(Condition c) {
  constexpr Condition kOpposite[] = {Condition::GreaterOrEqual, Condition::Greater,  Condition::LessOrEqual,
                                     Condition::Less,           Condition::NotEqual, Condition::Equal};
  return kOpposite[static_cast<int>(c)];
}

// name in dumps
#define FERMIAC_JIT_OPS(X)                                                                                     \
  X(Move, "real") X(MoveInt, "int")               /* to = a */                                                 \
  X(Add, "add") X(Subtract, "subtract") X(Multiply, "multiply") X(Divide, "divide")                            \
  X(Negate, "negate") X(Sqrt, "sqrt") X(Square, "square")                                                      \
  X(AddInt, "add_int") X(SubtractInt, "subtract_int") X(MultiplyInt, "multiply_int")                           \
  X(DivideInt, "divide_int") X(ModulusInt, "modulus_int")  /* fail where b is 0 */                             \
  X(NegateInt, "negate_int") X(ToReal, "to_real")                                                              \
  X(Test, "test") X(TestInt, "test_int")          /* to = a OP b, 1 or 0 */                                    \
  X(Label, "label") X(Jump, "jump")               /* at: the label */                                          \
  X(JumpIf, "jump_if") X(JumpIfInt, "jump_if_int")         /* to label `at` if a OP b */                       \
  X(JumpUnless, "jump_unless")                    /* of reals: a NaN makes the two differ */                   \
  X(JumpUnlessTerms, "jump_unless_terms")         /* unless what the function returns goes straight into target */ \
  X(Poll, "poll")                                 /* ends the run where it is to stop */                       \
  X(LoadReal, "load_real") X(LoadInt, "load_int") /* to = slot `at` */                                         \
  X(StoreReal, "store_real") X(StoreInt, "store_int")      /* slot `at` = a */                                 \
  X(View, "view")                                 /* finds where the numbers of view `at` lie */               \
  X(Element, "element") X(ElementInt, "element_int")       /* to = view `at` [list] */                         \
  X(SetElement, "set_element") X(SetElementInt, "set_element_int")  /* view `at` [list] = a */                 \
  X(Map, "map")                                   /* to = function `pointer` of the list */                    \
  X(MapChecked, "map_checked")                    /* the same of one that may fail */                          \
  X(Target, "target")                             /* target += function `pointer` of the list */              \
  X(EvalReal, "eval_real") X(EvalInt, "eval_int") /* to = the node `pointer` */                                \
  X(Run, "run")                                   /* the statement `pointer` */                                \
  X(Call, "call")                                 /* to = call `at` of a function on the list */               \
  X(ResultReal, "result_real") X(ResultInt, "result_int")  /* the result of the function is a */               \
  X(Exit, "exit")                                 /* ends with Flow `at` */

enum class Op : std::uint8_t {
#define FERMIAC_JIT_ENUMERATOR(Name, ...) Name,
  FERMIAC_JIT_OPS(FERMIAC_JIT_ENUMERATOR)
#undef FERMIAC_JIT_ENUMERATOR
};

constexpr bool is_less(Condition c) { return c == Condition::Less || c == Condition::LessOrEqual; }
/// The condition of exchanged operands, of one that is_less().
constexpr Condition mirrored(Condition c) { return c == Condition::Less ? Condition::Greater : Condition::GreaterOrEqual; }

/// A virtual register, or a constant of the code.
class Operand {
 public:
  constexpr Operand() = default;
  static constexpr Operand reg(std::uint32_t index) { return Operand(index); }
  static constexpr Operand real_constant(std::uint32_t index) { return Operand(index | kReal); }
  static constexpr Operand int_constant(std::uint32_t index) { return Operand(index | kInt); }
  constexpr bool is_none() const { return bits_ == kNone; }
  constexpr bool is_reg() const { return (bits_ & (kReal | kInt)) == 0; }
  constexpr bool is_real_constant() const { return !is_none() && (bits_ & kReal) != 0; }
  constexpr bool is_int_constant() const { return !is_none() && (bits_ & kInt) != 0; }
  constexpr std::uint32_t index() const { return bits_ & ~(kReal | kInt); }
  friend constexpr bool operator==(Operand, Operand) = default;

 private:
  static constexpr std::uint32_t kReal = 1u << 31, kInt = 1u << 30, kNone = 0xffffffff;
  explicit constexpr Operand(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_ = kNone;
};

struct Instruction {
  Op op{};
  Condition condition{};
  bool traced = false;             // what comes from outside may carry derivatives
  bool passive = false;            // only a comparison is made of the result, so it needs none
  std::uint16_t count = 0;         // operands in the list
  std::uint32_t first = 0;         // where they begin (Code::lists)
  Operand to, a, b;
  std::uint32_t at = 0;            // label, slot, view, flow
  std::uint32_t site = 0;          // place of the statement, for what may fail
  const void* pointer = nullptr;   // node, statement or map
};

/// How a container is read and written: `rank` array dimensions around scalars (inner 0), vectors (1) or matrices (2).
struct View {
  std::uint32_t slot = 0;
  std::uint8_t rank = 0, inner = 0;
  bool ints = false;
  bool traced = false;             // its numbers may carry derivatives
  bool writes = false;             // the container has one owner from then on
  std::uint32_t name = 0;          // for messages (Code::names)
};

enum class RegisterKind : std::uint8_t { Int, Real };

struct Code {
  std::string label;               // for symbols and dumps
  std::vector<Instruction> instructions;
  std::vector<RegisterKind> registers;
  std::vector<double> reals;
  std::vector<std::int32_t> ints;
  std::vector<Operand> lists;
  std::vector<View> views;
  std::vector<std::string> names;
  std::uint32_t labels = 0;
};

/// What the code of a unit found to be wrong by itself; nodes throw what they find.
struct Check {
  enum class Kind : std::uint8_t { Index, Division, Modulus, Stop } kind = Kind::Index;
  std::uint32_t name = 0;          // of the container
  std::uint32_t site = 0;
};

/// One instruction a line.
std::string to_text(const Code& code);

}  // namespace fermiac::jit
