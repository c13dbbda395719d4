// An installation in a folder of its own: what lies where, programs that find their files, examples built against it.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/unit/library_handles.h"

namespace fermiac::testing {
namespace {

namespace fs = std::filesystem;

struct Ran {
  int status;
  std::string output;
};

Ran shell(const std::string& command) {
  std::FILE* pipe = popen(("(" + command + ") 2>&1").c_str(), "r");
  Ran ran{0, ""};
  for (int c; (c = std::fgetc(pipe)) != EOF;) ran.output += static_cast<char>(c);
  ran.status = pclose(pipe);
  return ran;
}

const std::string kSource = FERMIAC_SOURCE_DIR, kBuild = FERMIAC_BINARY_DIR, kLib = FERMIAC_LIBDIR;

class Installation : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef FERMIAC_SANITIZED
    GTEST_SKIP() << "programs without the sanitizer's run time cannot load the library";
#endif
    root_ = folder_.path() + "/moved";
    const Ran ran = shell("cmake --install " + kBuild + " --strip --prefix " + folder_.path() + "/first && mv " + folder_.path() +
                          "/first " + root_);
    ASSERT_EQ(ran.status, 0) << ran.output;
  }
  bool has(const std::string& path) const { return fs::exists(root_ + "/" + path); }

  HandleFolder folder_;
  std::string root_;
};

TEST_F(Installation, HasEverythingAndFindsItself) {
  for (const std::string& path : {std::string("bin/fermiac"), std::string("bin/stanc"), std::string("include/fermiac.h"),
                                  kLib + "/libfermiac.so", std::string("lib/fermiac/model_template.so"),
                                  std::string("share/fermiac/cmdstan/makefile"), std::string("share/fermiac/cmdstan/bin/stansummary"),
                                  std::string("share/fermiac/examples/radon/radon.stan"), std::string("share/doc/fermiac/README.md")})
    EXPECT_TRUE(has(path)) << path;
  const Ran version = shell(root_ + "/bin/fermiac --version");
  EXPECT_TRUE(version.output.starts_with("fermiac 0.1.0\nlanguage: Stan 2.39.0\nbuilt: ")) << version.output;
  EXPECT_NE(version.output.find("\nplace: " + root_ + "\n"), std::string::npos) << version.output;
  EXPECT_EQ(shell(root_ + "/bin/fermiac cmdstan-home").output, root_ + "/share/fermiac/cmdstan\n");
  EXPECT_EQ(shell(kBuild + "/bin/fermiac cmdstan-home").output, kBuild + "/cmdstan\n");

  const std::string model = folder_.path() + "/m";
  folder_.write("m.stan", "parameters { real x; } model { x ~ normal(0, 1); }");
  const Ran made = shell("make -C $(" + root_ + "/bin/fermiac cmdstan-home) " + model);
  EXPECT_EQ(made.status, 0) << made.output;
  const Ran ran = shell(model + " sample num_samples=20 num_warmup=20 random seed=1 output file=" + model + ".csv && " + root_ +
                        "/share/fermiac/cmdstan/bin/stansummary " + model + ".csv");
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_NE(ran.output.find("lp__"), std::string::npos) << ran.output;
}

TEST_F(Installation, ExamplesBuildWithPkgConfig) {
  if (shell("pkg-config --version && cc --version").status != 0) GTEST_SKIP() << "no pkg-config or no C compiler";
  const std::string program = folder_.path() + "/eight_schools", flags = "$(PKG_CONFIG_PATH=" + root_ + "/" + kLib +
                              "/pkgconfig pkg-config --cflags --libs fermiac)";
  const Ran built = shell("cc -std=c99 " + root_ + "/share/fermiac/examples/c_api/eight_schools.c " + flags + " -o " + program);
  ASSERT_EQ(built.status, 0) << built.output;
  const Ran ran = shell("LD_LIBRARY_PATH=" + root_ + "/" + kLib + " " + program);
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_NE(ran.output.find("half_life(0.5) = 1.386"), std::string::npos) << ran.output;
}

TEST_F(Installation, ExamplesBuildWithCmake) {
  if (shell("cc --version").status != 0) GTEST_SKIP() << "no C compiler";
  const std::string examples = root_ + "/share/fermiac/examples", build = folder_.path() + "/build";
  const Ran built = shell("cmake -S " + examples + "/c_api -B " + build + " -DCMAKE_PREFIX_PATH=" + root_ + " && cmake --build " + build);
  ASSERT_EQ(built.status, 0) << built.output;
  EXPECT_EQ(shell(build + "/eight_schools").status, 0);
  const Ran ran = shell(build + "/mode " + examples + "/kidiq/kidiq.stan " + examples + "/kidiq/kidiq.json");
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_NE(ran.output.find("curvature along"), std::string::npos) << ran.output;
}

}  // namespace
}  // namespace fermiac::testing
