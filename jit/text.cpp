// Three-address code as text.
#include <fmt/format.h>

#include "jit/code.h"

namespace fermiac::jit {
namespace {

constexpr const char* kNames[] = {
#define FERMIAC_JIT_NAME(Name, text) text,
    FERMIAC_JIT_OPS(FERMIAC_JIT_NAME)
#undef FERMIAC_JIT_NAME
};
constexpr const char* kSigns[] = {"<", "<=", ">", ">=", "==", "!="};

bool compares(Op op) {
  return op == Op::Test || op == Op::TestInt || op == Op::JumpIf || op == Op::JumpIfInt || op == Op::JumpUnless;
}

std::string operand(const Code& code, Operand x) {
  if (x.is_real_constant()) return fmt::format("{}", code.reals[x.index()]);
  if (x.is_int_constant()) return fmt::format("{}", code.ints[x.index()]);
  return fmt::format("{}{}", code.registers[x.index()] == RegisterKind::Real ? "r" : "i", x.index());
}

std::string list(const Code& code, const Instruction& i) {
  std::string out;
  for (std::uint32_t k = 0; k < i.count; ++k) out += (k > 0 ? ", " : "") + operand(code, code.lists[i.first + k]);
  return out;
}

/// What `at` means, which differs.
std::string place(const Code& code, const Instruction& i) {
  switch (i.op) {
    case Op::Label: case Op::Jump: case Op::JumpIf: case Op::JumpIfInt: case Op::JumpUnless: case Op::JumpUnlessTerms: return fmt::format(" L{}", i.at);
    case Op::LoadReal: case Op::LoadInt: case Op::StoreReal: case Op::StoreInt: return fmt::format(" slot {}", i.at);
    case Op::View: case Op::Element: case Op::ElementInt: case Op::SetElement: case Op::SetElementInt: {
      const View& v = code.views[i.at];
      return fmt::format(" v{} {}{}", i.at, code.names[v.name], i.op == Op::View && v.writes ? " to write" : "");
    }
    case Op::Exit: return fmt::format(" {}", i.at);
    default: return {};
  }
}

std::string line(const Code& code, const Instruction& i) {
  std::string out = i.op == Op::Label ? "" : "  ";
  if (!i.to.is_none()) out += operand(code, i.to) + " = ";
  out += kNames[static_cast<int>(i.op)] + place(code, i);
  if (i.count > 0) out += fmt::format(" [{}]", list(code, i));
  if (!i.a.is_none()) out += " " + operand(code, i.a);
  if (compares(i.op)) out += fmt::format(" {}", kSigns[static_cast<int>(i.condition)]);
  if (!i.b.is_none()) out += " " + operand(code, i.b);
  return out;
}

}  // namespace

std::string to_text(const Code& code) {
  std::string out = code.label + "\n";
  for (const Instruction& i : code.instructions) out += line(code, i) + "\n";
  return out;
}

}  // namespace fermiac::jit
