#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "export/arrow/text_dictionary.hpp"
#include "export/arrow/value_builders.hpp"
#include "export/event_cells.hpp"

namespace jfrtree::internal::arrow {

namespace {

using Kind = EventCell::Kind;

/// utf8. Cells that are no text, where chunks declare the column differently, are written as in
/// CSV.
class TextBuilder final : public ValueBuilder {
 public:
  explicit TextBuilder(BatchState& state) : state_(state) { offsets_.push_back(0); }

  void begin_chunk() override { cells_.begin_chunk(); }
  void append(const EventValues& values, const EventCell& cell,
              const EventColumn& column) override {
    if (cell.kind == Kind::null) {
      append_null();
    } else if (cell.kind == Kind::text) {
      append_text(cell.text());
    } else {
      text_.clear();
      if (cell.kind == Kind::list || cell.kind == Kind::stack) {
        cells_.append_json(text_, values, cell, column);
      } else {
        cells_.append_csv(text_, values, cell, column);
      }
      append_text(text_);
    }
  }
  void append_null() override {
    offsets_.push_back(static_cast<std::int32_t>(characters_.size()));
    validity_.append_null();
  }
  Field field() const override { return {"", "u"}; }
  ColumnPointer finish() override {
    const std::size_t length = offsets_.size() - 1;
    ColumnPointer column =
        plain_column(length, validity_, {offsets_.finish(), characters_.finish()});
    offsets_.push_back(0);
    return column;
  }

 private:
  void append_text(std::string_view text) {
    characters_.append(text.data(), text.size());
    offsets_.push_back(static_cast<std::int32_t>(characters_.size()));
    validity_.append_valid();
    state_.bytes += text.size();
  }

  BatchState& state_;
  CellText cells_;
  std::string text_;
  BufferBuilder<std::int32_t> offsets_;
  BufferBuilder<char> characters_;
  ValidityBuilder validity_;
};

[[nodiscard]] Field dictionary_field() {
  Field field{"", "i"};
  field.dictionary = std::make_shared<Field>(Field{"", "u", false});
  return field;
}

/// Numbers of texts, and these.
class DictionaryValues {
 public:
  explicit DictionaryValues(const BatchState& state) : dictionary_(state.dictionary_bytes) {}

  [[nodiscard]] TextDictionary& dictionary() noexcept { return dictionary_; }
  [[nodiscard]] BufferBuilder<std::int32_t>& numbers() noexcept { return numbers_; }
  [[nodiscard]] ColumnPointer finish(ValidityBuilder& validity) {
    const std::size_t length = numbers_.size();
    auto column = plain_column(length, validity, {numbers_.finish()});
    column->dictionary = dictionary_.snapshot();
    return column;
  }

 private:
  TextDictionary dictionary_;
  BufferBuilder<std::int32_t> numbers_;
};

/// Texts of a constant pool.
class ConstantTextBuilder final : public ValueBuilder {
 public:
  explicit ConstantTextBuilder(const BatchState& state) : values_(state) {}

  void append(const EventValues& /*values*/, const EventCell& cell,
              const EventColumn& /*column*/) override {
    if (cell.kind != Kind::text) {
      append_null();
      return;
    }
    values_.numbers().push_back(values_.dictionary().add(cell.text()));
    validity_.append_valid();
  }
  void append_null() override {
    values_.numbers().push_back(0);
    validity_.append_null();
  }
  Field field() const override { return dictionary_field(); }
  ColumnPointer finish() override { return values_.finish(validity_); }

 private:
  DictionaryValues values_;
  ValidityBuilder validity_;
};

class StackBuilder final : public ValueBuilder {
 public:
  explicit StackBuilder(BatchState& state) : state_(state), frames_(state) {
    offsets_.push_back(0);
  }

