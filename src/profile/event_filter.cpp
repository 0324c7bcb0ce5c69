#include "profile/event_filter.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string>

#include "format/value_reader.hpp"
#include "profile/frame_namer.hpp"
#include "profile/thread_name.hpp"

namespace jfrtree::internal {

namespace {

constexpr std::string_view state_type = "jdk.types.ThreadState";

/// Whether a name is one that recorders give to what samples worked for.
[[nodiscard]] bool is_context_name(std::string_view name) noexcept {
  return name == "contextId" || name == "spanId" || name == "spanName" ||
         name == "localRootSpanId" || name.starts_with("traceId");
}

/// A text, or a constant that is one by its only field, as a thread state.
[[nodiscard]] bool is_text(const Metadata& metadata, const Field& field) {
  const Type* type = metadata.find(field.type);
  if (type == nullptr || field.is_array) return false;
  return type->primitive == Primitive::string || (field.is_reference && type->fields.size() == 1);
}

[[nodiscard]] bool is_number(const Metadata& metadata, const Field& field) {
  const Type* type = metadata.find(field.type);
  return type != nullptr && !field.is_reference && type->primitive != Primitive::none &&
         type->primitive != Primitive::string && type->primitive != Primitive::floating &&
         type->primitive != Primitive::double_floating;
}

/// Collects the wanted fields of a type and gives each a slot.
class FieldCollector {
 public:
  using Place = FilterFields::Place;

  FieldCollector(const ChunkContents& contents, const Type& type)
      : contents_(contents), type_(type) {}

  void add(std::string_view name, Place& place) {
    const int index = type_.field_index(name);
    if (index < 0 || wanted_.size() == FilterFields::max_slots) return;
    const Field& field = type_.fields[static_cast<std::size_t>(index)];
    if (field.is_array) return;
    place.slot = static_cast<std::uint16_t>(wanted_.size());
    wanted_.push_back({field.name, place.slot});
    fields_.push_back(&field);
  }
  /// Tells the place of a field where the program fetches it.
  void confirm(Place& place) const noexcept {
    if (place.slot < fields_.size() && (found_ >> place.slot & 1) != 0) {
      place.field = fields_[place.slot];
    }
  }
  [[nodiscard]] DecodeProgram compile() {
    return contents_.layouts().compile(type_, wanted_, found_);
  }

