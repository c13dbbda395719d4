// What `profile` blocks cost: times and calls by name, of one thread. While it measures, points are evaluated without
// tapes (autodiff/tape/record/direct_sink.h), because a tape has no blocks.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fermiac::ad {
class Recorder;
}

namespace fermiac::interp {

struct ProfileCost {
  double forward = 0, reverse = 0;   // seconds, those of blocks inside included
  std::uint64_t steps = 0;           // that the sweep back had to visit
  std::uint64_t autodiff_calls = 0;  // with derivatives
  std::uint64_t plain_calls = 0;     // without
  void add(const ProfileCost& other);
};

using ProfileCosts = std::map<std::string, ProfileCost>;

class Profile {
 public:
  /// A run of one block, until it goes out of scope. `recorder` is null in the plain evaluator.
  class Run {
   public:
    Run(Profile& profile, const std::string& name, const ad::Recorder* recorder);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

   private:
    Profile& profile_;
    ProfileCost& cost_;
    const ad::Recorder* recorder_;
    std::size_t first_;
    std::chrono::steady_clock::time_point start_;
  };

  /// Before a new evaluation with derivatives.
  void forget_spans() { spans_.clear(); }
  /// Sweeps back over an evaluation with gradient, block by block.
  void sweep(ad::Recorder& recorder);
  const ProfileCosts& costs() const { return costs_; }

 private:
  struct Span {
    ProfileCost* cost;
    std::size_t first, last;  // steps of the evaluation
  };
  ProfileCosts costs_;
  std::vector<Span> spans_;
};

}  // namespace fermiac::interp
