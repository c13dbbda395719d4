#include "cli/cmdstan/profile_file.h"

#include <fmt/format.h>

#include <sstream>

namespace fermiac::cmdstan {

std::string profile_csv(const interp::InterpModel& model) {
  std::string rows;
  for (const auto& [thread, costs] : model.profiles()) {
    std::ostringstream id;
    id << thread;
    for (const auto& [name, cost] : costs)
      rows += fmt::format("{},{},{:g},{:g},{:g},{},0,{},{}\n", name, id.str(), cost.forward + cost.reverse, cost.forward,
                          cost.reverse, cost.steps, cost.autodiff_calls, cost.plain_calls);
  }
  if (rows.empty()) return rows;
  return "name,thread_id,total_time,forward_time,reverse_time,chain_stack,no_chain_stack,autodiff_calls,"
         "no_autodiff_calls\n" + rows;
}

}  // namespace fermiac::cmdstan
