// Errors of a run as the status of an evaluation.
#pragma once

#include "interp/exec/runs/frame.h"
#include "interp/io/data.h"
#include "interp/model/interp_model.h"
#include "support/base/errors.h"
#include "support/base/memory.h"

namespace fermiac::interp {

/// Runs `body` on the machine; how it ended, with the place of the statement where it stopped.
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
  } catch (const DataError& e) {
    return {EvalStatus::Kind::Fatal, e.what()};
  }
  return {};
}

}  // namespace fermiac::interp
