#include "capi/print_relay.h"

#include "support/output.h"

namespace fermiac::capi {

void PrintRelay::set(bs_print_callback callback) {
  const std::lock_guard lock(mutex_);
  callback_ = callback;
}

void PrintRelay::print(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (!callback_) {
    write_output(line);
    flush_output();  // the program around the library has a buffer of its own
    return;
  }
  const std::string_view text = line.substr(0, line.size() - (line.ends_with('\n') ? 1 : 0));
  callback_(text.data(), text.size());
  if (text.size() < line.size()) callback_("\n", 1);
}

PrintRelay& print_relay() {
  static PrintRelay relay;
  return relay;
}

}  // namespace fermiac::capi
