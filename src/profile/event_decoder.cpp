#include "profile/event_decoder.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "format/value_reader.hpp"
#include "profile/class_names.hpp"

namespace jfrtree::internal {

namespace {

/// Strings of the string pool may refer to each other; a longer chain is a loop.
constexpr int max_string_references = 8;

using Long = std::numeric_limits<std::int64_t>;

[[nodiscard]] EventCell text_cell(std::string_view text) noexcept {
  EventCell cell;
  cell.kind = EventCell::Kind::text;
  cell.characters = text.data();
  cell.size = text.size();
  return cell;
}

[[nodiscard]] EventCell number_cell(EventCell::Kind kind, std::int64_t number) noexcept {
  EventCell cell;
  cell.kind = kind;
  cell.integer = number;
  return cell;
}

[[nodiscard]] EventCell floating_cell(double number) noexcept {
  EventCell cell;
  cell.kind = EventCell::Kind::floating;
  cell.floating = number;
  return cell;
}

/// A number times a unit in ns; null when 64 bits do not hold it.
[[nodiscard]] EventCell scaled_cell(std::int64_t number, std::int64_t unit) noexcept {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(number, unit, &product)) return {};
  return number_cell(EventCell::Kind::integer, product);
}

/// A span of ticks in ns, negative ones too.
[[nodiscard]] EventCell ticks_cell(const ChunkInfo& chunk, std::int64_t ticks) noexcept {
  const std::uint64_t length = chunk.to_duration_ns(ticks < 0 ? -ticks : ticks);
  if (length > static_cast<std::uint64_t>(Long::max())) return {};
  const auto nanoseconds = static_cast<std::int64_t>(length);
  return number_cell(EventCell::Kind::integer, ticks < 0 ? -nanoseconds : nanoseconds);
}

[[nodiscard]] std::int64_t sign_extended(std::uint64_t bits, unsigned width) noexcept {
  switch (width) {
    case 1:
      return static_cast<std::int8_t>(bits);
    case 2:
      return static_cast<std::int16_t>(bits);
    case 4:
      return static_cast<std::int32_t>(bits);
    default:
      return static_cast<std::int64_t>(bits);
  }
}

[[nodiscard]] bool is_ascii(std::span<const std::byte> bytes) noexcept {
  return std::none_of(bytes.begin(), bytes.end(),
                      [](std::byte byte) { return (byte & std::byte{0x80}) != std::byte{0}; });
}

}  // namespace

EventDecoder::EventDecoder(const ChunkContents& contents, const FrameOptions& frames,
                           std::uint32_t caches)
    : contents_(contents),
      names_(contents, frames, texts_),
      namer_(names_),
      stacks_(contents, namer_),
      caches_(caches) {
  if (const Type* type = contents.metadata().find("java.lang.String")) {
    strings_ = &contents.pools.index(type->id);
  }
}

bool EventDecoder::decode(const StructPlan& plan, std::span<const std::byte> payload,
                          EventCell* cells) {
  if (cached_bytes_ > max_cached_bytes) forget_constants();
  if (!row_.texts.empty()) row_.texts.clear();
  if (!row_.lists.empty()) row_.lists.clear();
  if (!row_.stacks.empty()) row_.stacks.clear();
  list_cells_ = 0;
  ByteReader reader(payload, contents_.has_compressed_integers());
  read_struct(plan, reader, cells);
  return !reader.failed();
}

void EventDecoder::forget_constants() {
  for (Cache& cache : caches_) {
    cache.cells_by_key.clear();
    cache.cells.clear();
    cache.last_cell = none;
  }
  constants_ = {};
  cached_bytes_ = 0;
}

void EventDecoder::read_struct(const StructPlan& plan, ByteReader& reader, EventCell* cells) {
  for (const FieldPlan& field : plan.fields) {
    read_field(field, reader, cells + field.first_cell);
    if (reader.failed()) return;
  }
}

void EventDecoder::read_field(const FieldPlan& field, ByteReader& reader, EventCell* cells) {
  switch (field.step) {
    case ReadStep::skip:
      contents_.layouts().skip_field(*field.field, reader);
      std::fill_n(cells, field.cell_count, EventCell());
      break;
    case ReadStep::list:
      read_list(field, reader, cells);
      break;
    default:
      read_value(field, reader, cells);
  }
}

