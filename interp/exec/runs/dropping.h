// What a call in the text of a program leaves out of a density.
#pragma once

#include "interp/exec/runs/frame.h"

namespace fermiac::interp {

class Dropping {
 public:
  Dropping() = default;
  /// `drops`: the call is one by `~`, of `_lupdf` or of `_lupmf`.
  Dropping(bool drops, mir::ActiveOperands operands) : drops_(drops), operands_(std::move(operands)) {}
  /// Of a library function.
  ad::Propto operator()(const Frame& f) const {
    if (!drops_ || !f.propto) return {};
    return ad::Propto::counting(static_cast<std::uint32_t>(operands_(f.active)) & ~ad::Propto::kDrops);
  }
  /// Of a function of the program.
  CallActivity activity(const Frame& f) const { return {drops_, operands_(f.active)}; }

 private:
  bool drops_ = false;
  mir::ActiveOperands operands_;
};

}  // namespace fermiac::interp
