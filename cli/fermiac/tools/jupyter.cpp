// `fermiac jupyter install`: tells notebooks where the kernel is.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/fermiac/shared/commands.h"
#include "cli/fermiac/shared/refuse.h"
#include "support/base/json.h"
#include "support/base/json_build.h"
#include "support/base/text_file.h"
#include "support/platform/output.h"
#include "support/platform/folders.h"
#include "support/platform/process.h"

namespace fermiac::cli {
namespace {

namespace fs = std::filesystem;

/// The user's folder for data of Jupyter; empty where there is no home either.
fs::path user_data() {
  if (const char* own = std::getenv("JUPYTER_DATA_DIR"); own && *own) return own;
  const fs::path data = user_data_folder();
  return data.empty() ? data : data / "jupyter";
}

std::string kernelspec(const fs::path& kernel) {
  return json_object({{"argv", json_array({json_quote(kernel.string()), "\"{connection_file}\""})},
                      {"display_name", "\"Stan (fermiac)\""},
                      {"language", "\"stan\""},
                      {"interrupt_mode", "\"message\""}}) + "\n";
}

}  // namespace

int run_jupyter_install(const std::string& prefix) {
  const fs::path kernel = private_file("jupyter_kernel");
  std::error_code failed;
  if (!fs::exists(kernel, failed)) return refuse("there is no " + kernel.string() + ": fermiac was built without libzmq");
  const fs::path data = prefix.empty() ? user_data() : fs::absolute(prefix) / "share/jupyter";
  if (data.empty()) return refuse("there is no home folder; see --prefix");
  const fs::path folder = data / "kernels/fermiac";
  fs::create_directories(folder, failed);
  if (failed) return refuse("cannot make the folder " + folder.string() + ": " + failed.message());
  const fs::path file = folder / "kernel.json";
  if (const Status why = write_whole_file(file.string(), kernelspec(kernel)); !why) return refuse("cannot write " + file.string() + ": " + why.message);
  write_output("wrote " + file.string() + "\n");
  return 0;
}

}  // namespace fermiac::cli
