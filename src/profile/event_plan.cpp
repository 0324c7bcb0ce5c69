#include "profile/event_plan.hpp"

#include <bit>
#include <cmath>
#include <limits>

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

std::uint8_t width_of(const Metadata& metadata, const Field& field) {
  const Type* type = scalar_type(metadata, field);
  if (type == nullptr) return 8;
  switch (type->primitive) {
    case Primitive::boolean:
    case Primitive::byte:
      return 1;
    case Primitive::short_integer:
    case Primitive::character:
      return 2;
    case Primitive::integer:
      return 4;
    default:
      return 8;
  }
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
  plan.defaults[slot_count] = 1;
  if (request.with_class) wanted.add(rule.class_field, slot_class);
  if (request.with_thread && wanted.add("eventThread", slot_thread) == nullptr) {
    wanted.add("sampledThread", slot_thread);
  }
  if (rule.period == PeriodRule::execution_sample) {
    plan.has_state = wanted.add("state", slot_state) != nullptr;
  }
  if (const Field* field = wanted.add(rule.value_field, slot_value)) {
    plan.value = conversion_of(metadata, *field);
    plan.value_bytes = width_of(metadata, *field);
  }
  if (const Field* field = wanted.add(rule.other_field, slot_other)) {
    plan.other = conversion_of(metadata, *field);
  }
  if (const Field* field = wanted.add(rule.count_field, slot_count)) {
    plan.count = conversion_of(metadata, *field);
  }
  std::uint64_t found = 0;
  plan.program = contents.layouts().compile(type, wanted.fields(), found);
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
                       std::string(value_field) + "; see its fields with jfr metadata");
    }
    rule.value = ValueRule::field;
    rule.value_field = type.fields[static_cast<std::size_t>(index)].name;
  }
  for (const char* name : {"objectClass", "monitorClass", "parkedClass", "thrownClass"}) {
    if (rule.class_field.empty() && type.field_index(name) >= 0) rule.class_field = name;
  }
  return rule;
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

std::optional<std::uint64_t> round_number(double number, bool& is_negative) noexcept {
  constexpr double too_large = 18446744073709551616.0;
  if (std::isnan(number) || number >= too_large || std::isinf(number)) return std::nullopt;
  if (number < 0) {
    is_negative = true;
    return 0;
  }
  return static_cast<std::uint64_t>(std::nearbyint(number));
}

std::optional<std::uint64_t> convert_number(std::uint64_t slot, Conversion conversion,
                                            std::uint8_t bytes, const ChunkInfo& info,
                                            bool& is_negative) noexcept {
  if (conversion == Conversion::floating) {
    return round_number(std::bit_cast<double>(slot), is_negative);
  }
  const auto number = static_cast<std::int64_t>(slot);
  using Long = std::numeric_limits<std::int64_t>;
  using Int = std::numeric_limits<std::int32_t>;
  if (number == Long::min() || number == Long::max()) return std::nullopt;
  if (bytes == 4 && number == Int::min()) return std::nullopt;
  if (number < 0) {
    is_negative = true;
    return 0;
  }
  const auto scaled = [number](std::uint64_t factor) {
    std::uint64_t result = 0;
    const bool is_full =
        __builtin_mul_overflow(static_cast<std::uint64_t>(number), factor, &result);
    return is_full ? ~std::uint64_t{0} : result;
  };
  switch (conversion) {
    case Conversion::ticks:
      return info.to_duration_ns(number);
    case Conversion::seconds:
      return scaled(1'000'000'000);
    case Conversion::milliseconds:
      return scaled(1'000'000);
    case Conversion::microseconds:
      return scaled(1'000);
    case Conversion::bits:
      return slot / 8;
    default:
      return slot;
  }
}

}  // namespace jfrtree::internal
