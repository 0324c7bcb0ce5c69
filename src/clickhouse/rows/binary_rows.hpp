#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <jfrtree/clickhouse_database.hpp>

#include "clickhouse/rows/binary_cursor.hpp"

namespace jfrtree::internal {

/// The rows of a result in RowBinary. Throws DatabaseError where they end too early.
class BinaryRows {
 public:
  BinaryRows(const clickhouse::Database& database, std::string bytes)
      : name_(database.name()),
        bytes_(std::make_unique<const std::string>(std::move(bytes))),
        cursor_(*bytes_) {}
  BinaryRows(const BinaryRows&) = delete;
  BinaryRows& operator=(const BinaryRows&) = delete;

  [[nodiscard]] bool is_at_end() const noexcept { return cursor_.left() == 0; }

  template <typename Number>
  [[nodiscard]] Number number() {
    Number number = 0;
    if (!cursor_.read(number)) fail();
    return number;
  }
  [[nodiscard]] std::uint64_t length() {
    std::uint64_t length = 0;
    if (!cursor_.read_length(length) || length > cursor_.left()) fail();
    return length;
  }
  /// Valid as long as this.
  [[nodiscard]] std::string_view text() {
    const auto size = static_cast<std::size_t>(length());
    const std::string_view text(cursor_.position(), size);
    cursor_.skip(size);
    return text;
  }

 private:
  [[noreturn]] void fail() const {
    throw clickhouse::DatabaseError(clickhouse::DatabaseFault::query, name_,
                                    "its answer ends in the middle of a row");
  }

  std::string name_;
  std::unique_ptr<const std::string> bytes_;  // short texts would lie in this object
  BinaryCursor cursor_;
};

}  // namespace jfrtree::internal
