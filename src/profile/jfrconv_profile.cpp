#include "profile/jfrconv_profile.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "format/record_walk.hpp"
#include "format/value_reader.hpp"
#include "profile/frame_namer.hpp"
#include "profile/jfrconv_names.hpp"
#include "profile/limit_error.hpp"
#include "profile/profile_builder.hpp"
#include "profile/stack_decoder.hpp"

namespace jfrtree::internal {

namespace {

/// Which samples of an event type count, by the state of their thread.
enum class States : std::uint8_t { any, running, other };

/// An event type of a kind, by the names that the converter knows.
struct Rule {
  std::string_view kind;
  std::string_view event;
  std::string_view value_field = {};  ///< none: the count
  std::string_view other_field = {};  ///< where the value is 0
  std::string_view class_field = {};
  States states = States::any;
  bool is_ticks = false;
  std::string_view note = {};  ///< said where the event counts
};

constexpr std::array<Rule, 15> rules = {{
    {.kind = "cpu", .event = "jdk.ExecutionSample", .states = States::running},
    {.kind = "cpu", .event = "jdk.NativeMethodSample", .states = States::running},
    {.kind = "cpu", .event = "profiler.WallClockSample", .states = States::running},
    {.kind = "wall", .event = "jdk.ExecutionSample", .states = States::other},
    {.kind = "wall", .event = "jdk.NativeMethodSample", .states = States::other},
    {.kind = "wall", .event = "profiler.WallClockSample", .states = States::other},
    {.kind = "cpu-time", .event = "jdk.CPUTimeSample"},
    {.kind = "alloc",
     .event = "jdk.ObjectAllocationInNewTLAB",
     .value_field = "tlabSize",
     .other_field = "allocationSize",
     .class_field = "objectClass"},
    {.kind = "alloc",
     .event = "jdk.ObjectAllocationOutsideTLAB",
     .value_field = "allocationSize",
     .class_field = "objectClass"},
    {.kind = "alloc",
     .event = "jdk.ObjectAllocationSample",
     .value_field = "weight",
     .class_field = "objectClass"},
    {.kind = "lock",
     .event = "jdk.JavaMonitorEnter",
     .value_field = "duration",
     .class_field = "monitorClass",
     .is_ticks = true},
    {.kind = "lock",
     .event = "jdk.ThreadPark",
     .value_field = "duration",
     .class_field = "parkedClass",
     .is_ticks = true,
     .note = "jdk.ThreadPark events count as locks, as in jfrconv"},
    {.kind = "live",
     .event = "profiler.LiveObject",
     .value_field = "allocationSize",
     .class_field = "objectClass"},
    {.kind = "native-mem", .event = "profiler.Malloc", .value_field = "size"},
    {.kind = "native-lock",
     .event = "profiler.NativeLock",
     .value_field = "duration",
     .is_ticks = true},
}};

enum Slot : std::uint16_t {
  stack_slot,
  thread_slot,
  class_slot,
  state_slot,
  value_slot,
  other_slot,
  samples_slot,
  slots
};

/// How events of one type of the chunk are read.
struct Plan {
  const Rule* rule = nullptr;
  DecodeProgram program;
  std::uint64_t events = 0;
};

/// Rows that are handed to the builder at a time.
constexpr std::size_t rows_at_a_time = 4096;

struct Key {
  std::uint64_t stack = 0;
  std::uint64_t type = 0;
  std::uint64_t thread = 0;

  auto operator<=>(const Key&) const = default;
};

struct Sums {
  std::uint64_t samples = 0;
  std::uint64_t value = 0;
  std::uint32_t plan = 0;  // number
};

[[nodiscard]] bool is_known_kind(std::string_view kind) {
  return std::any_of(rules.begin(), rules.end(),
                     [kind](const Rule& rule) { return rule.kind == kind; });
}

/// Sums the samples of a chunk by stack, class and thread, as the converter does.
class Samples {
 public:
  Samples(const ChunkContents& contents, const ProfileRequest& request)
      : contents_(contents), by_thread_(request.frames.by_thread) {
    for (const Rule& rule : rules) {
      const Type* type =
          rule.kind == request.kinds.front() ? contents.metadata().find(rule.event) : nullptr;
      if (type != nullptr && type->is_decodable) plans_[raw(type->id)] = make_plan(*type, rule);
    }
    const Type* states = contents.metadata().find("jdk.types.ThreadState");
    state_type_ = states;
    const auto names = pool_texts(contents, "jdk.types.ThreadState");
    has_default_state_ = std::find(names.begin(), names.end(), "STATE_DEFAULT") != names.end();
  }

  void read(StopFlag stop) {
    std::uint64_t records = 0;
    walk_records(contents_.bytes, contents_.has_compressed_integers(), [&](const Record& record) {
      if ((++records & 0xFFF) == 0) stop.check();
      const auto plan = plans_.find(record.type);
      if (plan != plans_.end()) add(plan->second, record);
    });
  }

