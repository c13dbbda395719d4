#include "support/platform/calendar.h"

namespace fermiac {

std::tm utc_time(std::time_t at) {
  std::tm out{};
  gmtime_r(&at, &out);
  return out;
}

std::tm local_time(std::time_t at) {
  std::tm out{};
  localtime_r(&at, &out);
  return out;
}

}  // namespace fermiac
