#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <jfrtree/event_rows.hpp>

#include "export/arrow/value_builders.hpp"

namespace jfrtree::internal::arrow {

/// Bytes of texts and lists at which a batch is closed, however few rows it has.
inline constexpr std::size_t most_batch_bytes = std::size_t{32} << 20;

/// Gathers rows of events into batches of one schema.
class EventBatchBuilder {
 public:
  /// `with_type`: a first column `type`. `dictionary_bytes`: see `BatchState`.
  EventBatchBuilder(const std::vector<EventColumn>& columns, bool with_type, std::size_t most_rows,
                    std::uint64_t dictionary_bytes);

  void begin_chunk(std::span<const EventSchema> schemas);
  void append(const EventValues& values);

  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
  /// Whether the batch is to be taken before the next row.
  [[nodiscard]] bool is_full() const noexcept {
    return rows_ >= most_rows_ || state_.bytes >= most_batch_bytes;
  }
  /// A struct of the columns.
  [[nodiscard]] const Field& schema() const noexcept { return schema_; }
  /// The rows since the last time.
  [[nodiscard]] ColumnPointer finish();

 private:
  BatchState state_;
  std::unique_ptr<ValueBuilder> type_;  // or null
  EventColumn type_column_;
  ColumnGroup columns_;
  Field schema_;
  std::int64_t most_rows_;
  std::int64_t rows_ = 0;
  std::span<const EventSchema> schemas_;
};

}  // namespace jfrtree::internal::arrow
