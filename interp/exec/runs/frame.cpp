#include "interp/exec/runs/frame.h"

#include <algorithm>

#include <fmt/format.h>

#include "support/base/check.h"
#include "support/base/errors.h"
#include "support/platform/stack.h"

namespace fermiac::interp {

Value* FrameStack::take(std::size_t n) {
  constexpr std::size_t kChunk = 1024;
  while (current_ < chunks_.size() && chunks_[current_].size - chunks_[current_].used < n) ++current_;
  if (current_ == chunks_.size()) {
    const std::size_t size = std::max(n, kChunk);
    chunks_.push_back({std::make_unique<Value[]>(size), size, 0});
  }
  Chunk& chunk = chunks_[current_];
  Value* slots = chunk.values.get() + chunk.used;
  chunk.used += n;
  return slots;
}

void Machine::enter(std::string_view function) {
  constexpr int kMaxDepth = 1000;
  poll();
  if (depth >= kMaxDepth) throw ad::FatalError(fmt::format("{}: calls nest deeper than {}", function, kMaxDepth));
  if (stack_runs_out()) throw ad::FatalError(fmt::format("{}: calls nest too deeply for the stack of this thread", function));
  ++depth;
}

void FrameStack::give_back(Value* slots, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) slots[i] = Value();
  while (chunks_[current_].used == 0 && current_ > 0) --current_;
  Chunk& chunk = chunks_[current_];
  FERMIAC_CHECK(chunk.values.get() + chunk.used == slots + n, "frames are given back in stack order");
  chunk.used -= n;
}

}  // namespace fermiac::interp
