// Runs of a program's sections on plain numbers, and the errors of a run as the status of an evaluation.
#pragma once

#include <algorithm>
#include <atomic>
#include <string_view>
#include <vector>

#include "inference/model/model.h"
#include "interp/exec/runs/code.h"
#include "interp/exec/runs/frame.h"
#include "interp/io/data.h"
#include "interp/model/compiled_model.h"
#include "support/base/errors.h"
#include "support/base/memory.h"

namespace fermiac::interp {

/// Runs `body` on the machine. Returns how it ended, with the place of the statement that ended it.
template <class Body>
EvalStatus guarded(const CompiledModel& compiled, const Machine& m, Body body) {
  try {
    ad::with_memory_errors(body);
  } catch (const ad::Interrupted& e) {
    return {EvalStatus::Kind::Interrupted, e.what()};
  } catch (const ad::EvalError& e) {
    const bool structural = dynamic_cast<const ad::SizeError*>(&e) || dynamic_cast<const ad::IndexError*>(&e);
    return {EvalStatus::Kind::Rejected, e.what() + compiled.place(m.site), structural};
  } catch (const ad::FatalError& e) {
    return {EvalStatus::Kind::Fatal, e.what() + compiled.place(m.site)};
  } catch (const InputError& e) {
    return {EvalStatus::Kind::Fatal, e.what()};
  }
  return {};
}

/// A machine with one frame that starts with the program's data.
struct PlainRun {
  PlainRun(const std::vector<Value>& globals, const Section& section, const PrintSink& print, const std::atomic<bool>* stop) {
    m.print = &print;
    m.stop = stop;
    f.slots = m.stack.take(section.slots);
    std::copy(globals.begin(), globals.end(), f.slots);
  }
  Machine m;
  Frame f{.m = m};
};

/// Drops what the program prints.
inline const PrintSink& no_print() {
  static const PrintSink sink = [](std::string_view) {};
  return sink;
}

}  // namespace fermiac::interp
