// Requests from the process that runs the method to the others, which serve them (serve.cpp), and their replies.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>

#include "interp/exec/runs/code.h"
#include "interp/parallel/message.h"
#include "plugins/mpi/transport.h"

namespace fermiac::interp {

enum class RequestKind : std::uint8_t {
  Record,   // group, function, jobs, point -> what record_all() gives, without the tapes
  Forward,  // group, point -> results, scratch space
  Reverse,  // group, point, seeds of some parts -> their slopes
  Used,     // group, part, path -> elements of the operand
  Drop,     // group, which nobody needs any more
  Stop,     // the end
};

/// For any number of threads. Between threads, requests and replies may overlap.
///
/// Errors:  wait() throws what the other process threw, in the same class and with the same text, and Interrupted when
///          `stop` is set meanwhile.
/// Cost:    a round trip takes some microseconds on one machine; who waits looks for replies all the time.
class Cluster {
 public:
  /// `transport` outlives this.
  explicit Cluster(Transport& transport, const std::atomic<bool>* stop = nullptr)
      : transport_(transport), stop_(stop) {}
  /// Processes besides this one; they are number 1 … workers().
  int workers() const { return transport_.size() - 1; }
  std::uint64_t new_group();
  /// Returns the ticket that wait() takes, once.
  std::uint64_t ask(int worker, RequestKind kind, std::uint64_t group, Packer&& body);
  void tell(int worker, RequestKind kind, std::uint64_t group);
  Unpacker wait(std::uint64_t ticket);

 private:
  std::optional<Message> look_for(std::uint64_t ticket);

  Transport& transport_;
  const std::atomic<bool>* stop_;
  std::mutex mutex_;
  std::uint64_t tickets_ = 0, groups_ = 0;
  std::map<std::uint64_t, Message> replies_;
};

/// Requests and replies begin like this.
struct RequestHead {
  std::uint64_t ticket = 0, group = 0;
  RequestKind kind = RequestKind::Stop;
};

/// An error as it travels: class and text. None of them: no error.
void pack_error(Packer& to, const std::exception_ptr& error);
std::exception_ptr unpack_error(Unpacker& from);

/// Waits a little longer each time: quick answers to quick questions, an idle processor where nobody asks.
class Patience {
 public:
  void wait();

 private:
  unsigned rounds_ = 0;
};

/// Answers requests of process 0 (cluster.h) until it says that the run is over. `code`: the program that process 0 has
/// loaded too; null when it could not be loaded, which is then the answer to every request. Jobs of a request run on as
/// many threads as the caller's group of threads has; requests one after the other.
///
/// Shapes:  whatever a request says. The data of the jobs come with it once, when they are recorded; each evaluation
///          brings the point and takes results and gradients back.
/// Errors:  none. What a job throws is told to process 0, which throws it there.
/// Cost:    one message each way for each evaluation, of eight bytes for each parameter, result and slope.
/// Source:  Stan User's Guide, parallelization, "Map-rect"; CmdStan's guide, parallelization with MPI.
void serve(Transport& transport, const Code* code);

/// Ends serve() in all other processes.
void end_serving(Transport& transport);

}  // namespace fermiac::interp
