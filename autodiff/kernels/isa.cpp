#include "autodiff/kernels/isa.h"

namespace fermiac::ad {

Isa active_isa() {
  return static_cast<Isa>(active_isa_place());
}

std::string_view isa_name(Isa isa) {
  return isas_of_build()[static_cast<std::size_t>(isa)];
}

std::span<const std::string_view> isa_names() {
  return isas_of_build().first(static_cast<std::size_t>(active_isa()) + 1);
}

}  // namespace fermiac::ad
