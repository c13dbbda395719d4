// Open files, locks, temporary files: support/platform on this system.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <thread>

#include "support/platform/descriptor.h"
#include "support/platform/memory_file.h"
#include "support/platform/temporary.h"
#include "support/platform/text_streams.h"
#include "tests/shared/own_folder.h"
#include "tests/shared/run_files.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;

class Descriptors : public testing::InOwnFolder {};

std::string all_of(int descriptor) {
  std::string out;
  EXPECT_EQ(read_pieces(descriptor, [&](std::string_view piece) { return out += piece, true; }), 0);
  return out;
}

TEST_F(Descriptors, ModesSayWhatBecomesOfAnExistingFile) {
  EXPECT_FALSE(Descriptor(at("none"), OpenMode::Write));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(write_all(Descriptor(at("a"), OpenMode::CreateNew).get(), "four").error, 0);
  EXPECT_FALSE(Descriptor(at("a"), OpenMode::CreateNew));
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(write_all(Descriptor(at("a"), OpenMode::Create).get(), "F").error, 0);
  EXPECT_EQ(testing::text_of(at("a")), "Four");
  EXPECT_TRUE(Descriptor(at("a"), OpenMode::Truncate));
  EXPECT_EQ(testing::text_of(at("a")), "");
  EXPECT_FALSE(Descriptor(at("a"), OpenMode::Folder));
}

TEST_F(Descriptors, CutsAndWritesInPlace) {
  const Descriptor file(at("a"), OpenMode::Create);
  ASSERT_EQ(write_all(file.get(), "one\ntwo\nthr").error, 0);
  EXPECT_EQ(truncate_file(file.get(), 8), 0);
  EXPECT_EQ(move_to(file.get(), 8), 0);
  EXPECT_EQ(write_all(file.get(), "four\n").error, 0);
  EXPECT_EQ(write_all_at(file.get(), 0, "ONE").error, 0);
  EXPECT_EQ(testing::text_of(at("a")), "ONE\ntwo\nfour\n");
}

TEST_F(Descriptors, ReadingStopsAtTheEnd) {
  ASSERT_EQ(write_all(Descriptor(at("a"), OpenMode::Create).get(), "0123456789").error, 0);
  const Descriptor file(at("a"));
  std::array<char, 8> room{};
  EXPECT_EQ(read_at(file.get(), 1, room).done, 8u);
  EXPECT_EQ(std::string(room.data(), 8), "12345678");
  const Transfer last = read_at(file.get(), 6, room);
  EXPECT_EQ(last.done, 4u);
  EXPECT_EQ(last.error, 0);
  EXPECT_EQ(all_of(file.get()), "0123456789") << "reading at a place does not move the position";
}

/// A pipe takes 64 KiB at once: what is longer is written in several pieces.
TEST(Pipes, LongTextsAreWrittenPieceByPiece) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const Descriptor out(ends[0]);
  Descriptor in(ends[1]);
  EXPECT_FALSE(input_waits(out.get(), 0));
  const std::string text(1 << 20, 'x');
  std::thread writer([&] {
    EXPECT_EQ(write_all(in.get(), text).done, text.size());
    EXPECT_EQ(in.close(), 0);
  });
  EXPECT_TRUE(input_waits(out.get(), 60'000));
  EXPECT_EQ(all_of(out.get()), text);
  writer.join();
}

/// /dev/full refuses every byte, as a full disk does.
TEST(Devices, AFullOneIsAnError) {
  const Descriptor full("/dev/full", OpenMode::Write);
  if (!full) GTEST_SKIP() << "there is no /dev/full";
  EXPECT_FALSE(is_regular(full.get()));
  const Transfer written = write_all(full.get(), "text");
  EXPECT_EQ(written.done, 0u);
  EXPECT_EQ(written.error, ENOSPC);
}

TEST_F(Descriptors, KindsOfFiles) {
  FileFacts facts;
  ASSERT_TRUE(read_facts(Descriptor(at(""), OpenMode::Folder).get(), &facts));
  EXPECT_EQ(facts.kind, FileType::Folder);
  const Descriptor file(at("a"), OpenMode::Create);
  set_permissions(file.get(), fs::perms::owner_all);
  ASSERT_TRUE(read_facts(file.get(), &facts));
  EXPECT_EQ(facts.kind, FileType::Regular);
  EXPECT_EQ(facts.permissions, fs::perms::owner_all);
  EXPECT_FALSE(read_facts(-1, &facts));
}

/// The exit status of a child process that returns try(); both have the folder.
template <class Try>
bool in_child(Try attempt) {
  const pid_t child = fork();
  if (child == 0) _exit(attempt() ? 1 : 0);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

class Locks : public testing::InOwnFolder {
 protected:
  bool other_process_gets(Lock lock) const {
    return in_child([&] {
      const Descriptor folder(at(""), OpenMode::Folder);
      return folder && try_lock(folder, lock);
    });
  }
};

TEST_F(Locks, ASecondProcessIsRefused) {
  const Descriptor folder(at(""), OpenMode::Folder);
  ASSERT_TRUE(try_lock(folder, Lock::Alone));
  EXPECT_FALSE(other_process_gets(Lock::Alone));
  EXPECT_FALSE(other_process_gets(Lock::Shared));
  wait_for_lock(folder, Lock::Shared);
  EXPECT_FALSE(other_process_gets(Lock::Alone));
  EXPECT_TRUE(other_process_gets(Lock::Shared));
}

TEST_F(Locks, TheyEndWithTheDescriptor) {
  { EXPECT_TRUE(try_lock(Descriptor(at(""), OpenMode::Folder), Lock::Alone)); }
  EXPECT_TRUE(other_process_gets(Lock::Alone));
}

TEST(Temporary, FoldersAndFilesAreRemoved) {
  std::string folder_path, file_path;
  {
    const TemporaryFolder folder("fermiac-test-");
    const TemporaryFile file("fermiac-test-", ".stan");
    ASSERT_TRUE(folder);
    ASSERT_TRUE(file);
    folder_path = folder.path(), file_path = file.path();
    EXPECT_TRUE(file_path.ends_with(".stan"));
    EXPECT_EQ(fs::status(folder_path).permissions(), fs::perms::owner_all);
    EXPECT_EQ(write_all(Descriptor(folder_path + "/a", OpenMode::Create).get(), "text").error, 0);
  }
  EXPECT_FALSE(fs::exists(folder_path));
  EXPECT_FALSE(fs::exists(file_path));
}

TEST(MemoryFiles, AreReadByTheirPath) {
  const MemoryFile file("test");
  ASSERT_TRUE(file);
  ASSERT_EQ(write_all(file.get(), "text").error, 0);
  EXPECT_EQ(all_of(Descriptor(file.path()).get()), "text");
}

TEST(Streams, LeadIntoMemory) {
  TextStream text;
  std::fputs("kept", text.file());
  EXPECT_EQ(text.text(), "kept");
  std::string lines;
  LineStream stream([&](const std::string& some) { lines += "[" + some + "]"; });
  std::fputs("one\ntw", stream.file());
  std::fputs("o\nthree", stream.file());
  std::fflush(stream.file());
  EXPECT_EQ(lines, "[one\n][two\n]");
}

}  // namespace
}  // namespace fermiac
