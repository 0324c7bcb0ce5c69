#include "profile/event_plan.hpp"

#include "format/byte_width.hpp"

namespace jfrtree::internal {

namespace {

/// The scalar type behind a field, simple types looked through; null when there is none.
const Type* scalar_type(const Metadata& metadata, const Field& field) {
  const Type* type = metadata.find(field.type);
  while (type != nullptr && type->is_decodable && type->primitive == Primitive::none &&
         type->fields.size() == 1) {
    const Field& only = type->fields.front();
    if (only.is_array || only.is_reference) return nullptr;
    type = metadata.find(only.type);
  }
  return type;
}

Conversion conversion_of(const Metadata& metadata, const Field& field) {
  const Type* type = scalar_type(metadata, field);
  if (type == nullptr || field.is_array || field.is_reference) return Conversion::absent;
  switch (type->primitive) {
    case Primitive::none:
    case Primitive::string:
      return Conversion::absent;
    case Primitive::floating:
    case Primitive::double_floating:
      return Conversion::floating;
    default:
      break;
  }
  switch (field.content) {
    case ContentType::timespan_ticks:
      return Conversion::ticks;
    case ContentType::timespan_seconds:
      return Conversion::seconds;
    case ContentType::timespan_milliseconds:
      return Conversion::milliseconds;
    case ContentType::timespan_microseconds:
      return Conversion::microseconds;
    case ContentType::bits:
      return Conversion::bits;
    default:
      return Conversion::none;
  }
}

bool is_numeric(const Metadata& metadata, const Field& field) {
  const bool is_time = field.content == ContentType::timestamp_ticks ||
                       field.content == ContentType::timestamp_milliseconds ||
                       field.content == ContentType::timestamp_nanoseconds ||
                       field.content == ContentType::timestamp_seconds;
  return !is_time && conversion_of(metadata, field) != Conversion::absent;
}

std::uint8_t width_of(const Metadata& metadata, const Field& field) {
  const Type* type = scalar_type(metadata, field);
  return type == nullptr ? 8 : byte_width(type->primitive);
}

/// Collects the fields that a rule needs.
class Wanted {
 public:
  explicit Wanted(const Type& type) : type_(type) {}

