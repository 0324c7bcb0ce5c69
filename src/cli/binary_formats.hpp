#pragma once

#include <optional>
#include <string>

namespace jfrtree::cli {

/// Throws UsageError where `format`, or without one the ending of `output`, means Parquet, which
/// this program does not write: says what does.
void refuse_parquet(const std::optional<std::string>& format, const std::string& output);

/// Throws UsageError where a binary format would be written to a terminal.
void refuse_terminal(const std::string& format, const std::string& output);

}  // namespace jfrtree::cli
