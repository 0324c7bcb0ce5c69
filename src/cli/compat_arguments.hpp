#pragma once

#include <string>

#include <jfrtree/compat.hpp>

#include "cli/command_line.hpp"
#include "cli/profile_arguments.hpp"

namespace jfrtree::cli {

/// `--compat`: profiles as another program makes them.
struct CompatArguments {
  Compat compat = Compat::none;

  void add_to(CommandLine& line);
  /// Throws UsageError for options that the other program does not have, and for a format that it
  /// does not write. `has_tree_options`: the tree is cut or reversed.
  void check(const ProfileArguments& profile, const std::string& format,
             bool has_tree_options) const;
};

}  // namespace jfrtree::cli
