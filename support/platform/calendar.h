// Date and time of day.
#pragma once

#include <ctime>

namespace fermiac {

std::tm utc_time(std::time_t at);
/// In the time zone of this machine.
std::tm local_time(std::time_t at);

}  // namespace fermiac
