#pragma once

#include "support/type_table.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jfrtree::test {

/// Who writes the recording. The type ids, layouts, string encodings, record sizes and the order of
/// records in a chunk are those of real recordings.
///   jdk9              format 1.0, names with com.oracle.jdk. and com.oracle.jfr.types.; the ids
///                     are those of jdk17
///   jdk17, jdk25      format 2.1
///   async_profiler_2  format 2.0, version 2.9: no STATE_DEFAULT
///   async_profiler_4  format 2.0, version 4.5: STATE_DEFAULT, WallClockSample, Malloc, …
///   datadog           format 2.0, datadog.* events, ids above 2^32
enum class Producer { jdk9, jdk17, jdk25, async_profiler_2, async_profiler_4, datadog };

bool is_jdk(Producer producer);

/// The usual types and events of that producer.
TypeTable standard_types(Producer producer);

using EnumPool = std::vector<std::pair<std::uint64_t, std::string_view>>;

/// Entries of pools that are the same in every chunk.
EnumPool frame_types(Producer producer);
EnumPool thread_states(Producer producer);

/// jdk.X and jdk.types.X become com.oracle.jdk.X and com.oracle.jfr.types.X in format 1.0.
std::string recorded_name(Producer producer, std::string_view name);

}  // namespace jfrtree::test
