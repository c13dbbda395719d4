// A program bound to data: values of data and transformed data, sizes and names of outputs, and the way from constrained to free values.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inference/model/model.h"
#include "interp/conditioning/conditioned.h"
#include "interp/io/data.h"
#include "interp/model/compiled_model.h"
#include "interp/model/layout.h"
#include "support/base/memory.h"

namespace fermiac::interp {

/// A parameter, transformed parameter or generated quantity.
struct Output {
  std::string name;
  mir::BlockKind block;
  ExpectedType type;
  ExpectedType unconstrained;
  std::size_t count = 0;                 // doubles of the whole
  const HeldNumbers* held = nullptr;     // of parameters: null if all is free
  std::vector<std::uint32_t> columns{};  // what is written of it, in the order of the output, if not all is
  bool in_part = false;
  bool written() const { return !held || !held->free.empty() || !held->drawn.empty(); }
  std::size_t free_count() const { return held ? held->free.size() : number_count(unconstrained); }
  /// Writes the value, or the columns of it that are written, at `to`. Returns the end.
  double* write(const Value& value, double* to) const;
  /// Reads what write() wrote and moves `from` to the end.
  Value read(const ExpectedType& read_as, const double*& from) const;
  /// Appends the names of the free numbers; if all are free, those of a value of type `whole`.
  void append_free_names(const ExpectedType& whole, std::vector<std::string>& out) const;
};

/// Immutable, and shared by any number of models and threads.
class BoundProgram {
 public:
  /// Reads the data and runs transformed data with random numbers from `seed`. `conditioning`, if it is not null, is applied to a program
  /// that conditioned_program made. Throws InputError and ad::Interrupted if `stop` is set in the meantime.
  BoundProgram(std::shared_ptr<const CompiledModel> compiled, const DataSource& data, const Conditioning* conditioning, std::uint64_t seed,
               const PrintSink& print, const std::atomic<bool>* stop);
  /// The same program and data under a changed conditioning.
  std::shared_ptr<const BoundProgram> with(std::shared_ptr<const Conditioned> conditioned) const;
  /// Writes missing data by their missing numbers only, not whole.
  std::shared_ptr<const BoundProgram> with_missing_only() const;

  const CompiledModel& compiled() const { return *compiled_; }
  const Code& code() const { return *compiled_->code; }
  /// Data and transformed data, by slot (Code::global_slots).
  const std::vector<Value>& globals() const { return globals_; }
  const std::vector<Output>& outputs() const { return outputs_; }
  std::size_t unconstrained_size() const { return unconstrained_size_; }
  /// What is known of the numbers and how much the sites count; null for a program without a conditioning.
  const Conditioned* conditioned() const { return conditioned_.get(); }
  /// The limit on memory under which the data were bound (ad::MemoryScope).
  std::size_t max_memory() const { return max_memory_; }

  std::vector<std::string> names(bool transformed, bool generated) const;
  /// Column-major over all dimensions; free values of arrays are stored element by element.
  std::vector<std::string> unconstrained_names() const;

  /// Where an evaluation prints, and the flag that stops it.
  struct Surroundings {
    const PrintSink& print;
    const std::atomic<bool>* stop;
  };
  EvalStatus unconstrain_json(std::string_view json, GivenValues given, std::span<double> theta, Surroundings where) const;
  EvalStatus unconstrain_array(std::span<const double> constrained, GivenValues given, std::span<double> theta, Surroundings where) const;
  /// Declared bounds of a parameter by offset, or one for all numbers. Empty if they depend on other parameters, and for other constraints.
  std::optional<std::pair<std::vector<double>, std::vector<double>>> constant_bounds(std::size_t position, const std::atomic<bool>* stop) const;

 private:
  void bind(const DataSource& data, std::uint64_t seed, const Conditioning* conditioning, Surroundings where);
  void bind_outputs(Frame& f);
  void bind_conditioning(const Conditioning& conditioning, const DataChanges& changes, const std::atomic<bool>* stop);
  void set_conditioned(std::shared_ptr<const Conditioned> conditioned);
  /// `value(i, type, out)` supplies the value of parameter i, or returns false if theta holds it already.
  EvalStatus unconstrain_with(double rounding, std::span<double> theta, Surroundings where,
                              const std::function<bool(std::size_t, const ExpectedType&, Value&)>& value) const;

  std::shared_ptr<const CompiledModel> compiled_;
  std::size_t max_memory_ = ad::memory_limit();
  std::vector<Value> globals_;
  std::vector<Output> outputs_;
  std::size_t unconstrained_size_ = 0;
  std::shared_ptr<const Conditioned> conditioned_;
  bool stans_words_ = false;  // errors are worded as the data asked for it
};

}  // namespace fermiac::interp
