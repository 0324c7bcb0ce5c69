#pragma once

#include <string>
#include <vector>

namespace jfrtree::internal {

/// A library that is opened while the program runs, and stays open.
class SharedLibrary {
 public:
  /// Opens the first of some names or paths that can be opened. Null when none can; `reason` says
  /// why the last one could not.
  [[nodiscard]] bool open(const std::vector<std::string>& names, std::string& reason);

  /// A function by name, or null.
  template <typename Function>
  [[nodiscard]] Function* find(const char* name) const noexcept {
    return reinterpret_cast<Function*>(find_address(name));
  }

 private:
  [[nodiscard]] void* find_address(const char* name) const noexcept;

  void* handle_ = nullptr;
};

}  // namespace jfrtree::internal
