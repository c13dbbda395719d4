// What a chain has to know to go on, as bytes. A class that takes part has a template
//
//   template <class State>
//   void state(State& s) { s(rng_, count_, mean_); }
//
// which writes its members with a StateWriter and reads them with a StateReader: numbers bit for bit, for the machine that wrote
// them. The bytes carry no names: who reads them has made sure that they are whole and of a chain like this one.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fermiac::inference {

template <class T, class State>
concept HasState = requires(T& value, State& s) { value.state(s); };

class StateWriter {
 public:
  static constexpr bool kReads = false;
  template <class... Values>
  void operator()(Values&... values) {
    (put(values), ...);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <class T>
  void put(T& value) {
    if constexpr (HasState<T, StateWriter>) {
      value.state(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
  }
  void put(std::string& text) {
    put_size(text.size());
    bytes_ += text;
  }
  template <class Items>
  void put_items(Items& items) {
    put_size(items.size());
    for (auto& item : items) put(item);
  }
  template <class T>
  void put(std::vector<T>& items) {
    if constexpr (!std::is_trivially_copyable_v<T>) return put_items(items);
    put_size(items.size());
    bytes_.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T));
  }
  template <class T>
  void put(std::deque<T>& items) { put_items(items); }
  template <class Key, class T>
  void put(std::map<Key, T>& items) {
    put_size(items.size());
    for (auto& [key, item] : items) {
      std::string copy = key;
      put(copy);
      put(item);
    }
  }
  void put_size(std::uint64_t n) { put(n); }

  std::string bytes_;
};

class StateReader {
 public:
  static constexpr bool kReads = true;
  explicit StateReader(std::string_view bytes) : rest_(bytes) {}
  template <class... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }
  /// All bytes were there, and no more than that.
  bool whole() const { return whole_ && rest_.empty(); }

 private:
  template <class T>
  void get(T& value) {
    if constexpr (HasState<T, StateReader>) {
      value.state(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      const std::string_view bytes = take(sizeof value);
      if (whole_) std::memcpy(&value, bytes.data(), sizeof value);
    }
  }
  void get(std::string& text) { text = take(size()); }
  template <class T>
  void get(std::vector<T>& items) {
    items.clear();
    std::uint64_t n = size();
    if constexpr (std::is_trivially_copyable_v<T>) {
      const std::string_view bytes = n <= rest_.size() / sizeof(T) ? take(n * sizeof(T)) : take(kTooMany);
      items.resize(bytes.size() / sizeof(T));
      if (!items.empty()) std::memcpy(items.data(), bytes.data(), bytes.size());
    } else {
      for (; n > 0 && whole_; --n) get(items.emplace_back());
    }
  }
  /// Items are copies of one that the reader's side makes.
  template <class T>
  void get(std::deque<T>& items) {
    const T fresh = items.front();
    items.clear();
    for (std::uint64_t n = size(); n > 0 && whole_; --n) get(items.emplace_back(fresh));
  }
  template <class Key, class T>
  void get(std::map<Key, T>& items) {
    items.clear();
    for (std::uint64_t n = size(); n > 0 && whole_; --n) {
      std::string key;
      get(key);
      get(items[key]);
    }
  }
  std::uint64_t size() {
    std::uint64_t n = 0;
    get(n);
    return n;
  }
  std::string_view take(std::uint64_t n) {
    whole_ = whole_ && n <= rest_.size();
    const std::string_view out = rest_.substr(0, whole_ ? n : 0);
    rest_.remove_prefix(out.size());
    return out;
  }

  static constexpr std::uint64_t kTooMany = ~std::uint64_t{0};
  std::string_view rest_;
  bool whole_ = true;
};

}  // namespace fermiac::inference
