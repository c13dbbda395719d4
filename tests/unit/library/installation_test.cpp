// An installation in a folder of its own: what lies where, programs that find their files, examples built against it.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/shared/shell.h"
#include "tests/unit/library/library_handles.h"

namespace fermiac::testing {
namespace {

namespace fs = std::filesystem;

const std::string kSource = FERMIAC_SOURCE_DIR, kBuild = FERMIAC_BINARY_DIR, kLib = FERMIAC_LIBDIR;

class Installation : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef FERMIAC_SANITIZED
    GTEST_SKIP() << "programs without the sanitizer's run time cannot load the library";
#endif
    root_ = folder_.path().string() + "/moved";
    const ProgramRun ran = shell("cmake --install " + kBuild + " --strip --prefix " + folder_.path().string() + "/first && mv " +
                                 folder_.path().string() + "/first " + root_);
    ASSERT_EQ(ran.status, 0) << ran.text;
  }
  bool has(const std::string& path) const {
    return fs::exists(root_ + "/" + path);
  }

  OwnFolder folder_;
  std::string root_;
};

TEST_F(Installation, HasEverythingAndFindsItself) {
  for (const std::string& path :
       {std::string("bin/fermiac"), std::string("bin/stanc"), std::string("include/fermiac.h"), kLib + "/libfermiac.so",
        std::string("lib/fermiac/model_template.so"), std::string("share/fermiac/cmdstan/makefile"),
        std::string("share/fermiac/cmdstan/bin/stansummary"), std::string("share/fermiac/examples/radon/radon.stan"),
        std::string("share/doc/fermiac/README.md"), std::string("share/man/man1/fermiac-sample.1"), std::string("share/man/man1/stanc.1"),
        std::string("share/bash-completion/completions/fermiac"), std::string("share/zsh/site-functions/_fermiac"),
        std::string("share/fish/vendor_completions.d/fermiac.fish"),
        std::string("lib/python3/dist-packages/fermiac/model.py"), std::string("share/fermiac/r/fermiac/DESCRIPTION"),
        std::string("share/fermiac/r/fermiac/R/model.R"), std::string("share/fermiac/editors/vscode/package.json")})
    EXPECT_TRUE(has(path)) << path;
  const ProgramRun version = shell(root_ + "/bin/fermiac --version");
  EXPECT_TRUE(version.text.starts_with("fermiac 0.2.0\nlanguage: Stan 2.39.0\nbuilt: ")) << version.text;
  EXPECT_NE(version.text.find("\nplace: " + root_ + "\n"), std::string::npos) << version.text;
  EXPECT_EQ(shell(root_ + "/bin/fermiac cmdstan-home").text, root_ + "/share/fermiac/cmdstan\n");
  EXPECT_EQ(shell(kBuild + "/bin/fermiac cmdstan-home").text, kBuild + "/cmdstan\n");

  const std::string model = folder_.path().string() + "/m";
  folder_.write("m.stan", "parameters { real x; } model { x ~ normal(0, 1); }");
  const ProgramRun made = shell("make -C $(" + root_ + "/bin/fermiac cmdstan-home) " + model);
  EXPECT_EQ(made.status, 0) << made.text;
  const ProgramRun ran = shell(model + " sample num_samples=20 num_warmup=20 random seed=1 output file=" + model + ".csv && " +
                               root_ + "/share/fermiac/cmdstan/bin/stansummary " + model + ".csv");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_NE(ran.text.find("lp__"), std::string::npos) << ran.text;
}

TEST_F(Installation, PythonFindsTheLibrary) {
  const std::string python = shell("python3 -c 'import numpy'").status == 0 ? "python3" : "/usr/bin/python3";
  if (shell(python + " -c 'import numpy'").status != 0) GTEST_SKIP() << "no Python with numpy";
  const ProgramRun ran = shell("env -u FERMIAC_LIBRARY PYTHONPATH=" + root_ + "/lib/python3/dist-packages " + python +
                               " -c 'import fermiac; from fermiac._library import library; print(library().path)'");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.text, root_ + "/" + kLib + "/libfermiac.so.0\n");
}

TEST_F(Installation, ExamplesBuildWithPkgConfig) {
  if (shell("pkg-config --version && cc --version").status != 0) GTEST_SKIP() << "no pkg-config or no C compiler";
  const std::string program = folder_.path().string() + "/eight_schools",
                    flags = "$(PKG_CONFIG_PATH=" + root_ + "/" + kLib + "/pkgconfig pkg-config --cflags --libs fermiac)";
  const ProgramRun built =
      shell("cc -std=c99 " + root_ + "/share/fermiac/examples/c_api/eight_schools.c " + flags + " -o " + program);
  ASSERT_EQ(built.status, 0) << built.text;
  const ProgramRun ran = shell("LD_LIBRARY_PATH=" + root_ + "/" + kLib + " " + program);
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_NE(ran.text.find("half_life(0.5) = 1.386"), std::string::npos) << ran.text;
}

TEST_F(Installation, ExamplesBuildWithCmake) {
  if (shell("cc --version").status != 0) GTEST_SKIP() << "no C compiler";
  const std::string examples = root_ + "/share/fermiac/examples", build = folder_.path().string() + "/build";
  const ProgramRun built =
      shell("cmake -S " + examples + "/c_api -B " + build + " -DCMAKE_PREFIX_PATH=" + root_ + " && cmake --build " + build);
  ASSERT_EQ(built.status, 0) << built.text;
  EXPECT_EQ(shell(build + "/eight_schools").status, 0);
  const ProgramRun ran = shell(build + "/mode " + examples + "/kidiq/kidiq.stan " + examples + "/kidiq/kidiq.json");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_NE(ran.text.find("curvature along"), std::string::npos) << ran.text;
}

TEST_F(Installation, TheDebianPackageHasWhatItDependsOn) {
  if (shell("cpack --version && dpkg-deb --version && command -v dpkg-shlibdeps").status != 0)
    GTEST_SKIP() << "no tools for packages";
  const ProgramRun made = shell("cpack --config " + kBuild + "/CPackConfig.cmake -B " + folder_.path().string() + "/packages");
  ASSERT_EQ(made.status, 0) << made.text;
  const std::string package = folder_.path().string() + "/packages/fermiac_0.2.0_*.deb";
  const std::string depends = shell("dpkg-deb --field " + package + " Depends").text;
  for (const char* library : {"libtbb12", "libstdc++6", "libc6"}) EXPECT_NE(depends.find(library), std::string::npos) << depends;
  EXPECT_EQ(depends.find("openmpi"), std::string::npos) << depends;
  const std::string unpacked = folder_.path().string() + "/unpacked";
  ASSERT_EQ(shell("dpkg-deb --extract " + package + " " + unpacked).status, 0);
  const ProgramRun run = shell(unpacked + "/usr/bin/fermiac eval '1 + 1'");
  EXPECT_EQ(run.text, "2\n");
}

}  // namespace
}  // namespace fermiac::testing
