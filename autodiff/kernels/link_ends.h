// Where a link of the program, exp or inv_logit, has reached the end of its range in double precision. Maps that stand for a density
// of the link (autodiff/tape/rewrite/statistics.cpp, peephole.cpp) have no finite value there.
#pragma once

namespace fermiac::ad {

inline constexpr double kLinkVanishes = -708.39641853226408;  // exp(p) and inv_logit(p) lose digits below, and are 0 soon
inline constexpr double kLinkOverflows = 709.78271289338397;  // exp(p) is infinite above
inline constexpr double kLinkIsOne = 36.7368;                 // inv_logit(p) is 1 above, but for some 1e-6

}  // namespace fermiac::ad
