// Options by name (inference/model/option_rows.h), the table of methods, and docs/reference/methods.md, which is made from both.
// FERMIAC_UPDATE_GOLDENS=1 writes the page.
#include "inference/methods/settings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace fermiac::inference {
namespace {

using Kind = OptionRow::Kind;

std::string cell(const OptionRow& row) {
  if (row.kind == Kind::Flag) return "";
  if (row.kind == Kind::Choice) return row.expected;
  return row.expected.empty() || row.kind == Kind::Text || row.kind == Kind::File || row.kind == Kind::Mode ? row.value : row.expected;
}

std::string row_text(const OptionRow& row) {
  return "| `--" + row.name + "` | " + cell(row) + " | " + row.standard + " | " + row.about + (row.otherwise.empty() ? "" : " (default: " + row.otherwise + ")") + " |\n";
}

constexpr const char* kHead = "\n| option | value | default | meaning |\n|---|---|---|---|\n";

/// `known`: rows that another table has.
std::string table(const OptionRows& rows, const OptionRows& known) {
  std::string out;
  for (const OptionRow& row : rows)
    if (row.kind != Kind::Retired && !known.find(row.name)) out += row_text(row);
  return out.empty() ? "" : kHead + out;
}

std::string page() {
  CommonOptions shared;
  OptionRows common;
  add_common_options(common, shared);
  std::string out = "# Methods and their options\n\nMade from the table `inference/methods/settings.cpp`; `FERMIAC_UPDATE_GOLDENS=1 ctest --test-dir build -R method_options_test` writes this page. "
                    "The C library, Python and R take the same options by the same names, with underscores in place of hyphens; flags are true or false there.\n";
  for (const Method& method : methods())
    out += "\n## `" + std::string(method.name) + "`\n\n" + std::string(method.about) + "\n" +
           table(method.make()->rows(), &method == methods().data() ? OptionRows() : common);
  return out + "\n## All methods but `sample`\n" + table(common, {});
}

TEST(MethodOptions, PageIsFresh) {
  const std::string path = std::string(FERMIAC_SOURCE_DIR) + "/docs/reference/methods.md", now = page();
  if (std::getenv("FERMIAC_UPDATE_GOLDENS")) std::ofstream(path) << now;
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_TRUE(now == text.str()) << "make it again: FERMIAC_UPDATE_GOLDENS=1 ctest --test-dir build -R method_options_test";
}

TEST(MethodOptions, NamesAreUniqueAndTextsAreThere) {
  for (const Method& method : methods()) {
    std::set<std::string> names;
    const auto call = method.make();  // which the rows refer to
    for (const OptionRow& row : call->rows()) {
      EXPECT_TRUE(names.insert(row.name).second) << method.name << " " << row.name;
      EXPECT_EQ(row.about.empty(), row.kind == Kind::Retired) << row.name;
      EXPECT_EQ(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0-"), std::string::npos) << row.name;
      EXPECT_TRUE(row.set || row.set_all) << row.name;
    }
    EXPECT_EQ(find_method(method.name), &method);
  }
  EXPECT_EQ(find_method("nuts"), nullptr);
}

TEST(MethodOptions, DefaultsAreValidValues) {
  for (const Method& method : methods()) {
    const auto call = method.make();  // which the rows refer to
    for (const OptionRow& row : call->rows()) EXPECT_TRUE(row.standard.empty() || row.set(row.standard)) << method.name << " " << row.name;
  }
}

TEST(MethodOptions, RowsSetTheirMembers) {
  SampleOptions o;
  OptionRows rows;
  add_options(rows, o);
  const auto set = [&](const char* name, const char* text) { return rows.find(name)->set(text); };
  EXPECT_TRUE(set("chains", "7") && set("warmup", "auto") && set("metric", "dense_e") && set("no-adapt", "true") && set("fixed-param", "true"));
  EXPECT_TRUE(set("seed", "18446744073709551615") && set("threads", "-1") && set("init", "0.5") && set("output", "there"));
  EXPECT_EQ(o.chains, 7u);
  EXPECT_TRUE(o.auto_warmup && !o.adapt.engaged);
  EXPECT_EQ(o.metric, MetricKind::Dense);
  EXPECT_EQ(o.engine, Engine::FixedParam);
  EXPECT_EQ(*o.seed, 18446744073709551615u);
  EXPECT_EQ(o.threads, 0u);
  EXPECT_EQ(o.init, "0.5");
  EXPECT_EQ(o.output_dir, "there");
  EXPECT_FALSE(set("chains", "0") || set("chains", "1e2") || set("chains", "") || set("warmup", "none") || set("metric", "round") || set("threads", "0"));
  EXPECT_FALSE(set("adapt-delta", "1") || set("init", "-1") || set("no-adapt", "yes"));
  EXPECT_EQ(o.chains, 7u);
  EXPECT_EQ(rows.find("chains")->refusal("--chains", "'0'"), "--chains is '0', but must be a whole number from 1 to 10000");
  rows.find("no-adapt")->assign(0);
  rows.find("adapt-delta")->assign(1);  // CmdStan's ranges are others
  EXPECT_TRUE(o.adapt.engaged);
  EXPECT_EQ(o.adapt.delta, 1);
}

}  // namespace
}  // namespace fermiac::inference
