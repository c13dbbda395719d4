// A program as a handle: its code, what the compiler said about it, and texts made when somebody asks.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bindings/c/fermiac.h"
#include "bindings/c/place.h"
#include "interp/model/interp_model.h"

namespace fermiac::capi {

struct DiagnosticText {
  std::string id, name, message, text;
  fermiac_severity severity;
  std::optional<Place> place;
  fermiac_place c_place{};  // of `place`
};

/// A text made by the first who asks. Making it again after it threw is the next one's.
class LazyText {
 public:
  template <class Make>
  const std::string& made_by(Make make) const {
    std::call_once(once_, [&] { text_ = make(); });
    return text_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::string text_;
};

}  // namespace fermiac::capi

struct fermiac_program {
  fermiac_program(std::string text, const char* options, std::string file);

  bool ok() const { return static_cast<bool>(*compiled); }
  /// Throws with the text of the errors where the program has any.
  const std::shared_ptr<const fermiac::interp::CompiledModel>& checked() const;

  std::string name;  // that of the compilation is the same and `_model`: names of variables are free
  std::shared_ptr<const fermiac::interp::CompiledModel> compiled;
  std::vector<fermiac::capi::DiagnosticText> diagnostics;
  std::string diagnostics_json;
  fermiac::capi::LazyText info, functions;
};
