#include "profile/recording_settings.hpp"

#include <string>
#include <utility>

#include "format/record_walk.hpp"
#include "format/value_reader.hpp"

namespace jfrtree::internal {

namespace {

/// Events that are walked before the wish to stop is asked again.
constexpr std::uint64_t stop_interval = 1 << 16;

/// A field of an event by name; null when there is none.
[[nodiscard]] Value field_of(const ValueReader& values, const Type& type, const Record& record,
                             std::string_view name) {
  const int index = type.field_index(name);
  return index < 0 ? Value() : values.member(type, static_cast<std::size_t>(index), record.payload);
}

}  // namespace

void add_settings(const ChunkContents& contents, StopFlag stop, SettingSet& settings) {
  const Type* const type = contents.metadata().find("jdk.ActiveSetting");
  if (type == nullptr || !type->is_decodable) return;
  const ValueReader values(contents);
  std::uint64_t walked = 0;
  walk_records(contents.bytes, contents.has_compressed_integers(), [&](const Record& record) {
    if (++walked % stop_interval == 0) stop.check();
    if (TypeId{record.type} != type->id) return;
    const Value id = field_of(values, *type, record, "id");
    const Value name = field_of(values, *type, record, "name");
    if (id.is_null() || name.is_null()) return;
    // Ids of event types mean something in their own chunk only.
    const auto number = static_cast<std::uint64_t>(id.integer());
    const Type* const event = contents.metadata().find(TypeId{number});
    RecordingSetting setting;
    setting.event = event == nullptr ? "type " + std::to_string(number) : event->name;
    setting.name = name.text();
    setting.value = field_of(values, *type, record, "value").text();
    settings.insert(std::move(setting));
  });
}

}  // namespace jfrtree::internal
