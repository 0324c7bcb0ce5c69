#pragma once

/// Where tests find recordings.

#include <filesystem>
#include <optional>
#include <string_view>

namespace jfrtree::test {

/// The folder testdata/ of the repository, or JFRTREE_TESTDATA if that is set.
std::filesystem::path testdata_dir();

/// A file of testdata/. Throws std::runtime_error when it does not exist.
std::filesystem::path testdata(std::string_view name);

/// A recording of the folder JFRTREE_RECORDINGS (default: ../shared/recordings beside the
/// repository). When it is absent the test reports itself as skipped and gets nothing:
///
///     const auto path = recording("openjdk_jmc__jdk15.jfr");
///     if (!path) return;
std::optional<std::filesystem::path> recording(std::string_view name);

}  // namespace jfrtree::test
