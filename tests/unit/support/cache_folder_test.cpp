// Files kept between runs: taken from a folder of this user alone, and only if they are what was kept.
#include "support/base/cache_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/shared/own_folder.h"
#include "tests/shared/run_files.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;

class CacheFolder : public testing::InOwnFolder {
 protected:
  void SetUp() override {
    testing::InOwnFolder::SetUp();
    setenv("XDG_CACHE_HOME", at("cache").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    testing::InOwnFolder::TearDown();
  }
  fs::path folder() const { return at("cache/fermiac"); }
  fs::path file() const { return folder() / "a.so"; }
  mode_t mode_of(const fs::path& path) const {
    struct stat info {};
    return stat(path.c_str(), &info) == 0 ? info.st_mode & 0777 : 0;
  }
};

const std::string kContent = std::string("\x7f" "ELF and zero bytes\0\0", 21) + std::string(100000, 'x');

TEST_F(CacheFolder, KeepsContent) {
  EXPECT_EQ(read_cached("a.so"), "");
  EXPECT_EQ(keep_cached("a.so", kContent), "");
  EXPECT_EQ(read_cached("a.so"), kContent);
  EXPECT_EQ(mode_of(folder()), 0700u);
  EXPECT_EQ(mode_of(file()), 0600u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), fs::directory_iterator()), 1) << "nothing unfinished is left";
}

TEST_F(CacheFolder, DamagedFilesCountAsAbsent) {
  ASSERT_EQ(keep_cached("a.so", kContent), "");
  const std::string whole = testing::text_of(file());
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{40}, whole.size() - 1}) {
    fs::resize_file(file(), 0);
    std::ofstream(file(), std::ios::binary) << whole.substr(0, size);
    EXPECT_EQ(read_cached("a.so"), "") << size;
  }
  for (const std::size_t place : {std::size_t{3}, std::size_t{20}, std::size_t{60}, whole.size() - 1}) {
    std::string damaged = whole;
    damaged[place] ^= 1;
    std::ofstream(file(), std::ios::binary) << damaged;
    EXPECT_EQ(read_cached("a.so"), "") << place;
  }
  EXPECT_EQ(keep_cached("a.so", kContent), "");
  EXPECT_EQ(read_cached("a.so"), kContent);
}

TEST_F(CacheFolder, NothingIsTakenFromOthers) {
  ASSERT_EQ(keep_cached("a.so", kContent), "");
  fs::permissions(folder(), fs::perms(0770));
  EXPECT_EQ(read_cached("a.so"), "");
  EXPECT_NE(keep_cached("b.so", kContent).find("can be written by other users"), std::string::npos);
  fs::permissions(folder(), fs::perms(0755));  // as older versions made it
  EXPECT_EQ(read_cached("a.so"), kContent);
  EXPECT_EQ(mode_of(folder()), 0700u);
  fs::permissions(file(), fs::perms(0622));
  EXPECT_EQ(read_cached("a.so"), "");
  if (geteuid() != 0) return;
  fs::permissions(file(), fs::perms(0600));
  ASSERT_EQ(chown(file().c_str(), 65534, 65534), 0);
  EXPECT_EQ(read_cached("a.so"), "");
  ASSERT_EQ(chown(file().c_str(), 0, 0), 0);
  ASSERT_EQ(chown(folder().c_str(), 65534, 65534), 0);
  EXPECT_EQ(read_cached("a.so"), "");
  EXPECT_NE(keep_cached("a.so", kContent).find("belongs to another user"), std::string::npos);
  ASSERT_EQ(chown(folder().c_str(), 0, 0), 0);
}

TEST_F(CacheFolder, LinksAreNotFollowed) {
  ASSERT_EQ(keep_cached("a.so", kContent), "");
  fs::rename(file(), at("elsewhere.so"));
  fs::create_symlink(at("elsewhere.so"), file());
  EXPECT_EQ(read_cached("a.so"), "");
  EXPECT_EQ(keep_cached("a.so", "new"), "") << "the link is replaced, not followed";
  EXPECT_EQ(read_cached("a.so"), "new");
  EXPECT_NE(testing::text_of(at("elsewhere.so")).find("ELF"), std::string::npos);
  fs::rename(folder(), at("moved"));
  fs::create_directory_symlink(at("moved"), folder());
  EXPECT_EQ(read_cached("a.so"), "");
  EXPECT_NE(keep_cached("a.so", "new"), "");
}

TEST_F(CacheFolder, WhereItIs) {
  EXPECT_EQ(cache_folder(), folder());
  setenv("XDG_CACHE_HOME", "relative", 1);
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  setenv("HOME", at("home").c_str(), 1);
  EXPECT_EQ(cache_folder(), at("home/.cache/fermiac"));
  unsetenv("HOME");
  EXPECT_EQ(cache_folder().filename(), "fermiac-" + std::to_string(geteuid()));
  if (!home.empty()) setenv("HOME", home.c_str(), 1);
}

}  // namespace
}  // namespace fermiac
