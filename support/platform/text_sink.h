// A FILE whose text is kept in memory.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace fermiac {

class TextSink {
 public:
  TextSink() : file_(open_memstream(&data_, &size_)) {}
  ~TextSink() {
    std::fclose(file_);
    std::free(data_);
  }
  TextSink(const TextSink&) = delete;
  TextSink& operator=(const TextSink&) = delete;
  std::FILE* file() { return file_; }
  std::string text() {
    std::fflush(file_);
    return {data_, size_};
  }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
};

}  // namespace fermiac
