#include "clickhouse/connection/shared_library.hpp"

#include <dlfcn.h>

namespace jfrtree::internal {

bool SharedLibrary::open(const std::vector<std::string>& names, std::string& reason) {
  for (const std::string& name : names) {
    handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return true;
    const char* const text = ::dlerror();
    reason = text == nullptr ? name : text;
  }
  return false;
}

void* SharedLibrary::find_address(const char* name) const noexcept {
  return handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
}

}  // namespace jfrtree::internal
