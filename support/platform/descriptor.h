// Open files as the operating system has them: opening, reading, writing, what kind of file it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace fermiac {

/// The descriptors that every program starts with.
inline constexpr int kStandardInput = 0, kStandardOutput = 1, kStandardError = 2;
/// A file that takes everything and keeps nothing.
inline constexpr char kNullDevice[] = "/dev/null";

enum class OpenMode : std::uint8_t {
  Read,
  ReadAtOnce,  // a pipe that nobody writes to is opened without waiting for a writer
  Folder,      // to lock it, or to write its entries to the disk
  Write,       // a file that exists
  Create,      // to write; it is made where there is none
  CreateNew,   // to write; a file that exists is an error
  Truncate     // to write; an existing file loses its content
};

enum class FileType : std::uint8_t { Regular, Folder, Stream /* a pipe, a socket or a terminal */, Other };

struct FileFacts {
  FileType kind = FileType::Other;
  std::uint64_t size = 0;
  std::filesystem::perms permissions = std::filesystem::perms::none;
};

/// What a transfer did before it ended; `error` is a value of errno, 0 where all was transferred.
struct Transfer {
  std::size_t done = 0;
  int error = 0;
};

/// Owns an open file, which programs started by this one do not inherit.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  /// Without a file, and errno says why, where it cannot be opened.
  explicit Descriptor(const std::string& path, OpenMode mode = OpenMode::Read);
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  explicit operator bool() const { return number_ >= 0; }
  int get() const { return number_; }
  /// Closes it now. 0, or the error: some file systems report a failed write only here.
  int close();

 private:
  int number_ = -1;
};

// Of an open descriptor. Functions that return an int return 0 or a value of errno.

/// False, and errno says why, where the system does not say.
bool read_facts(int descriptor, FileFacts* out);
bool is_regular(int descriptor);

/// Gives what the descriptor holds from its position on to `take`, piece by piece, until that is false.
int read_pieces(int descriptor, const std::function<bool(std::string_view)>& take);
/// Appends what the descriptor holds from its position on.
int read_rest(int descriptor, std::string* out);
/// Waits for input. Returns the number of bytes: 0 at the end or after an error.
std::size_t read_some(int descriptor, std::span<char> out);
/// From `offset` of the file on. At its end, `done` is less than was asked for, without an error.
Transfer read_at(int descriptor, std::uint64_t offset, std::span<char> out);
/// Whether there is input now or within so many milliseconds.
bool input_waits(int descriptor, int milliseconds);

/// Writes all of the text, in several pieces where the system takes less at once.
Transfer write_all(int descriptor, std::string_view text);
Transfer write_all_at(int descriptor, std::uint64_t offset, std::string_view text);
int truncate_file(int descriptor, std::uint64_t size);
int move_to(int descriptor, std::uint64_t offset);
/// Waits until the file is on the disk; no error where it lies on none.
int sync_file(int descriptor);
/// The same for its content alone, as well as the system can.
void sync_data(int descriptor);
void set_permissions(int descriptor, std::filesystem::perms permissions);

// Of a path.

/// Names in a folder are on the disk once the folder is.
void sync_folder(const std::string& folder);
bool may_read(const std::string& path);
/// False, and errno says why.
bool may_write(const std::string& path);

// Locks on open files and folders, between processes. They end with the descriptor, or with the process.

enum class Lock : std::uint8_t { Alone, Shared };

/// Takes the lock, or changes one that is held already. False where another process has a lock that excludes it. A file
/// system that knows no locks refuses nobody.
bool try_lock(const Descriptor& file, Lock lock);
/// The same, but waits for the other process.
void wait_for_lock(const Descriptor& file, Lock lock);

}  // namespace fermiac
