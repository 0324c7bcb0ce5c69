#pragma once

#include <cstdint>
#include <string>

#include <jfrtree/profile.hpp>

#include "cli/command_line.hpp"

namespace jfrtree::cli {

/// How a table of methods looks: `-n`, `--by`, `--json`, `--csv`.
class TopArguments {
 public:
  void add_to(CommandLine& line);
  /// Throws UsageError for two forms at once, and where several kinds were chosen.
  void check(bool has_several_kinds) const;
  /// The table of a profile for a sample type, empty: the default.
  [[nodiscard]] std::string text(const Profile& profile, const std::string& sample_type) const;

 private:
  std::uint64_t rows_ = 20;
  bool by_total_ = false;
  bool json_ = false;
  bool csv_ = false;
};

}  // namespace jfrtree::cli
