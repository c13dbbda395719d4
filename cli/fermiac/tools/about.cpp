// What the program says of itself: `--version`, `cmdstan-home`.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "autodiff/kernels/isa.h"
#include "cli/fermiac/shared/commands.h"
#include "plugins/mpi/launch.h"
#include "plugins/netcdf/array_file.h"
#include "plugins/opencl/device.h"
#include "support/base/language_version.h"
#include "support/platform/output.h"
#include "support/platform/process.h"

namespace fermiac::cli {
namespace {

#ifdef __clang__
constexpr char kCompiler[] = "clang " __clang_version__;
#else
constexpr char kCompiler[] = "g++ " __VERSION__;
#endif

}  // namespace

std::string version_text() {
  std::error_code failed;
  const bool mpi = std::filesystem::exists(own_mpi_module(), failed);
  const auto yes = [](bool there) { return there ? "yes" : "no"; };
  return fmt::format("fermiac {}\nlanguage: Stan {}\nbuilt: {}, {}\nkernels: {}\nmpirun: {}\nnetCDF: {}\nOpenCL: {}\nplace: {}", FERMIAC_VERSION,
                     kStanVersion, FERMIAC_BUILD_TYPE, kCompiler, ad::isa_name(ad::active_isa()), yes(mpi), yes(has_array_files()), yes(has_device_module()),
                     own_prefix().string());
}

int run_cmdstan_home() {
  const std::string folder = cmdstan_folder().string();
  if (folder.empty()) {
    std::fprintf(stderr, "fermiac: there is no folder for CmdStan's clients in '%s'\n", own_prefix().c_str());
    return 1;
  }
  return write_output(folder + "\n") ? 0 : 1;
}

}  // namespace fermiac::cli
