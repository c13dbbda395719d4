// Headers in C++ that define functions which a program only declares: how they are included, what stands for the headers of
// Stan Math and Boost that they include themselves, and what is told where they do not compile.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermiac::interp {

/// Where users read what a header may do, as the end of a message.
inline constexpr const char* kUserHeaderPage = "; docs/user/user-headers.md says what headers may use";

std::string included_header(const std::string& file);

/// Names below a folder, and their content.
std::vector<std::pair<std::string, std::string_view>> stand_in_headers();
/// With which the compiler finds them: instead of Stan Math, but behind the system's Boost and Eigen.
std::vector<std::string> stand_in_flags(const std::string& folder);

/// `output`: of the compiler.
std::string user_header_problem(const std::string& file, const std::string& output);

}  // namespace fermiac::interp
