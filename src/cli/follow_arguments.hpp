#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <jfrtree/clickhouse_follow.hpp>

#include "cli/command_line.hpp"

namespace jfrtree::cli {

/// The options of `clickhouse load` that follow folders.
struct FollowArguments {
  std::vector<std::string> folders;  ///< empty: nothing is followed

  /// In the group that was begun.
  void add_to(CommandLine& line);
  /// Throws UsageError for files beside folders, and for options that need a folder.
  void check(const std::vector<std::string>& files) const;
  /// Sets the members of these options.
  void apply_to(clickhouse::FollowOptions& options) const;

 private:
  std::optional<std::chrono::milliseconds> poll_;
  std::optional<std::chrono::milliseconds> settle_;
  std::optional<std::chrono::milliseconds> until_idle_;
};

}  // namespace jfrtree::cli
