#pragma once

#include <string>

#include <jfrtree/profile.hpp>

#include "format/chunk_contents.hpp"
#include "io/problem_log.hpp"
#include "profile/chunk_profile.hpp"

namespace jfrtree::internal {

/// Throws UsageError where a request asks for more than the converter of async-profiler can do.
void check_jfrconv_request(const ProfileRequest& request);

/// Adds the samples of a chunk that the converter would count to the builder and the profile of the
/// chunk, which has its facts and numbers of events already: one lane per event type. Samples
/// without a stack are left out. Where its choice differs from that of the kind, a note says so.
/// Throws Interrupted and LimitError.
void add_jfrconv_samples(const ChunkContents& contents, const ChunkReading& reading,
                         ChunkProfile& profile, ProblemLog& log);

/// Why a kind may have no samples though others see some; empty where there is no such reason.
[[nodiscard]] std::string missing_in_jfrconv(const ProfileRequest& request);

/// Describes the numbers of the profiles as the converter does: the count is the default, and the
/// value of samples of running and waiting threads is the count as well.
void describe_as_jfrconv(ProfileSet& set);

}  // namespace jfrtree::internal