  void write(const ChunkReading& reading, ChunkProfile& profile, ProblemLog& log) {
    std::vector<std::uint32_t> lanes;  // by number of the plan
    for (auto& [id, plan] : plans_) {
      lanes.push_back(static_cast<std::uint32_t>(profile.lanes.size()));
      if (plan.events == 0) continue;
      Lane& lane = profile.lanes.emplace_back();
      lane.kind = reading.request.kinds.front();
      lane.event = plan.rule->event;
      lane.events = plan.events;
    }
    const auto targets = reading.builder.add(profile);
    JfrconvNames names(contents_, reading.builder.texts());
    FrameNamer namer(names);
    StackDecoder decoder(contents_, namer);
    StackRows rows;
    for (const auto& [key, sums] : sums_) {
      add_row(key, sums, lanes[sums.plan], namer, decoder, rows);
      if (rows.rows.size() < rows_at_a_time) continue;
      reading.builder.add(rows, targets);
      rows.clear();
    }
    reading.builder.add(rows, targets);
    if (names.is_full()) throw_limit("the texts of frames", "frame_bytes", log.file());
    names.report(log);
    decoder.report(log);
    note(log);
  }

 private:
  [[nodiscard]] Plan make_plan(const Type& type, const Rule& rule) {
    Plan plan;
    plan.rule = &rule;
    std::vector<FieldSlot> wanted = {{"stackTrace", stack_slot}};
    const auto add = [&wanted, &type](std::string_view name, Slot slot) {
      if (!name.empty() && type.field_index(name) >= 0) wanted.push_back({name, slot});
    };
    if (by_thread_) {
      add(type.field_index("eventThread") >= 0 ? "eventThread" : "sampledThread", thread_slot);
    }
    add(rule.class_field, class_slot);
    if (rule.states != States::any) add("state", state_slot);
    add(rule.value_field, value_slot);
    add(rule.other_field, other_slot);
    if (rule.event == "profiler.WallClockSample") add("samples", samples_slot);
    std::uint64_t found = 0;
    plan.program = contents_.layouts().compile(type, wanted, found);
    return plan;
  }

  void add(Plan& plan, const Record& record) {
    std::array<std::uint64_t, slots> values{};
    values[samples_slot] = 1;
    ByteReader reader(record.payload, contents_.has_compressed_integers());
    contents_.layouts().fetch(plan.program, reader, values.data());
    if (reader.failed()) {
      ++overruns_;
      return;
    }
    if (!is_counted(plan.rule->states, values[state_slot])) {
      if (plan.rule->states == States::running && !has_default_state_) ++undecided_;
      return;
    }
    ++plan.events;
    const Key key{values[stack_slot], values[class_slot], values[thread_slot]};
    Sums& sums = sums_[key];
    if (sums.samples == 0) sums.plan = number_of(plan);
    const std::uint64_t number = values[value_slot] != 0 ? values[value_slot] : values[other_slot];
    const bool has_value = !plan.rule->value_field.empty();
    sums.samples += values[samples_slot];
    sums.value += has_value ? number : values[samples_slot];
    is_ticks_ = plan.rule->is_ticks;
  }

  [[nodiscard]] std::uint32_t number_of(const Plan& plan) const {
    std::uint32_t number = 0;
    for (const auto& [id, other] : plans_) {
      if (other.rule == plan.rule) break;
      ++number;
    }
    return number;
  }

  [[nodiscard]] bool is_counted(States wanted, std::uint64_t state) {
    if (wanted == States::any) return true;
    const auto found = states_.find(state);
    if (found != states_.end()) return found->second == wanted;
    const std::string name =
        state_type_ == nullptr
            ? std::string()
            : ValueReader(contents_).constant(*state_type_, ConstantKey{state}).text();
    // A state that the chunk does not define is neither.
    const States kind = name == "STATE_DEFAULT" ? States::running
                        : name.empty()          ? States::any
                                                : States::other;
    states_.emplace(state, kind);
    return kind == wanted;
  }

  /// Durations are converted once summed, in floating point.
  [[nodiscard]] std::uint64_t value_of(const Sums& sums) const {
    const std::int64_t frequency = contents_.info.header.ticks_per_second;
    if (!is_ticks_ || frequency <= 0) return sums.value;
    const double nanoseconds = static_cast<double>(static_cast<std::int64_t>(sums.value)) *
                               (1e9 / static_cast<double>(frequency));
    constexpr double highest = 9e18;
    return nanoseconds <= 0 ? 0 : static_cast<std::uint64_t>(std::min(nanoseconds, highest));
  }

