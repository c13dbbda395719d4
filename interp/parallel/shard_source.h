// Calls of one user function that are independent of each other, as the parts of one operation
// (autodiff/parallel/shards.h).
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "autodiff/parallel/shard_parts.h"
#include "autodiff/parallel/shards.h"
#include "interp/exec/runs/code.h"
#include "interp/exec/runs/frame.h"

namespace fermiac::interp {

/// Numbers the references of the caller's recording anew, so that they hold for other recordings.
class OuterReferences {
 public:
  explicit OuterReferences(const ad::Recorder& recorder) : recorder_(recorder) {}
  Value renumbered(const Value& v);
  /// The references that carry derivatives, by new number.
  const std::vector<Ref>& varying() const { return varying_; }
  const std::vector<double>& constants() const { return constants_; }

 private:
  Ref renumber(Ref outer);
  const ad::Recorder& recorder_;
  std::unordered_map<Ref, Ref> known_;
  std::vector<Ref> varying_;
  std::vector<double> constants_;
};

/// What all calls have in common.
struct ShardedFunction {
  const FunctionCode& function;
  CallActivity activity;
  bool caller_propto = false;
  const std::atomic<bool>* stop = nullptr;
  int depth = 0;
  bool fuses_links = true;  // not where the program is evaluated without a tape, at a point that a tape refused
  std::vector<double> constants;
};

/// One call, with arguments from OuterReferences, as a part.
std::shared_ptr<const ad::ShardSource> call_source(std::shared_ptr<const ShardedFunction> function,
                                                   std::vector<Value> arguments);

/// The calls, with arguments from OuterReferences, as one value on the recording; nothing where threads would not pay.
std::optional<Value> record_in_shards(std::string_view name, ad::Shards::Join join,
                                      const std::shared_ptr<const ShardedFunction>& function,
                                      std::vector<std::vector<Value>> calls, const std::vector<Ref>& varying, Frame& f);

}  // namespace fermiac::interp
