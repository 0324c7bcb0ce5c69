#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/sample_rows.hpp>

#include "profile/chunk_facts.hpp"

namespace jfrtree::internal {

/// Settings and processes of the chunks handed out so far: later chunks may not repeat them. For
/// one thread at a time.
class EarlierChunks {
 public:
  /// `knows_paths`: sources of a later reading go on with those of the same path. What is known is
  /// bounded then: processes whose last chunk is longest ago are forgotten. Else there is one
  /// reading, whose sources are different files.
  explicit EarlierChunks(bool knows_paths = false) : knows_paths_(knows_paths) {}

  /// A reading of these sources begins.
  void begin(const std::vector<Source>& sources);

  /// Whether all that is read is read at once.
  [[nodiscard]] bool is_one_reading() const noexcept { return !knows_paths_; }

  /// Adds a chunk. The settings in force in it are the result, valid until the next call; its
  /// process becomes known.
  const Settings& add(ChunkFacts& facts);

 private:
  using Owner = std::pair<std::optional<ProcessId>, std::string>;

  template <typename Value>
  struct Used {
    Value value{};
    std::uint64_t last = 0;  // when it was used
  };

  [[nodiscard]] std::string file_key(std::size_t file) const;

  bool knows_paths_;
  std::vector<std::string> paths_;  // of the reading
  std::map<std::string, Used<ProcessId>> processes_;
  std::map<Owner, Used<Settings>> settings_;
  std::uint64_t uses_ = 0;
};

/// `read_sample_rows` as a part of a longer reading: what `earlier` knows counts.
[[nodiscard]] SampleRowResult read_sample_rows_after(EarlierChunks& earlier,
                                                     std::vector<Source> sources,
                                                     const SampleRowRequest& request,
                                                     SampleRowSink& sink,
                                                     const ReadOptions& options);

}  // namespace jfrtree::internal
