#include "interp/parallel/cluster.h"

#include <chrono>
#include <new>
#include <thread>

#include "support/base/errors.h"
#include "support/base/interrupted.h"
#include "support/base/stop.h"

namespace fermiac::interp {
namespace {

enum class ErrorKind : std::uint8_t { None, Domain, Size, Index, Other, Fatal, Interrupted };

struct Description {
  ErrorKind kind = ErrorKind::None;
  std::string text;
};

Description describe(const std::exception_ptr& error) {
  if (!error) return {};
  try {
    std::rethrow_exception(error);
  } catch (const ad::Interrupted& e) {
    return {ErrorKind::Interrupted, e.what()};
  } catch (const ad::DomainError& e) {
    return {ErrorKind::Domain, e.what()};
  } catch (const ad::SizeError& e) {
    return {ErrorKind::Size, e.what()};
  } catch (const ad::IndexError& e) {
    return {ErrorKind::Index, e.what()};
  } catch (const ad::EvalError& e) {
    return {ErrorKind::Other, e.what()};
  } catch (const std::bad_alloc&) {
    return {ErrorKind::Fatal, "a process that evaluates parts of map_rect has no memory left"};
  } catch (const std::exception& e) {
    return {ErrorKind::Fatal, e.what()};
  }
}

}  // namespace

void pack_error(Packer& to, const std::exception_ptr& error) {
  const Description d = describe(error);
  to.put(d.kind);
  to.put_text(d.text);
}

std::exception_ptr unpack_error(Unpacker& from) {
  const auto kind = from.get<ErrorKind>();
  const std::string text = from.get_text();
  switch (kind) {
    case ErrorKind::None:
      break;
    case ErrorKind::Domain:
      return std::make_exception_ptr(ad::DomainError(text));
    case ErrorKind::Size:
      return std::make_exception_ptr(ad::SizeError(text));
    case ErrorKind::Index:
      return std::make_exception_ptr(ad::IndexError(text));
    case ErrorKind::Other:
      return std::make_exception_ptr(ad::EvalError(text));
    case ErrorKind::Fatal:
      return std::make_exception_ptr(ad::FatalError(text));
    case ErrorKind::Interrupted:
      return std::make_exception_ptr(ad::Interrupted());
  }
  return nullptr;
}

void Patience::wait() {
  constexpr unsigned kEager = 2000, kIdle = 20000;
  if (++rounds_ < kEager) return;
  if (rounds_ < kIdle) return std::this_thread::yield();
  rounds_ = kIdle;
  std::this_thread::sleep_for(std::chrono::microseconds(50));
}

std::uint64_t Cluster::new_group() {
  const std::lock_guard lock(mutex_);
  return ++groups_;
}

std::uint64_t Cluster::ask(int worker, RequestKind kind, std::uint64_t group, Packer&& body) {
  const Message rest = body.take();
  const std::lock_guard lock(mutex_);
  Packer whole;
  whole.put(RequestHead{.ticket = ++tickets_, .group = group, .kind = kind});
  whole.put_all(rest);
  transport_.send(worker, whole.take());
  return tickets_;
}

void Cluster::tell(int worker, RequestKind kind, std::uint64_t group) {
  ask(worker, kind, group, Packer());
}

std::optional<Message> Cluster::look_for(std::uint64_t ticket) {
  const std::lock_guard lock(mutex_);
  while (auto arrival = transport_.receive()) {
    Unpacker reply(std::move(arrival->message));
    const auto head = reply.get<RequestHead>();
    replies_.emplace(head.ticket, reply.get_all<std::byte>());
  }
  const auto it = replies_.find(ticket);
  if (it == replies_.end()) return std::nullopt;
  Message message = std::move(it->second);
  replies_.erase(it);
  return message;
}

Unpacker Cluster::wait(std::uint64_t ticket) {
  for (Patience patience;; patience.wait()) {
    if (auto message = look_for(ticket)) {
      Unpacker reply(std::move(*message));
      if (const auto error = unpack_error(reply)) std::rethrow_exception(error);
      return reply;
    }
    ad::stop_if(stop_);
  }
}

}  // namespace fermiac::interp
