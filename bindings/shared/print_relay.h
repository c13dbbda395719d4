// Where `print` goes: one callback, called by one thread at a time.
#pragma once

#include <mutex>
#include <string_view>

#include "inference/model/model.h"

namespace fermiac::capi {

class PrintRelay {
 public:
  PrintRelay() = default;
  explicit PrintRelay(PrintSink sink) : sink_(std::move(sink)) {}
  /// An empty sink: standard output.
  void set(PrintSink sink);
  /// What a `print` wrote, with the end of its line.
  void print(std::string_view line);

 private:
  std::mutex mutex_;
  PrintSink sink_;
};

}  // namespace fermiac::capi
