#include "support/standard_chunk.hpp"

#include <algorithm>
#include <stdexcept>

namespace jfrtree::test {

namespace {

HeaderFields header_of(Producer producer, IntegerEncoding integers) {
  HeaderFields header;
  header.major = producer == Producer::jdk9 ? 1 : 2;
  header.minor = producer == Producer::jdk17 || producer == Producer::jdk25 ? 1 : 0;
  header.flags = header.minor == 1 ? 3 : 1;
  if (integers == IntegerEncoding::fixed_width) {
    header.flags = static_cast<std::uint16_t>(header.flags & ~1U);
  }
  return header;
}

/// Keys begin where real recordings have them: symbols above 2^24, Datadog's stacks above 2^32.
std::uint64_t first_key(Producer producer, std::string_view type_name) {
  if (type_name == "Symbol" && is_jdk(producer)) return 0x1000001;
  if (type_name == "Method" && is_jdk(producer)) return 14'155'780;
  if (type_name == "StackTrace" && producer == Producer::datadog) return 4'294'983'638;
  return 1;
}

RecordSize event_size(Producer producer, std::size_t payload) {
  constexpr std::size_t short_event = 120;
  switch (producer) {
    case Producer::jdk9:
      return {.width = 4};
    case Producer::jdk17:
    case Producer::jdk25:
      return {.width = payload < short_event ? std::size_t{1} : std::size_t{4}};
    default:
      return {.width = payload < short_event ? std::size_t{1} : std::size_t{5}};
  }
}

RecordSize checkpoint_size(Producer producer) {
  if (producer == Producer::jdk9) return {.width = 4};
  return {.width = is_jdk(producer) ? std::size_t{8} : std::size_t{5}};
}

std::uint64_t key_of(const EnumPool& pool, std::string_view text) {
  if (text.empty()) return 0;
  for (const auto& [key, name] : pool) {
    if (name == text) return key;
  }
  throw std::out_of_range("no entry " + std::string(text));
}

FieldValue optional_text(const std::optional<std::string>& text) {
  return text ? FieldValue(*text) : FieldValue(nullptr);
}

}  // namespace

StandardChunk::StandardChunk(Producer producer, IntegerEncoding integers)
    : producer_(producer),
      integers_(integers),
      header_(header_of(producer, integers)),
      types_(standard_types(producer)),
      frame_types_(frame_types(producer)),
      thread_states_(thread_states(producer)) {}

StandardChunk& StandardChunk::ticks_per_second(std::int64_t value) {
  header_.ticks_per_second = value;
  return *this;
}

StandardChunk& StandardChunk::start_ticks(std::int64_t value) {
  header_.start_ticks = value;
  return *this;
}

StandardChunk& StandardChunk::start_nanos(std::int64_t value) {
  header_.start_nanos = value;
  return *this;
}

StandardChunk& StandardChunk::duration_nanos(std::int64_t value) {
  header_.duration_nanos = value;
  return *this;
}

std::uint64_t StandardChunk::symbol(std::string_view text) {
  return constant("Symbol", {{"string", std::string(text)}});
}

std::uint64_t StandardChunk::string_constant(std::string_view text) {
  return intern("String", payload().string(text));
}

std::uint64_t StandardChunk::class_constant(std::string_view internal_name) {
  const std::size_t slash = internal_name.rfind('/');
  std::uint64_t package = 0;
  if (slash != std::string_view::npos && internal_name.front() != '[') {
    package = constant("Package", {{"name", symbol(internal_name.substr(0, slash))}});
  }
  return constant("Class", {{"name", symbol(internal_name)}, {"package", package}});
}

std::uint64_t StandardChunk::method(const FrameSpec& frame) {
  std::string identity = frame.class_name + '\n' + frame.method_name + '\n' + frame.descriptor;
  identity += '\n' + std::to_string(frame.modifiers) + (frame.is_hidden ? " hidden" : "");
  const auto known = methods_.find(identity);
  if (known != methods_.end()) return known->second;
  const std::uint64_t key = constant("Method", {{"type", class_constant(frame.class_name)},
                                                {"name", symbol(frame.method_name)},
                                                {"descriptor", symbol(frame.descriptor)},
                                                {"modifiers", frame.modifiers},
                                                {"hidden", frame.is_hidden}});
  methods_.emplace(std::move(identity), key);
  return key;
}

std::uint64_t StandardChunk::thread(const ThreadSpec& thread) {
  std::vector<NamedValue> values{{"osName", optional_text(thread.os_name)},
                                 {"osThreadId", thread.os_id},
                                 {"javaName", optional_text(thread.java_name)},
                                 {"javaThreadId", thread.java_id}};
  if (producer_ == Producer::jdk25) values.emplace_back("virtual", thread.is_virtual);
  std::optional<std::uint64_t> key = thread.key;
  if (!key) {
    // A JVM's key is the Java thread's id where it has one; the profilers use the OS id.
    const std::int64_t id = is_jdk(producer_) ? thread.java_id : thread.os_id;
    if (id > 0) key = static_cast<std::uint64_t>(id);
  }
  return intern("Thread", encode("Thread", values), key);
}

std::uint64_t StandardChunk::stack(const std::vector<FrameSpec>& root_first, StackSpec options) {
  ByteWriter encoded = payload();
  encoded.boolean_value(options.truncated).count(root_first.size());
  std::for_each(root_first.rbegin(), root_first.rend(), [&](const FrameSpec& frame) {
    encoded.key(method(frame)).int_value(frame.line_number).int_value(frame.bytecode_index);
    encoded.key(frame_type(frame.frame_type));
  });
  return intern("StackTrace", encoded, options.key);
}

std::uint64_t StandardChunk::constant(std::string_view type_name,
                                      const std::vector<NamedValue>& values) {
  return intern(type_name, encode(type_name, values));
}

StandardChunk& StandardChunk::constant(std::string_view type_name, std::uint64_t key,
                                       const std::vector<NamedValue>& values) {
  return raw_constant(type_name, key, encode(type_name, values));
}

StandardChunk& StandardChunk::raw_constant(std::string_view type_name, std::uint64_t key,
                                           const ByteWriter& encoded) {
  const std::uint64_t class_id = type_id(type_name);
  auto pool = std::find_if(pending_.begin(), pending_.end(),
                           [&](const Pool& candidate) { return candidate.class_id == class_id; });
  if (pool == pending_.end()) pool = pending_.insert(pool, Pool{class_id});
  pool->entry(key, encoded);
  return *this;
}

std::uint64_t StandardChunk::frame_type(std::string_view description) const {
  return key_of(frame_types_, description);
}

std::uint64_t StandardChunk::thread_state(std::string_view name) const {
  return key_of(thread_states_, name);
}

StandardChunk& StandardChunk::without_enum_pools() {
  has_enum_pools_ = false;
  return *this;
}

StandardChunk& StandardChunk::event(std::string_view type_name,
                                    const std::vector<NamedValue>& values) {
  const ByteWriter encoded = encode(type_name, values);
  return raw_event(type_id(type_name), encoded, event_size(producer_, encoded.size()));
}

StandardChunk& StandardChunk::raw_event(std::uint64_t type_id, const ByteWriter& payload,
                                        RecordSize size) {
  steps_.emplace_back([=](ChunkWriter& writer) { writer.event(type_id, payload, size); });
  return *this;
}

StandardChunk& StandardChunk::raw(const Bytes& bytes) {
  steps_.emplace_back([=](ChunkWriter& writer) { writer.raw(bytes); });
  return *this;
}

StandardChunk& StandardChunk::checkpoint(const Checkpoint& checkpoint) {
  steps_.emplace_back([=](ChunkWriter& writer) { writer.checkpoint(checkpoint); });
  return *this;
}

StandardChunk& StandardChunk::metadata_event(const Element& root) {
  steps_.emplace_back([=](ChunkWriter& writer) { writer.metadata(root); });
  return *this;
}

StandardChunk& StandardChunk::flush() {
  Checkpoint flushed{.pools = pending_pools(false), .size = checkpoint_size(producer_)};
  pending_.clear();
  return checkpoint(flushed);
}

StandardChunk& StandardChunk::replace_metadata(const Element& root) {
  return replace_metadata(encode_metadata_tree(root, StringEncoding::utf8, integers_));
}

StandardChunk& StandardChunk::replace_metadata(const Bytes& table_and_tree) {
  replaced_metadata_ = table_and_tree;
  return *this;
}

std::uint64_t StandardChunk::type_id(std::string_view name) const {
  return types_.id_of(recorded_name(producer_, name));
}

ChunkWriter StandardChunk::writer() const {
  ChunkWriter writer(header_);
  if (!is_jdk(producer_)) write_metadata(writer);
  if (is_jdk(producer_) && has_enum_pools_) {
    StandardChunk enums(producer_, integers_);
    writer.checkpoint({.pools = enums.pending_pools(true)});
  }
  for (const Step& step : steps_) step(writer);
  const std::vector<Pool> pools = pending_pools(!is_jdk(producer_) && has_enum_pools_);
  if (!pools.empty()) writer.checkpoint({.pools = pools, .size = checkpoint_size(producer_)});
  if (is_jdk(producer_)) write_metadata(writer);
  return writer;
}

std::uint64_t StandardChunk::intern(std::string_view type_name, const ByteWriter& encoded,
                                    std::optional<std::uint64_t> wanted_key) {
  const std::uint64_t class_id = type_id(type_name);
  const auto [known, is_new] = interned_.try_emplace({class_id, encoded.bytes()}, 0);
  if (!is_new && (!wanted_key || *wanted_key == known->second)) return known->second;
  std::uint64_t key = 0;
  if (wanted_key) {
    key = *wanted_key;
  } else {
    const auto next = keys_used_.try_emplace(class_id, first_key(producer_, type_name)).first;
    key = next->second++;
  }
  known->second = key;
  raw_constant(type_name, key, encoded);
  return key;
}

ByteWriter StandardChunk::encode(std::string_view type_name,
                                 const std::vector<NamedValue>& values) const {
  const std::string name = recorded_name(producer_, type_name);
  return types_.encode(name, values, string_encoding(types_.type(name)), integers_);
}

/// The JVM and the profilers write UTF-8; events that are defined in Java (they have the high ids)
/// write UTF-16.
StringEncoding StandardChunk::string_encoding(const TypeDeclaration& type) const {
  constexpr std::uint64_t first_java_event = 1000;
  const bool is_java_event = type.kind == TypeKind::event && type.id >= first_java_event;
  return is_jdk(producer_) && is_java_event ? StringEncoding::utf16 : StringEncoding::utf8;
}

void StandardChunk::write_metadata(ChunkWriter& writer) const {
  MetadataEvent options;
  options.size = {.width = is_jdk(producer_) ? std::size_t{4} : std::size_t{5}};
  options.strings = is_jdk(producer_) ? StringEncoding::utf16 : StringEncoding::utf8;
  if (producer_ == Producer::async_profiler_2 || producer_ == Producer::async_profiler_4) {
    options.metadata_id = 0x7fffffff;
  }
  if (replaced_metadata_) {
    writer.raw_metadata(*replaced_metadata_, options);
  } else {
    writer.metadata(types_.metadata(), options);
  }
}

std::vector<Pool> StandardChunk::pending_pools(bool with_enums) const {
  std::vector<Pool> pools;
  if (with_enums) {
    const auto add = [&](std::string_view type_name, const EnumPool& entries) {
      Pool pool{type_id(type_name)};
      for (const auto& [key, text] : entries) pool.entry(key, payload().string(text));
      pools.push_back(std::move(pool));
    };
    add("FrameType", frame_types_);
    add("ThreadState", thread_states_);
  }
  pools.insert(pools.end(), pending_.begin(), pending_.end());
  return pools;
}

}  // namespace jfrtree::test
