// Instructions of programs of scalars (program.h). Operators of scalars (scalar_ops.h) name the instruction that they become.
#pragma once

#include <cstdint>

#include "autodiff/ops/list.h"
#include "interp/exec/runs/node.h"
#include "interp/value/int_ops.h"

namespace fermiac::interp {

#define FERMIAC_ELEMENT(Name, ...) Element##Name,
#define FERMIAC_INT(Name, ...) Int##Name,
enum class OpCode : std::uint8_t {
  Copy, CopyInt,                         // to = x
  FERMIAC_OPERATORS(FERMIAC_ENUMERATOR)  // to = x OP y, reals
  FERMIAC_INT_OPERATORS(FERMIAC_INT)     // the same of ints
  // Jumps to label `then` if x OP y, else to label `to`: of reals, of an element and a real, of ints.
  FERMIAC_COMPARISONS(FERMIAC_ENUMERATOR)
  FERMIAC_COMPARISONS(FERMIAC_ELEMENT)
  FERMIAC_COMPARISONS(FERMIAC_INT)
  Unless,                                // jumps to label `to` unless the node holds
  Jump,                                  // to label `to`
  Again,                                 // the same, for the next round of a loop: Machine::poll
  Eval, EvalInt,                         // to = value of the node
  Element,                               // to = the element of a real container
  Run,                                   // the statement; goes on at label x after `break`, at y after `continue`
  Exit                                   // ends with Flow `to`
};
#undef FERMIAC_ELEMENT
#undef FERMIAC_INT

struct Instruction {
  OpCode code{};
  bool passive = false;                  // its result decides a branch and nothing else: no derivatives needed
  bool again = false;                    // a comparison that begins the next round of a loop: Machine::poll
  Site site = kNoSite;
  std::uint32_t to = 0, x = 0, y = 0, then = 0;  // places, or labels
  union {
    const ExprNode* expression = nullptr;
    const StmtNode* statement;           // of Run
    const ElementAccess* element;        // of Element and of comparisons with one
  };
};
static_assert(sizeof(Instruction) == 32);

}  // namespace fermiac::interp
