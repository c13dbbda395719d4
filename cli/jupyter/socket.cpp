#include "cli/jupyter/socket.h"

#include <zmq.h>

#include <cerrno>
#include <stdexcept>

namespace fermiac::jupyter {
namespace {

int type_of(Socket::Kind kind) {
  switch (kind) {
    case Socket::Kind::Router: return ZMQ_ROUTER;
    case Socket::Kind::Publisher: return ZMQ_PUB;
    case Socket::Kind::Reply: return ZMQ_REP;
  }
  return ZMQ_REP;
}

/// One frame of a message.
class Frame {
 public:
  Frame() { zmq_msg_init(&message_); }
  ~Frame() { zmq_msg_close(&message_); }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  bool receive(void* socket) {
    int got;
    do got = zmq_msg_recv(&message_, socket, 0);
    while (got < 0 && errno == EINTR);
    return got >= 0;
  }
  std::string text() { return {static_cast<const char*>(zmq_msg_data(&message_)), zmq_msg_size(&message_)}; }
  bool more() { return zmq_msg_more(&message_) != 0; }

 private:
  zmq_msg_t message_;
};

}  // namespace

Context::Context() : context_(zmq_ctx_new()) {
  if (!context_) throw std::runtime_error(zmq_strerror(errno));
}
Context::~Context() { zmq_ctx_term(context_); }
void Context::shut_down() { zmq_ctx_shutdown(context_); }

Socket::Socket(const Context& context, Kind kind, const std::string& address) : socket_(zmq_socket(context.get(), type_of(kind))) {
  if (!socket_) throw std::runtime_error(zmq_strerror(errno));
  constexpr int kLinger = 500;  // milliseconds for what was not sent yet
  zmq_setsockopt(socket_, ZMQ_LINGER, &kLinger, sizeof kLinger);
  if (zmq_bind(socket_, address.c_str()) == 0) return;
  const std::string why = zmq_strerror(errno);
  zmq_close(socket_);
  throw std::runtime_error("cannot listen at " + address + ": " + why);
}

Socket::~Socket() { zmq_close(socket_); }

std::optional<Frames> Socket::receive() {
  Frames out;
  for (bool more = true; more;) {
    Frame frame;
    if (!frame.receive(socket_)) return std::nullopt;
    out.push_back(frame.text());
    more = frame.more();
  }
  return out;
}

void Socket::send(const Frames& frames) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    int sent;
    do sent = zmq_send(socket_, frames[i].data(), frames[i].size(), i + 1 < frames.size() ? ZMQ_SNDMORE : 0);
    while (sent < 0 && errno == EINTR);
  }
}

}  // namespace fermiac::jupyter
