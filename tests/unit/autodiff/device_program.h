// Small recordings evaluated on a device and without: what the tests of autodiff/tape/opencl share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "autodiff/tape/opencl/use.h"
#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "plugins/opencl/device.h"
#include "tests/shared/device_choice.h"

namespace fermiac::ad {

using device::DeviceUse;
using device::Placing;

inline std::shared_ptr<DeviceUse> any_device(std::string* why, std::function<void(const std::string&)> tell = {}) {
  const OpenedDevice opened = open_test_device();
  *why = opened.problem;
  return opened.device ? std::make_shared<DeviceUse>(opened.device, Placing::All, std::move(tell)) : nullptr;
}

class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    use_ = any_device(&why, [this](const std::string& text) { told_ += text; });
    if (!use_) GTEST_SKIP() << why;
  }
  std::shared_ptr<DeviceUse> use_;
  std::string told_;
};

/// Parameters as they come, and what is recorded of them.
struct Program {
  std::vector<double> theta;
  std::vector<std::string> names;  // of the parameters, for messages
  std::function<void(Recorder&)> body;
};

struct Answer {
  ReplayStatus status;
  double lp = 0;
  std::vector<double> gradient;
};

inline std::shared_ptr<const Tape> tape_of(const Program& p, const std::shared_ptr<DeviceUse>& use) {
  Recorder r(p.theta);
  p.body(r);
  Trace trace = std::move(r).finish();
  rewrite(trace, {.short_tiles = true});
  return std::make_shared<const Tape>(std::move(trace), Jit::Never, use);
}

inline Answer answer_of(Workspace& w, const std::vector<double>& theta) {
  Answer a{{}, 0, std::vector<double>(theta.size())};
  a.status = w.gradient(theta, &a.lp, a.gradient);
  return a;
}

inline void expect_close(const Program& p, const Answer& device, const Answer& host) {
  ASSERT_EQ(host.status.kind, ReplayStatus::Kind::Ok) << host.status.message;
  ASSERT_EQ(device.status.kind, ReplayStatus::Kind::Ok) << device.status.message;
  EXPECT_NEAR(device.lp, host.lp, 1e-10 * std::max(1.0, std::fabs(host.lp)));
  for (std::size_t i = 0; i < p.theta.size(); ++i)
    EXPECT_NEAR(device.gradient[i], host.gradient[i], 1e-10 * std::max(1.0, std::fabs(host.gradient[i]))) << (i < p.names.size() ? p.names[i] : std::to_string(i));
}

/// The same numbers as without a device, the same bits twice; `placed` ops are there.
inline void expect_same(const Program& p, const std::shared_ptr<DeviceUse>& use, std::size_t placed) {
  const auto on_device = tape_of(p, use), on_host = tape_of(p, nullptr);
  EXPECT_GE(on_device->placed_count(), placed) << on_device->dump();
  Workspace mine(on_device), other(on_device), host(on_host);
  const Answer first = answer_of(mine, p.theta), second = answer_of(mine, p.theta), third = answer_of(other, p.theta);
  EXPECT_FALSE(use->lost());
  expect_close(p, first, answer_of(host, p.theta));
  EXPECT_EQ(first.lp, second.lp);
  EXPECT_EQ(first.gradient, second.gradient);
  EXPECT_EQ(first.gradient, third.gradient);
  double lp = 0;
  EXPECT_EQ(mine.value(p.theta, &lp).kind, ReplayStatus::Kind::Ok);
  EXPECT_EQ(lp, first.lp);
}

}  // namespace fermiac::ad
