// Messages between the processes of one run. The implementation is a module of its own (mpi/), loaded when the program
// was started as one of several: so programs that were not pay nothing for it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace fermiac {

using Message = std::vector<std::byte>;

/// For any number of threads. Between two processes messages arrive in the order in which they were sent.
/// Errors of the network end all processes.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual int rank() const = 0;  // this process, from 0
  virtual int size() const = 0;  // number of processes
  /// Returns at once; the message is under way as long as receive() is called from time to time. Up to 16 GiB. What
  /// arrives may have up to seven bytes more.
  virtual void send(int to, Message message) = 0;
  struct Arrival {
    int from;
    Message message;
  };
  /// The next message, if one is there.
  virtual std::optional<Arrival> receive() = 0;
  /// Messages among some of the processes, apart from all others: `members` are their numbers here, increasing, this process among them; in
  /// the part they are 0, 1, …. Every member asks for the same part; `channel` tells parts apart that share processes, and is not 0, which is
  /// this. Lives no longer than this, which alone is left at the end.
  virtual std::unique_ptr<Transport> part(std::vector<int> members, int channel) = 0;
  /// Waits until all messages are sent and all other processes have come here.
  virtual void leave() = 0;
};

/// What the module exports under this name: joins the other processes. The caller owns the result. The number is that of the interface above:
/// programs that were made with STAN_MPI find the module of an installation that may be newer. Raise it, in plugins/mpi/module.cpp too, with every change.
using JoinTransport = Transport* (*)();
inline constexpr char kJoinTransport[] = "fermiac_join_transport_1";

}  // namespace fermiac
