// A folder for what a test writes, apart from every other test's.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace fermiac::testing {

/// New and empty; it goes away with what it holds.
class OwnFolder {
 public:
  OwnFolder() {
    std::string pattern = (std::filesystem::path(::testing::TempDir()) / "fermiac_test_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~OwnFolder() { std::filesystem::remove_all(path_); }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string at(const std::string& name) const { return (path_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name, std::ios::binary) << text; }
  bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }
  std::string read(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::filesystem::path path_;
};

/// A fixture with a folder for each test.
class InOwnFolder : public ::testing::Test {
 protected:
  std::string at(const std::string& name) const { return folder_.at(name); }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  std::string read(const std::string& name) const { return folder_.read(name); }

  OwnFolder folder_;
};

}  // namespace fermiac::testing
