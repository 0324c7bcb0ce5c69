#include "export/arrow/value_builders.hpp"

#include <type_traits>
#include <utility>

namespace jfrtree::internal::arrow {

namespace {

using Kind = EventCell::Kind;

/// The number of a cell as another type; false where that does not hold it.
template <typename Number>
[[nodiscard]] bool number_of(const EventCell& cell, Number& number) noexcept {
  if constexpr (std::is_floating_point_v<Number>) {
    if (cell.kind == Kind::floating) {
      number = static_cast<Number>(cell.floating);
    } else if (cell.kind == Kind::integer) {
      number = static_cast<Number>(cell.integer);
    } else {
      number = static_cast<Number>(static_cast<std::uint64_t>(cell.integer));
    }
    return cell.kind == Kind::floating || cell.kind == Kind::integer ||
           cell.kind == Kind::unsigned_integer;
  } else {
    number = static_cast<Number>(cell.integer);
    if (cell.kind == Kind::integer) return std::in_range<Number>(cell.integer);
    return cell.kind == Kind::unsigned_integer &&
           std::in_range<Number>(static_cast<std::uint64_t>(cell.integer));
  }
}

template <typename Number>
class NumberBuilder final : public ValueBuilder {
 public:
  explicit NumberBuilder(const char* format) : format_(format) {}

  void append(const EventValues& /*values*/, const EventCell& cell,
              const EventColumn& /*column*/) override {
    Number number{};
    if (!number_of(cell, number)) {
      append_null();
      return;
    }
    numbers_.push_back(number);
    validity_.append_valid();
  }
  void append_null() override {
    numbers_.push_back(Number{});
    validity_.append_null();
  }
  Field field() const override { return {"", format_}; }
  ColumnPointer finish() override {
    const std::size_t length = numbers_.size();
    return plain_column(length, validity_, {numbers_.finish()});
  }

 private:
  const char* format_;
  BufferBuilder<Number> numbers_;
  ValidityBuilder validity_;
};

class BooleanBuilder final : public ValueBuilder {
 public:
  void append(const EventValues& /*values*/, const EventCell& cell,
              const EventColumn& /*column*/) override {
    if (cell.kind != Kind::boolean) {
      append_null();
      return;
    }
    push(cell.integer != 0);
    validity_.append_valid();
  }
  void append_null() override {
    push(false);
    validity_.append_null();
  }
  Field field() const override { return {"", "b"}; }
  ColumnPointer finish() override {
    return plain_column(std::exchange(size_, 0), validity_, {bits_.finish()});
  }

 private:
  void push(bool value) {
    if (size_ % 8 == 0) bits_.push_back(0);
    std::uint8_t& byte = bits_.data()[size_ / 8];
    byte = static_cast<std::uint8_t>(byte | (value ? 1U : 0U) << (size_ % 8));
    ++size_;
  }

  BufferBuilder<std::uint8_t> bits_;
  ValidityBuilder validity_;
  std::size_t size_ = 0;
};

template <typename Number>
[[nodiscard]] std::unique_ptr<ValueBuilder> number_builder(const char* format) {
  return std::make_unique<NumberBuilder<Number>>(format);
}

}  // namespace

std::unique_ptr<ValueBuilder> make_value_builder(const EventColumn& column, BatchState& state) {
  switch (column.type) {
    case ColumnType::boolean:
      return std::make_unique<BooleanBuilder>();
    case ColumnType::int8:
      return number_builder<std::int8_t>("c");
    case ColumnType::int16:
      return number_builder<std::int16_t>("s");
    case ColumnType::int32:
      return number_builder<std::int32_t>("i");
    case ColumnType::int64:
      return number_builder<std::int64_t>("l");
    case ColumnType::uint8:
      return number_builder<std::uint8_t>("C");
    case ColumnType::uint16:
      return number_builder<std::uint16_t>("S");
    case ColumnType::uint32:
      return number_builder<std::uint32_t>("I");
    case ColumnType::uint64:
      return number_builder<std::uint64_t>("L");
    case ColumnType::float32:
      return number_builder<float>("f");
    case ColumnType::float64:
      return number_builder<double>("g");
    case ColumnType::timestamp:
      return number_builder<std::int64_t>("tsn:UTC");
    case ColumnType::duration:
      return number_builder<std::int64_t>("tDn");
    case ColumnType::stack:
      return make_stack_builder(state);
    case ColumnType::list:
      return make_list_builder(column, state);
    case ColumnType::character:
    case ColumnType::text:
      break;
  }
  return make_text_builder(column, state);
}

}  // namespace jfrtree::internal::arrow
