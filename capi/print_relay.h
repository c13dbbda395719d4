// Where `print` goes: one callback for the whole library, called by one thread at a time.
#pragma once

#include <mutex>
#include <string_view>

#include "capi/bridgestan.h"

namespace fermiac::capi {

class PrintRelay {
 public:
  void set(bs_print_callback callback);
  /// What a `print` wrote, with the end of its line: one call for the text and one for the end, with no other between
  /// them.
  void print(std::string_view line);

 private:
  std::mutex mutex_;
  bs_print_callback callback_ = nullptr;  // null: standard output
};

/// The library's own: the ABI sets the callback for all models, before the first exists.
PrintRelay& print_relay();

}  // namespace fermiac::capi
