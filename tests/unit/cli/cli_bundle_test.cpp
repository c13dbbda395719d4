// `fermiac bundle`: libraries that work without the files they were made from, and messages where none can be made.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/shared/bundle_library.h"
#include "tests/shared/child_process.h"
#include "tests/shared/run_fermiac.h"

namespace fermiac::testing {
namespace {

class BundleCommand : public ::testing::Test {
 protected:
  BundleCommand() {
    std::filesystem::create_directories(folder_.at("in"));
    write("in/prior.stan", "  x ~ normal(0, scale());\n");
    write("in/scale.stanfunctions", "real scale() { if (1 > 2) reject(\"never\"); return 2; }\n");
    write("my-model.stan",
          "functions {\n#include scale.stanfunctions\n#include scale.stanfunctions\n}\n"
          "parameters { real x; }\nmodel {\n#include prior.stan\n  if (x > 5) reject(\"too far\");\n}\n");
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_.at(name)) << text; }
  ProgramRun bundle(const std::string& arguments) const {
    return run_fermiac("bundle " + folder_.at("my-model.stan") + " --include-paths " + folder_.at("in") + " " +
                       arguments);
  }
  OwnFolder folder_;
};

TEST_F(BundleCommand, IsWrittenBesideTheProgramAndNeedsNoOtherFile) {
  const std::string file = folder_.at("my-model_model.so"), elsewhere = folder_.at("elsewhere.so");
  const ProgramRun run = bundle("");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.text, file + "\n");
  std::filesystem::rename(file, elsewhere);
  std::filesystem::remove_all(folder_.at("in"));
  std::filesystem::remove(folder_.at("my-model.stan"));
  const Library library(elsewhere);
  const BundledModel model(library);
  EXPECT_EQ(model.name(), "my_model_model");
  EXPECT_NE(model.info().find("stanc_version = fermiac "), std::string::npos);
  EXPECT_EQ(model.gradient(true, true, {1}).gradient, Numbers{-0.25});
  EXPECT_EQ(model.density(true, true, {6}).error, "log_density() failed with exception: too far (in '" +
                                                      folder_.at("my-model.stan") +
                                                      "', line 8, column 13 to column 31)");
}

TEST_F(BundleCommand, KeepsTheLevelOfOptimisation) {
  const std::string file = folder_.at("m.so");
  for (const std::string level : {"--O0", "--O1", "--Oexperimental"}) {
    EXPECT_EQ(bundle("-o " + file + " " + level).status, 0);
    EXPECT_EQ(capi::read_payload(file).flags, level == "--O0" ? "" : level);
    const Library library(file);
    EXPECT_EQ(BundledModel(library).density(true, true, {1}).lp, -0.125);
  }
}

TEST_F(BundleCommand, TakesAnotherTemplate) {
  const std::string code = folder_.at("code"), file = folder_.at("m.so");
  write("code", "no code at all");
  EXPECT_EQ(bundle("--template " + code + " -o " + file).status, 0);
  EXPECT_EQ(capi::read_payload(file).name, "my_model_model");
  const ProgramRun missing = bundle("--template " + folder_.at("nothing"));
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.text, "fermiac: there is no '" + folder_.at("nothing") +
                              "', the file to copy (a part of the whole build, `cmake --build build`); --template names another\n");
  const ProgramRun folder = bundle("--template " + folder_.at("in"));
  EXPECT_EQ(folder.status, 1);
  EXPECT_EQ(folder.text, "fermiac: cannot copy '" + folder_.at("in") + "': it is not a regular file\n");
}

/// What was there before stays as it was, and nothing half written is left.
TEST_F(BundleCommand, IsWholeOrNotThere) {
  const std::string file = folder_.at("m.so");
  Child child{.command = {kFermiac, "bundle", folder_.at("my-model.stan"), "--include-paths",
                          folder_.at("in"), "-o", file},
              .file_size = 1 << 20};
  const auto is_refused = [&] {
    const ChildEnd end = run_child(child);
    EXPECT_EQ(end.status, 1);
    EXPECT_EQ(end.err, "fermiac: cannot write '" + file + "': File too large\n");
  };
  is_refused();
  EXPECT_FALSE(std::filesystem::exists(file));
  ASSERT_EQ(bundle("-o " + file).status, 0);
  const auto files = [&] { return std::distance(std::filesystem::directory_iterator(folder_.at("")), {}); };
  const auto before = files();
  is_refused();
  EXPECT_EQ(capi::read_payload(file).name, "my_model_model");
  EXPECT_EQ(files(), before);
}

/// Without a header in C++ `fermiac build` is the same and needs no compiler.
TEST_F(BundleCommand, BuildsWithoutACompiler) {
  write("my-model.stan",
        "parameters { real x; } model { x ~ normal(0, 2); }\n"
        "generated quantities { real s = 0; for (i in 1:3) s += i * x; if (x > 5) for (i in 1:3) reject(\"too far\"); }\n");
  const std::string file = folder_.at("m.so");
  const ProgramRun run = run_fermiac("bundle --keep-cpp " + folder_.at("my-model.stan") + " -o " + file, "CXX=/nowhere/c++ ");
  ASSERT_EQ(run.status, 0) << run.text;
  EXPECT_EQ(run.text, file + "\n");
  EXPECT_FALSE(std::filesystem::exists(file + ".cpp"));
  EXPECT_EQ(capi::read_payload(file).native, "");
  const Library library(file);
  const BundledModel model(library);
  EXPECT_EQ(model.gradient(true, true, {1}).gradient, Numbers{-0.25});
}

TEST_F(BundleCommand, SaysWhatIsWrong) {
  const ProgramRun flags = bundle("-o " + folder_.at("program") + " -- --nope");
  EXPECT_EQ(flags.status, 1);
  EXPECT_EQ(flags.text, "fermiac: stanc's flags: unknown option '--nope'. Did you mean '--name'?\n");
  const ProgramRun nowhere = bundle("-o " + folder_.at("no/where.so"));
  EXPECT_EQ(nowhere.status, 1);
  EXPECT_EQ(nowhere.text,
            "fermiac: cannot write '" + folder_.at("no/where.so") + "': No such file or directory\n");
  write("my-model.stan", "parameters { real x }");
  const ProgramRun syntax = bundle("");
  EXPECT_EQ(syntax.status, 1);
  EXPECT_NE(syntax.text.find("my-model.stan"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_.at("my-model_model.so")));
  EXPECT_EQ(run_fermiac("bundle").status, 2);
  EXPECT_EQ(run_fermiac("bundle " + folder_.at("nothing.stan")).status, 1);
}

}  // namespace
}  // namespace fermiac::testing
