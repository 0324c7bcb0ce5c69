#include "clickhouse/query/stack_blocks.hpp"

#include <span>
#include <vector>

#include <jfrtree/clickhouse_database.hpp>

#include "clickhouse/rows/binary_cursor.hpp"

namespace jfrtree::internal {

namespace {

using clickhouse::DatabaseError;
using clickhouse::DatabaseFault;

class StackBlockReader {
 public:
  StackBlockReader(QueryStacks& stacks, std::string_view bytes, const std::string& database)
      : stacks_(stacks), cursor_(bytes), database_(database) {}

  void run() {
    while (cursor_.left() > 0) read_block();
  }

 private:
  void read_block() {
    const std::uint64_t columns = length();
    const std::uint64_t rows = length();
    hashes_.clear();
    ends_.clear();
    for (std::uint64_t i = 0; i < columns; ++i) read_column(rows);
    if (hashes_.size() != rows || ends_.size() != rows)
      fail("has other columns than were asked for");
    std::uint64_t first = 0;
    for (std::size_t row = 0; row < hashes_.size(); ++row) {
      if (ends_[row] < first || ends_[row] > frames_.size()) fail(cut);
      stacks_.add_stack(hashes_[row], std::span(frames_).subspan(first, ends_[row] - first));
      first = ends_[row];
    }
  }

  void read_column(std::uint64_t rows) {
    const std::string_view name = text();
    const std::string_view type = text();
    if (rows == 0) return;
    if (name == "stack_hash" && type == "UInt64") {
      read_numbers(rows, hashes_);
    } else if (name == "frames" && type == "Array(LowCardinality(String))") {
      static_cast<void>(number());  // the version of the dictionary
      read_numbers(rows, ends_);
      read_frames(ends_.back());
    } else {
      fail("has other columns than were asked for");
    }
  }

  void read_numbers(std::uint64_t count, std::vector<std::uint64_t>& numbers) {
    if (count > cursor_.left() / sizeof(std::uint64_t)) fail(cut);
    numbers.resize(count);
    for (std::uint64_t& each : numbers) each = number();
  }

  /// The texts of the block, and for each frame its number among them.
  void read_frames(std::uint64_t count) {
    frames_.clear();
    if (count == 0) return;  // then there is no dictionary either
    const unsigned width = 1U << (number() & 3U);
    std::vector<std::uint32_t> texts;
    for (std::uint64_t left = number(); left > 0; --left) texts.push_back(stacks_.text(text()));
    if (number() != count || count > cursor_.left() / width) fail(cut);
    frames_.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t place = index(width);
      if (place >= texts.size()) fail(cut);
      frames_.push_back(texts[place]);
    }
  }

  [[nodiscard]] std::uint64_t index(unsigned width) noexcept {
    const char* const bytes = cursor_.position();
    cursor_.skip(width);
    switch (width) {
      case 1:
        return BinaryCursor::load<std::uint8_t>(bytes);
      case 2:
        return BinaryCursor::load<std::uint16_t>(bytes);
      case 4:
        return BinaryCursor::load<std::uint32_t>(bytes);
      default:
        return BinaryCursor::load<std::uint64_t>(bytes);
    }
  }

  [[nodiscard]] std::uint64_t number() {
    std::uint64_t number = 0;
    if (!cursor_.read(number)) fail(cut);
    return number;
  }
  [[nodiscard]] std::uint64_t length() {
    std::uint64_t length = 0;
    if (!cursor_.read_length(length)) fail(cut);
    return length;
  }
  [[nodiscard]] std::string_view text() {
    const std::uint64_t size = length();
    if (size > cursor_.left()) fail(cut);
    const std::string_view text(cursor_.position(), size);
    cursor_.skip(size);
    return text;
  }

  [[noreturn]] void fail(const char* what) const {
    throw DatabaseError(DatabaseFault::query, database_, std::string("its answer ") + what);
  }

  static constexpr const char* cut = "ends in the middle of a row";

  QueryStacks& stacks_;
  BinaryCursor cursor_;
  const std::string& database_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint32_t> frames_;
};

}  // namespace

void add_stack_blocks(QueryStacks& stacks, std::string_view bytes, const std::string& database) {
  StackBlockReader(stacks, bytes, database).run();
}

}  // namespace jfrtree::internal