 private:
  const ChunkContents& contents_;
  const Type& type_;
  std::vector<FieldSlot> wanted_;
  std::vector<const Field*> fields_;
  std::uint64_t found_ = 0;
};

constexpr std::uint16_t no_slot = 0xFFFF;

[[nodiscard]] bool names_half(std::string_view field, std::string_view a, std::string_view b) {
  const std::string_view rest = field.substr(std::string_view("traceId").size());
  return rest.find(a) != std::string_view::npos || rest.find(b) != std::string_view::npos;
}

/// The field of a name, or where an event has the two halves of a trace id, these.
void add_context(FieldCollector& collector, const Type& type, const std::string& name,
                 FilterFields::Context& context) {
  collector.add(name, context.whole);
  if (context.whole.slot != no_slot || name != "traceId") return;
  for (const Field& field : type.fields) {
    if (!field.name.starts_with(name)) continue;
    if (names_half(field.name, "High", "Most")) collector.add(field.name, context.high);
    if (names_half(field.name, "Low", "Least")) collector.add(field.name, context.low);
  }
}

}  // namespace

FilterFields find_filter_fields(const ChunkContents& contents, const Type& type,
                                const FilterOptions& options) {
  FilterFields fields;
  FieldCollector collector(contents, type);
  const bool has_spans = !options.spans.empty();
  for (auto* place : {&fields.start, &fields.duration, &fields.thread, &fields.state}) {
    place->slot = no_slot;
  }
  if (options.has_time() || has_spans) collector.add("startTime", fields.start);
  if (options.min_duration_ns) collector.add("duration", fields.duration);
  if (!options.threads.empty() || !options.thread_ids.empty() || has_spans) {
    collector.add("eventThread", fields.thread);
    if (fields.thread.slot == no_slot) collector.add("sampledThread", fields.thread);
  }
  if (!options.states.empty()) collector.add("state", fields.state);
  for (const std::string& name : context_names(options)) {
    FilterFields::Context& context = fields.context.emplace_back();
    context.whole.slot = context.high.slot = context.low.slot = no_slot;
    add_context(collector, type, name, context);
  }
  fields.program = collector.compile();
  for (auto* place : {&fields.start, &fields.duration, &fields.thread, &fields.state}) {
    collector.confirm(*place);
  }
  for (FilterFields::Context& context : fields.context) {
    for (auto* place : {&context.whole, &context.high, &context.low}) collector.confirm(*place);
  }
  return fields;
}

std::int64_t time_of(const Field& field, std::uint64_t slot, const ChunkInfo& chunk) noexcept {
  const auto number = static_cast<std::int64_t>(slot);
  const auto scaled = [number](std::int64_t factor) {
    std::int64_t ns = 0;
    using Range = std::numeric_limits<std::int64_t>;
    if (!__builtin_mul_overflow(number, factor, &ns)) return ns;
    return number < 0 ? Range::min() : Range::max();
  };
  switch (field.content) {
    case ContentType::timestamp_nanoseconds:
      return number;
    case ContentType::timestamp_milliseconds:
      return scaled(1'000'000);
    case ContentType::timestamp_seconds:
      return scaled(1'000'000'000);
    default:
      return chunk.to_epoch_ns(number);
  }
}

std::uint64_t length_of(const Field& field, std::uint64_t slot, const ChunkInfo& chunk) noexcept {
  const auto number = static_cast<std::int64_t>(slot);
  if (number <= 0) return 0;
  const auto scaled = [slot](std::uint64_t factor) {
    std::uint64_t ns = 0;
    return __builtin_mul_overflow(slot, factor, &ns) ? ~std::uint64_t{0} : ns;
  };
  switch (field.content) {
    case ContentType::timespan_seconds:
      return scaled(1'000'000'000);
    case ContentType::timespan_milliseconds:
      return scaled(1'000'000);
    case ContentType::timespan_microseconds:
      return scaled(1'000);
    case ContentType::timespan_nanoseconds:
      return slot;
    default:
      return chunk.to_duration_ns(number);
  }
}

EventFilter::EventFilter(const ChunkContents& contents, const SourceFilters& filters)
    : contents_(contents), filters_(filters.filters), file_(filters.file) {
  if (filters_.options().states.empty()) return;
  for (const std::string& name : pool_texts(contents, state_type)) {
    findings_.state_names.insert(std::string(plain_state_name(name)));
  }
}

void EventFilter::note_type(const Type& type, const FilterFields& fields) {
  findings_.has_events = true;
  findings_.has_states = findings_.has_states || fields.state.field != nullptr;
  findings_.has_durations = findings_.has_durations || fields.duration.field != nullptr;
  const auto& context = filters_.context();
  const Metadata& metadata = contents_.metadata();
  for (std::size_t i = 0; i < context.size() && i < fields.context.size(); ++i) {
    if (!fields.context[i].is_there()) continue;
    const Field* whole = fields.context[i].whole.field;
    const bool fits = whole == nullptr || is_text(metadata, *whole) || is_number(metadata, *whole);
    (fits ? findings_.context_names : findings_.unfit_context).insert(context[i].first);
  }
  if (context.empty()) return;
  for (const Field& field : type.fields) {
    if (is_context_name(field.name)) findings_.other_context.insert(field.name);
  }
}

EventFilter::Verdict EventFilter::judge(const FilterFields& fields, const Record& record) {
  ByteReader reader(record.payload, contents_.has_compressed_integers());
  contents_.layouts().fetch(fields.program, reader, slots_.data());
  if (reader.failed()) return Verdict::unreadable;
  const bool passes = is_in_time(fields) && is_long_enough(fields) && has_wanted_thread(fields) &&
                      has_wanted_state(fields, record) && has_wanted_context(fields, record);
  return passes ? Verdict::pass : Verdict::fail;
}

std::int64_t EventFilter::start_of(const FilterFields& fields) const noexcept {
  const Place& start = fields.start;
  return start.field == nullptr ? contents_.info.header.start_ns
                                : time_of(*start.field, slots_[start.slot], contents_.info);
}

bool EventFilter::is_in_time(const FilterFields& fields) const noexcept {
  return !filters_.options().has_time() || filters_.times().contains(start_of(fields));
}

bool EventFilter::is_long_enough(const FilterFields& fields) const noexcept {
  const auto& shortest = filters_.options().min_duration_ns;
  if (!shortest) return true;
  const Place& duration = fields.duration;
  return duration.field != nullptr &&
         length_of(*duration.field, slots_[duration.slot], contents_.info) >= *shortest;
}

const EventFilter::ThreadAnswer& EventFilter::look_up_thread(const Field& field,
                                                             std::uint64_t key) {
  const auto found = threads_.find(key);
  if (found != threads_.end()) return found->second;
  const Type* type = contents_.metadata().find(field.type);
  const ThreadName thread = read_thread_name(
      type == nullptr ? Value() : ValueReader(contents_).constant(*type, ConstantKey{key}));
  const FilterOptions& options = filters_.options();
  ThreadAnswer answer;
  answer.id = thread.is_known ? thread.id : static_cast<std::int64_t>(key);
  const auto& ids = options.thread_ids;
  const bool has_wanted_id =
      ids.empty() ||
      (thread.is_known &&
       std::find(ids.begin(), ids.end(), static_cast<std::uint64_t>(thread.id)) != ids.end());
  answer.is_wanted = has_wanted_id &&
                     (filters_.threads.empty() || filters_.threads.find_in(thread.display_name()));
  return threads_.emplace(key, answer).first->second;
}

bool EventFilter::has_wanted_thread(const FilterFields& fields) {
  const FilterOptions& options = filters_.options();
  const bool has_spans = filters_.needs_span_windows();
  if (options.threads.empty() && options.thread_ids.empty() && !has_spans) return true;
  if (fields.thread.field == nullptr) return false;
  const ThreadAnswer& thread = look_up_thread(*fields.thread.field, slots_[fields.thread.slot]);
  return thread.is_wanted &&
         (!has_spans || filters_.span_windows().contains(file_, thread.id, start_of(fields)));
}

std::optional<std::string> EventFilter::text_of(const Place& place, const Record& record) const {
  const std::uint64_t slot = slots_[place.slot];
  if (!place.field->is_reference) {
    const auto bytes = record.payload.subspan(slot);
    constexpr std::byte null_text{0};
    if (bytes.empty() || bytes.front() == null_text) return std::nullopt;
    return ValueReader(contents_).text(bytes);
  }
  const Type* type = contents_.metadata().find(place.field->type);
  const Value value =
      type == nullptr ? Value() : ValueReader(contents_).constant(*type, ConstantKey{slot});
  return value.is_null() ? std::nullopt : std::optional(value.text());
}

bool EventFilter::has_wanted_state(const FilterFields& fields, const Record& record) {
  if (filters_.options().states.empty()) return true;
  const Place& state = fields.state;
  if (state.field == nullptr || !is_text(contents_.metadata(), *state.field)) return false;
  const auto is_wanted_text = [&] {
    return filters_.is_wanted_state(text_of(state, record).value_or(std::string()));
  };
  if (!state.field->is_reference) return is_wanted_text();
  const Key key(raw(state.field->type), slots_[state.slot]);
  const auto found = states_.find(key);
  if (found != states_.end()) return found->second;
  const bool is_wanted = is_wanted_text();
  states_.emplace(key, is_wanted);
  return is_wanted;
}

bool EventFilter::has_wanted_context(const FilterFields& fields, const Record& record) {
  const auto& context = filters_.context();
  for (std::size_t i = 0; i < context.size(); ++i) {
    if (!fits(fields.context[i], context[i].second, record)) return false;
  }
  return true;
}

bool EventFilter::fits(const FilterFields::Context& fields, const std::vector<ContextValue>& values,
                       const Record& record) {
  if (!fields.is_there()) return false;
  const Metadata& metadata = contents_.metadata();
  const auto one_fits = [&values](const auto&... what) {
    return std::any_of(values.begin(), values.end(),
                       [&](const ContextValue& value) { return value.fits(what...); });
  };
  if (fields.whole.field == nullptr) {
    return one_fits(slots_[fields.high.slot], slots_[fields.low.slot]);
  }
  if (is_text(metadata, *fields.whole.field)) {
    const std::optional<std::string> text = text_of(fields.whole, record);
    return text && one_fits(std::string_view(*text));
  }
  const Type* type = metadata.find(fields.whole.field->type);
  if (type != nullptr && type->primitive == Primitive::boolean) {
    const bool is_set = slots_[fields.whole.slot] != 0;
    return one_fits(std::string_view(is_set ? "true" : "false")) || one_fits(std::uint64_t{is_set});
  }
  return is_number(metadata, *fields.whole.field) && one_fits(slots_[fields.whole.slot]);
}

}  // namespace jfrtree::internal
