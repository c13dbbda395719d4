// The option --threads and the variable STAN_NUM_THREADS.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>

#include "cli/fermiac/options/checked_option.h"
#include "support/platform/threads.h"

namespace fermiac::cli {

/// Number of threads in a text, or -1 (0 for us) for as many as the machine has. Throws CLI::ValidationError, which
/// names `what`.
inline unsigned threads_in(const std::string& text, const std::string& what) {
  if (const std::optional<unsigned> threads = threads_in_text(text)) return *threads;
  return number_in<unsigned>(text, what, {1, kMostThreads}, ", or -1 for all cores");  // which says what is wrong
}

/// What is not given comes from STAN_NUM_THREADS; without that, threads stays as it is (0: as many as the machine has).
inline void add_threads_option(CLI::App& command, unsigned& threads) {
  const auto read = [&threads](const std::string& text) { threads = threads_in(text, "--threads"); };
  const CLI::Option* option =
      command
          .add_option_function<std::string>("--threads", read,
                                            "threads, -1 for all cores (default: STAN_NUM_THREADS, or all cores)")
          ->type_name("N");
  command.parse_complete_callback([&threads, option] {
    const char* wish = std::getenv("STAN_NUM_THREADS");
    if (wish && option->empty()) threads = threads_in(wish, "STAN_NUM_THREADS");
  });
}

}  // namespace fermiac::cli