  void begin_chunk() override { numbers_.clear(); }
  void append(const EventValues& values, const EventCell& cell,
              const EventColumn& /*column*/) override {
    if (cell.kind != Kind::stack) {
      append_null();
      return;
    }
    const std::span<const std::uint32_t> frames = cell.frames();
    std::int32_t* next = frames_.numbers().extend(frames.size());
    for (const std::uint32_t frame : frames) *next++ = number_of_frame(values, frame);
    offsets_.push_back(static_cast<std::int32_t>(frames_.numbers().size()));
    validity_.append_valid();
    state_.bytes += frames.size_bytes();
  }
  void append_null() override {
    offsets_.push_back(static_cast<std::int32_t>(frames_.numbers().size()));
    validity_.append_null();
  }
  Field field() const override {
    Field field{"", "+l"};
    field.children.push_back(dictionary_field());
    field.children.front().name = "item";
    field.children.front().is_nullable = false;
    return field;
  }
  ColumnPointer finish() override {
    const std::size_t length = offsets_.size() - 1;
    ValidityBuilder no_nulls;
    auto column = plain_column(length, validity_, {offsets_.finish()});
    column->children = {frames_.finish(no_nulls)};
    offsets_.push_back(0);
    return column;
  }

 private:
  static constexpr std::int32_t unknown = -1;

  [[nodiscard]] std::int32_t number_of_frame(const EventValues& values, std::uint32_t frame) {
    if (frame >= numbers_.size()) numbers_.resize(frame + frame / 2 + 64, unknown);
    std::int32_t& number = numbers_[frame];
    if (number == unknown) number = frames_.dictionary().add(values.frame_text(frame));
    return number;
  }

  BatchState& state_;
  DictionaryValues frames_;
  BufferBuilder<std::int32_t> offsets_;
  ValidityBuilder validity_;
  std::vector<std::int32_t> numbers_;  // in the dictionary, by the chunk's numbers of frames
};

class ListBuilder final : public ValueBuilder {
 public:
  ListBuilder(const EventColumn& column, BatchState& state)
      : state_(state),
        is_plain_(column.elements.size() == 1 && column.elements.front().path.empty()),
        elements_(column.elements, state) {
    offsets_.push_back(0);
  }

  void begin_chunk() override { elements_.begin_chunk(); }
  void append(const EventValues& values, const EventCell& cell,
              const EventColumn& column) override {
    if (cell.kind != Kind::list || cell.width != column.elements.size()) {
      append_null();
      return;
    }
    for (std::size_t i = 0; i < cell.size; ++i) {
      elements_.append(values, cell.cells + i * cell.width, column.elements);
    }
    size_ += cell.size;
    state_.bytes += cell.size * cell.width * sizeof(std::int64_t);
    offsets_.push_back(static_cast<std::int32_t>(size_));
    validity_.append_valid();
  }
  void append_null() override {
    offsets_.push_back(static_cast<std::int32_t>(size_));
    validity_.append_null();
  }
  Field field() const override {
    Field field{"", "+l"};
    Field item{"item", "+s"};
    item.children = elements_.fields();
    if (is_plain_) item = Field(item.children.front());
    item.name = "item";
    field.children.push_back(std::move(item));
    return field;
  }
  ColumnPointer finish() override {
    const std::size_t length = offsets_.size() - 1;
    auto column = plain_column(length, validity_, {offsets_.finish()});
    column->children = {finish_elements()};
    offsets_.push_back(0);
    size_ = 0;
    return column;
  }

 private:
  [[nodiscard]] ColumnPointer finish_elements() {
    const auto length = static_cast<std::int64_t>(size_);
    std::vector<ColumnPointer> columns = elements_.finish(length);
    return is_plain_ ? columns.front() : make_struct(std::move(columns), length);
  }

  BatchState& state_;
  bool is_plain_;
  ColumnGroup elements_;
  std::size_t size_ = 0;
  BufferBuilder<std::int32_t> offsets_;
  ValidityBuilder validity_;
};

}  // namespace

std::unique_ptr<ValueBuilder> make_text_builder(const EventColumn& column, BatchState& state) {
  if (column.is_constant) return std::make_unique<ConstantTextBuilder>(state);
  return std::make_unique<TextBuilder>(state);
}

std::unique_ptr<ValueBuilder> make_stack_builder(BatchState& state) {
  return std::make_unique<StackBuilder>(state);
}

std::unique_ptr<ValueBuilder> make_list_builder(const EventColumn& column, BatchState& state) {
  return std::make_unique<ListBuilder>(column, state);
}

}  // namespace jfrtree::internal::arrow
