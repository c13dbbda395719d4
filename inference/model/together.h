// Independent pieces of work on one model (chains, paths): on threads, and where there are fewer threads than pieces, several of
// them on one thread by turns, so that the gradients they ask for are evaluated together (lane_evaluator.h). What a piece computes
// depends on it by no more than last bits of gradients (lane_evaluator.h).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "inference/model/lane_evaluator.h"

namespace fermiac::inference {

class LaneSeat;

class Together {
 public:
  /// n pieces on at most `threads` threads (0: as many as the machine has). `lanes`: how many of them one thread has at a time, faster
  /// or not, 1 for one after another; 0: as many as it takes for all to run at once, where together they are faster.
  Together(const Model& model, unsigned threads, std::size_t n, unsigned lanes);
  ~Together();

  /// The model as piece i is to see it, here or elsewhere; it lives as long as this.
  const Model& model(std::size_t i) const;
  /// Runs body(i) for these pieces. As for threads, pieces share nothing without care; none waits for another.
  void run(std::span<const std::size_t> pieces, const std::function<void(std::size_t)>& body);
  /// The same for all.
  void run(const std::function<void(std::size_t)>& body);
  /// How often a thread begins anew with so many pieces.
  std::size_t rounds(std::size_t pieces) const;

 private:
  std::size_t group_count(std::size_t pieces) const { return (pieces + at_once_ - 1) / at_once_; }
  void run_group(std::span<const std::size_t> pieces, const std::function<void(std::size_t)>& body);

  const Model& model_;
  unsigned threads_;
  std::size_t n_, at_once_ = 1;  // pieces on a thread
  bool always_ = false;          // faster or not
  std::vector<std::unique_ptr<LaneSeat>> seats_;  // of the pieces, where at_once_ is more than 1
};

}  // namespace fermiac::inference
