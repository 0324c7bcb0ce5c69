#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/chunk.hpp>
#include <jfrtree/input.hpp>
#include <jfrtree/profile.hpp>
#include <jfrtree/summary.hpp>

#include "support/byte_writer.hpp"

namespace jfrtree::test {

/// The first chunk of a recording in memory.
class OpenChunk {
 public:
  explicit OpenChunk(Bytes bytes);
  [[nodiscard]] const internal::ChunkContents& contents() const { return chunk_->contents(); }
  [[nodiscard]] const Metadata& metadata() const { return chunk_->metadata(); }

 private:
  Bytes bytes_;
  std::unique_ptr<Input> input_;
  ChunkReader reader_;
  std::unique_ptr<Chunk> chunk_;
};

/// Reads recordings that lie in memory, as one call. They are called `1.jfr`, `2.jfr`, …
ProfileSet read(const std::vector<Bytes>& recordings, const ProfileRequest& request = {},
                const ReadOptions& options = {});
RecordingSummary summary_of(const std::vector<Bytes>& recordings, bool quick = false,
                            const ReadOptions& options = {});

/// Reads one file.
ProfileSet read_file(const std::filesystem::path& path, const ProfileRequest& request = {},
                     const ReadOptions& options = {});

/// A request for some kinds by name, and for an event type.
ProfileRequest kinds(std::vector<std::string> names);
ProfileRequest event(std::string name, std::string value_field = {});

/// One line per stack in the order of the profile: frames from the root, count, value (`-` where it
/// is not known):
///
///   Main.main > Main.run 2 40
std::string lines_of(const Profile& profile);
/// The same for a kind of a set; `no profile` when it has none.
std::string lines_of(const ProfileSet& set, std::string_view kind);

/// Names of the kinds of a set, in order: `cpu, alloc`.
std::string kinds_of(const ProfileSet& set);

/// `kind: count, value (events) default`, e.g. `cpu: 3, 60000000 (3) samples/count`.
std::string totals_of(const ProfileSet& set, std::string_view kind);

/// `kind event xN` for each entry, joined by `; `.
std::string left_out_of(const std::vector<LeftOut>& left_out);

/// `code xN chunk N at OFFSET` for each problem, notes in brackets, joined by `; `.
std::string findings(const std::vector<Problem>& problems);

/// Everything about the profiles as text: the document of the stacks format, then every profile as
/// collapsed stacks for each of its sample types.
std::string documents_of(const ProfileSet& set);

/// Copies joined into one recording.
Bytes joined(const std::vector<Bytes>& recordings);

/// All bytes of a file, decompressed.
Bytes bytes_of(const std::filesystem::path& path);

}  // namespace jfrtree::test
