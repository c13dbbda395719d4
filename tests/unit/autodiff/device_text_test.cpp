// Programs for devices (autodiff/tape/opencl/program_text.h) without any: a device on paper keeps their texts, and its launches do nothing.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "autodiff/symbolic/symbol.h"
#include "tests/unit/autodiff/device_program.h"

namespace fermiac::ad {
namespace {

/// Numbers are there, but nobody computes with them.
class PaperDevice final : public Device {
 public:
  explicit PaperDevice(std::string* text) : text_(text) {
    info_.name = "paper";
    info_.kind = DeviceKind::Gpu;
    info_.doubles = true;
    info_.largest_group = 64;
    info_.units = 8;
  }
  const DeviceInfo& info() const override { return info_; }
  Status buffer(std::size_t bytes, std::unique_ptr<DeviceBuffer>* out) override {
    *out = std::make_unique<Memory>(bytes);
    return {};
  }
  Status build(const std::string& source, const std::string&, std::shared_ptr<DeviceProgram>* out) override {
    *text_ = source;
    *out = std::make_shared<Program>();
    return {};
  }
  Status kernel(DeviceProgram&, const char*, std::span<const DeviceArgument>, std::unique_ptr<DeviceKernel>* out) override {
    *out = std::make_unique<DeviceKernel>();
    return {};
  }
  Status queue(std::unique_ptr<DeviceQueue>* out) override {
    *out = std::make_unique<Queue>();
    return {};
  }

 private:
  struct Memory final : DeviceBuffer {
    explicit Memory(std::size_t n) : bytes(n) {}
    std::vector<char> bytes;
  };
  struct Program final : DeviceProgram {
    std::string binary() const override { return {}; }
  };
  struct Queue final : DeviceQueue {
    static std::vector<char>& bytes(const DeviceBuffer& b) { return const_cast<Memory&>(static_cast<const Memory&>(b)).bytes; }
    Status write(DeviceBuffer& to, std::size_t byte, const void* from, std::size_t n) override {
      EXPECT_LE(byte + n, bytes(to).size());
      std::memcpy(bytes(to).data() + byte, from, n);
      return {};
    }
    Status read(const DeviceBuffer& from, std::size_t byte, void* to, std::size_t n) override {
      EXPECT_LE(byte + n, bytes(from).size());
      std::memcpy(to, bytes(from).data() + byte, n);
      return {};
    }
    Status launch(DeviceKernel&, std::size_t items, std::size_t group) override {
      EXPECT_EQ(items % group, 0u);
      return {};
    }
  };
  std::string* text_;
  DeviceInfo info_;
};

/// Two densities of a gather and of data, with a scale that they share.
Program two_densities(std::uint32_t n, double first) {
  Program p{std::vector<double>(n + 3, 0.3), {}, {}};
  p.body = [n, first](Recorder& r) {
    std::vector<double> y(n, first);
    std::vector<Ref> refs;
    for (std::uint32_t i = 0; i < n; ++i) refs.push_back(Ref::slot(n + i % 2));
    const Operand data{.ref = r.constant_block(y.data(), n), .vector = true, .autodiff = false};
    const Operand scale{.ref = Ref::slot(n + 2), .vector = false, .autodiff = true};
    const Operand gathered{.ref = r.gather(refs), .vector = true, .autodiff = true}, own{.ref = Ref::slot(0), .vector = true, .autodiff = true};
    r.sink(find_map("logistic_lpdf"), std::vector<Operand>{data, gathered, scale}, n);
    r.sink(find_map("cauchy_lpdf"), std::vector<Operand>{data, own, scale}, n);
  };
  return p;
}

std::string text_of(const Program& p, std::size_t* placed) {
  std::string text;
  const auto use = std::make_shared<DeviceUse>(std::make_shared<PaperDevice>(&text), Placing::All, nullptr);
  const auto tape = tape_of(p, use);
  Workspace w(tape);
  answer_of(w, p.theta);
  *placed = tape->placed_count();
  return text;
}

TEST(DeviceText, HasOneKernelForOneLengthAndNeitherSizesNorData) {
  std::size_t placed = 0;
  const std::string text = text_of(two_densities(40, 0.5), &placed);
  EXPECT_EQ(placed, 3u);
  EXPECT_NE(text.find("__kernel ITEMS void chain0("), std::string::npos) << text;
  EXPECT_EQ(text.find("__kernel ITEMS void chain1("), std::string::npos) << text;
  EXPECT_EQ(text_of(two_densities(1000, -2.25), &placed), text);
}

TEST(Symbols, WriteEqualExpressionsOnceAndFoldConstants) {
  symbols::Statements s;
  const symbols::Symbol x = s.named("x"), two = 2;
  const symbols::Symbol sum = (x + 1.0) * (x + 1.0) + two * two;
  const std::string text = s.write({sum});
  EXPECT_EQ(text,
            "    const T v1 = x + (T)(1.0);\n"
            "    const T v2 = v1 * v1;\n"
            "    const T v3 = v2 + (T)(4.0);\n");
  EXPECT_EQ(s.write({sum}), "");
  EXPECT_EQ(s.text(select(x > 0.0, x, x)), "x");
  EXPECT_EQ(s.text(exp(symbols::Symbol(0.0))), "(T)(1.0)");
  EXPECT_EQ(s.text(symbols::Symbol(-__builtin_inf())), "(T)(-INFINITY)");
}

TEST(Symbols, SayWhereTheirFunctionsHold) {
  symbols::Statements s;
  const symbols::Symbol x = s.named("x");
  EXPECT_EQ(s.text(s.required()), "TRUE");
  lgamma(x);
  EXPECT_NE(s.text(s.required()), "TRUE");
  EXPECT_THROW(
      {
        symbols::Symbol slope;
        symbols::Truth left;
        log_Phi_core(symbols::Symbol(1), slope, left);
      },
      symbols::NoFormula);
}

}  // namespace
}  // namespace fermiac::ad
