// Arguments at which a link function of the program, exp or inv_logit, saturates in double precision. Maps that replace a density of
// the link (autodiff/tape/rewrite/statistics.cpp, peephole.cpp) have no finite value beyond them.
#pragma once

namespace fermiac::ad {

inline constexpr double kLinkVanishes = -708.39641853226408;  // below it exp(p) and inv_logit(p) lose digits, then round to 0
inline constexpr double kLinkOverflows = 709.78271289338397;  // above it exp(p) is infinite
inline constexpr double kLinkIsOne = 36.7368;                 // above it inv_logit(p) rounds to 1; accurate to about 1e-6

}  // namespace fermiac::ad
