#include "bindings/shared/print_relay.h"

#include <utility>

#include "support/platform/output.h"

namespace fermiac::capi {

void PrintRelay::set(PrintSink sink) {
  const std::lock_guard lock(mutex_);
  sink_ = std::move(sink);
}

void PrintRelay::print(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (sink_) return sink_(line);
  write_output(line);
  flush_output();  // the program around the library has a buffer of its own
}

}  // namespace fermiac::capi
