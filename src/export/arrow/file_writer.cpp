#include "export/arrow/file_writer.hpp"

#include <utility>

namespace jfrtree::internal::arrow {

namespace {

constexpr std::string_view magic = "ARROW1";
constexpr std::uint32_t continuation = 0xFFFF'FFFFU;
/// Buffers of at least so many bytes are handed to the output as they are.
constexpr std::size_t large_buffer = std::size_t{1} << 16;

[[nodiscard]] std::uint64_t rounded_up(std::uint64_t size, std::uint64_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

/// Adds a column and those below it to what a message says, and their buffers to its body.
void lay_out(const Column& column, BatchLayout& layout, std::vector<Buffer>& body) {
  layout.nodes.push_back({column.length, column.null_count});
  for (std::size_t i = 0; i < column.buffers.size(); ++i) {
    Buffer buffer = column.buffers[i];
    if (i == 0 && column.null_count == 0) buffer = {};
    layout.buffers.push_back({layout.body_bytes, static_cast<std::int64_t>(buffer.size)});
    layout.body_bytes += static_cast<std::int64_t>(rounded_up(buffer.size, buffer_alignment));
    body.push_back(std::move(buffer));
  }
  for (const ColumnPointer& child : column.children) lay_out(*child, layout, body);
}

/// A column without its values, for the dictionaries.
[[nodiscard]] ColumnPointer dictionaries_of(const Column& column) {
  auto copy = std::make_shared<Column>();
  copy->dictionary = column.dictionary;
  for (const ColumnPointer& child : column.children) {
    copy->children.push_back(dictionaries_of(*child));
  }
  return copy;
}

[[nodiscard]] const Column& empty_texts() {
  static const Column empty{0, 0, {Buffer{}, Buffer{}, Buffer{}}, {}, {}};
  return empty;
}

}  // namespace

FileWriter::FileWriter(Output& output, Field schema) : output_(output), schema_(std::move(schema)) {
  write(magic);
  pad(8);
  (void)write_message(schema_message(schema_), {});
}

void FileWriter::write(std::string_view bytes) {
  position_ += bytes.size();
  if (bytes.size() >= large_buffer) {
    flush();
    output_.write(bytes);
    return;
  }
  gathered_ += bytes;
  if (gathered_.size() >= large_buffer) flush();
}

void FileWriter::flush() {
  if (!gathered_.empty()) output_.write(gathered_);
  gathered_.clear();
}

void FileWriter::pad(std::size_t alignment) {
  const std::uint64_t padding = rounded_up(position_, alignment) - position_;
  gathered_.append(padding, '\0');
  position_ += padding;
}

FileBlock FileWriter::write_message(const std::string& metadata,
                                    const std::vector<Buffer>& buffers) {
  FileBlock block;
  block.offset = static_cast<std::int64_t>(position_);
  // The body begins at a multiple of the alignment, so that it can be mapped.
  const std::uint64_t head = sizeof continuation + sizeof(std::int32_t) + metadata.size();
  const std::uint64_t padding = rounded_up(position_ + head, buffer_alignment) - position_ - head;
  const auto size = static_cast<std::int32_t>(metadata.size() + padding);
  write({reinterpret_cast<const char*>(&continuation), sizeof continuation});
  write({reinterpret_cast<const char*>(&size), sizeof size});
  write(metadata);
  pad(buffer_alignment);
  block.metadata_bytes = static_cast<std::int32_t>(head + padding);
  const std::uint64_t body = position_;
  for (const Buffer& buffer : buffers) {
    write({reinterpret_cast<const char*>(buffer.bytes.get()), buffer.size});
    pad(buffer_alignment);
  }
  block.body_bytes = static_cast<std::int64_t>(position_ - body);
  return block;
}

void FileWriter::write_batch(const ColumnPointer& batch) {
  BatchLayout layout;
  std::vector<Buffer> body;
  layout.rows = batch->length;
  for (const ColumnPointer& column : batch->children) lay_out(*column, layout, body);
  batches_.push_back(write_message(record_batch_message(layout), body));
  last_batch_ = dictionaries_of(*batch);
}

void FileWriter::write_dictionaries(const Field& field, const Column* column) {
  if (field.dictionary) {
    const Column& texts = column == nullptr ? empty_texts() : *column->dictionary;
    BatchLayout layout;
    std::vector<Buffer> body;
    layout.rows = texts.length;
    lay_out(texts, layout, body);
    const auto id = static_cast<std::int64_t>(dictionaries_.size());
    dictionaries_.push_back(write_message(dictionary_message(layout, id), body));
  }
  for (std::size_t i = 0; i < field.children.size(); ++i) {
    write_dictionaries(field.children[i], column == nullptr ? nullptr : column->children[i].get());
  }
}

void FileWriter::finish() {
  write_dictionaries(schema_, last_batch_.get());
  const std::uint32_t end_of_stream[] = {continuation, 0};
  write({reinterpret_cast<const char*>(end_of_stream), sizeof end_of_stream});
  const std::string footer = file_footer(schema_, dictionaries_, batches_);
  const auto size = static_cast<std::int32_t>(footer.size());
  write(footer);
  write({reinterpret_cast<const char*>(&size), sizeof size});
  write(magic);
  flush();
}

}  // namespace jfrtree::internal::arrow
