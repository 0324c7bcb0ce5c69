#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <jfrtree/clickhouse.hpp>

namespace jfrtree::internal {

/// What the ledger notes of a load that is committed, beside its columns.
struct LoadNotes {
  bool is_unfinished = false;   ///< the chunk was not finished, or its end is missing
  bool has_process = true;      ///< the recording says which process it is of
  std::uint32_t labels = 0;     ///< a hash of the labels; 0: not noted
  std::uint32_t selection = 0;  ///< a hash of the kinds, filters, frames and bucket; 0: not noted
};

/// Words, of which other programs need know none: `unfinished no_process labels=0a1b2c3d …`.
[[nodiscard]] std::string to_text(const LoadNotes& notes);
[[nodiscard]] LoadNotes load_notes_of(std::string_view text);

/// Hashes for the notes, never 0. Equal choices have equal ones.
[[nodiscard]] std::uint32_t labels_hash(const std::map<std::string, std::string>& labels);
[[nodiscard]] std::uint32_t selection_hash(const clickhouse::RowRequest& request);

}  // namespace jfrtree::internal
