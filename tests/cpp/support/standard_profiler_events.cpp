#include "support/standard_type_tables.hpp"

namespace jfrtree::test {

namespace {

constexpr TypeKind simple = TypeKind::simple;
constexpr TypeKind event = TypeKind::event;

constexpr TypeRow async_profiler_events_rows[] = {
    {event, "jdk.ExecutionSample", 101, 101,
     "long startTime; Thread* sampledThread; StackTrace* stackTrace; ThreadState* state"},
    {event, "jdk.ObjectAllocationInNewTLAB", 102, 102,
     "long startTime; Thread* eventThread; StackTrace* stackTrace; Class* objectClass;"
     "long allocationSize @Unsigned @DataAmount(BYTES);"
     "long tlabSize @Unsigned @DataAmount(BYTES)"},
    {event, "jdk.ObjectAllocationOutsideTLAB", 103, 103,
     "long startTime; Thread* eventThread; StackTrace* stackTrace; Class* objectClass;"
     "long allocationSize @Unsigned @DataAmount(BYTES)"},
    {event, "jdk.JavaMonitorEnter", 104, 104,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace;"
     "Class* monitorClass; Thread* previousOwner; long address @Unsigned @MemoryAddress"},
    {event, "jdk.ThreadPark", 105, 105,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace;"
     "Class* parkedClass; long timeout @Timespan(NANOSECONDS);"
     "long until @Timestamp(MILLISECONDS_SINCE_EPOCH); long address @Unsigned @MemoryAddress"},
    {event, "jdk.ActiveSetting", 108, 108,
     "long startTime; {long duration; Thread* eventThread; StackTrace* stackTrace;} long id;"
     "String name; String value"},
    {event, "jdk.JVMInformation", 111, 111,
     "long startTime; String jvmName; String jvmVersion; String jvmArguments; String jvmFlags;"
     "String javaArguments; long jvmStartTime @Timestamp(MILLISECONDS_SINCE_EPOCH); long pid"},
    {event, "profiler.Log", 114, 116, "long startTime; LogLevel* level; String message"},
    {event, "profiler.Window", absent, 117, "long startTime; long duration; Thread* eventThread"},
    {event, "profiler.LiveObject", 115, 118,
     "long startTime; Thread* eventThread; StackTrace* stackTrace; Class* objectClass;"
     "long allocationSize @Unsigned @DataAmount(BYTES); long allocationTime @Timestamp(TICKS)"},
    {event, "profiler.WallClockSample", absent, 119,
     "long startTime; Thread* sampledThread; StackTrace* stackTrace; ThreadState* state;"
     "int samples @Unsigned; long timeSpan @Timespan(TICKS)"},
    {event, "profiler.Malloc", absent, 120,
     "long startTime; Thread* eventThread; StackTrace* stackTrace;"
     "long address @Unsigned @MemoryAddress; long size @Unsigned @DataAmount(BYTES)"},
    {event, "profiler.Free", absent, 121,
     "long startTime; Thread* eventThread; StackTrace* stackTrace;"
     "long address @Unsigned @MemoryAddress"},
    {event, "profiler.NativeLock", absent, 122,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace;"
     "long address @Unsigned @MemoryAddress"},
    {event, "profiler.Span", absent, 123,
     "long startTime; long duration; Thread* eventThread; String* tag"},
};

constexpr TypeRow datadog_types_rows[] = {
    {simple, "datadog.types.ExecutionMode", 33, 33, "String name"},
    {simple, "profiler.types.AttributeValue", 32, 32, "String value"},
    {simple, "profiler.types.CounterName", 34, 34, "String name"},
    {event, "datadog.ExecutionSample", 101, 101,
     "long startTime; Thread* eventThread; StackTrace* stackTrace; ThreadState* state;"
     "ExecutionMode* mode; long weight; long spanId; long localRootSpanId;"
     "AttributeValue* _dd.trace.operation"},
    {event, "datadog.MethodSample", 102, 102,
     "long startTime; Thread* eventThread; StackTrace* stackTrace; ThreadState* state;"
     "ExecutionMode* mode; long weight; long spanId; long localRootSpanId;"
     "AttributeValue* _dd.trace.operation"},
    {event, "datadog.ObjectSample", 103, 103,
     "long startTime; Thread* eventThread; StackTrace* stackTrace; Class* objectClass;"
     "long size @Unsigned @DataAmount(BYTES); float weight; long spanId; long localRootSpanId;"
     "AttributeValue* _dd.trace.operation"},
    {event, "datadog.HeapLiveObject", 105, 105,
     "long startTime; Thread* eventThread; StackTrace* stackTrace; Class* objectClass;"
     "long age @Unsigned; long size @Unsigned @DataAmount(BYTES); float weight; long spanId;"
     "long localRootSpanId; AttributeValue* _dd.trace.operation"},
    {event, "jdk.ActiveRecording", 109, 109,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace; long id;"
     "String name; String destination; long maxAge @Timespan(MILLISECONDS);"
     "long flushInterval @Timespan(MILLISECONDS); long maxSize @Unsigned @DataAmount(BYTES);"
     "long recordingStart @Timestamp(MILLISECONDS_SINCE_EPOCH);"
     "long recordingDuration @Timespan(MILLISECONDS)"},
    {event, "jdk.ActiveSetting", 110, 110,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace; long id;"
     "String name; String value"},
    {event, "jdk.JVMInformation", 114, 114,
     "long startTime; String jvmName; String jvmVersion; String jvmArguments; String jvmFlags;"
     "String javaArguments; long jvmStartTime @Timestamp(MILLISECONDS_SINCE_EPOCH); long pid"},
    {event, "datadog.Endpoint", 119, 119,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace;"
     "String* endpoint; String* operation; long localRootSpanId"},
    {event, "datadog.ProfilerCounter", 125, 125, "long startTime; CounterName name; long count"},
};

}  // namespace

std::span<const TypeRow> async_profiler_events() { return async_profiler_events_rows; }
std::span<const TypeRow> datadog_types() { return datadog_types_rows; }

}  // namespace jfrtree::test
