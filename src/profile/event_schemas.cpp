#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <jfrtree/event_rows.hpp>

#include "format/record_walk.hpp"
#include "profile/chunk_pipeline.hpp"
#include "profile/event_columns.hpp"

namespace jfrtree {

using internal::ChunkContents;
using internal::ProblemLog;
using internal::TypeSystem;

namespace {

/// Where a chunk stands among the inputs.
using Place = std::pair<std::size_t, std::uint64_t>;

/// Gathers the schemas of some types that differ. Thread-safe.
class SchemaCollector {
 public:
  SchemaCollector(std::span<const std::string> types, bool stacks)
      : types_(types), stacks_(stacks) {}

  void add(const Place& place, const Metadata& metadata) {
    for (const Type& type : metadata.types()) {
      const bool is_first = type.is_event() && metadata.find(type.id) == &type;
      if (!is_first || !type.is_decodable || !is_wanted(type.name)) continue;
      EventSchema schema{type.name, std::string(type.label()), {}};
      schema.columns = internal::plan_columns(metadata, type, stacks_, {}, 0).plan.columns;
      const std::lock_guard lock(mutex_);
      schemas_[type.name].emplace(place, std::move(schema));
    }
  }

  [[nodiscard]] std::vector<EventSchema> finish() {
    std::vector<EventSchema> schemas;
    for (auto& [name, by_place] : schemas_) {
      for (auto& [place, schema] : by_place) schemas.push_back(std::move(schema));
    }
    return schemas;
  }

 private:
  [[nodiscard]] bool is_wanted(const std::string& name) const {
    return std::any_of(types_.begin(), types_.end(), [&name](const std::string& pattern) {
      return matches_event_type(pattern, name);
    });
  }

  std::span<const std::string> types_;
  bool stacks_;
  std::mutex mutex_;
  std::map<std::string, std::map<Place, EventSchema>> schemas_;
};

class SchemaHandler final : public internal::ChunkHandler {
 public:
  /// `files`: what the sources of the pipeline are among the inputs.
  SchemaHandler(SchemaCollector& collector, std::span<const std::size_t> files)
      : collector_(collector), files_(files) {}

  void chunk(std::size_t file, const ChunkInfo& info, const ChunkContents* contents,
             ProblemLog& /*log*/) override {
    if (contents != nullptr) collector_.add({files_[file], info.number}, contents->metadata());
  }
  void collapsed(std::size_t /*file*/, Input& /*input*/, ProblemLog& /*log*/) override {}

 private:
  SchemaCollector& collector_;
  std::span<const std::size_t> files_;
};

/// The bytes of the metadata record that a header names; empty where they cannot be had.
[[nodiscard]] std::vector<std::byte> read_metadata_record(Input& input, const ChunkInfo& info) {
  const std::uint64_t offset = info.header.metadata_offset;
  if (offset >= info.bytes) return {};
  std::vector<std::byte> bytes(std::min<std::uint64_t>(32, info.bytes - offset));
  bytes.resize(input.read_at(info.offset + offset, bytes));
  internal::ByteReader reader(bytes, info.header.has_compressed_integers);
  const std::uint64_t size = reader.count();
  if (reader.failed() || size > info.bytes - offset) return {};
  bytes.resize(size);
  bytes.resize(input.read_at(info.offset + offset, bytes));
  return bytes;
}

/// Reads the metadata of an input with a size whose chunks are all whole; false where it is not so
/// simple.
[[nodiscard]] bool read_metadata(const Source& source, std::size_t file, const ReadOptions& options,
                                 internal::TypeSystemCache& cache, SchemaCollector& collector) {
  const internal::StopFlag stop(options.stop);
  const std::shared_ptr<Input> input =
      source.input ? source.input
                   : std::shared_ptr<Input>(open_input(source.path, options.limits, options.stop));
  if (!input->size()) return false;
  ProblemLog log{std::string(input->name())};
  const internal::ChunkSource chunks(*input, options.limits, log, stop);
  const std::vector<ChunkInfo>& scanned = chunks.scanned();
  if (scanned.empty() || scanned.back().offset + scanned.back().bytes != *input->size()) {
    return false;
  }
  const TypeSystem* last = nullptr;
  for (const ChunkInfo& info : scanned) {
    stop.check();
    const bool is_compressed = info.header.has_compressed_integers;
    const std::vector<std::byte> bytes = read_metadata_record(*input, info);
    internal::Record record;
    internal::ParsedMetadata failure;
    const bool is_record = internal::read_record(bytes, 0, is_compressed, record) &&
                           record.type == internal::metadata_record;
    const auto types =
        is_record ? cache.get(record.payload, is_compressed, options.limits, failure) : nullptr;
    if (!types) return false;
    if (types.get() != last) collector.add({file, info.number}, *types->metadata);
    last = types.get();
  }
  return true;
}

}  // namespace

std::vector<EventSchema> read_event_schemas(std::vector<Source> sources,
                                            std::span<const std::string> types, bool stacks,
                                            const ReadOptions& options) {
  SchemaCollector collector(types, stacks);
  internal::TypeSystemCache cache;
  std::vector<Source> others;
  std::vector<std::size_t> files;
  for (std::size_t file = 0; file < sources.size(); ++file) {
    bool is_read = false;
    try {
      is_read = read_metadata(sources[file], file, options, cache, collector);
    } catch (const Error&) {
      // The other way says what is wrong, if nothing can be read at all.
    }
    if (is_read) continue;
    others.push_back(std::move(sources[file]));
    files.push_back(file);
  }
  if (others.empty()) return collector.finish();
  SchemaHandler handler(collector, files);
  internal::ThreadTeam team(options.threads, internal::StopFlag(options.stop));
  internal::ChunkPipeline pipeline(others, options, {false, {}}, handler, team);
  try {
    pipeline.run();
  } catch (const Error&) {
    if (others.size() == sources.size()) throw;
  }
  return collector.finish();
}

}  // namespace jfrtree
