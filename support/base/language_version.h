// The version of the Stan language that the frontend reads and that clients compare with their own.
#pragma once

namespace fermiac {

inline constexpr char kStanVersion[] = "2.39.0";
/// As compilers of the language give it.
inline constexpr char kStancVersion[] = "stanc3 v2.39.0";

}  // namespace fermiac
