#include "support/platform/text_streams.h"

#include <cstdlib>
#include <utility>

namespace fermiac {

TextStream::TextStream() : file_(open_memstream(&data_, &size_)) {}

TextStream::~TextStream() {
  std::fclose(file_);
  std::free(data_);
}

std::string TextStream::text() {
  std::fflush(file_);
  return {data_, size_};
}

LineStream::LineStream(std::function<void(const std::string&)> take)
    : take_(std::move(take)), file_(fopencookie(this, "w", {.read = nullptr, .write = write, .seek = nullptr, .close = nullptr})) {
  std::setvbuf(file_, nullptr, _IOLBF, 0);
}

LineStream::~LineStream() { std::fclose(file_); }

std::ptrdiff_t LineStream::write(void* self, const char* text, std::size_t size) {
  static_cast<LineStream*>(self)->add(text, size);
  return static_cast<std::ptrdiff_t>(size);
}

void LineStream::add(const char* text, std::size_t size) {
  line_.append(text, size);
  const std::size_t end = line_.rfind('\n');
  if (end == std::string::npos) return;
  take_(line_.substr(0, end + 1));
  line_.erase(0, end + 1);
}

}  // namespace fermiac
