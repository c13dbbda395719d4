// Values as operands of maps and kernels - plain numbers for the drivers, references for the recorder - and references
// as the value of a result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "autodiff/kernels/kernel.h"
#include "autodiff/kernels/map_op.h"
#include "autodiff/tape/record/recorder.h"
#include "interp/functions/builtin_tools.h"

namespace fermiac::interp {

// ---- plain numbers

/// Operands of a map of n elements; keeps the numbers of scalars, and the reals that were made of ints.
class PlainMapOperands {
 public:
  PlainMapOperands(std::uint32_t n, Args values);
  PlainMapOperands(const PlainMapOperands&) = delete;
  PlainMapOperands& operator=(const PlainMapOperands&) = delete;
  /// All but the results and what is kept.
  const ad::MapArgs& args() const { return args_; }

 private:
  std::array<Value, ad::kMaxMapArity> values_;
  std::array<double, ad::kMaxMapArity> scalars_{};
  ad::MapArgs args_;
};

/// n objects; the few that most calls need are no allocation.
template <class T>
class Room {
 public:
  explicit Room(std::size_t n) : size_(n) {
    if (n <= few_.size()) return;
    many_.resize(n);
    data_ = many_.data();
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  T& operator[](std::size_t i) { return data_[i]; }
  std::span<const T> all() const { return {data_, size_}; }

 private:
  std::size_t size_;
  std::array<T, 3> few_{};
  std::vector<T> many_;
  T* data_ = few_.data();
};

/// Operands of a kernel; keeps the numbers of scalars, while those of containers stay with the values. A FatalError if
/// one is a tuple or on a recording.
class PlainKernelOperands {
 public:
  explicit PlainKernelOperands(Args values);
  std::span<const ad::KernelArg> view() const { return in_.all(); }

 private:
  struct Number {
    double real = 0;
    std::int32_t integer = 0;
  };
  Room<Number> numbers_;
  Room<ad::KernelArg> in_;
};

/// Arguments as plain numbers: what they hold at the recording point.
class PlainValues {
 public:
  PlainValues(const CallContext& context, Args args) : args_(args) {
    if (any_autodiff(args)) settle(context);
  }
  PlainValues(const PlainValues&) = delete;
  PlainValues& operator=(const PlainValues&) = delete;
  Args view() const { return args_; }

 private:
  void settle(const CallContext& context);

  std::vector<Value> own_;
  Args args_;
};

// ---- on a recording

/// Whether any number of the value depends on parameters: containers that a recording filled may hold constants only.
bool depends(const Value& v);
/// Whether one of the arguments does, and there is a recording.
bool records(const CallContext& context, Args args);
/// As an operand of a map; what does not depend on parameters becomes a constant.
ad::Operand record_operand(ad::Recorder& recorder, const Value& v);

/// Operands of a kernel; keeps single ints, while those of containers stay with the values. Elements are listed, for
/// whether they must lie in a block depends on the kernel.
class RecordedOperands {
 public:
  RecordedOperands(ad::Recorder& recorder, Args values);
  RecordedOperands(const RecordedOperands&) = delete;
  RecordedOperands& operator=(const RecordedOperands&) = delete;
  std::span<const ad::KernelOperand> view() const { return operands_; }

 private:
  std::vector<std::int32_t> integers_;
  std::vector<ad::KernelOperand> operands_;
};

/// The numbers from `first` on.
Value reference_block(const Shape& shape, Ref first);

}  // namespace fermiac::interp
