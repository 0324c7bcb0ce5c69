#include "support/hostile_recordings.hpp"
#include "support/scenarios.hpp"

#include <limits>
#include <vector>

namespace jfrtree::test {

namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t sample_type = 109;
constexpr std::uint64_t setting_type = 1353;

ByteWriter good_sample() { return ByteWriter().long_value(6000).key(0).key(0).key(5); }

/// Three samples, then what is given, then one more sample.
Bytes around(const Bytes& bytes) {
  return three_samples().raw(bytes).raw_event(sample_type, good_sample()).bytes();
}

Bytes around_event(std::uint64_t type_id, const ByteWriter& payload, RecordSize size = {}) {
  return three_samples()
      .raw_event(type_id, payload, size)
      .raw_event(sample_type, good_sample())
      .bytes();
}

/// A sample whose size is a lie.
Bytes claimed_size(std::uint64_t claimed) {
  return around_event(sample_type, good_sample(), {.width = 9, .claimed = claimed});
}

/// A jdk.ActiveSetting whose `name` is given encoded.
Bytes setting_named(const ByteWriter& name) {
  return around_event(setting_type,
                      ByteWriter().long_value(2000).zeros(4).raw(name.bytes()).null_string());
}

Bytes all_size_widths() {
  StandardChunk chunk = three_samples();
  for (std::size_t width = 2; width <= 9; ++width) {
    chunk.raw_event(sample_type, good_sample(), {.width = width});
  }
  return chunk.bytes();
}

Bytes padded_fields() {
  ByteWriter payload;
  payload.padded(6000, 9).padded(0, 5).padded(0, 8).padded(5, 4);
  return around_event(sample_type, payload);
}

Bytes int_array(std::uint64_t claimed) {
  StandardChunk chunk = three_samples();
  chunk.types().declare(TypeKind::event, "my.Array", 3000, "long startTime; int[] numbers");
  return chunk.raw_event(3000, ByteWriter().long_value(2000).count(claimed).zeros(4)).bytes();
}

Bytes monitor_duration(std::int64_t ticks) {
  StandardChunk chunk = three_samples();
  return chunk.monitor_enter({.stack = 1, .duration_ticks = ticks}).bytes();
}

Bytes allocations(const std::vector<std::int64_t>& weights) {
  StandardChunk chunk = three_samples();
  for (const std::int64_t weight : weights) {
    chunk.event("jdk.ObjectAllocationSample",
                {{"startTime", 2000}, {"stackTrace", 1}, {"weight", weight}});
  }
  return chunk.bytes();
}

Bytes float_weights() {
  StandardChunk chunk = datadog_chunk();
  for (const double weight : {std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity(), -1.0, 1e38}) {
    chunk.object_sample({.allocation_size = 1024, .weight = weight});
  }
  return chunk.bytes();
}

Bytes start_times() {
  StandardChunk chunk = three_samples();
  for (const std::int64_t ticks : {lowest, std::int64_t{-1}, std::int64_t{0}, highest}) {
    chunk.execution_sample({.start_ticks = ticks});
  }
  return chunk.bytes();
}

/// The chunk ends in an event whose start time never ends.
Bytes varint_without_end() {
  StandardChunk chunk = three_profiler_samples();
  ChunkWriter writer = chunk.writer();
  writer.event(101, ByteWriter().raw(Bytes(5, std::byte{0xff})));
  return writer.bytes();
}

constexpr auto problem = Outcome::problem;
constexpr auto odd = Outcome::fine_or_problem;

constexpr HostileRecording sizes[] = {
    {"event_size_0", "an event of size 0 between good ones", problem, 3, 4,
     [] { return around(Bytes{std::byte{0}}); }},
    {"event_size_1", "no room for a type id", problem, 3, 4,
     [] { return around(Bytes{std::byte{1}}); }},
    {"event_size_negative", "-10 as a 64-bit number", problem, 3, 4,
     [] { return claimed_size(static_cast<std::uint64_t>(-10)); }},
    {"event_size_negative_32", "-10 as a 32-bit number", problem, 3, 4,
     [] { return claimed_size(0xfffffff6); }},
    {"event_size_2_62", "start + size is far beyond the file", problem, 3, 4,
     [] { return claimed_size(1ULL << 62); }},
    {"event_size_past_end", "an event that reaches beyond the chunk", problem, 3, 4,
     [] { return claimed_size(1'000'000); }},
    {"event_size_less_than_its_own", "the size field alone is longer than the size", problem, 3, 4,
     [] { return claimed_size(5); }},
    {"event_without_fields", "the event ends behind its type id", problem, 4, 4,
     [] { return around_event(sample_type, ByteWriter()); }},
    {"event_fields_overrun", "the last field lies in the next event", problem, 4, 4,
     [] { return around_event(sample_type, ByteWriter().long_value(6000).key(0)); }},
    {"event_ends_inside_varint", "the last byte says that more follow", problem, 4, 4,
     [] { return around_event(sample_type, ByteWriter().long_value(6000).key(0).u8(0x80)); }},
    {"varint_without_end", "the chunk ends in ff ff ff ff ff", problem, 3, 3, varint_without_end},
    {"zero_filled_range", "4096 zeros between good events", problem, 3, 4,
     [] { return around(Bytes(4096)); }},
    {"event_trailing_bytes", "20 bytes behind the last field", Outcome::fine, 5, 5,
     [] { return around_event(sample_type, good_sample().zeros(20)); }},
    {"event_size_widths", "sizes of 2 to 9 bytes", Outcome::fine, 11, 11, all_size_widths},
    {"event_padded_fields", "varints longer than they need to be", Outcome::fine, 5, 5,
     padded_fields},
};

constexpr HostileRecording fields[] = {
    {"unknown_type_id", "an event that the metadata does not declare", Outcome::fine, 4, 4,
     [] { return around_event(99'999, ByteWriter().zeros(10)); }},
    {"unknown_type_id_highest", "type id 2^64-1", Outcome::fine, 4, 4,
     [] { return around_event(~std::uint64_t{0}, ByteWriter().zeros(10)); }},
    {"type_id_of_a_struct", "the id of a class that is no event", odd, 4, 4,
     [] { return around_event(188, ByteWriter().zeros(10)); }},
    {"ten_thousand_unknown_types", "each declared nowhere", Outcome::fine, 3, 3,
     [] {
       StandardChunk chunk = three_samples();
       for (std::uint64_t i = 1; i <= 10'000; ++i) chunk.raw_event(i << 32, ByteWriter());
       return chunk.bytes();
     }},
    {"event_string_of_2_31_bytes", "a string that claims 2^31 bytes", odd, 4, 4,
     [] { return setting_named(ByteWriter().claimed_string(1ULL << 31, "short")); }},
    {"event_string_of_2_31_minus_1", "a string that claims 2^31-1 bytes", odd, 4, 4,
     [] { return setting_named(ByteWriter().claimed_string(0x7fffffff, "short")); }},
    {"event_string_negative", "length -1 as a 32-bit number", odd, 4, 4,
     [] { return setting_named(ByteWriter().claimed_string(0xffffffff, "short")); }},
    {"event_string_encoding_9", "an encoding that does not exist", odd, 4, 4,
     [] { return setting_named(ByteWriter().u8(9).zeros(4)); }},
    {"event_string_key_missing", "a pool string that is not there", Outcome::fine, 4, 4,
     [] { return setting_named(ByteWriter().pooled_string(55)); }},
    {"event_array_2_31", "an array that claims 2^31 numbers", odd, 3, 3,
     [] { return int_array(1ULL << 31); }},
    {"event_array_2_60", "an array that claims 2^60 numbers", odd, 3, 3,
     [] { return int_array((1ULL << 60) + 1000); }},
    {"event_array_negative", "length -1 as a 32-bit number", odd, 3, 3,
     [] { return int_array(0xffffffff); }},
    {"start_times_extreme", "start at -2^63, -1, 0 and 2^63-1 ticks", odd, 7, 7, start_times},
    {"monitor_duration_negative", "-5 ticks", odd, 3, 3, [] { return monitor_duration(-5); }},
    {"monitor_duration_lowest", "-2^63 ticks: not available", odd, 3, 3,
     [] { return monitor_duration(lowest); }},
    {"monitor_duration_highest", "2^63-1 ticks: for ever", odd, 3, 3,
     [] { return monitor_duration(highest); }},
    {"allocation_weight_negative", "-1 byte", odd, 3, 3,
     [] {
       return allocations({-1, 8});
     }},
    {"allocation_sum_overflows", "three times 2^63-2 bytes are beyond 64 bits", odd, 3, 3,
     [] {
       return allocations({highest - 1, highest - 1, highest - 1});
     }},
    {"allocation_weights_not_finite", "NaN, infinity, -1 and 1e38 as Datadog's weight", odd, 0, 0,
     float_weights},
};

}  // namespace

std::vector<HostileRecording> hostile_events() { return joined({sizes, fields}); }

}  // namespace jfrtree::test
