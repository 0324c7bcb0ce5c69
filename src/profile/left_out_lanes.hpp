#pragma once

#include "profile/chunk_scan.hpp"

namespace jfrtree::internal {

/// Of several kinds of events that describe the same samples, one counts in each chunk: marks the
/// lanes of the others.
void leave_out_alternatives(std::deque<ChunkScan::LaneResult>& lanes);

/// The JDK writes an error that is thrown as one `jdk.JavaErrorThrow` and as two
/// `jdk.JavaExceptionThrow` besides: leaves the latter out, by the classes of the former.
void leave_out_errors(ChunkScan& scan);

}  // namespace jfrtree::internal
