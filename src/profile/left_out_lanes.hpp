#pragma once

#include <string>
#include <string_view>

#include "profile/chunk_scan.hpp"

namespace jfrtree::internal {

/// Of several kinds of events that describe the same samples, one counts in each chunk: marks the
/// lanes of the others.
void leave_out_alternatives(std::deque<ChunkScan::LaneResult>& lanes);

/// The JDK writes an error that is thrown as one `jdk.JavaErrorThrow` and as two
/// `jdk.JavaExceptionThrow` besides: leaves the latter out, by the classes of the former.
void leave_out_errors(ChunkScan& scan);

/// Why samples of a kind are left out, for a person.
[[nodiscard]] std::string left_out_alternative(std::string_view kind);
inline constexpr const char* left_out_errors =
    "errors, which are counted by the jdk.JavaErrorThrow events of the same chunk";

}  // namespace jfrtree::internal