void EventDecoder::read_value(const FieldPlan& field, ByteReader& reader, EventCell* cells) {
  if (field.is_key) {
    read_key(field, reader, cells);
    return;
  }
  switch (field.step) {
    case ReadStep::boolean:
      *cells = number_cell(EventCell::Kind::boolean, reader.byte() != 0 ? 1 : 0);
      break;
    case ReadStep::integer:
      *cells = integer_cell(field, field.width == 1 ? reader.byte() : reader.integer(field.width));
      break;
    case ReadStep::character: {
      std::string text;
      Utf16Decoder decoder(text);
      decoder.append(static_cast<std::uint16_t>(reader.integer(2)));
      decoder.finish();
      *cells = kept_text(std::move(text));
      break;
    }
    case ReadStep::float32:
      *cells = floating_cell(std::bit_cast<float>(static_cast<std::uint32_t>(reader.raw(4))));
      break;
    case ReadStep::float64:
      *cells = floating_cell(std::bit_cast<double>(reader.raw(8)));
      break;
    case ReadStep::text:
      *cells = string_cell(reader);
      break;
    case ReadStep::stack: {
      const auto offset = static_cast<std::uint64_t>(
          reinterpret_cast<const std::byte*>(reader.position()) - contents_.bytes.data());
      contents_.layouts().skip(*field.type, reader);
      if (!reader.failed()) read_stack(offset, cells);
      break;
    }
    default:
      read_struct(*field.inner, reader, cells);
  }
}

