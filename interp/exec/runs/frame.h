// State of one run of a prepared program. The node tree is immutable and shared by threads; everything that changes is
// here: the machine of one thread, and one frame of variable slots per active function.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "autodiff/tape/record/recorder.h"
#include "inference/model/model.h"
#include "interp/functions/functions.h"
#include "interp/value/value.h"
#include "mir/analysis/activity.h"
#include "support/base/interrupted.h"

namespace fermiac::interp {

using ad::kNoSite;
using ad::Site;

/// Slots for frames, taken and given back in stack order. Addresses stay valid while frames are added.
class FrameStack {
 public:
  Value* take(std::size_t n);
  void give_back(Value* slots, std::size_t n);

 private:
  struct Chunk {
    std::unique_ptr<Value[]> values;
    std::size_t size = 0;
    std::size_t used = 0;
  };
  std::vector<Chunk> chunks_;
  std::size_t current_ = 0;
};

class DataSource;
struct RemoteJobs;

/// A variable of which some numbers, or none, are free; the others have known values.
struct HeldNumbers {
  Value value;                       // of the declared type; what is free has any value
  std::vector<std::uint32_t> free;   // offsets of scalars in the value's layout, in the order of the free values
  std::vector<std::uint32_t> drawn{};  // offsets of ints that are not known, and drawn with every draw
};

class SiteHandler;
class DataOverlay;

/// One thread's run.
class Profile;

struct Machine {
  ad::Recorder* recorder = nullptr;      // null in the plain evaluator
  Rng* rng = nullptr;
  const PrintSink* print = nullptr;      // null: standard output
  const DataSource* data = nullptr;      // while data are bound
  DataOverlay* overlay = nullptr;        // reads them instead, if there is one
  std::span<const double> theta;         // free parameters of a plain run
  std::uint32_t next_free = 0;           // first free parameter that no declaration has taken yet
  const std::vector<Value>* given_parameters = nullptr;  // constrained values instead of theta, by position
  double rounding = 0;                   // relative error of values that are made free
  Ref* random = nullptr;                 // state of the generator while draws are recorded (functions/record_random.h)
  bool jacobian = false;                 // log Jacobians are added to target
  double lp = 0;                         // target of a plain run
  Site site = kNoSite;                   // statement being executed
  int depth = 0;                         // active calls of user functions
  bool printed = false;                  // something was printed: a replay would not repeat it
  bool only_here = false;                // what was recorded may not hold at other points, and no guard tells
  const std::atomic<bool>* stop = nullptr;  // set by somebody else to end the run
  const RemoteJobs* remote = nullptr;       // other processes that evaluate jobs of map_rect
  Profile* profile = nullptr;               // measures `profile` blocks, or nothing does
  /// By position of the parameter, null where all is free; null: all are.
  const std::vector<const HeldNumbers*>* held = nullptr;
  SiteHandler* sites = nullptr;               // decides what becomes of sites; null: they run as written
  bool lenient = false;                       // checks and reject() wait: not all values are there yet
  const std::vector<Value>* names = nullptr;  // of the numbers of variables (mir::SiteTable::variables)
  FrameStack stack;

  /// Around a call of a user function, with `--depth` behind it. Throws FatalError where calls nest too deeply, and
  /// ad::Interrupted.
  void enter(std::string_view function);
  /// Called in every round of a loop and in every call of a user function. Throws ad::Interrupted.
  void poll() const {
    if (stop && stop->load(std::memory_order_relaxed)) [[unlikely]] throw ad::Interrupted();
  }
};

/// Of a call of a function of the program: whether densities in its body drop anything, and which of its arguments carry derivatives
/// as far as the text of the program tells.
struct CallActivity {
  bool propto = false;
  mir::ArgumentSet active = 0;
};

struct Frame {
  Machine& m;
  Value* slots = nullptr;
  bool recording = false;  // operands may carry derivatives
  bool propto = false;     // densities called as _lupdf drop constants
  mir::ArgumentSet active = 0;  // in a function: those of its CallActivity
  bool result_to_target = false;  // a returned value goes straight into target; behind the call: did so
  Value result{};

  void at(Site site) {
    m.site = site;
    if (recording) m.recorder->set_site(site);
  }
  CallContext context(ad::Propto dropped) {
    return {.recorder = recording ? m.recorder : nullptr, .rng = m.rng, .propto = dropped,
            .jacobian = m.jacobian, .random = recording ? m.random : nullptr, .target = &m.lp};
  }
};

}  // namespace fermiac::interp
