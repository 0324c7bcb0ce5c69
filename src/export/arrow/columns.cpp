#include "export/arrow/columns.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace jfrtree::internal::arrow {

namespace {

template <typename Offset>
[[nodiscard]] ColumnPointer utf8_column(std::span<const std::string_view> texts,
                                        std::size_t bytes) {
  BufferBuilder<Offset> offsets;
  BufferBuilder<char> characters;
  offsets.reserve(texts.size() + 1);
  characters.reserve(bytes);
  offsets.push_back(0);
  for (const std::string_view text : texts) {
    characters.append(text.data(), text.size());
    offsets.push_back(static_cast<Offset>(characters.size()));
  }
  auto column = std::make_shared<Column>();
  column->length = static_cast<std::int64_t>(texts.size());
  column->buffers = {Buffer{}, offsets.finish(), characters.finish()};
  return column;
}

template <typename Number>
[[nodiscard]] NamedColumn whole_column(std::string name, std::string format,
                                       BufferBuilder<Number> numbers) {
  auto column = std::make_shared<Column>();
  column->length = static_cast<std::int64_t>(numbers.size());
  column->buffers = {Buffer{}, numbers.finish()};
  return {Field{std::move(name), std::move(format), false}, std::move(column)};
}

}  // namespace

TextValues text_values(std::span<const std::string_view> texts) {
  std::size_t bytes = 0;
  for (const std::string_view text : texts) bytes += text.size();
  if (bytes <= std::numeric_limits<std::int32_t>::max()) {
    return {"u", utf8_column<std::int32_t>(texts, bytes)};
  }
  return {"U", utf8_column<std::int64_t>(texts, bytes)};
}

NamedColumn dictionary_column(std::string name, BufferBuilder<std::int32_t> indices,
                              const TextValues& dictionary) {
  ValidityBuilder validity;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    std::int32_t& index = indices.data()[i];
    if (index >= 0) {
      validity.append_valid();
    } else {
      validity.append_null();
      index = 0;
    }
  }
  auto column = std::make_shared<Column>();
  column->length = static_cast<std::int64_t>(indices.size());
  column->null_count = static_cast<std::int64_t>(validity.null_count());
  column->buffers = {validity.finish(), indices.finish()};
  column->dictionary = dictionary.column;
  Field field{std::move(name), "i"};
  field.dictionary = std::make_shared<Field>(Field{"", dictionary.format, false});
  return {std::move(field), std::move(column)};
}

NamedColumn list_column(std::string name, BufferBuilder<std::int32_t> offsets,
                        NamedColumn elements) {
  auto column = std::make_shared<Column>();
  column->length = static_cast<std::int64_t>(offsets.size()) - 1;
  column->buffers = {Buffer{}, offsets.finish()};
  column->children = {std::move(elements.column)};
  Field field{std::move(name), "+l", false};
  elements.field.name = "item";
  elements.field.is_nullable = false;
  field.children.push_back(std::move(elements.field));
  return {std::move(field), std::move(column)};
}

NamedColumn number_column(std::string name, BufferBuilder<std::uint32_t> numbers) {
  return whole_column(std::move(name), "I", std::move(numbers));
}

NamedColumn share_column(std::string name, BufferBuilder<double> numbers) {
  return whole_column(std::move(name), "g", std::move(numbers));
}

NamedColumn SumColumn::finish(std::string name, FieldMetadata metadata, bool is_large) {
  auto column = std::make_shared<Column>();
  column->length = static_cast<std::int64_t>(sums_.size());
  column->null_count = static_cast<std::int64_t>(validity_.null_count());
  column->buffers = {validity_.finish(), sums_.finish()};
  return {Field{std::move(name), is_large ? "L" : "l", true, std::move(metadata)},
          std::move(column)};
}

NamedColumn make_batch(std::vector<NamedColumn> columns) {
  auto batch = std::make_shared<Column>();
  batch->length = columns.front().column->length;
  batch->buffers = {Buffer{}};
  Field field{"", "+s", false};
  for (NamedColumn& column : columns) {
    field.children.push_back(std::move(column.field));
    batch->children.push_back(std::move(column.column));
  }
  return {std::move(field), std::move(batch)};
}

ArrowTable make_table(std::vector<NamedColumn> batches, FieldMetadata metadata) {
  auto data = std::make_shared<ArrowTableData>();
  data->schema = std::move(batches.front().field);
  data->schema.metadata = std::move(metadata);
  for (NamedColumn& batch : batches) data->batches.push_back(std::move(batch.column));
  return ArrowTable(std::move(data));
}

std::int32_t DictionaryTexts::add(std::string_view text, bool may_be_there) {
  const auto next = static_cast<std::int32_t>(texts.size());
  std::int32_t number = next;
  if (has_several_tables) {
    number = numbers.emplace(text, next).first->second;
  } else if (may_be_there) {
    number = static_cast<std::int32_t>(std::find(texts.begin(), texts.end(), text) - texts.begin());
  }
  if (number == next) texts.push_back(text);
  return number;
}

void FrameDictionary::add_to(DictionaryTexts& texts, bool is_thread) {
  for (std::size_t place = 0; place < indices_.size(); ++place) {
    if (indices_[place] == unused) continue;
    const bool is_in_table = place < table_.size();
    const FrameId frame = is_in_table             ? FrameId{static_cast<std::uint32_t>(place)}
                          : place > table_.size() ? root_frame
                                                  : other_frame;
    std::string_view text = table_.text(frame);
    if (is_thread && text.size() >= 2 && text.front() == '[' && text.back() == ']') {
      text = text.substr(1, text.size() - 2);
    }
    // A method may be called like the root; a dictionary holds each text once.
    indices_[place] = texts.add(text, !is_in_table);
  }
}

FieldMetadata metadata_of(const SampleType& type) {
  return {{"unit", type.unit}, {"sample_type", type.full_name()}};
}

FieldMetadata metadata_of(const Profile& profile) {
  return {{"kind", profile.kind}, {"snapshot", profile.is_snapshot ? "true" : "false"}};
}

}  // namespace jfrtree::internal::arrow