EventCell EventDecoder::integer_cell(const FieldPlan& field, std::uint64_t bits) const {
  const std::int64_t number = sign_extended(bits, field.width);
  const bool is_lowest = number == Long::min() ||
                         (field.width == 4 && number == std::numeric_limits<std::int32_t>::min());
  switch (field.content) {
    case ContentType::timestamp_ticks:
      if (is_lowest) return {};
      return number_cell(EventCell::Kind::integer, contents_.info.to_epoch_ns(number));
    case ContentType::timestamp_seconds:
      return is_lowest ? EventCell() : scaled_cell(number, 1'000'000'000);
    case ContentType::timestamp_milliseconds:
      return is_lowest ? EventCell() : scaled_cell(number, 1'000'000);
    case ContentType::timestamp_nanoseconds:
      return is_lowest ? EventCell() : scaled_cell(number, 1);
    case ContentType::timespan_ticks:
      if (is_lowest || number == Long::max()) return {};
      return ticks_cell(contents_.info, number);
    case ContentType::timespan_seconds:
      return is_lowest ? EventCell() : scaled_cell(number, 1'000'000'000);
    case ContentType::timespan_milliseconds:
      return is_lowest ? EventCell() : scaled_cell(number, 1'000'000);
    case ContentType::timespan_microseconds:
      return is_lowest ? EventCell() : scaled_cell(number, 1'000);
    case ContentType::timespan_nanoseconds:
      return is_lowest || number == Long::max() ? EventCell() : scaled_cell(number, 1);
    default:
      break;
  }
  if (field.is_signed) return number_cell(EventCell::Kind::integer, number);
  const std::uint64_t mask =
      field.width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8U * field.width)) - 1;
  return number_cell(EventCell::Kind::unsigned_integer, static_cast<std::int64_t>(bits & mask));
}

EventCell EventDecoder::kept_text(std::string text) {
  Memory& memory = constant_depth_ > 0 ? constants_ : row_;
  if (constant_depth_ > 0) cached_bytes_ += sizeof(std::string) + text.size();
  memory.texts.push_back(std::move(text));
  return text_cell(memory.texts.back());
}

EventCell EventDecoder::string_cell(ByteReader& reader) {
  const StringValue string = read_string(reader);
  return reader.failed() ? EventCell() : resolve_string(string);
}

EventCell EventDecoder::resolve_string(StringValue string) {
  for (int i = 0; string.encoding == StringEncoding::constant; ++i) {
    const std::uint32_t ordinal =
        strings_ == nullptr ? PoolIndex::none : strings_->find(string.key);
    if (i == max_string_references || ordinal == PoolIndex::none) {
      ++missing_constants_;
      return {};
    }
    ByteReader reader = contents_.reader_at(strings_->offset(ordinal));
    string = read_string(reader);
    if (reader.failed()) return {};
  }
  if (string.encoding == StringEncoding::null) return {};
  if (string.encoding == StringEncoding::empty) return text_cell({});
  const std::string_view bytes(reinterpret_cast<const char*>(string.bytes.data()),
                               string.bytes.size());
  const bool is_as_it_is = bytes.size() <= contents_.limits.string_bytes &&
                           ((string.encoding == StringEncoding::utf8 && is_valid_utf8(bytes)) ||
                            (string.encoding == StringEncoding::latin1 && is_ascii(string.bytes)));
  if (is_as_it_is) return text_cell(bytes);
  std::string text;
  if (!append_string(text, string, contents_.has_compressed_integers(),
                     contents_.limits.string_bytes)) {
    ++repaired_texts_;
  }
  return kept_text(std::move(text));
}

void EventDecoder::read_key(const FieldPlan& field, ByteReader& reader, EventCell* cells) {
  const std::uint64_t key = reader.key();
  if (reader.failed()) return;
  // The caches of other fields do not move while this one is looked at.
  Cache& cache = caches_[field.cache];
  if (cache.last_cell == none || cache.last_key != key) {
    const std::uint32_t found = find_constant(field, cache, key);
    if (found == none) {
      if (key != 0) ++missing_constants_;
      std::fill_n(cells, field.cell_count, EventCell());
      return;
    }
    cache.last_key = key;
    cache.last_cell = found;
  }
  std::copy_n(cache.cells.data() + cache.last_cell, field.cell_count, cells);
}

std::uint32_t EventDecoder::find_constant(const FieldPlan& field, Cache& cache, std::uint64_t key) {
  const auto known = cache.cells_by_key.find(key);
  if (known != cache.cells_by_key.end()) return known->second;
  if (cache.pool == nullptr) cache.pool = &contents_.pools.index(field.type->id);
  const std::uint32_t ordinal = cache.pool->find(key);
  if (ordinal == PoolIndex::none) return none;
  std::vector<EventCell> cells(field.cell_count);
  ++constant_depth_;
  decode_constant(field, key, cache.pool->offset(ordinal), cells.data());
  --constant_depth_;
  const auto first = static_cast<std::uint32_t>(cache.cells.size());
  cache.cells.insert(cache.cells.end(), cells.begin(), cells.end());
  cache.cells_by_key.emplace(key, first);
  cached_bytes_ += cells.size() * sizeof(EventCell) + 32;
  return first;
}

void EventDecoder::decode_constant(const FieldPlan& field, std::uint64_t key, std::uint64_t offset,
                                   EventCell* cells) {
  if (field.step == ReadStep::class_name) {
    const Value name =
        ValueReader(contents_).constant(*field.type, ConstantKey{key})["name"].resolve();
    if (!name.is_null()) *cells = kept_text(java_class_name(name.text()));
  } else if (field.step == ReadStep::stack) {
    read_stack(offset, cells);
  } else {
    ByteReader reader = contents_.reader_at(offset);
    read_struct(*field.inner, reader, cells);
    if (reader.failed()) {
      ++bad_constants_;
      std::fill_n(cells, field.cell_count, EventCell());
    }
  }
}

void EventDecoder::read_stack(std::uint64_t offset, EventCell* cells) {
  bool is_truncated = false;
  const std::span<const std::uint32_t> frames = stacks_.decode(offset, is_truncated);
  Memory& memory = constant_depth_ > 0 ? constants_ : row_;
  memory.stacks.emplace_back(frames.begin(), frames.end());
  if (constant_depth_ > 0) {
    cached_bytes_ += frames.size() * sizeof(std::uint32_t) + sizeof(memory.stacks.back());
  }
  cells[0].kind = EventCell::Kind::stack;
  cells[0].frame_numbers = memory.stacks.back().data();
  cells[0].size = frames.size();
  cells[1] = number_cell(EventCell::Kind::boolean, is_truncated ? 1 : 0);
}

void EventDecoder::read_list(const FieldPlan& field, ByteReader& reader, EventCell* cells) {
  const ByteReader start = reader;
  const std::uint64_t count = reader.count();
  if (count > reader.remaining()) {
    reader.fail();
    return;
  }
  const FieldPlan& element = field.inner->fields.front();
  *cells = {};
  if (count * element.cell_count > max_list_cells - list_cells_) {
    ++cut_lists_;
    reader = start;
    contents_.layouts().skip_field(*field.field, reader);
    return;
  }
  list_cells_ += count * element.cell_count;
  std::vector<EventCell> elements(count * element.cell_count);
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
    read_value(element, reader, elements.data() + i * element.cell_count);
  }
  // A few bytes may be keys of long texts.
  std::size_t text_bytes = 0;
  for (const EventCell& cell : elements) {
    if (cell.kind == EventCell::Kind::text) text_bytes += cell.size;
  }
  if (text_bytes > max_list_bytes) {
    ++cut_lists_;
    return;
  }
  Memory& memory = constant_depth_ > 0 ? constants_ : row_;
  if (constant_depth_ > 0) cached_bytes_ += elements.size() * sizeof(EventCell);
  memory.lists.push_back(std::move(elements));
  cells->kind = EventCell::Kind::list;
  cells->width = element.cell_count;
  cells->cells = memory.lists.back().data();
  cells->size = count;
}

void EventDecoder::report(ProblemLog& log) const {
  const std::uint64_t start = contents_.info.offset;
  if (missing_constants_ > 0) {
    log.note(ErrorCode::missing_constant, start,
             "fields that refer to a constant which the chunk does not define; they are null",
             missing_constants_);
  }
  if (repaired_texts_ > 0) {
    log.note(ErrorCode::bad_text, start, "texts that are no valid UTF-8 or too long were mended",
             repaired_texts_);
  }
  if (bad_constants_ > 0) {
    log.problem(ErrorCode::bad_constant_pool, start,
                "constants that cannot be decoded to their end; they are null", bad_constants_);
  }
  if (cut_lists_ > 0) {
    log.problem(ErrorCode::limit_exceeded, start,
                "lists that are too long for a row; they are null", cut_lists_);
  }
  if (names_.is_full()) {
    log.problem(ErrorCode::limit_exceeded, start,
                "texts of frames exceed the limit frame_bytes; the other frames read ?; raise it "
                "with --limit frame_bytes=N");
  }
  stacks_.report(log);
  names_.report(log);
}

}  // namespace jfrtree::internal
