// The module fermiac_mpi.so: messages over MPI (MPI 3.1, sections 3.7 and 3.8.2).
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

#include "plugins/mpi/transport.h"

namespace fermiac {
namespace {

/// MPI counts elements in an int: words instead of bytes reach further.
std::size_t words(std::size_t bytes) {
  return (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
}

/// All that this process sends: one at a time, for MPI is asked for calls that do not overlap.
struct World {
  struct Sending {
    std::vector<std::uint64_t> words;  // must stay where they are
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void forget_sent() {
    sending.remove_if([](Sending& s) {
      int sent = 0;
      MPI_Test(&s.request, &sent, MPI_STATUS_IGNORE);
      return sent != 0;
    });
  }
  std::mutex mutex;
  std::list<Sending> sending;
};

/// The channel is the tag of the messages, members are ranks of MPI_COMM_WORLD.
class MpiTransport final : public Transport {
 public:
  MpiTransport(std::shared_ptr<World> world, std::vector<int> members, int rank, int channel)
      : world_(std::move(world)), members_(std::move(members)), rank_(place_of(rank)), channel_(channel) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(members_.size()); }

  void send(int to, Message message) override {
    const std::lock_guard lock(world_->mutex);
    World::Sending& s = world_->sending.emplace_back();
    s.words.resize(words(message.size()));
    if (!message.empty()) std::memcpy(s.words.data(), message.data(), message.size());
    MPI_Isend(s.words.data(), static_cast<int>(s.words.size()), MPI_UINT64_T, world_rank(to), channel_, MPI_COMM_WORLD, &s.request);
  }

  std::optional<Arrival> receive() override {
    const std::lock_guard lock(world_->mutex);
    world_->forget_sent();
    int there = 0;
    MPI_Message handle;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, channel_, MPI_COMM_WORLD, &there, &handle, &status);
    if (!there) return std::nullopt;
    int count = 0;
    MPI_Get_count(&status, MPI_UINT64_T, &count);
    Arrival arrival{place_of(status.MPI_SOURCE), Message(static_cast<std::size_t>(count) * sizeof(std::uint64_t))};
    MPI_Mrecv(arrival.message.data(), count, MPI_UINT64_T, &handle, MPI_STATUS_IGNORE);
    return arrival;
  }

  std::unique_ptr<Transport> part(std::vector<int> members, int channel) override {
    for (int& member : members) member = world_rank(member);
    return std::make_unique<MpiTransport>(world_, std::move(members), world_rank(rank_), channel);
  }

  void leave() override {
    const std::lock_guard lock(world_->mutex);
    for (World::Sending& s : world_->sending) MPI_Wait(&s.request, MPI_STATUS_IGNORE);
    world_->sending.clear();
    MPI_Finalize();
  }

 private:
  int world_rank(int member) const { return members_[static_cast<std::size_t>(member)]; }
  int place_of(int rank) const { return static_cast<int>(std::lower_bound(members_.begin(), members_.end(), rank) - members_.begin()); }

  std::shared_ptr<World> world_;
  std::vector<int> members_;
  int rank_, channel_;
};

Transport* join() {
  int provided = 0, rank = 0, size = 1;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<int> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  return new MpiTransport(std::make_shared<World>(), std::move(all), rank, 0);
}

}  // namespace
}  // namespace fermiac

extern "C" __attribute__((visibility("default"))) fermiac::Transport* fermiac_join_transport_1() {
  return fermiac::join();
}
