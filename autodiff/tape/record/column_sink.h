// Takes the place of the trace's sink while a long loop is recorded by columns (loop.h): scalar ops join the columns.
// The first thing that fits in none ends this; the columns go to the trace, and so does what comes then.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "autodiff/tape/record/loop.h"
#include "autodiff/tape/record/nest.h"
#include "autodiff/tape/record/trace_sink.h"

namespace fermiac::ad {

class ColumnSink final : public TraceSink {
 public:
  /// `at_hand`: the recorder's sink, this one or `otherwise`.
  ColumnSink(Recording& recording, TraceSink& otherwise, Sink*& at_hand)
      : TraceSink(recording), otherwise_(otherwise), at_hand_(at_hand) {}

  // ---- loops, whoever is at hand: as in Recorder

  LoopNest::Id begin_loop(Site site, std::int64_t rounds);
  void next_round(LoopNest::Id loop);
  void end_loop(LoopNest::Id loop);
  void forget_loop(LoopNest::Id loop) { nest_.end(loop); }
  bool collects() const { return loop_ != nullptr; }

  // ---- while it collects

  Ref operand(double value) override;
  Ref map(Op& op, const double* x) override;
  double sink(Op op) override;
  void target(Ref r, std::uint32_t n) override;
  std::vector<Ref> terms() override;
  void push(const Op& op) override;
  void finish() override { leave(false); }

 private:
  /// Constants for the next op alone: its column takes their values, so their places are used in turn.
  static constexpr std::uint32_t kPassing = 16;

  void start(LoopNest::Id loop);
  void leave(bool fits);
  bool joins(Op& op);
  bool is_passing(Ref r) const { return r - passing_ < kPassing; }
  void keep_constants(Op& op);

  TraceSink& otherwise_;
  Sink*& at_hand_;
  LoopNest nest_;
  LoopRecording::Readers sum_readers_;
  std::unique_ptr<LoopRecording> loop_;
  Ref passing_ = Ref::none();  // first of kPassing scalar constants, once there are some
  std::uint32_t next_passing_ = 0;
};

/// Level by level, each first its columns, then its sums.
void emit_columns(std::vector<LoopRecording::Level> levels, Recording& recording, TraceSink& to);

}  // namespace fermiac::ad
