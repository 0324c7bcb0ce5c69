#pragma once

#include <functional>
#include <string>
#include <vector>

#include <jfrtree/error.hpp>

#include "clickhouse/follow/followed_file.hpp"

namespace jfrtree::internal {

/// What is done with what folders hold.
struct FolderVisitor {
  std::function<void(const std::string& path)> folder;
  std::function<void(const std::string& path, const FileStatus& status)> recording;
  /// A folder that cannot be read.
  std::function<void(const Problem& problem)> problem;
};

/// Visits a folder, the folders in it to a depth of 16, and the recordings there, by their names;
/// hidden ones and links to folders are passed over. What disappears meanwhile is no problem.
void visit_recordings(const std::string& folder, const FolderVisitor& visitor);

}  // namespace jfrtree::internal
