// Messages and progress of several chains on one stream, line by line and never mixed.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "inference/model/options.h"
#include "inference/output/run_io.h"

namespace fermiac::inference {

/// One chain's progress.
struct Bar {
  unsigned id = 1, done = 0, total = 1;
  const char* phase = "waiting";
  unsigned divergent = 0;   // draws so far
  double left = -1;         // seconds that the rest may take; negative: nobody knows
};
/// The bar in at most `columns` columns: what does not fit is left out, the picture first shrinks, then the time and the divergences
/// go.
std::string bar_text(const Bar& bar, unsigned columns, bool colours);

class Console {
 public:
  /// `ids`: the numbers of the chains. `named`: every line says which it comes from, `Chain [2] …`.
  Console(const RunIo& io, std::vector<unsigned> ids, unsigned refresh, bool named);

  /// Text of one or more lines.
  void message(unsigned chain, std::string_view text);
  /// Text that belongs to the run.
  void note(std::string_view text);
  /// After iteration `m` (from 0) of a phase that starts after `start` of `total` iterations.
  /// With `divergent` draws so far.
  void iteration(unsigned chain, unsigned m, unsigned start, unsigned total, bool warmup, unsigned divergent = 0);
  /// The chain is done; its bar stays full.
  void finished(unsigned chain);

 private:
  std::string lines_of(unsigned chain, std::string_view text) const;
  void clear_bars();
  void draw_bars(bool now);
  Bar sum_of_bars() const;
  double seconds_left(unsigned chain, unsigned done, unsigned total, bool warmup);

  RunIo io_;
  std::vector<unsigned> ids_;
  unsigned refresh_;
  bool named_;
  std::mutex mutex_;
  std::vector<Bar> bars_;
  struct Pace {
    std::chrono::steady_clock::time_point since;
    unsigned done = 0;      // then
    bool warmup = false, known = false;
  };
  std::vector<Pace> paces_;  // of the phases that the chains are in
  std::vector<unsigned> drawn_;  // widths of the bars now on the screen
  bool colours_ = false;
  std::chrono::steady_clock::time_point last_drawn_;
};

}  // namespace fermiac::inference
