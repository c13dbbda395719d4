// The models of examples/, loaded with their data.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "interp/model/interp_model.h"

namespace fermiac::interp {

/// Folders NAME with a model NAME.stan: others show how to use fermiac.
inline std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(FERMIAC_SOURCE_DIR "/examples")) {
    const std::string name = entry.path().filename().string();
    if (std::filesystem::exists(entry.path() / (name + ".stan"))) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline std::unique_ptr<InterpModel> load_example(const std::string& name) {
  const std::string stem = FERMIAC_SOURCE_DIR "/examples/" + name + "/" + name;
  std::ifstream in(stem + ".stan");
  const auto compiled = compile_model({.text = std::string(std::istreambuf_iterator<char>(in), {}),
                                       .path = name + ".stan", .name = name + "_model"});
  EXPECT_TRUE(*compiled) << name;
  if (!*compiled) return nullptr;
  return std::make_unique<InterpModel>(compiled, DataSource::open(stem + ".json"), 1);
}

}  // namespace fermiac::interp
