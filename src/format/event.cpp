#include <jfrtree/event.hpp>

#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "format/chunk_contents.hpp"
#include "format/value_reader.hpp"

namespace jfrtree {

namespace {

/// Simple types of simple types nest; a longer chain is a loop of references.
constexpr int max_simple_depth = 8;

[[nodiscard]] std::optional<std::size_t> to_index(std::string_view text) noexcept {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return index;
}

/// The whole part, as near as 64 bits come to it; 0 for NaN.
[[nodiscard]] std::int64_t whole_part(double number) noexcept {
  using Long = std::numeric_limits<std::int64_t>;
  constexpr double too_large = 9223372036854775808.0;
  if (std::isnan(number)) return 0;
  if (number >= too_large) return Long::max();
  if (number < -too_large) return Long::min();
  return static_cast<std::int64_t>(number);
}

/// Splits off the first part of a path.
[[nodiscard]] std::string_view next_part(std::string_view& path) noexcept {
  const std::size_t dot = path.find('.');
  const std::string_view part = path.substr(0, dot);
  path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  return part;
}

}  // namespace

std::int64_t Value::integer() const noexcept {
  return kind_ == Kind::floating ? whole_part(floating_) : integer_;
}

double Value::number() const noexcept {
  return kind_ == Kind::floating ? floating_ : static_cast<double>(integer_);
}

std::string Value::text() const {
  Value value = *this;
  for (int depth = 0; depth < max_simple_depth; ++depth) {
    value = value.resolve();
    if (value.kind_ == Kind::string) return ValueReader(*value.contents_).text(value.bytes_);
    if (value.kind_ != Kind::structure || value.size_ != 1) return {};
    value = value[std::size_t{0}];
  }
  return {};
}

Value Value::resolve() const {
  if (kind_ != Kind::reference) return *this;
  Value value;
  if (type_ != nullptr) value = ValueReader(*contents_).constant(*type_, *key_);
  value.key_ = key_;
  value.field_ = field_;
  return value;
}

std::size_t Value::size() const noexcept {
  return kind_ == Kind::array || kind_ == Kind::structure ? size_ : 0;
}

Value Value::operator[](std::size_t index) const {
  if (kind_ == Kind::reference) return resolve()[index];
  if (index >= size()) return {};
  const ValueReader values(*contents_);
  if (kind_ == Kind::structure) return values.member(*type_, index, bytes_);
  internal::ByteReader reader(bytes_, contents_->has_compressed_integers());
  for (std::size_t i = 0; i < index && !reader.failed(); ++i) {
    if (field_->is_reference) {
      reader.key();
    } else {
      contents_->layouts().skip(*type_, reader);
    }
  }
  if (reader.failed()) return {};
  return values.element(*field_, reader.rest());
}

Value Value::operator[](std::string_view name) const {
  if (kind_ == Kind::reference) {
    const Value target = resolve();
    return target.kind_ == Kind::reference ? Value() : target[name];
  }
  if (kind_ != Kind::structure) return {};
  const int index = type_->field_index(name);
  return index < 0 ? Value() : (*this)[static_cast<std::size_t>(index)];
}

Value Value::at(std::string_view path) const {
  Value value = *this;
  while (!path.empty() && !value.is_null()) {
    const std::string_view part = next_part(path);
    const auto index = to_index(part);
    value = value.resolve();
    value = index && value.kind_ == Kind::array ? value[*index] : value[part];
  }
  return value;
}

Event::Event(const Chunk& chunk, const RawEvent& raw) noexcept
    : contents_(&chunk.contents()), type_(chunk.metadata().find(raw.type)), payload_(raw.payload) {}

std::string_view Event::type_name() const noexcept {
  return type_ == nullptr ? std::string_view() : std::string_view(type_->name);
}

std::size_t Event::size() const noexcept { return type_ == nullptr ? 0 : type_->fields.size(); }

Value Event::operator[](std::size_t index) const {
  if (type_ == nullptr || !type_->is_decodable) return {};
  return ValueReader(*contents_).member(*type_, index, payload_);
}

Value Event::operator[](std::string_view name) const {
  const int index = type_ == nullptr ? -1 : type_->field_index(name);
  return index < 0 ? Value() : (*this)[static_cast<std::size_t>(index)];
}

Value Event::at(std::string_view path) const {
  const Value value = (*this)[next_part(path)];
  return path.empty() ? value : value.at(path);
}

std::int64_t Event::start_ns() const {
  const Value start = (*this)["startTime"];
  return start.is_null() ? contents_->info.header.start_ns
                         : contents_->info.to_epoch_ns(start.integer());
}

std::uint64_t Event::duration_ns() const {
  return contents_->info.to_duration_ns((*this)["duration"].integer());
}

Value find_constant(const Chunk& chunk, TypeId type, ConstantKey key) {
  const Type* declared = chunk.metadata().find(type);
  return declared == nullptr ? Value() : ValueReader(chunk.contents()).constant(*declared, key);
}

}  // namespace jfrtree
