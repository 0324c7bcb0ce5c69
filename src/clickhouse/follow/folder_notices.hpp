#pragma once

#include <chrono>
#include <string>

#include "io/descriptor.hpp"

namespace jfrtree::internal {

/// Tells that something has happened in folders, where the system can (inotify). It may stay silent
/// though something has: on network file systems, or when too many folders are watched.
class FolderNotices {
 public:
  FolderNotices();

  /// Watches a folder, not the folders in it. Again: nothing changes.
  void watch(const std::string& folder) noexcept;
  /// Waits until something happens, at most so long. False when nothing was told.
  bool wait(std::chrono::milliseconds time) noexcept;

 private:
  Descriptor descriptor_;
};

}  // namespace jfrtree::internal
