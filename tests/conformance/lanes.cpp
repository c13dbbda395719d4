// A map of scalars applied by its vector loops to copies of them, without values, recordings and tapes in between.
#include <algorithm>

#include "interp/functions/builtin_tools.h"
#include "tests/conformance/recorded_call.h"

namespace fermiac::selfcheck {
namespace {

constexpr std::uint32_t kLanes = 11;  // blocks of eight or of four, and a tail
constexpr std::size_t kRoom = 24;     // loops read and write whole blocks

class Lanes {
 public:
  Lanes(const ad::MapOp& op, const std::vector<Value>& args, unsigned mask, bool propto) : op_(op), mask_(mask) {
    for (std::size_t j = 0; j < args.size(); ++j) {
      x_[j].assign(kRoom, interp::plain_scalar(args[j]));
      adjoints_[j].assign(kRoom, 0.0);
      m_.x[j] = x_[j].data();
      if (mask >> j & 1u) m_.a[j] = adjoints_[j].data();
    }
    const auto ad = static_cast<std::uint8_t>(mask);
    m_.n = kLanes;
    m_.vector_mask = static_cast<std::uint16_t>((1u << args.size()) - 1);
    m_.keep = propto ? ad::Keep::propto(ad) : ad::Keep{0xff, ad};
  }

  InLanes run() {
    InLanes out{.values = op_.density && !op_.product ? sums() : elements(), .gradients = {}};
    for (std::uint32_t i = 0; i < kLanes; ++i) out.gradients.push_back(gradient(i));
    return out;
  }

 private:
  void check(bool ok) const {
    if (!ok) ad::explain_domain(op_, m_);
  }
  std::vector<double> sums() {
    double plain = 0, fused = 0;
    check(op_.reduce(m_, &plain));
    check(op_.fused(m_, &fused));
    return {plain / kLanes, fused / kLanes};
  }
  std::vector<double> elements() {
    std::vector<double> out(kRoom, 0.0), ones(kRoom, 1.0);
    m_.out = out.data();
    m_.out_a = ones.data();
    check(op_.map(m_));
    op_.map_reverse(m_);
    out.resize(kLanes);
    return out;
  }
  std::vector<double> gradient(std::uint32_t lane) const {
    std::vector<double> out;
    for (int j = 0; j < op_.arity; ++j)
      if (mask_ >> j & 1u) out.push_back(adjoints_[j][lane]);
    return out;
  }

  const ad::MapOp& op_;
  unsigned mask_;
  ad::MapArgs m_;
  std::vector<double> x_[ad::kMaxMapArity], adjoints_[ad::kMaxMapArity];
};

}  // namespace

bool runs_in_lanes(std::string_view name, const std::vector<Value>& args) {
  const ad::MapCode code = ad::find_map(name);
  return code != ad::kNoMap && ad::map_op(code).arity == args.size() &&
         std::ranges::all_of(args, interp::is_plain_scalar);
}

InLanes run_in_lanes(std::string_view name, const std::vector<Value>& args, unsigned mask, bool propto) {
  return Lanes(ad::map_op(ad::find_map(name)), args, mask, propto).run();
}

}  // namespace fermiac::selfcheck
