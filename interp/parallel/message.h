// Numbers and texts in messages, one after the other. Both ends are the same program on machines of the same kind.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "plugins/mpi/transport.h"
#include "support/base/check.h"

namespace fermiac::interp {

class Packer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& x) { append(&x, sizeof x); }
  template <class T>
  void put_all(std::span<const T> items) {
    put(items.size());
    append(items.data(), items.size_bytes());
  }
  template <class T>
  void put_all(const std::vector<T>& items) {
    put_all(std::span<const T>(items));
  }
  void put_text(std::string_view text) { put_all(std::span<const char>(text)); }
  /// Without its length.
  void append(std::span<const std::byte> bytes) { append(bytes.data(), bytes.size()); }
  Message take() { return std::move(message_); }

 private:
  void append(const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    const std::size_t at = message_.size();
    message_.resize(at + bytes);
    std::memcpy(message_.data() + at, from, bytes);
  }
  Message message_;
};

class Unpacker {
 public:
  explicit Unpacker(Message message) : message_(std::move(message)) {}
  template <class T>
  requires std::is_trivially_copyable_v<T> T get() {
    T x{};
    copy(&x, sizeof x);
    return x;
  }
  template <class T>
  std::vector<T> get_all() {
    std::vector<T> items(get<std::size_t>());
    copy(items.data(), items.size() * sizeof(T));
    return items;
  }
  /// As many items as are expected.
  template <class T>
  void get_into(std::span<T> to) {
    FERMIAC_CHECK(get<std::size_t>() == to.size(), "as many numbers as asked for");
    copy(to.data(), to.size_bytes());
  }
  std::string get_text() {
    const std::vector<char> text = get_all<char>();
    return {text.begin(), text.end()};
  }

 private:
  void copy(void* to, std::size_t bytes) {
    FERMIAC_CHECK(bytes <= message_.size() - at_, "messages are read as they were written");
    if (bytes > 0) std::memcpy(to, message_.data() + at_, bytes);
    at_ += bytes;
  }
  Message message_;
  std::size_t at_ = 0;
};

}  // namespace fermiac::interp
