// Streams that lead into memory, for functions that print to a FILE.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>

namespace fermiac {

/// A FILE whose text is kept.
class TextStream {
 public:
  TextStream();
  ~TextStream();
  TextStream(const TextStream&) = delete;
  TextStream& operator=(const TextStream&) = delete;
  std::FILE* file() { return file_; }
  std::string text();

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
};

/// A FILE that hands over whole lines as they come.
class LineStream {
 public:
  explicit LineStream(std::function<void(const std::string&)> take);
  ~LineStream();
  LineStream(const LineStream&) = delete;
  LineStream& operator=(const LineStream&) = delete;
  std::FILE* file() { return file_; }

 private:
  static std::ptrdiff_t write(void* self, const char* text, std::size_t size);
  void add(const char* text, std::size_t size);
  std::function<void(const std::string&)> take_;
  std::string line_;
  std::FILE* file_;
};

}  // namespace fermiac
