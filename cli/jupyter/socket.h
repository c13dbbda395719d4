// Sockets of ZeroMQ that send and receive messages of several frames.
#pragma once

#include <optional>
#include <string>

#include "cli/jupyter/message.h"

namespace fermiac::jupyter {

class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  /// Every wait on a socket ends with nothing.
  void shut_down();
  void* get() const { return context_; }

 private:
  void* context_;
};

class Socket {
 public:
  enum class Kind { Router, Publisher, Reply };
  /// Bound to `address`. Throws std::runtime_error.
  Socket(const Context& context, Kind kind, const std::string& address);
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  /// Waits; nothing when the context was shut down.
  std::optional<Frames> receive();
  void send(const Frames& frames);

 private:
  void* socket_;
};

}  // namespace fermiac::jupyter
