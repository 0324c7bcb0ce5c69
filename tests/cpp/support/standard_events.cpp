#include "support/standard_events.hpp"

#include "support/standard_chunk.hpp"

#include <algorithm>

namespace jfrtree::test {

FrameSpec::FrameSpec(std::string_view class_and_method) {
  const std::size_t dot = class_and_method.rfind('.');
  method_name = class_and_method.substr(dot == std::string_view::npos ? 0 : dot + 1);
  class_name = dot == std::string_view::npos ? "" : class_and_method.substr(0, dot);
  std::replace(class_name.begin(), class_name.end(), '.', '/');
}

FrameSpec FrameSpec::of(std::string_view internal_class_name, std::string_view method_name) {
  FrameSpec frame;
  frame.class_name = internal_class_name;
  frame.method_name = method_name;
  return frame;
}

FrameSpec FrameSpec::native(std::string_view symbol, std::string_view library) {
  FrameSpec frame = of(library, symbol);
  frame.descriptor = "()L;";
  frame.line_number = 0;
  frame.modifiers = 0x100;
  frame.frame_type = "Native";
  return frame;
}

StandardChunk& StandardChunk::usual_event(std::string_view type_name,
                                          std::vector<NamedValue> values,
                                          const std::optional<std::int64_t>& start_ticks) {
  values.emplace_back("startTime", start_ticks.value_or(header_.start_ticks));
  const TypeDeclaration& type = types_.type(recorded_name(producer_, type_name));
  const auto is_unknown = [&](const NamedValue& value) {
    return std::none_of(type.fields.begin(), type.fields.end(),
                        [&](const FieldDeclaration& field) { return field.name == value.first; });
  };
  values.erase(std::remove_if(values.begin(), values.end(), is_unknown), values.end());
  return event(type_name, values);
}

StandardChunk& StandardChunk::execution_sample(const SampleFields& fields) {
  const bool is_datadog = producer_ == Producer::datadog;
  return usual_event(is_datadog ? "datadog.ExecutionSample" : "jdk.ExecutionSample",
                     {{"sampledThread", fields.thread},
                      {"eventThread", fields.thread},
                      {"stackTrace", fields.stack},
                      {"state", thread_state(fields.state)},
                      {"weight", fields.weight}},
                     fields.start_ticks);
}

StandardChunk& StandardChunk::native_method_sample(const SampleFields& fields) {
  return usual_event("jdk.NativeMethodSample",
                     {{"sampledThread", fields.thread},
                      {"stackTrace", fields.stack},
                      {"state", thread_state(fields.state)}},
                     fields.start_ticks);
}

StandardChunk& StandardChunk::method_sample(const SampleFields& fields) {
  return usual_event("datadog.MethodSample",
                     {{"eventThread", fields.thread},
                      {"stackTrace", fields.stack},
                      {"state", thread_state(fields.state)},
                      {"weight", fields.weight}},
                     fields.start_ticks);
}

StandardChunk& StandardChunk::wall_clock_sample(const WallClockSampleFields& fields) {
  return usual_event("profiler.WallClockSample",
                     {{"sampledThread", fields.thread},
                      {"stackTrace", fields.stack},
                      {"state", thread_state(fields.state)},
                      {"samples", fields.samples},
                      {"timeSpan", fields.time_span_ticks}},
                     fields.start_ticks);
}

StandardChunk& StandardChunk::cpu_time_sample(const CpuTimeSampleFields& fields) {
  return usual_event("jdk.CPUTimeSample",
                     {{"eventThread", fields.thread},
                      {"stackTrace", fields.stack},
                      {"failed", fields.failed},
                      {"samplingPeriod", fields.sampling_period_ticks},
                      {"biased", fields.biased}},
                     fields.start_ticks);
}

StandardChunk& StandardChunk::allocation(std::string_view type_name,
                                         const AllocationFields& fields) {
  // The JDK's weight is a long, Datadog's a float.
  const FieldValue weight = producer_ == Producer::datadog
                                ? FieldValue(fields.weight)
                                : FieldValue(static_cast<std::int64_t>(fields.weight));
  return usual_event(type_name,
                     {{"eventThread", fields.thread},
                      {"stackTrace", fields.stack},
                      {"objectClass", fields.object_class},
                      {"allocationSize", fields.allocation_size},
                      {"size", fields.allocation_size},
                      {"tlabSize", fields.tlab_size},
                      {"weight", weight}},
                     fields.start_ticks);
}

StandardChunk& StandardChunk::allocation_in_new_tlab(const AllocationFields& fields) {
  return allocation("jdk.ObjectAllocationInNewTLAB", fields);
}

StandardChunk& StandardChunk::allocation_outside_tlab(const AllocationFields& fields) {
  return allocation("jdk.ObjectAllocationOutsideTLAB", fields);
}

StandardChunk& StandardChunk::allocation_sample(const AllocationFields& fields) {
  return allocation("jdk.ObjectAllocationSample", fields);
}

StandardChunk& StandardChunk::object_sample(const AllocationFields& fields) {
  return allocation("datadog.ObjectSample", fields);
}

StandardChunk& StandardChunk::blocking(std::string_view type_name, const BlockingFields& fields,
                                       std::string_view class_field) {
  return usual_event(type_name,
                     {{"duration", fields.duration_ticks},
                      {"eventThread", fields.thread},
                      {"stackTrace", fields.stack},
                      {class_field, fields.monitor_class},
                      {"previousOwner", fields.other_thread},
                      {"notifier", fields.other_thread},
                      {"address", fields.address}},
                     fields.start_ticks);
}

StandardChunk& StandardChunk::monitor_enter(const BlockingFields& fields) {
  return blocking("jdk.JavaMonitorEnter", fields, "monitorClass");
}

StandardChunk& StandardChunk::monitor_wait(const BlockingFields& fields) {
  return blocking("jdk.JavaMonitorWait", fields, "monitorClass");
}

StandardChunk& StandardChunk::thread_park(const BlockingFields& fields) {
  return blocking("jdk.ThreadPark", fields, "parkedClass");
}

StandardChunk& StandardChunk::active_setting(const SettingFields& fields) {
  const std::uint64_t event_id = fields.event.empty() ? 0 : type_id(fields.event);
  return usual_event("jdk.ActiveSetting",
                     {{"id", event_id}, {"name", fields.name}, {"value", fields.value}},
                     fields.start_ticks);
}

StandardChunk& StandardChunk::jvm_information(const JvmFields& fields) {
  return usual_event("jdk.JVMInformation",
                     {{"jvmName", fields.name},
                      {"jvmVersion", fields.version},
                      {"jvmArguments", fields.arguments},
                      {"jvmStartTime", fields.start_millis},
                      {"pid", fields.pid}},
                     std::nullopt);
}

}  // namespace jfrtree::test
