#include "format/chunk_contents.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "format/chunk_pieces.hpp"
#include "format/record_walk.hpp"

namespace jfrtree::internal {

namespace {

/// The payload of the metadata record at an offset, if there is one.
std::optional<std::span<const std::byte>> metadata_at(const LoadedChunk& chunk,
                                                      std::uint64_t offset) {
  Record record;
  if (offset < chunk_header_bytes ||
      !read_record(chunk.bytes, offset, chunk.info.header.has_compressed_integers, record) ||
      record.type != metadata_record) {
    return std::nullopt;
  }
  return record.payload;
}

/// Payloads of all metadata records that a walk meets, the newest first.
std::vector<std::span<const std::byte>> scan_metadata(const LoadedChunk& chunk) {
  std::vector<std::span<const std::byte>> found;
  walk_records(chunk.bytes, chunk.info.header.has_compressed_integers, [&](const Record& record) {
    if (record.type == metadata_record) found.push_back(record.payload);
  });
  std::reverse(found.begin(), found.end());
  return found;
}

/// Metadata as the header says, else the newest that can be decoded.
std::shared_ptr<const TypeSystem> find_types(const LoadedChunk& chunk, const Limits& limits,
                                             TypeSystemCache& cache, ProblemLog& log) {
  const bool has_compressed_integers = chunk.info.header.has_compressed_integers;
  const std::uint64_t offset = chunk.info.header.metadata_offset;
  ParsedMetadata failure;
  if (const auto payload = metadata_at(chunk, offset)) {
    if (auto types = cache.get(*payload, has_compressed_integers, limits, failure)) return types;
  }
  const std::string reason = failure.error;
  const bool is_limit = failure.is_limit;
  for (const auto& payload : scan_metadata(chunk)) {
    if (auto types = cache.get(payload, has_compressed_integers, limits, failure)) {
      if (chunk.info.state == ChunkState::complete) {
        log.problem(ErrorCode::bad_metadata, chunk.info.offset,
                    "the metadata that the header names cannot be read; an older one was used");
      }
      return types;
    }
  }
  const bool is_cut =
      chunk.info.state == ChunkState::truncated || chunk.info.state == ChunkState::unfinished;
  if (is_cut && !has_metadata(chunk.bytes, chunk.info.header)) {
    return nullptr;  // reported where the chunk was delimited
  }
  std::string message = reason.empty() ? failure.error : reason;
  if (message.empty()) message = "the chunk has no metadata event where its header says";
  log.problem(is_limit || failure.is_limit ? ErrorCode::limit_exceeded : ErrorCode::bad_metadata,
              chunk.info.offset + std::min(offset, chunk.info.bytes),
              message + "; the chunk cannot be read");
  return nullptr;
}

/// What is odd about a chunk though it can be read.
void report_oddities(const ChunkContents& contents, ProblemLog& log) {
  const std::uint64_t offset = contents.info.offset;
  if (contents.types->undecodable_types > 0) {
    log.note(ErrorCode::odd_metadata, offset,
             "types that the metadata leaves undefined; their events are skipped",
             contents.types->undecodable_types);
  }
  if (contents.types->duplicate_types > 0) {
    log.note(ErrorCode::odd_metadata, offset,
             "class ids that are declared twice; the first declaration counts",
             contents.types->duplicate_types);
  }
  if (contents.info.header.ticks_per_second <= 0) {
    log.problem(ErrorCode::bad_chunk_header, offset,
                "the chunk's clock has no frequency; times and durations are unknown");
  }
}

/// Types as the metadata says that the header names, or null.
std::shared_ptr<const TypeSystem> read_types(const ChunkInfo& info, Input& input,
                                             const Limits& limits, TypeSystemCache& cache) {
  const std::uint64_t offset = info.header.metadata_offset;
  if (offset < chunk_header_bytes) return nullptr;
  const bool has_compressed_integers = info.header.has_compressed_integers;
  ChunkPieces pieces(input, info);
  auto bytes = pieces.read(offset);
  const std::uint64_t size = ByteReader(bytes, has_compressed_integers).count();
  if (size > bytes.size() && size <= info.bytes) bytes = pieces.read(offset, size);
  Record record;
  if (!read_record(bytes, 0, has_compressed_integers, record) || record.type != metadata_record) {
    return nullptr;
  }
  ParsedMetadata failure;
  return cache.get(record.payload, has_compressed_integers, limits, failure);
}

}  // namespace

std::shared_ptr<const ChunkContents> open_unread_chunk(const ChunkInfo& info, Input& input,
                                                       const Limits& limits, TypeSystemCache& cache,
                                                       ProblemLog& log) {
  auto contents = std::make_shared<ChunkContents>();
  contents->types = read_types(info, input, limits, cache);
  if (!contents->types) return nullptr;
  log.set_chunk(info.number);
  contents->info = info;
  contents->unread = &input;
  contents->limits = limits;
  report_oddities(*contents, log);
  return contents;
}

std::shared_ptr<const ChunkContents> open_chunk(LoadedChunk chunk,
                                                std::span<const std::string_view> wanted,
                                                bool with_pools, const Limits& limits,
                                                TypeSystemCache& cache, ProblemLog& log) {
  log.set_chunk(chunk.info.number);
  const bool is_unstarted =
      chunk.info.header.metadata_offset == 0 && chunk.info.state != ChunkState::complete;
  if (is_unstarted) return nullptr;  // reported where the chunk was delimited
  auto contents = std::make_shared<ChunkContents>();
  contents->types = find_types(chunk, limits, cache, log);
  if (!contents->types) return nullptr;
  contents->info = chunk.info;
  contents->bytes = chunk.bytes;
  contents->owner = std::move(chunk.owner);
  contents->limits = limits;
  report_oddities(*contents, log);
  if (with_pools) {
    std::vector<TypeId> ids;
    for (const std::string_view name : wanted) {
      if (const Type* type = contents->metadata().find(name)) ids.push_back(type->id);
    }
    contents->pools.read(contents->info, contents->bytes, contents->layouts(), ids, limits, log);
  }
  return contents;
}

}  // namespace jfrtree::internal
