// One open text: its versions, what is known of it, and of the last version without errors.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/lsp/analysis.h"
#include "cli/lsp/values.h"
#include "support/base/json_tree.h"

namespace fermiac::lsp {

/// A place in one state of the text.
struct View {
  const Analysis& state;
  Pos pos;
};

class Document {
 public:
  Document(std::string uri, std::string text, CompileOptions options);

  const std::string& uri() const { return uri_; }
  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  std::string version;             // as JSON; empty if the client gave none

  void replace(std::string text);
  /// Replaces what is between the two places. False where they are the wrong way round.
  bool replace(Position begin, Position end, std::string_view text);

  /// Of the text as it is.
  const Analysis& now();
  /// The place as the text is now and, where that has errors, in its last state without, if there was one.
  std::vector<View> views(Position position);
  /// What the model gives with its data; null where there is no whole model.
  const Values* values();

 private:
  std::string uri_, path_, text_;
  CompileOptions options_;  // for every version of the text
  std::shared_ptr<const Analysis> now_, good_;
  std::unique_ptr<Values> values_;
};

}  // namespace fermiac::lsp
