// Source text to MIR in one call, for the tests of the middle end.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "compiler/compilation.h"
#include "mir/analysis/verify.h"
#include "mir/lower/lower.h"
#include "mir/passes/pass.h"
#include "mir/text/text.h"

namespace fermiac::test {

inline mir::Program lowered(std::string_view source) {
  Compilation compilation({.text = std::string(source), .path = "test.stan", .name = "test_model"});
  const mir::Program* out = compilation.lowered_mir();
  const auto& reports = compilation.diagnostics().reports();
  EXPECT_TRUE(out) << (reports.empty() ? "no message" : reports.front().message);
  if (!out) return {};
  EXPECT_EQ(mir::verify(*out), std::nullopt);
  return *out;
}

/// After the passes of a level, verified after each.
inline mir::Program optimised(std::string_view source, mir::OptLevel level) {
  mir::Program program = mir::transform_for_backend(lowered(source));
  EXPECT_EQ(mir::verify(program), std::nullopt);
  mir::PassContext context;
  mir::optimise(program, level, context, [](const mir::Step& step, const mir::Program& now) {
    EXPECT_EQ(mir::verify(now), std::nullopt) << "after " << step.pass->name;
  });
  return program;
}

/// The lines of one section of the pretty form, without its name and closing brace. That brace is the first one which
/// ends a line that holds something else, or which starts a line.
inline std::string section(const mir::Program& program, std::string_view name) {
  const std::string text = "\n" + mir::to_pretty(program);
  const std::string head = "\n" + std::string(name) + " {\n";
  const std::size_t found = text.find(head);
  if (found == std::string::npos) return "";
  const std::size_t start = found + head.size();
  for (std::size_t at = text.find("}\n", start); at != std::string::npos; at = text.find("}\n", at + 1)) {
    if (text[at - 1] == '\n') return text.substr(start, at - 1 - start);
    if (text[at - 1] == ' ' && text[at - 2] != ' ' && text[at - 2] != '\n') return text.substr(start, at - 1 - start);
  }
  return "";
}

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace fermiac::test
