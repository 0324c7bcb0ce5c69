#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {

/// The recordings of a folder, by the endings of their names, in the order of the start time of
/// their first chunk, then by name. Files without a readable header come last. A folder that holds
/// none stands for the folders in it. What is passed over is added to `found`. Throws IoError when
/// the folder cannot be read or has no recording.
[[nodiscard]] std::vector<std::string> recordings_in_folder(const std::string& folder,
                                                            std::vector<Problem>* found = nullptr);

/// Whether a file of a folder is taken for a recording: by the ending of its name, hidden files are
/// none.
[[nodiscard]] bool is_recording_name(const std::string& name);

/// Start of a file's first chunk, ns since the epoch; the end of time where there is none.
[[nodiscard]] std::int64_t first_chunk_start(const std::string& path);

}  // namespace jfrtree::internal
