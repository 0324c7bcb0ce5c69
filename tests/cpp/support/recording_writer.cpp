#include "support/recording_writer.hpp"

#include <algorithm>
#include <stdexcept>

namespace jfrtree::test {

namespace {

constexpr std::uint64_t metadata_type_id = 0;
constexpr std::uint64_t checkpoint_type_id = 1;
constexpr std::uint16_t compressed_integers_flag = 1;

std::uint64_t or_zero(const std::optional<std::int64_t>& value) {
  return static_cast<std::uint64_t>(value.value_or(0));
}

Bytes encode_size(std::uint64_t size, const RecordSize& options, IntegerEncoding integers) {
  if (integers == IntegerEncoding::fixed_width) {
    return ByteWriter().big_endian(options.claimed.value_or(size), 4).bytes();
  }
  const std::uint64_t written = options.claimed.value_or(size);
  return options.width == 0 ? varint(written) : padded_varint(written, options.width);
}

/// The size counts its own bytes, so its width has to be known before the value is.
std::uint64_t size_with_prefix(std::size_t content, const RecordSize& options,
                               IntegerEncoding integers) {
  if (integers == IntegerEncoding::fixed_width) return content + 4;
  if (options.width != 0) return content + options.width;
  std::size_t width = 1;
  while (varint(content + width).size() > width) ++width;
  return content + width;
}

}  // namespace

Bytes HeaderFields::bytes() const {
  ByteWriter writer;
  writer.big_endian(magic, 4).big_endian(major, 2).big_endian(minor, 2);
  writer.big_endian(or_zero(chunk_size), 8);
  writer.big_endian(or_zero(checkpoint_offset), 8);
  writer.big_endian(or_zero(metadata_offset), 8);
  for (const std::int64_t time : {start_nanos, duration_nanos, start_ticks, ticks_per_second}) {
    writer.big_endian(static_cast<std::uint64_t>(time), 8);
  }
  return writer.u8(file_state).u8(padding).big_endian(flags, 2).bytes();
}

Pool& Pool::entry(std::uint64_t key, const ByteWriter& value) {
  entries.emplace_back(key, value.bytes());
  return *this;
}

ChunkWriter::ChunkWriter(HeaderFields header)
    : header_(header),
      integers_((header.flags & compressed_integers_flag) != 0 ? IntegerEncoding::compressed
                                                               : IntegerEncoding::fixed_width) {}

std::size_t ChunkWriter::event(std::uint64_t type_id, const ByteWriter& payload, RecordSize size) {
  return record(type_id, payload.bytes(), size);
}

std::size_t ChunkWriter::checkpoint(const Checkpoint& checkpoint) {
  const std::size_t here = offset();
  const std::int64_t to_previous =
      newest_checkpoint_ == 0
          ? 0
          : static_cast<std::int64_t>(newest_checkpoint_) - static_cast<std::int64_t>(here);

  ByteWriter content = payload();
  content.long_value(checkpoint.start_ticks).long_value(checkpoint.duration_ticks);
  content.long_value(checkpoint.delta.value_or(to_previous)).u8(checkpoint.flags);
  content.count(checkpoint.claimed_pool_count.value_or(checkpoint.pools.size()));
  for (const Pool& pool : checkpoint.pools) {
    const std::uint64_t count = pool.claimed_count.value_or(pool.entries.size());
    content.key(pool.class_id);
    if (pool.count_width == 0) {
      content.count(count);
    } else {
      content.padded_count(count, pool.count_width);
    }
    for (const auto& [key, value] : pool.entries) content.key(key).raw(value);
  }
  content.raw(checkpoint.trailing);
  newest_checkpoint_ = here;
  return record(checkpoint_type_id, content.bytes(), checkpoint.size);
}

std::size_t ChunkWriter::metadata(const Element& root, const MetadataEvent& options) {
  return raw_metadata(encode_metadata_tree(root, options.strings, integers_), options);
}

std::size_t ChunkWriter::raw_metadata(const Bytes& table_and_tree, const MetadataEvent& options) {
  newest_metadata_ = offset();
  ByteWriter content = payload();
  content.long_value(options.start_ticks).long_value(options.duration_ticks);
  content.long_value(options.metadata_id).raw(table_and_tree);
  return record(metadata_type_id, content.bytes(), options.size);
}

std::size_t ChunkWriter::raw(const Bytes& bytes) {
  const std::size_t here = offset();
  append(records_, bytes);
  return here;
}

void ChunkWriter::patch(std::size_t offset, const Bytes& bytes) {
  if (offset < chunk_header_size || offset - chunk_header_size + bytes.size() > records_.size()) {
    throw std::out_of_range("patch outside of the records");
  }
  std::copy(bytes.begin(), bytes.end(),
            records_.begin() + static_cast<std::ptrdiff_t>(offset - chunk_header_size));
}

Bytes ChunkWriter::bytes() const {
  HeaderFields header = header_;
  const auto computed = [](std::optional<std::int64_t>& field, std::size_t value) {
    if (!field) field = static_cast<std::int64_t>(value);
  };
  computed(header.chunk_size, offset());
  computed(header.checkpoint_offset, newest_checkpoint_);
  computed(header.metadata_offset, newest_metadata_);
  Bytes bytes = header.bytes();
  append(bytes, records_);
  return bytes;
}

std::size_t ChunkWriter::record(std::uint64_t type_id, const Bytes& content,
                                const RecordSize& size) {
  const std::size_t here = offset();
  ByteWriter rest = payload();
  rest.key(type_id).raw(content);
  append(records_, encode_size(size_with_prefix(rest.size(), size, integers_), size, integers_));
  append(records_, rest.bytes());
  return here;
}

RecordingWriter& RecordingWriter::add(const Bytes& bytes) {
  append(bytes_, bytes);
  return *this;
}

}  // namespace jfrtree::test
