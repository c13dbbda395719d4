#include "interp/functions/call_context.h"

#include "autodiff/tape/record/recorder.h"

namespace fermiac::interp {

void add_to_target(ad::Recorder& recorder, const Value& value) {
  switch (value.kind()) {
    case Value::Kind::Int: return recorder.target_constant(static_cast<double>(value.as_int()));
    case Value::Kind::Real: return recorder.target_constant(value.as_real());
    case Value::Kind::Ref: return recorder.target(value.as_ref());
    case Value::Kind::Ints:
      for (const std::int32_t x : value.int_data()) recorder.target_constant(static_cast<double>(x));
      return;
    case Value::Kind::Reals:
      for (std::size_t k = 0; k < value.real_data().size(); ++k) recorder.target_constant(value.real_data()[k]);
      return;
    default: break;
  }
  const std::vector<Ref>& refs = value.ref_data();  // one op per run of consecutive references
  for (std::size_t first = 0; first < refs.size();) {
    std::size_t last = first + 1;
    while (last < refs.size() && refs[last] == refs[last - 1] + 1) ++last;
    recorder.target(refs[first], static_cast<std::uint32_t>(last - first));
    first = last;
  }
}

double recorded_value(const CallContext& context, Ref ref) {
  return context.recorder->value(ref);
}

}  // namespace fermiac::interp