  const Field* add(std::string_view name, Slot slot) {
    const int index = name.empty() ? -1 : type_.field_index(name);
    if (index < 0) return nullptr;
    fields_.push_back({name, slot});
    return &type_.fields[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] const std::vector<FieldSlot>& fields() const noexcept { return fields_; }

 private:
  const Type& type_;
  std::vector<FieldSlot> fields_;
};

}  // namespace

bool has_stack_trace(const Type& type) noexcept {
  const int index = type.field_index("stackTrace");
  if (index < 0) return false;
  const Field& field = type.fields[static_cast<std::size_t>(index)];
  return field.is_reference && !field.is_array;
}

std::optional<EventPlan> make_plan(const ChunkContents& contents, const Type& type,
                                   const EventRule& rule, const PlanRequest& request) {
  const Metadata& metadata = contents.metadata();
  Wanted wanted(type);
  const Field* stack = wanted.add("stackTrace", slot_stack);
  if (stack == nullptr || !stack->is_reference || !contents.layouts().can_skip(type)) {
    return std::nullopt;
  }
  EventPlan plan;
  plan.rule = rule;
  plan.event = normalized_type_name(type.name);
  if (request.with_leaf) wanted.add(rule.leaf_field, slot_class);
  if (request.with_thread && wanted.add("eventThread", slot_thread) == nullptr) {
    wanted.add("sampledThread", slot_thread);
  }
  if (rule.period == PeriodRule::execution_sample) wanted.add("state", slot_state);
  if (const Field* field = wanted.add(rule.value_field, slot_value)) {
    plan.value = conversion_of(metadata, *field);
    plan.value_bytes = width_of(metadata, *field);
    // Shorter ones are decoded without a sign. The JDK declares its sizes unsigned too; one of a
    // kind that would be beyond 2^63 is damage.
    plan.has_unsigned_value =
        rule.has_chosen_value && field->is_unsigned && plan.value_bytes == sizeof(std::uint64_t);
  }
  if (const Field* field = wanted.add(rule.other_field, slot_other)) {
    plan.other = conversion_of(metadata, *field);
  }
  if (const Field* field = wanted.add(rule.count_field, slot_count)) {
    plan.count = conversion_of(metadata, *field);
  }
  if (request.with_address) {
    wanted.add("address", slot_address);
    wanted.add("startTime", slot_start);
  }
  // A state tells kinds apart, a class is a leaf: no rule has both.
  plan.time_slot = rule.period == PeriodRule::execution_sample ? slot_class : slot_state;
  if (request.with_time) plan.time_field = wanted.add("startTime", plan.time_slot);
  std::uint64_t found = 0;
  plan.program = contents.layouts().compile(type, wanted.fields(), found);
  std::vector<FieldSlot> usual = wanted.fields();
  std::erase_if(usual, [](const FieldSlot& field) { return field.slot == slot_other; });
  std::uint64_t found_usual = 0;
  plan.short_program = contents.layouts().compile(type, usual, found_usual);
  for (std::size_t i = 0; i < wanted.fields().size(); ++i) {
    if ((found >> i & 1) != 0) plan.filled |= 1U << wanted.fields()[i].slot;
  }
  if (plan.time_field != nullptr) {
    if (!plan.fills(plan.time_slot)) plan.time_field = nullptr;
    plan.filled &= ~(1U << plan.time_slot);
  }
  if (!plan.fills(slot_value)) plan.value = Conversion::absent;
  if (!plan.fills(slot_other)) plan.other = Conversion::absent;
  if (!plan.fills(slot_count)) plan.count = Conversion::absent;
  return plan;
}

EventRule event_request_rule(const Type& type, const ProfileRequest& request) {
  EventRule rule;
  rule.event = request.event;
  rule.kind = request.event;
  std::string_view value_field = request.value_field;
  if (value_field.empty() && type.field_index("duration") >= 0) value_field = "duration";
  if (!value_field.empty()) {
    const int index = type.field_index(value_field);
    if (index < 0) {
      throw UsageError("the event type " + request.event + " has no field " +
                       std::string(value_field));
    }
    rule.value = ValueRule::field;
    rule.value_field = type.fields[static_cast<std::size_t>(index)].name;
    rule.has_chosen_value = rule.value_field != "duration";
  }
  const EventRule* known = find_rule(normalized_type_name(type.name));
  if (known != nullptr && type.field_index(known->leaf_field) >= 0) {
    rule.leaf_field = known->leaf_field;
    rule.leaf = known->leaf;
  }
  for (const char* name : {"objectClass", "monitorClass", "parkedClass", "thrownClass"}) {
    if (rule.leaf_field.empty() && type.field_index(name) >= 0) rule.leaf_field = name;
  }
  return rule;
}

void check_value_field(const Metadata& metadata, const Type& type, const ProfileRequest& request) {
  if (request.value_field.empty()) return;
  std::string numeric;
  for (const Field& field : type.fields) {
    if (!is_numeric(metadata, field)) continue;
    if (field.name == request.value_field) return;
    numeric += (numeric.empty() ? "" : ", ") + field.name;
  }
  const bool is_there = type.field_index(request.value_field) >= 0;
  throw UsageError(
      (is_there ? "the field " + request.value_field + " of " + request.event + " is no number"
                : "the event type " + request.event + " has no field " + request.value_field) +
      (numeric.empty() ? "; it has no numeric field" : "; its numeric fields are " + numeric));
}

std::string unit_of(const Field& field) {
  switch (field.content) {
    case ContentType::timespan_ticks:
    case ContentType::timespan_seconds:
    case ContentType::timespan_milliseconds:
    case ContentType::timespan_microseconds:
    case ContentType::timespan_nanoseconds:
      return "nanoseconds";
    case ContentType::bytes:
    case ContentType::bits:
      return "bytes";
    default:
      return "count";
  }
}

}  // namespace jfrtree::internal
