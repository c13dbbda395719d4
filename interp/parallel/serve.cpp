// The processes of a run that only serve: they evaluate jobs of map_rect for process 0, which runs the method.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "autodiff/kernels/pieces.h"
#include "interp/parallel/cluster.h"
#include "interp/parallel/remote_parts.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

class Server {
 public:
  explicit Server(const Code* code) : code_(code) {}

  /// The body of the reply; an exception instead of one.
  Message answer(const RequestHead& head, Unpacker& request) {
    if (!code_) throw ad::FatalError("map_rect: another process of this run could not load the model");
    Packer reply;
    switch (head.kind) {
      case RequestKind::Record:
        record(head.group, request, reply);
        break;
      case RequestKind::Forward:
        forward(*groups_.at(head.group), request, reply);
        break;
      case RequestKind::Reverse:
        reverse(*groups_.at(head.group), request, reply);
        break;
      case RequestKind::Used:
        used(*groups_.at(head.group), request, reply);
        break;
      case RequestKind::Drop:
        groups_.erase(head.group);
        break;
      case RequestKind::Stop:
        break;
    }
    return reply.take();
  }

 private:
  void record(std::uint64_t group, Unpacker& request, Packer& reply) {
    const ad::ShardSources sources = JobsMessage::get(request, *code_);
    const auto x = request.get_all<double>();
    std::vector<ad::ShardRecording> recordings = ad::record_all(sources, x);
    reply.put(recordings.size());
    for (const ad::ShardRecording& r : recordings) {
      reply.put(r.error ? 0 : r.path.outputs);
      reply.put_all(r.path.used);
      reply.put_text(r.printed);
      reply.put(r.site);
      pack_error(reply, r.error);
    }
    const auto works = [](const ad::ShardRecording& r) { return !r.error && r.path.outputs > 0; };
    if (std::ranges::all_of(recordings, works))
      groups_[group] = std::make_unique<const ad::ShardParts>(sources, std::move(recordings));
  }

  static void forward(const ad::ShardParts& parts, Unpacker& request, Packer& reply) {
    const auto x = request.get_all<double>();
    std::vector<double> results(parts.results()), scratch(parts.scratch());
    for (std::size_t i = 0; i < parts.parts(); ++i) scratch[parts.place(i).scratch_at] = request.get<double>();
    parts.finish_forward(parts.start_forward(x, scratch.data()), x, results.data(), scratch.data());
    reply.put_all(results);
    reply.put_all(scratch);
  }

  static void reverse(const ad::ShardParts& parts, Unpacker& request, Packer& reply) {
    const auto x = request.get_all<double>();
    const auto again = request.get_all<std::size_t>();
    std::vector<double> marks(again.size());
    std::vector<std::vector<double>> seeds(again.size());
    for (std::size_t k = 0; k < again.size(); ++k) {
      marks[k] = request.get<double>();
      seeds[k] = request.get_all<double>();
    }
    std::vector<ad::ShardParts::Slopes> slopes(again.size());
    ad::each_part(again.size(),
                  [&](std::size_t k) { slopes[k] = parts.pull_back(again[k], marks[k], x, seeds[k].data()); });
    for (const auto& one : slopes) {
      reply.put(one.path);
      reply.put_all(one.slopes);
    }
  }

  static void used(const ad::ShardParts& parts, Unpacker& request, Packer& reply) {
    const auto part = request.get<std::size_t>();
    reply.put_all(parts.used(part, request.get<std::size_t>()));
  }

  const Code* code_;
  std::map<std::uint64_t, std::unique_ptr<const ad::ShardParts>> groups_;
};

/// A reply: the head of the request, then an error or the body.
Message reply_to(Server& server, const RequestHead& head, Unpacker& request) {
  Packer body;
  try {
    const Message answer = server.answer(head, request);
    pack_error(body, nullptr);
    body.append(answer);
  } catch (...) {
    pack_error(body, std::current_exception());
  }
  Packer reply;
  reply.put(head);
  reply.put_all(body.take());
  return reply.take();
}

}  // namespace

void serve(Transport& transport, const Code* code) {
  Server server(code);
  for (Patience patience;; patience.wait()) {
    auto arrival = transport.receive();
    if (!arrival) continue;
    patience = {};
    Unpacker message(std::move(arrival->message));
    const auto head = message.get<RequestHead>();
    Unpacker request(message.get_all<std::byte>());
    if (head.kind == RequestKind::Stop) return;
    Message reply = reply_to(server, head, request);
    if (head.kind != RequestKind::Drop) transport.send(arrival->from, std::move(reply));
  }
}

void end_serving(Transport& transport) {
  Cluster all(transport);
  for (int worker = 1; worker <= all.workers(); ++worker) all.tell(worker, RequestKind::Stop, 0);
}

}  // namespace fermiac::interp
