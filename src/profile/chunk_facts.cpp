#include "profile/chunk_facts.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <jfrtree/event.hpp>

#include "format/value_reader.hpp"
#include "profile/frame_names.hpp"
#include "profile/lane_sums.hpp"

namespace jfrtree::internal {

namespace {

enum SettingSlot : std::uint16_t { setting_id, setting_name, setting_value, setting_slots };

/// Settings of async-profiler that say what its samples are.
constexpr std::array<std::string_view, 3> profiler_settings = {"event", "interval", "wall"};

[[nodiscard]] bool has_profiler_types(const Metadata& metadata) {
  return std::any_of(metadata.types().begin(), metadata.types().end(), [](const Type& type) {
    return type.name.starts_with("profiler.") || type.name == "datadog.ExecutionSample";
  });
}

}  // namespace

FactsReader::FactsReader(const ChunkContents& contents) : contents_(contents) {
  const Metadata& metadata = contents.metadata();
  if (const Type* type = metadata.find("jdk.ActiveSetting"); type && type->is_decodable) {
    std::uint64_t found = 0;
    const std::array<FieldSlot, 3> wanted = {
        {{"id", setting_id}, {"name", setting_name}, {"value", setting_value}}};
    setting_program_ = contents.layouts().compile(*type, wanted, found);
    if (found == 7) setting_type_ = type->id;
  }
  if (const Type* type = metadata.find("jdk.ActiveRecording")) recording_type_ = type->id;
  if (const Type* type = metadata.find("jdk.JVMInformation")) jvm_type_ = type->id;
  if (const Type* type = metadata.find("jdk.CPUTimeSamplesLost")) lost_samples_type_ = type->id;
  if (const Type* type = metadata.find("jdk.DataLoss")) data_loss_type_ = type->id;
  facts_.info = contents.info;
  const auto frame_types = pool_texts(contents, "jdk.types.FrameType");
  facts_.is_async_profiler =
      std::find(frame_types.begin(), frame_types.end(), "Kernel") != frame_types.end() ||
      has_profiler_types(metadata);
}

std::string FactsReader::text_at(const Record& record, std::uint64_t position) const {
  return ValueReader(contents_).text(record.payload.subspan(position));
}

void FactsReader::read_setting(const Record& record) {
  std::array<std::uint64_t, setting_slots> slots{};
  ByteReader reader(record.payload, contents_.has_compressed_integers());
  contents_.layouts().fetch(setting_program_, reader, slots.data());
  if (reader.failed()) return;
  const std::string name = text_at(record, slots[setting_name]);
  if (name == "period") {
    const Type* type = contents_.metadata().find(TypeId{slots[setting_id]});
    if (type == nullptr) return;
    const std::string event = normalized_type_name(type->name);
    if (event == "jdk.ExecutionSample" || event == "jdk.NativeMethodSample") {
      settings_["period of " + event] = {record.offset, text_at(record, slots[setting_value])};
    }
  } else if (std::find(profiler_settings.begin(), profiler_settings.end(), name) !=
             profiler_settings.end()) {
    settings_[name] = {record.offset, text_at(record, slots[setting_value])};
  }
}

void FactsReader::read(const Record& record) {
  const TypeId type{record.type};
  if (type == setting_type_) {
    read_setting(record);
    return;
  }
  const Type* declared = contents_.metadata().find(type);
  if (declared == nullptr || !declared->is_decodable) return;
  const ValueReader values(contents_);
  const auto field = [&](std::string_view name) {
    const int index = declared->field_index(name);
    return index < 0 ? Value()
                     : values.member(*declared, static_cast<std::size_t>(index), record.payload);
  };
  if (type == recording_type_) {
    const std::string name = field("name").text();
    const bool names_profiler =
        name.starts_with("async-profiler") || name.starts_with("java-profiler");
    if (names_profiler) recorder_ = {record.offset, name};
  } else if (type == jvm_type_) {
    process_ = {record.offset, ProcessId(field("pid").integer(), field("jvmStartTime").integer())};
    // The version of the JDK begins with the name, that of others is a number.
    const std::string name = field("jvmName").text();
    const std::string version = field("jvmVersion").text();
    jvm_ = {record.offset, version.starts_with(name) ? version : name + " " + version};
  } else {
    const std::string_view name = type == lost_samples_type_ ? "lostSamples" : "amount";
    std::uint64_t& sum = type == lost_samples_type_ ? lost_samples_ : lost_bytes_;
    add_saturated(sum,
                  static_cast<std::uint64_t>(std::max<std::int64_t>(0, field(name).integer())));
  }
}

void FactsReader::add(const FactsReader& other) {
  for (const auto& [name, said] : other.settings_) settings_[name].add(said);
  process_.add(other.process_);
  recorder_.add(other.recorder_);
  jvm_.add(other.jvm_);
  add_saturated(lost_samples_, other.lost_samples_);
  add_saturated(lost_bytes_, other.lost_bytes_);
}

ChunkFacts FactsReader::finish(ProblemLog& log) {
  if (lost_samples_ > 0) {
    log.note(ErrorCode::lost_samples, contents_.info.offset,
             "CPU time samples that the recorder lost (jdk.CPUTimeSamplesLost)", lost_samples_);
  }
  if (lost_bytes_ > 0) {
    log.note(ErrorCode::lost_samples, contents_.info.offset,
             "bytes of events that the recorder lost because its buffers were full (jdk.DataLoss)",
             lost_bytes_);
  }
  for (const auto& [name, said] : settings_) facts_.settings[name] = said.what;
  facts_.process = process_.what;
  facts_.producer = recorder_.what;
  facts_.is_async_profiler = facts_.is_async_profiler || !recorder_.what.empty() ||
                             facts_.settings.find("event") != facts_.settings.end();
  if (!jvm_.what.empty()) facts_.producer += (recorder_.what.empty() ? "" : "; ") + jvm_.what;
  return std::move(facts_);
}

std::optional<std::uint64_t> parse_period(std::string_view text) noexcept {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number == 0) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 8> units = {{
      {"", 1},
      {"ns", 1},
      {"us", 1'000},
      {"ms", 1'000'000},
      {"s", 1'000'000'000},
      {"m", 60'000'000'000},
      {"h", 3'600'000'000'000},
      {"d", 86'400'000'000'000},
  }};
  for (const auto& [name, factor] : units) {
    std::uint64_t result = 0;
    if (unit == name && !__builtin_mul_overflow(number, factor, &result)) return result;
  }
  return std::nullopt;
}

}  // namespace jfrtree::internal
