// Statements and functions that run as machine code.
#include <array>

#include "interp/exec/runs/lent_trail.h"
#include "interp/exec/runs/native_code.h"

namespace fermiac::interp {

namespace {

/// The same object, as machine code knows it.
native::Value* theirs(Value* v) { return static_cast<native::Value*>(static_cast<void*>(v)); }

}  // namespace

native::Context NativeCode::context(const Frame& f) const {
  static_assert(sizeof(Site) == sizeof(std::uint32_t) && sizeof(std::atomic<bool>) == 1);
  return {.machine = &f.m,
          .code = this,
          .site = reinterpret_cast<std::uint32_t*>(&f.m.site),
          .stop = reinterpret_cast<const unsigned char*>(f.m.stop),
          .target = &f.m.lp,
          .trail = nullptr,
          .sites = sites.data(),
          .functions = functions.data(),
          .active = f.active,
          .propto = f.propto,
          .jacobian = f.m.jacobian};
}

Value NativeCode::run(const native::UserFunction& function, Frame& f) const {
  native::Context c = context(f);
  Value result;
  if (!f.recording) {
    function.run(c, theirs(f.slots), *theirs(&result));
    return result;
  }
  LentTrail trail(*f.m.recorder);
  c.trail = trail.get();
  function.traced(c, theirs(f.slots), *theirs(&result));
  return result;
}

namespace {

struct NativeStatement final : StmtNode {
  NativeStatement(Site s, const NativeCode& c, const native::Region& r, std::vector<std::size_t> at, StmtPtr n)
      : StmtNode(s), code(c), region(r), slots(std::move(at)), nodes(std::move(n)) {}

  Flow run(Frame& f) const override {
    if (!NativeCode::runs(f, region.traced != nullptr)) return nodes->run(f);
    constexpr std::size_t kFew = 32;
    std::array<native::Value*, kFew> few;
    std::vector<native::Value*> many(slots.size() > kFew ? slots.size() : 0);
    native::Value** const at = many.empty() ? few.data() : many.data();
    for (std::size_t i = 0; i < slots.size(); ++i) at[i] = theirs(&f.slots[slots[i]]);
    native::Context c = code.context(f);
    if (!f.recording) return static_cast<Flow>(region.run(c, at));
    LentTrail trail(*f.m.recorder);
    c.trail = trail.get();
    return static_cast<Flow>(region.traced(c, at));
  }

  const NativeCode& code;
  const native::Region& region;
  std::vector<std::size_t> slots;
  StmtPtr nodes;
};

}  // namespace

StmtPtr make_native(Site site, const NativeCode& code, const native::Region& region, std::vector<std::size_t> slots,
                    StmtPtr nodes) {
  return std::make_unique<NativeStatement>(site, code, region, std::move(slots), std::move(nodes));
}

}  // namespace fermiac::interp
