#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include <jfrtree/event.hpp>
#include <jfrtree/event_rows.hpp>

#include "format/record_walk.hpp"
#include "format/value_reader.hpp"
#include "profile/chunk_pipeline.hpp"
#include "profile/event_columns.hpp"
#include "profile/scan_findings.hpp"

namespace jfrtree {

using internal::ChunkContents;
using internal::ProblemLog;

namespace {

/// Events that are walked before the wish to stop is asked again.
constexpr std::uint64_t stop_interval = 1 << 16;

/// One type in one chunk.
struct TypeInChunk {
  EventSchema schema;
  std::uint64_t count = 0;
};

/// Where a chunk stands among the inputs.
using Place = std::pair<std::size_t, std::uint64_t>;

class CatalogHandler final : public internal::ChunkHandler {
 public:
  CatalogHandler(bool stacks, const ReadOptions& options) : stacks_(stacks), stop_(options.stop) {}

  void chunk(std::size_t file, const ChunkInfo& info, const ChunkContents* contents,
             ProblemLog& log) override {
    if (contents == nullptr) return;
    std::vector<TypeInChunk> types(contents->metadata().types().size());
    const std::uint64_t events = count_events(*contents, types, log);
    std::vector<TypeInChunk> declared;
    for (std::size_t i = 0; i < types.size(); ++i) {
      const Type& type = contents->metadata().types()[i];
      if (!type.is_event()) continue;
      types[i].schema = {type.name, std::string(type.label()), {}};
      if (type.is_decodable) {
        types[i].schema.columns =
            internal::plan_columns(contents->metadata(), type, stacks_, {}, 0).plan.columns;
      }
      declared.push_back(std::move(types[i]));
    }
    const bool is_open = info.state != ChunkState::complete;
    const std::int64_t last = is_open ? last_event_of(*contents) : info.header.start_ns;
    const std::lock_guard lock(mutex_);
    statistics_.bytes += info.bytes;
    ++statistics_.chunks;
    statistics_.events += events;
    add(Place(file, info.number), std::move(declared));
    last_start_ns_ = std::max(last_start_ns_.value_or(last), last);
  }

  void collapsed(std::size_t, Input&, ProblemLog& log) override {
    log.problem(ErrorCode::not_a_recording, no_position, "collapsed stacks have no events");
  }

  [[nodiscard]] EventCatalog finish();

 private:
  [[nodiscard]] std::uint64_t count_events(const ChunkContents& contents,
                                           std::vector<TypeInChunk>& types, ProblemLog& log) const;
  [[nodiscard]] static std::int64_t last_event_of(const ChunkContents& contents);
  void add(const Place& place, std::vector<TypeInChunk> types);

  /// Schemas of a type that differ, at the first chunk that has each.
  struct Entry {
    std::multimap<Place, EventSchema> schemas;
    std::uint64_t count = 0;
  };

  bool stacks_;
  internal::StopFlag stop_;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  ReadStatistics statistics_;
  std::optional<std::int64_t> last_start_ns_;
};

std::uint64_t CatalogHandler::count_events(const ChunkContents& contents,
                                           std::vector<TypeInChunk>& types, ProblemLog& log) const {
  const std::span<const Type> declared = contents.metadata().types();
  internal::SeededMap<std::uint64_t, std::size_t> positions;
  for (std::size_t i = 0; i < declared.size(); ++i) positions.emplace(raw(declared[i].id), i);
  internal::ScanFindings findings;
  std::uint64_t last_type = ~std::uint64_t{0};
  std::uint64_t* count = nullptr;
  std::uint64_t events = 0;
  std::uint64_t walked = 0;
  const auto visit = [&](const internal::Record& record) {
    if (++walked % stop_interval == 0) stop_.check();
    if (record.type == internal::metadata_record || record.type == internal::checkpoint_record) {
      return;
    }
    ++events;
    if (record.type != last_type) {
      last_type = record.type;
      const auto found = positions.find(record.type);
      count = found == positions.end() ? nullptr : &types[found->second].count;
    }
    if (count != nullptr) {
      ++*count;
    } else {
      findings.unknown_types.add(record.offset);
    }
  };
  const std::uint64_t end =
      internal::walk_records(contents.bytes, contents.has_compressed_integers(), visit);
  internal::report_lost_rest(contents.info, contents.bytes.size(), end, log);
  findings.report(contents.info, log);
  return events;
}

/// Of a chunk whose header does not say how long it lasted.
std::int64_t CatalogHandler::last_event_of(const ChunkContents& contents) {
  std::int64_t last = contents.info.header.start_ns;
  const ValueReader values(contents);
  const auto visit = [&](const internal::Record& record) {
    const Type* const type = contents.metadata().find(TypeId{record.type});
    const int index = type == nullptr || !type->is_decodable || !type->is_event()
                          ? -1
                          : type->field_index("startTime");
    if (index < 0) return;
    const Value start = values.member(*type, static_cast<std::size_t>(index), record.payload);
    if (!start.is_null()) last = std::max(last, contents.info.to_epoch_ns(start.integer()));
  };
  internal::walk_records(contents.bytes, contents.has_compressed_integers(), visit);
  return last;
}

void CatalogHandler::add(const Place& place, std::vector<TypeInChunk> types) {
  const auto names = [](const EventSchema& schema) {
    std::vector<std::pair<std::string_view, ColumnType>> list;
    for (const EventColumn& column : schema.columns) list.emplace_back(column.name, column.type);
    return list;
  };
  for (TypeInChunk& type : types) {
    Entry& entry = entries_[type.schema.type];
    entry.count += type.count;
    const auto same =
        std::find_if(entry.schemas.begin(), entry.schemas.end(),
                     [&](const auto& known) { return names(known.second) == names(type.schema); });
    if (same == entry.schemas.end()) {
      entry.schemas.emplace(place, std::move(type.schema));
    } else if (place < same->first) {
      entry.schemas.erase(same);
      entry.schemas.emplace(place, std::move(type.schema));
    }
  }
}

EventCatalog CatalogHandler::finish() {
  EventCatalog catalog;
  catalog.statistics = statistics_;
  catalog.end_ns = last_start_ns_;
  for (auto& [name, entry] : entries_) {
    std::vector<EventSchema> schemas;
    for (auto& [place, schema] : entry.schemas) schemas.push_back(std::move(schema));
    EventTypeSummary summary;
    summary.schema = {name, schemas.front().label, unite_columns(schemas)};
    summary.count = entry.count;
    catalog.types.push_back(std::move(summary));
  }
  return catalog;
}

}  // namespace

EventCatalog read_event_types(std::vector<Source> sources, bool stacks,
                              const ReadOptions& options) {
  CatalogHandler handler(stacks, options);
  internal::ThreadTeam team(options.threads, internal::StopFlag(options.stop));
  internal::ChunkPipeline pipeline(sources, options, {false, {}}, handler, team);
  pipeline.run();
  EventCatalog catalog = handler.finish();
  catalog.problems = pipeline.problems();
  if (options.strict) internal::throw_first_problem(catalog.problems);
  catalog.start_ns = pipeline.start_ns();
  if (pipeline.end_ns()) {
    catalog.end_ns = std::max(*pipeline.end_ns(), catalog.end_ns.value_or(*pipeline.end_ns()));
  }
  return catalog;
}

}  // namespace jfrtree
