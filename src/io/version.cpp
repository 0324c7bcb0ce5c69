#include <jfrtree/version.hpp>

#define JFRTREE_STRINGIFY_VALUE(value) #value
#define JFRTREE_STRINGIFY(macro) JFRTREE_STRINGIFY_VALUE(macro)

namespace jfrtree {

std::string_view version() noexcept {
  return JFRTREE_STRINGIFY(JFRTREE_VERSION_MAJOR) "." JFRTREE_STRINGIFY(
      JFRTREE_VERSION_MINOR) "." JFRTREE_STRINGIFY(JFRTREE_VERSION_PATCH);
}

}  // namespace jfrtree
