#include "inference/summary.h"

#include "cli/fermiac/commands.h"

namespace fermiac::cli {

int run_summary(const std::vector<std::string>& files, int digits) {
  return inference::run_summary(files, digits, stdout, stderr);
}

int run_check(const std::vector<std::string>& files) {
  return inference::run_check(files, stdout, stderr);
}

}  // namespace fermiac::cli
