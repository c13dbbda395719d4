#include "plugins/netcdf/array_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "support/base/text_file.h"
#include "support/platform/module.h"
#include "support/platform/process.h"

namespace fermiac {
namespace {

constexpr char kModule[] = "fermiac_netcdf.so";

template <class Things>
auto* named(Things& things, std::string_view name) {
  const auto at = std::ranges::find(things, name, [](const auto& thing) -> std::string_view { return thing.name; });
  return at == things.end() ? nullptr : &*at;
}

/// Null, and the reason in `problem`. The module stays loaded.
void* entry(const char* name, std::string* problem) {
  Module module(private_file(kModule).string());
  module.keep();
  void* const found = module.symbol(name);
  if (found) return found;
  *problem = has_array_files() ? module.why() : no_array_files();
  return nullptr;
}

}  // namespace

std::size_t ArrayGroup::dim(const std::string& wanted, std::size_t size) {
  if (const ArrayDim* there = named(dims, wanted)) return static_cast<std::size_t>(there - dims.data());
  dims.push_back({wanted, size});
  return dims.size() - 1;
}

const ArrayVariable* ArrayGroup::find(std::string_view wanted) const { return named(variables, wanted); }
const ArrayGroup* ArrayFile::find(std::string_view wanted) const { return named(groups, wanted); }

std::string_view text_attribute(const std::vector<ArrayAttribute>& attributes, std::string_view name) {
  const ArrayAttribute* there = named(attributes, name);
  const std::string* text = there ? std::get_if<std::string>(&there->value) : nullptr;
  return text ? std::string_view(*text) : std::string_view();
}

std::vector<double> number_attribute(const std::vector<ArrayAttribute>& attributes, std::string_view name) {
  const ArrayAttribute* there = named(attributes, name);
  if (!there) return {};
  if (const auto* reals = std::get_if<std::vector<double>>(&there->value)) return *reals;
  if (const auto* ints = std::get_if<std::vector<std::int64_t>>(&there->value)) return {ints->begin(), ints->end()};
  return {};
}

std::vector<double> reals_of(const ArrayVariable& variable) {
  return std::visit([](const auto& values) { return std::vector<double>(values.begin(), values.end()); }, variable.values);
}

namespace {

/// The library does not say that a disk is full; what is left of it does.
std::string room_left(const std::string& path) {
  constexpr std::uintmax_t kPlenty = 1 << 20;
  std::error_code error;
  const std::uintmax_t free = std::filesystem::space(std::filesystem::absolute(path, error).parent_path(), error).available;
  return error || free >= kPlenty ? "" : "; " + std::to_string(free) + " bytes are free on its disk";
}

}  // namespace

bool is_array_file(const std::string& path) {
  const std::string head = read_beginning(path, 8);
  const bool classic = head.size() > 3 && head.starts_with("CDF") && head[3] < 8;  // a number, not a letter of a header line
  return classic || head.starts_with("\x89HDF\r\n\x1a\n");
}

Status write_array_file(const std::string& path, const ArrayFile& file) {
  std::string problem;
  const auto write = reinterpret_cast<WriteArrayFile>(entry(kWriteArrayFile, &problem));
  if (!write) return Status::failed(problem);
  const std::string unfinished = path + ".new";
  if (Status bad = write_whole_file(unfinished, ""); !bad) return bad;  // the library calls every reason a lack of permission
  write(unfinished.c_str(), file, &problem);
  if (!problem.empty()) problem += room_left(unfinished);
  if (problem.empty() && std::rename(unfinished.c_str(), path.c_str()) != 0) problem = std::strerror(errno);
  if (!problem.empty()) std::remove(unfinished.c_str());
  return Status::failed_if_any(problem);
}

Status read_array_file(const std::string& path, ArrayFile* out) {
  std::string problem;
  const auto read = reinterpret_cast<ReadArrayFile>(entry(kReadArrayFile, &problem));
  if (read) read(path.c_str(), out, &problem);
  return Status::failed_if_any(problem);
}

std::string no_array_files() {
  return "this installation has no module for netCDF, " + private_file(kModule).string() + " (package fermiac-netcdf)";
}

bool has_array_files() {
  std::error_code ignored;
  return std::filesystem::exists(private_file(kModule), ignored);
}

}  // namespace fermiac
