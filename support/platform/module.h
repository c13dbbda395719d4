// Libraries that are loaded while the program runs.
#pragma once

#include <cstdint>
#include <string>

namespace fermiac {

/// Unloaded at the end, unless it is kept.
class Module {
 public:
  /// Visible: libraries that are loaded later find its symbols.
  enum class Symbols : std::uint8_t { Hidden, Visible };
  explicit Module(const std::string& file, Symbols symbols = Symbols::Hidden);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  explicit operator bool() const { return handle_ != nullptr; }
  /// Null where the module, or the symbol in it, is missing; why() says which.
  void* symbol(const char* name);
  /// Why the module was not loaded, or the last symbol was not found.
  const std::string& why() const { return why_; }
  /// It stays loaded until the program ends.
  void keep() { kept_ = true; }

 private:
  void* handle_;
  std::string why_;
  bool kept_ = false;
};

/// The file of the library or program that the address lies in; empty where the system does not know.
std::string file_with(const void* address);

}  // namespace fermiac
