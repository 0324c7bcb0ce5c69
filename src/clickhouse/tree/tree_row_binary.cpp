#include <string>
#include <vector>

#include "clickhouse/tree/tree_binary_stacks.hpp"
#include "clickhouse/tree/tree_errors.hpp"
#include "clickhouse/tree/tree_rows.hpp"

namespace jfrtree::internal {
namespace {

/// Rows of a stack and its values.
class SampleParser final : public RowParser {
 public:
  SampleParser(TreeStacks& stacks, const TreeFilterOptions& options)
      : stacks_(stacks), values_(options.values), reader_(stacks, options) {}

  std::size_t parse(std::string_view bytes, std::uint64_t most_rows) override {
    reader_.forget_before();
    BinaryCursor cursor(bytes);
    std::size_t taken = 0;
    for (; most_rows > 0; --most_rows) {
      if (!reader_.read(cursor, rows_ + 1) || cursor.left() < values_ * sizeof(std::uint64_t)) {
        break;
      }
      const std::uint32_t stack = stacks_.add_stack(reader_.frames());
      for (std::size_t column = 0; column < values_; ++column) {
        const auto value = BinaryCursor::load<std::uint64_t>(cursor.position());
        set_value(stacks_, stack, column, value, rows_ + 1);
        cursor.skip(sizeof value);
      }
      sum_up(stacks_);
      ++rows_;
      frames_ += reader_.frames().size();
      taken = static_cast<std::size_t>(cursor.position() - bytes.data());
    }
    return taken;
  }

 private:
  TreeStacks& stacks_;
  std::size_t values_;
  BinaryStackReader reader_;
};

/// Rows of a function: an array of stacks, then one of values for each kind of value. Each stack
/// and each value is taken on its own, so that a large profile need not lie in the buffer.
class ProfileParser final : public RowParser {
 public:
  ProfileParser(TreeStacks& stacks, const TreeFilterOptions& options)
      : stacks_(stacks), values_(options.values), reader_(stacks, options) {}

  std::size_t parse(std::string_view bytes, std::uint64_t most_rows) override {
    reader_.forget_before();
    BinaryCursor cursor(bytes);
    std::size_t taken = 0;
    while (most_rows > 0 && parse_part(cursor)) {
      taken = static_cast<std::size_t>(cursor.position() - bytes.data());
      if (part_ == Part::end) {
        part_ = Part::stack_count;
        numbers_.clear();
        ++rows_;
        --most_rows;
      }
    }
    return taken;
  }

  [[nodiscard]] bool is_inside_row() const noexcept override { return part_ != Part::stack_count; }

 private:
  enum class Part : std::uint8_t { stack_count, stack, value_count, value, end };

  [[nodiscard]] bool parse_part(BinaryCursor& cursor) {
    switch (part_) {
      case Part::stack_count:
        return parse_stack_count(cursor);
      case Part::stack:
        return parse_stack(cursor);
      case Part::value_count:
        return parse_value_count(cursor);
      case Part::value:
        return parse_value(cursor);
      case Part::end:
        break;
    }
    return false;
  }

  [[nodiscard]] bool parse_stack_count(BinaryCursor& cursor) {
    if (!cursor.read_length(left_)) {
      return false;
    }
    column_ = 0;
    part_ = left_ > 0 ? Part::stack : Part::value_count;
    return true;
  }

  [[nodiscard]] bool parse_stack(BinaryCursor& cursor) {
    if (!reader_.read(cursor, rows_ + 1)) {
      return false;
    }
    numbers_.push_back(stacks_.add_stack(reader_.frames()));
    frames_ += reader_.frames().size();
    part_ = --left_ > 0 ? Part::stack : Part::value_count;
    return true;
  }

  [[nodiscard]] bool parse_value_count(BinaryCursor& cursor) {
    if (!cursor.read_length(left_)) {
      return false;
    }
    if (left_ != numbers_.size()) {
      throw_row_error("-", rows_ + 1,
                      std::to_string(numbers_.size()) + " stacks, but " + std::to_string(left_) +
                          " values: both arrays must have one length");
    }
    begin_values();
    return true;
  }

  [[nodiscard]] bool parse_value(BinaryCursor& cursor) {
    std::uint64_t value = 0;
    if (!cursor.read(value)) {
      return false;
    }
    const std::uint32_t stack = numbers_[numbers_.size() - static_cast<std::size_t>(left_)];
    set_value(stacks_, stack, column_, value, rows_ + 1);
    --left_;
    begin_values();
    return true;
  }

  /// What comes next in the array of values, or behind it.
  void begin_values() {
    if (left_ > 0) {
      part_ = Part::value;
    } else {
      part_ = ++column_ < values_ ? Part::value_count : Part::end;
    }
  }

  TreeStacks& stacks_;
  std::size_t values_;
  BinaryStackReader reader_;
  Part part_ = Part::stack_count;
  std::uint64_t left_ = 0;  // elements of the array at hand
  std::size_t column_ = 0;
  std::vector<std::uint32_t> numbers_;  // of the row's stacks
};

/// Rows `id, text`.
class DictionaryParser final : public RowParser {
 public:
  DictionaryParser(TreeStacks& stacks, const TreeFilterOptions& options)
      : stacks_(stacks), options_(options) {}

  std::size_t parse(std::string_view bytes, std::uint64_t most_rows) override {
    BinaryCursor cursor(bytes);
    std::size_t taken = 0;
    for (; most_rows > 0; --most_rows) {
      std::uint64_t id = 0;
      std::uint64_t length = 0;
      if (!read_id(cursor, id) || !cursor.read_length(length)) {
        break;
      }
      if (length > options_.limits.string_bytes) {
        throw_row_limit("fd 3", rows_ + 1, "a frame of " + std::to_string(length) + " bytes",
                        "string_bytes", options_.limits.string_bytes);
      }
      if (length > cursor.left()) {
        break;
      }
      const std::string_view text(cursor.position(), static_cast<std::size_t>(length));
      ++rows_;
      if (!stacks_.name_id(id, text)) {
        throw_row_error("fd 3", rows_, "the frame id " + std::to_string(id) + " has two texts");
      }
      cursor.skip(text.size());
      taken = static_cast<std::size_t>(cursor.position() - bytes.data());
    }
    return taken;
  }

 private:
  [[nodiscard]] bool read_id(BinaryCursor& cursor, std::uint64_t& id) const {
    if (options_.frames == FrameColumn::ids64) {
      return cursor.read(id);
    }
    std::uint32_t narrow = 0;
    const bool is_there = cursor.read(narrow);
    id = narrow;
    return is_there;
  }

  TreeStacks& stacks_;
  const TreeFilterOptions& options_;
};

}  // namespace

std::unique_ptr<RowParser> make_binary_row_parser(TreeStacks& stacks,
                                                  const TreeFilterOptions& options) {
  if (options.protocol == RowProtocol::function ||
      options.protocol == RowProtocol::function_chunks) {
    return std::make_unique<ProfileParser>(stacks, options);
  }
  return std::make_unique<SampleParser>(stacks, options);
}

std::unique_ptr<RowParser> make_binary_dictionary_parser(TreeStacks& stacks,
                                                         const TreeFilterOptions& options) {
  return std::make_unique<DictionaryParser>(stacks, options);
}

}  // namespace jfrtree::internal
