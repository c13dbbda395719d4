#include <algorithm>
#include <array>

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

bool is_fused_link(MapCode code) {
  static const std::array<MapCode, 4> kCodes = {find_map("logit_terms__"), find_map("log_terms__"), find_map("log_inv_logit"),
                                                find_map("log1m_inv_logit")};
  return std::ranges::find(kCodes, code) != kCodes.end();
}

}  // namespace fermiac::ad