  void add_row(const Key& key, const Sums& sums, std::uint32_t lane, FrameNamer& namer,
               StackDecoder& decoder, StackRows& rows) {
    const Type* type = contents_.metadata().find("jdk.types.StackTrace");
    const PoolIndex* index = type == nullptr ? nullptr : &contents_.pools.index(type->id);
    const std::uint32_t ordinal = index == nullptr ? PoolIndex::none : index->find(key.stack);
    if (ordinal == PoolIndex::none) {
      stackless_ += sums.samples;
      return;
    }
    StackRows::Row row;
    row.first_frame = rows.frames.size();
    row.lane = lane;
    row.sums = {sums.samples, value_of(sums), 0, true};
    if (by_thread_) rows.frames.push_back(FrameId{namer.thread(key.thread)});
    bool is_truncated = false;
    const auto frames = decoder.decode(index->offset(ordinal), is_truncated);
    for (const std::uint32_t frame : frames) rows.frames.push_back(FrameId{frame});
    if (key.type != 0) rows.frames.push_back(FrameId{namer.class_leaf(key.type)});
    row.frame_count = static_cast<std::uint32_t>(rows.frames.size() - row.first_frame);
    if (row.frame_count == 0) {
      stackless_ += sums.samples;
      return;
    }
    rows.rows.push_back(row);
    ++rows.decoded;
  }

  void note(ProblemLog& log) const {
    const std::uint64_t offset = contents_.info.offset;
    if (overruns_ > 0) {
      log.problem(ErrorCode::bad_event, offset, "events whose fields do not fit into them",
                  overruns_);
    }
    if (stackless_ > 0) {
      log.note(ErrorCode::left_out, offset, "samples without a stack are left out, as in jfrconv",
               stackless_);
    }
    if (undecided_ > 0) {
      log.note(
          ErrorCode::left_out, offset,
          "samples of recorders without the state STATE_DEFAULT (the JDK, async-profiler before "
          "3.0) are left out, as in jfrconv: they are in its wall profile",
          undecided_);
    }
    std::uint64_t tlab_events = 0;
    std::uint64_t samples = 0;
    for (const auto& [id, plan] : plans_) {
      if (plan.events > 0 && !plan.rule->note.empty()) {
        log.note(ErrorCode::left_out, offset, plan.rule->note, plan.events);
      }
      const bool is_sample = plan.rule->event == "jdk.ObjectAllocationSample";
      (is_sample ? samples : tlab_events) += plan.events;
    }
    if (samples > 0 && tlab_events > 0) {
      log.note(ErrorCode::left_out, offset,
               "jdk.ObjectAllocationSample events are added to the TLAB events, which describe the "
               "same allocations, as in jfrconv",
               samples);
    }
  }

  const ChunkContents& contents_;
  bool by_thread_ = false;
  const Type* state_type_ = nullptr;
  bool has_default_state_ = false;
  bool is_ticks_ = false;
  std::map<std::uint64_t, Plan> plans_;  // by type id
  std::map<std::uint64_t, States> states_;
  std::map<Key, Sums> sums_;
  std::uint64_t stackless_ = 0;
  std::uint64_t overruns_ = 0;
  std::uint64_t undecided_ = 0;
};

}  // namespace

void check_jfrconv_request(const ProfileRequest& request) {
  if (request.kinds.size() != 1 || !request.event.empty()) {
    throw UsageError("jfrconv reads one profile kind at a time, and no event type by name");
  }
  if (!request.filters.empty()) {
    throw UsageError("jfrconv's way of reading takes no filters: read without --compat");
  }
  if (!is_known_kind(request.kinds.front())) {
    std::string known;
    for (const Rule& rule : rules) {
      const bool is_listed =
          known.find(rule.kind) != std::string::npos || find_kind(rule.kind) == nullptr;
      if (!is_listed) known += (known.empty() ? "" : ", ") + std::string(rule.kind);
    }
    throw UsageError("jfrconv has no profile of the kind " + request.kinds.front() + "; it has " +
                     known);
  }
}

void add_jfrconv_samples(const ChunkContents& contents, const ChunkReading& reading,
                         ChunkProfile& profile, ProblemLog& log) {
  Samples samples(contents, reading.request);
  samples.read(reading.stop);
  samples.write(reading, profile, log);
}

std::string missing_in_jfrconv(const ProfileRequest& request) {
  const bool is_cpu = request.compat == Compat::jfrconv && request.kinds.front() == "cpu";
  return is_cpu ? "; for jfrconv only samples in STATE_DEFAULT are cpu, those of the JDK and of "
                  "async-profiler before 3.0 are wall (-p wall)"
                : "";
}

void describe_as_jfrconv(ProfileSet& set) {
  for (Profile& profile : set.profiles) {
    profile.default_sample_type = 0;
    const bool is_counted =
        profile.kind == "cpu" || profile.kind == "wall" || profile.kind == "cpu-time";
    if (is_counted && profile.sample_types.size() > 1)
      profile.sample_types[1] = profile.sample_types[0];
  }
}

}  // namespace jfrtree::internal
