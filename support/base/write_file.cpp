// A file written as a whole, or left as it was.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "support/base/text_file.h"
#include "support/platform/descriptor.h"
#include "support/platform/temporary.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;

/// Writes and closes; the error number, or 0.
int write_and_close(Descriptor file, std::string_view text, bool on_disk = false) {
  int why = write_all(file.get(), text).error;
  if (on_disk && why == 0) why = sync_file(file.get());
  const int at_close = file.close();
  return why != 0 ? why : at_close;
}

int rename_to(const std::string& from, const std::string& to) { return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno; }

/// The new name of a file is in its folder.
void sync_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  sync_folder(slash == std::string::npos ? "." : path.substr(0, slash + 1));
}

/// Devices and pipes are written to; only a file of our own making is removed where that fails.
int write_in_place(const std::string& path, std::string_view text, bool is_new, bool on_disk = false) {
  Descriptor file(path, OpenMode::Truncate);
  if (!file) return errno;
  const int why = write_and_close(std::move(file), text, on_disk);
  if (why != 0 && is_new) std::remove(path.c_str());
  return why;
}

/// Beside the file, so that it can take the file's place in one step.
int replace(const std::string& path, std::string_view text, fs::perms permissions) {
  std::error_code failed;
  const std::string real = fs::canonical(path, failed).string();
  if (failed) return failed.value();
  if (!may_write(real)) return errno;
  std::string beside;
  Descriptor file = create_beside(real, &beside);
  if (!file) return errno == EACCES || errno == EPERM || errno == EROFS ? write_in_place(path, text, false) : errno;
  set_permissions(file.get(), permissions);
  int why = write_and_close(std::move(file), text);
  if (why == 0) why = rename_to(beside, real);
  if (why != 0) std::remove(beside.c_str());
  return why;
}

}  // namespace

Status replace_file(const std::string& path, std::string_view text, bool on_disk) {
  const std::string unfinished = path + ".new";
  int why = write_in_place(unfinished, text, true, on_disk);
  if (why == 0) why = rename_to(unfinished, path);
  if (why == 0 && on_disk) sync_folder_of(path);
  return why == 0 ? Status{} : Status::failed(std::strerror(why));
}

Status write_whole_file(const std::string& path, std::string_view text) {
  std::error_code unknown;
  const fs::file_status there = fs::status(path, unknown);
  const int why = fs::is_regular_file(there) ? replace(path, text, there.permissions()) : write_in_place(path, text, !fs::exists(there));
  return why == 0 ? Status{} : Status::failed(std::strerror(why));
}

}  // namespace fermiac
