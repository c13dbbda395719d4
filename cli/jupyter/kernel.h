// The kernel of notebooks: a session of the REPL behind the Jupyter protocol. A cell is what a paste is at the prompt.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>

#include "cli/jupyter/connection.h"
#include "cli/jupyter/message.h"
#include "cli/jupyter/socket.h"
#include "repl/session/session.h"

namespace fermiac::jupyter {

class Kernel {
 public:
  /// Throws std::runtime_error where the addresses cannot be used.
  explicit Kernel(Connection connection);

  /// Serves until a client asks for shutdown.
  void run();

 private:
  using Handler = std::string (Kernel::*)(const Message&);
  struct Row {
    std::string_view request;
    Handler run;  // gives the content of the reply
  };
  static const Row kRequests[];

  void serve(Socket& socket, bool control);
  void answer(Socket& socket, const Message& message);
  void echo();
  void publish(const std::string& type, const std::string& content);
  void publish_for(const std::string& parent, const std::string& type, const std::string& content);

  std::string kernel_info(const Message& message);
  std::string execute(const Message& message);
  std::string complete(const Message& message);
  std::string inspect(const Message& message);
  std::string is_complete(const Message& message);
  std::string history(const Message& message);
  std::string comm_info(const Message& message);
  std::string interrupt(const Message& message);
  std::string shutdown(const Message& message);

  repl::SessionOptions session_options();
  void stream(std::string_view name, std::string_view text);
  void show(const repl::Display& what);

  /// Where what the session prints goes.
  enum class Output { Shown, Silent, Kept };

  Connection connection_;
  Signatures signatures_;
  Context context_;
  Socket shell_, control_, iopub_, input_, heartbeat_;
  std::mutex sending_;             // iopub and the writer are used by two threads
  Writer writer_;
  std::atomic<bool> stop_{false};  // what is running is to end
  std::atomic<bool> over_{false};
  Output output_ = Output::Shown;
  std::string kept_, complaints_;  // of output that is kept; of the input that is running
  std::string parent_;             // header of the request that is running
  unsigned long long count_ = 0;   // of cells
  repl::Session session_;
};

}  // namespace fermiac::jupyter
