#include "profile/prescan.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "format/chunk_contents.hpp"
#include "format/chunk_header.hpp"
#include "format/chunk_source.hpp"
#include "format/record_walk.hpp"
#include "format/value_reader.hpp"
#include "io/peeked_input.hpp"
#include "io/spooled_input.hpp"
#include "profile/event_filter.hpp"
#include "profile/thread_name.hpp"

namespace jfrtree::internal {

namespace {

constexpr std::array<std::string_view, 2> span_pools = {"java.lang.Thread", "java.lang.String"};
constexpr std::string_view span_event = "profiler.Span";

/// An input with a size, read from its beginning without moving the position of its own.
class ReadAgainInput final : public Input {
 public:
  explicit ReadAgainInput(Input& original) : original_(original) {}

  [[nodiscard]] std::string_view name() const noexcept override { return original_.name(); }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override {
    return original_.size();
  }
  std::size_t read(std::span<std::byte> buffer) override {
    const std::size_t count = original_.read_at(position_, buffer);
    position_ += count;
    return count;
  }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer) override {
    return original_.read_at(offset, buffer);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept override {
    return original_.bytes();
  }
  [[nodiscard]] std::shared_ptr<const std::byte> map(std::uint64_t offset,
                                                     std::size_t length) override {
    return original_.map(offset, length);
  }

 private:
  Input& original_;
  std::uint64_t position_ = 0;
};

/// The events of one chunk: the end of the last one, and spans.
class ChunkEvents {
 public:
  ChunkEvents(const ChunkContents& contents, const Filters& filters, std::size_t file)
      : contents_(contents), filters_(filters), file_(file) {}

  void walk(bool wants_end, SpanWindows& windows, std::uint64_t& span_count) {
    const Type* span = contents_.metadata().find(span_event);
    walk_records(contents_.bytes, contents_.has_compressed_integers(), [&](const Record& record) {
      if (record.type == metadata_record || record.type == checkpoint_record) return;
      const bool is_span =
          filters_.needs_span_windows() && span != nullptr && raw(span->id) == record.type;
      if (is_span) {
        ++span_count;
        add_span(*span, record, windows);
      }
      if (wants_end) look_at_end(record);
    });
  }
  [[nodiscard]] std::optional<std::int64_t> last_end() const noexcept { return last_end_; }

 private:
  struct Times {
    std::int64_t start = 0;
    std::int64_t end = 0;
  };

  [[nodiscard]] const FilterFields& fields_of(const Type& type) {
    const auto found = fields_.find(raw(type.id));
    if (found != fields_.end()) return *found->second;
    FilterOptions wanted;
    wanted.from.emplace_back();
    wanted.min_duration_ns = 0;
    wanted.thread_ids.push_back(0);
    return *fields_
                .emplace(raw(type.id), std::make_unique<FilterFields>(
                                           find_filter_fields(contents_, type, wanted)))
                .first->second;
  }

  [[nodiscard]] std::optional<Times> times_of(const FilterFields& fields, const Record& record) {
    if (fields.start.field == nullptr) return std::nullopt;
    ByteReader reader(record.payload, contents_.has_compressed_integers());
    contents_.layouts().fetch(fields.program, reader, slots_.data());
    if (reader.failed()) return std::nullopt;
    Times times;
    times.start = time_of(*fields.start.field, slots_[fields.start.slot], contents_.info);
    times.end = times.start;
    if (fields.duration.field != nullptr) {
      const std::uint64_t length =
          length_of(*fields.duration.field, slots_[fields.duration.slot], contents_.info);
      if (__builtin_add_overflow(times.start, length, &times.end)) times.end = times.start;
    }
    return times;
  }

  void look_at_end(const Record& record) {
    const Type* type = contents_.metadata().find(TypeId{record.type});
    if (type == nullptr || !type->is_decodable) return;
    const auto times = times_of(fields_of(*type), record);
    if (times) last_end_ = std::max(last_end_.value_or(times->end), times->end);
  }

  void add_span(const Type& type, const Record& record, SpanWindows& windows) {
    if (!type.is_decodable) return;
    const FilterFields& fields = fields_of(type);
    const auto times = times_of(fields, record);
    const int tag = type.field_index("tag");
    if (!times || fields.thread.field == nullptr || tag < 0) return;
    const std::uint64_t key = slots_[fields.thread.slot];
    const ValueReader values(contents_);
    const Value text = values.member(type, static_cast<std::size_t>(tag), record.payload);
    if (!filters_.spans.find_in(text.text())) return;
    const Type* threads = contents_.metadata().find(fields.thread.field->type);
    const ThreadName thread = read_thread_name(
        threads == nullptr ? Value() : values.constant(*threads, ConstantKey{key}));
    const std::int64_t id = thread.is_known ? thread.id : static_cast<std::int64_t>(key);
    windows.add(file_, id, times->start, times->end);
  }

