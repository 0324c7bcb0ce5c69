#pragma once

#include <string>
#include <string_view>

namespace jfrtree::internal {

/// A class name of the format (`java/lang/String`, `[I`, `[[Ljava/lang/String;`) as Java writes it:
/// `java.lang.String`, `int[]`, `java.lang.String[][]`.
[[nodiscard]] std::string java_class_name(std::string_view internal_name);

/// The same with slashes: `java/lang/String[][]`.
[[nodiscard]] std::string slashed_class_name(std::string_view internal_name);

/// The name, in either form, without its package; the suffix of a hidden class (`/0x…`) stays.
[[nodiscard]] std::string_view without_package(std::string_view internal_name) noexcept;

/// Names that the JVM or a library makes up anew in every run, in a form that is equal in all runs
/// (semantics §3, `--normalize`); other names unchanged.
[[nodiscard]] std::string normalized_class_name(std::string_view internal_name);

/// The same for names of modules: `jdk.proxy2` as `jdk.proxy`.
[[nodiscard]] std::string normalized_module_name(std::string_view module);

/// The same for names of native libraries, e.g. `libfoo1234567.so` as `libfoo.so`.
[[nodiscard]] std::string normalized_library_name(std::string_view library);

}  // namespace jfrtree::internal
