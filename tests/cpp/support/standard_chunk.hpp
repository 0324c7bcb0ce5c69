#pragma once

#include "support/recording_writer.hpp"
#include "support/standard_events.hpp"
#include "support/standard_types.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jfrtree::test {

/// A chunk as one producer writes it, built from what it should contain:
///
///   auto chunk = jdk17_chunk().ticks_per_second(1'000'000'000);
///   const auto stack = chunk.stack({"Main.main", "Main.run"});
///   chunk.execution_sample({.stack = stack, .start_ticks = 2000});
///   const Bytes bytes = chunk.bytes();
///
/// Constants are written once however often they are asked for. Records keep the order of the
/// calls; metadata and constants stand where the producer puts them.
class StandardChunk {
 public:
  explicit StandardChunk(Producer producer, IntegerEncoding integers = IntegerEncoding::compressed);

  // The header; anything not named here through `header()`.
  StandardChunk& ticks_per_second(std::int64_t value);
  StandardChunk& start_ticks(std::int64_t value);
  StandardChunk& start_nanos(std::int64_t value);
  StandardChunk& duration_nanos(std::int64_t value);
  HeaderFields& header() { return header_; }
  TypeTable& types() { return types_; }

  // Constants. All return the key; the same content gives the same key.
  std::uint64_t symbol(std::string_view text);
  std::uint64_t string_constant(std::string_view text);
  std::uint64_t class_constant(std::string_view internal_name);
  std::uint64_t method(const FrameSpec& frame);
  std::uint64_t thread(const ThreadSpec& thread);
  std::uint64_t stack(const std::vector<FrameSpec>& root_first, StackSpec options = {});
  std::uint64_t constant(std::string_view type_name, const std::vector<NamedValue>& values);

  /// A constant with a key of the test's choice; the same key may be given again.
  StandardChunk& constant(std::string_view type_name, std::uint64_t key,
                          const std::vector<NamedValue>& values);
  StandardChunk& raw_constant(std::string_view type_name, std::uint64_t key,
                              const ByteWriter& encoded);

  /// The key of an entry of the producer's FrameType or ThreadState pool; "" is key 0. Throws
  /// std::out_of_range when the producer has no such entry.
  [[nodiscard]] std::uint64_t frame_type(std::string_view description) const;
  [[nodiscard]] std::uint64_t thread_state(std::string_view name) const;

  /// Leaves the FrameType and ThreadState pools out.
  StandardChunk& without_enum_pools();

  // Records.
  StandardChunk& event(std::string_view type_name, const std::vector<NamedValue>& values);
  StandardChunk& raw_event(std::uint64_t type_id, const ByteWriter& payload, RecordSize size = {});
  StandardChunk& raw(const Bytes& bytes);
  StandardChunk& checkpoint(const Checkpoint& checkpoint);
  StandardChunk& metadata_event(const Element& root);

  /// Writes the constants collected so far into a checkpoint at this place.
  StandardChunk& flush();

  /// Written instead of the metadata of `types()`: a tree, or string table and tree as bytes.
  StandardChunk& replace_metadata(const Element& root);
  StandardChunk& replace_metadata(const Bytes& table_and_tree);

  // The usual events; fields that the producer's layout lacks are left out.
  StandardChunk& execution_sample(const SampleFields& fields);
  StandardChunk& native_method_sample(const SampleFields& fields);
  StandardChunk& method_sample(const SampleFields& fields);  // Datadog's wall clock samples
  StandardChunk& wall_clock_sample(const WallClockSampleFields& fields);
  StandardChunk& cpu_time_sample(const CpuTimeSampleFields& fields);
  StandardChunk& allocation_in_new_tlab(const AllocationFields& fields);
  StandardChunk& allocation_outside_tlab(const AllocationFields& fields);
  StandardChunk& allocation_sample(const AllocationFields& fields);
  StandardChunk& object_sample(const AllocationFields& fields);
  StandardChunk& monitor_enter(const BlockingFields& fields);
  StandardChunk& monitor_wait(const BlockingFields& fields);
  StandardChunk& thread_park(const BlockingFields& fields);
  StandardChunk& active_setting(const SettingFields& fields);
  StandardChunk& jvm_information(const JvmFields& fields);

  // For payloads written by hand.
  [[nodiscard]] ByteWriter payload() const { return ByteWriter(integers_); }
  [[nodiscard]] std::uint64_t type_id(std::string_view name) const;

  /// The chunk as laid out; its header may still be changed.
  [[nodiscard]] ChunkWriter writer() const;
  [[nodiscard]] Bytes bytes() const { return writer().bytes(); }

 private:
  using Step = std::function<void(ChunkWriter&)>;

  StandardChunk& usual_event(std::string_view type_name, std::vector<NamedValue> values,
                             const std::optional<std::int64_t>& start_ticks);
  StandardChunk& allocation(std::string_view type_name, const AllocationFields& fields);
  StandardChunk& blocking(std::string_view type_name, const BlockingFields& fields,
                          std::string_view class_field);
  std::uint64_t intern(std::string_view type_name, const ByteWriter& encoded,
                       std::optional<std::uint64_t> wanted_key = std::nullopt);
  [[nodiscard]] ByteWriter encode(std::string_view type_name,
                                  const std::vector<NamedValue>& values) const;
  [[nodiscard]] StringEncoding string_encoding(const TypeDeclaration& type) const;
  void write_metadata(ChunkWriter& writer) const;
  [[nodiscard]] std::vector<Pool> pending_pools(bool with_enums) const;

  Producer producer_;
  IntegerEncoding integers_;
  HeaderFields header_;
  TypeTable types_;
  EnumPool frame_types_;
  EnumPool thread_states_;
  bool has_enum_pools_ = true;
  std::map<std::string, std::uint64_t> methods_;
  std::map<std::pair<std::uint64_t, Bytes>, std::uint64_t> interned_;
  std::map<std::uint64_t, std::uint64_t> keys_used_;
  std::vector<Pool> pending_;
  std::vector<Step> steps_;
  std::optional<Bytes> replaced_metadata_;
};

inline StandardChunk jdk9_chunk() { return StandardChunk(Producer::jdk9); }
inline StandardChunk jdk17_chunk() { return StandardChunk(Producer::jdk17); }
inline StandardChunk jdk25_chunk() { return StandardChunk(Producer::jdk25); }
inline StandardChunk async_profiler_2_chunk() { return StandardChunk(Producer::async_profiler_2); }
inline StandardChunk async_profiler_4_chunk() { return StandardChunk(Producer::async_profiler_4); }
inline StandardChunk datadog_chunk() { return StandardChunk(Producer::datadog); }

}  // namespace jfrtree::test
