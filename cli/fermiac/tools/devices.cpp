// `fermiac devices`: what --device may name.
#include "cli/fermiac/shared/commands.h"
#include "cli/fermiac/shared/refuse.h"
#include "plugins/opencl/device.h"
#include "support/platform/output.h"

namespace fermiac::cli {

int run_devices() {
  const DeviceList list = list_devices();
  if (list.devices.empty()) return refuse(list.problem);
  write_output(device_table(list));
  return 0;
}

}  // namespace fermiac::cli
