#pragma once

#include <string>
#include <string_view>

namespace jfrtree::internal {

/// The parameters of a method descriptor as Java writes them, classes without their package:
/// `(int, String[], Map$Entry)` for `(I[Ljava/lang/String;Ljava/util/Map$Entry;)V`. What is no
/// descriptor stays as it is, in parentheses.
[[nodiscard]] std::string java_signature(std::string_view descriptor);

/// A descriptor with its classes in the form of `normalized_class_name`. What is no descriptor
/// stays as it is.
[[nodiscard]] std::string normalized_descriptor(std::string_view descriptor);

}  // namespace jfrtree::internal