  const ChunkContents& contents_;
  const Filters& filters_;
  std::size_t file_;
  SeededMap<std::uint64_t, std::unique_ptr<FilterFields>> fields_;  // by type
  std::array<std::uint64_t, FilterFields::max_slots> slots_{};
  std::optional<std::int64_t> last_end_;
};

class Prescan {
 public:
  Prescan(Filters& filters, const ReadOptions& options)
      : filters_(filters), options_(options), stop_(options.stop) {}

  void read(std::size_t file, Source& source) {
    const bool is_given = source.input != nullptr;
    std::shared_ptr<Input> input = is_given ? source.input : open(source.path);
    if (!input) return;
    if (input->size()) {
      ReadAgainInput again(*input);
      read_chunks(file, again);
      return;
    }
    std::error_code error;
    if (!is_given && std::filesystem::is_regular_file(source.path, error)) {
      read_chunks(file, *input);  // compressed; it is opened again
      return;
    }
    const auto spooled = std::make_shared<SpooledInput>(std::move(input), stop_);
    read_chunks(file, *spooled);
    spooled->rewind();
    source.input = spooled;
  }

  void finish() {
    filters_.resolve_times(span_);
    filters_.set_span_windows(std::move(windows_), span_count_);
  }

 private:
  [[nodiscard]] std::shared_ptr<Input> open(const std::string& path) const {
    try {
      return open_input(path, options_.limits, options_.stop);
    } catch (const Error&) {
      return nullptr;
    }
  }

  void read_chunks(std::size_t file, Input& input) {
    PeekedInput peeked(input, stop_);
    // Collapsed stacks have no time; so has what is no recording at all.
    if (!has_chunk_magic(peeked.first_bytes())) return;
    ProblemLog log{std::string(input.name())};  // what is wrong is reported by the second reading
    ChunkSource source(peeked, options_.limits, log, stop_);
    if (!filters_.needs_span_windows()) {
      for (const ChunkInfo& info : source.scanned()) {
        if (info.bytes <= options_.limits.chunk_bytes) add_header(info);
      }
      source.skip_scanned();
    }
    while (auto chunk = source.next()) {
      stop_.check();
      look_at(file, std::move(*chunk), log);
    }
  }

  void look_at(std::size_t file, LoadedChunk chunk, ProblemLog& log) {
    const ChunkInfo info = chunk.info;
    const bool is_unfinished = info.state == ChunkState::unfinished;
    std::shared_ptr<const ChunkContents> contents;
    if (info.state != ChunkState::empty && (is_unfinished || filters_.needs_span_windows())) {
      contents = open_chunk(std::move(chunk), span_pools, filters_.needs_span_windows(),
                            options_.limits, types_, log);
    }
    add_header(info);
    if (!contents) return;
    ChunkEvents events(*contents, filters_, file);
    events.walk(is_unfinished, windows_, span_count_);
    if (events.last_end()) add_end(*events.last_end());
  }

  void add_header(const ChunkInfo& info) {
    const std::int64_t start = info.header.start_ns;
    std::int64_t end = start;
    const bool is_unfinished = info.state == ChunkState::unfinished;
    if (!is_unfinished && info.header.duration_ns > 0 &&
        __builtin_add_overflow(start, info.header.duration_ns, &end)) {
      end = start;
    }
    span_.start_ns = std::min(span_.start_ns.value_or(start), start);
    add_end(end);
  }
  void add_end(std::int64_t end) { span_.end_ns = std::max(span_.end_ns.value_or(end), end); }

  Filters& filters_;
  const ReadOptions& options_;
  StopFlag stop_;
  TypeSystemCache types_;
  Filters::RecordingSpan span_;
  SpanWindows windows_;
  std::uint64_t span_count_ = 0;
};

}  // namespace

void prescan(std::vector<Source>& sources, Filters& filters, const ReadOptions& options) {
  Prescan scan(filters, options);
  if (filters.needs_recording_span() || filters.needs_span_windows()) {
    for (std::size_t file = 0; file < sources.size(); ++file) scan.read(file, sources[file]);
  }
  scan.finish();
}

}  // namespace jfrtree::internal
