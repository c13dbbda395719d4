// Modules, the process, signals and folders of the user: support/platform on this system.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "support/platform/folders.h"
#include "support/platform/module.h"
#include "support/platform/process.h"
#include "support/platform/signals.h"

namespace fermiac {
namespace {

TEST(Modules, AMissingFileIsNamed) {
  Module missing("/no/such/module.so");
  EXPECT_FALSE(missing);
  EXPECT_NE(missing.why().find("/no/such/module.so"), std::string::npos) << missing.why();
  EXPECT_EQ(missing.symbol("any"), nullptr);
  EXPECT_NE(missing.why().find("/no/such/module.so"), std::string::npos) << "the first reason is kept";
}

TEST(Modules, AMissingSymbolIsNamed) {
  Module mathematics("libm.so.6");
  ASSERT_TRUE(mathematics) << mathematics.why();
  EXPECT_NE(mathematics.symbol("cos"), nullptr);
  EXPECT_EQ(mathematics.why(), "");
  EXPECT_EQ(mathematics.symbol("fermiac_has_no_such_symbol"), nullptr);
  EXPECT_NE(mathematics.why().find("fermiac_has_no_such_symbol"), std::string::npos) << mathematics.why();
}

const char kOwn = 0;

TEST(Modules, TheFileOfAnAddress) {
  EXPECT_NE(file_with(&kOwn).find("support_tests"), std::string::npos);
  const int on_the_stack = 0;
  EXPECT_EQ(file_with(&on_the_stack), "");
}

TEST(Process, KnowsItsProgramAndArguments) {
  EXPECT_EQ(std::filesystem::read_symlink(own_program()).filename(), "support_tests");
  const std::vector<std::string> words = own_arguments();
  ASSERT_FALSE(words.empty());
  EXPECT_TRUE(words[0].ends_with("support_tests")) << words[0];
  set_environment("FERMIAC_TEST_VARIABLE", "value");
  EXPECT_STREQ(std::getenv("FERMIAC_TEST_VARIABLE"), "value");
}

TEST(ProcessDeathTest, StartsAnewWithOtherArguments) {
  EXPECT_EXIT((start_anew({"support_tests", "--gtest_list_tests"}), std::exit(3)), ::testing::ExitedWithCode(0), "");
}

volatile std::sig_atomic_t received = 0;

TEST(Signals, AHandlerIsCalled) {
  handle_end_signals([](int signal) { received = signal; });
  std::raise(SIGTERM);
  EXPECT_EQ(received, SIGTERM);
  std::signal(SIGTERM, SIG_DFL);
}

TEST(Signals, WhatIsIgnoredStaysSo) {
  received = 0;
  ignore_end_signals();
  handle_end_signals([](int signal) { received = signal; });
  std::raise(SIGHUP);
  EXPECT_EQ(received, 0);
}

TEST(SignalsDeathTest, TheSignalEndsTheProgram) { EXPECT_EXIT(end_by_signal(SIGINT), ::testing::KilledBySignal(SIGINT), ""); }

bool all_held_back() {
  sigset_t held;
  pthread_sigmask(SIG_SETMASK, nullptr, &held);
  return sigismember(&held, SIGINT) == 1 && sigismember(&held, SIGTERM) == 1;
}

TEST(Signals, NewThreadsReceiveNone) {
  bool in_thread = false;
  {
    const SignalsHeldBack held;
    std::thread([&] { in_thread = all_held_back(); }).join();
  }
  EXPECT_TRUE(in_thread);
  EXPECT_FALSE(all_held_back());
}

TEST(Folders, AreThoseThatVariablesName) {
  set_environment("HOME", "/home/someone");
  for (const char* variable : {"XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"}) set_environment(variable, "");
  EXPECT_EQ(user_cache_folder("fermiac"), "/home/someone/.cache/fermiac");
  EXPECT_EQ(user_state_folder(), "/home/someone/.local/state");
  EXPECT_EQ(user_data_folder(), "/home/someone/.local/share");
  set_environment("XDG_CACHE_HOME", "relative");
  EXPECT_EQ(user_cache_folder("fermiac"), "/home/someone/.cache/fermiac");
  set_environment("XDG_CACHE_HOME", "/cache");
  EXPECT_EQ(user_cache_folder("fermiac"), "/cache/fermiac");
}

}  // namespace
}  // namespace fermiac
