// The module fermiac_mpi.so: messages over MPI (MPI 3.1, sections 3.7 and 3.8.2).
#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <list>

#include "support/transport.h"

namespace fermiac {
namespace {

constexpr int kTag = 0;

/// MPI counts elements in an int: words instead of bytes reach further.
std::size_t words(std::size_t bytes) {
  return (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
}

class MpiTransport final : public Transport {
 public:
  MpiTransport() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, Message message) override {
    Sending& s = sending_.emplace_back();
    s.words.resize(words(message.size()));
    std::memcpy(s.words.data(), message.data(), message.size());
    MPI_Isend(s.words.data(), static_cast<int>(s.words.size()), MPI_UINT64_T, to, kTag, MPI_COMM_WORLD, &s.request);
  }

  std::optional<Arrival> receive() override {
    forget_sent();
    int there = 0;
    MPI_Message handle;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &there, &handle, &status);
    if (!there) return std::nullopt;
    int count = 0;
    MPI_Get_count(&status, MPI_UINT64_T, &count);
    Arrival arrival{status.MPI_SOURCE, Message(static_cast<std::size_t>(count) * sizeof(std::uint64_t))};
    MPI_Mrecv(arrival.message.data(), count, MPI_UINT64_T, &handle, MPI_STATUS_IGNORE);
    return arrival;
  }

  void leave() override {
    for (Sending& s : sending_) MPI_Wait(&s.request, MPI_STATUS_IGNORE);
    sending_.clear();
    MPI_Finalize();
  }

 private:
  struct Sending {
    std::vector<std::uint64_t> words;  // must stay where they are
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void forget_sent() {
    sending_.remove_if([](Sending& s) {
      int sent = 0;
      MPI_Test(&s.request, &sent, MPI_STATUS_IGNORE);
      return sent != 0;
    });
  }

  int rank_ = 0, size_ = 1;
  std::list<Sending> sending_;
};

}  // namespace
}  // namespace fermiac

extern "C" __attribute__((visibility("default"))) fermiac::Transport* fermiac_join_transport() {
  return new fermiac::MpiTransport();
}
