#include "support/standard_type_tables.hpp"

namespace jfrtree::test {

namespace {

constexpr TypeKind plain = TypeKind::plain;
constexpr TypeKind simple = TypeKind::simple;
constexpr TypeKind event = TypeKind::event;
constexpr TypeKind note = TypeKind::annotation;

constexpr TypeRow jdk_types_rows[] = {
    {plain, "long", 206, 231, ""},
    {plain, "int", 207, 232, ""},
    {plain, "short", 208, 233, ""},
    {plain, "byte", 209, 234, ""},
    {plain, "double", 210, 235, ""},
    {plain, "float", 211, 236, ""},
    {plain, "boolean", 212, 237, ""},
    {plain, "char", 213, 238, ""},
    {plain, "java.lang.String", 214, 239, ""},
    {plain, "java.lang.Thread", 164, 188,
     "String osName; long osThreadId; String javaName; long javaThreadId; ThreadGroup* group;"
     "<boolean virtual;>"},
    {plain, "jdk.types.ThreadGroup", 165, 189, "ThreadGroup* parent; String name"},
    {plain, "java.lang.Class", 166, 190,
     "ClassLoader* classLoader; Symbol* name; Package* package; int modifiers; boolean hidden"},
    {plain, "jdk.types.ClassLoader", 167, 191, "Class* type; Symbol* name"},
    {plain, "jdk.types.Method", 168, 192,
     "Class* type; Symbol* name; Symbol* descriptor; int modifiers; boolean hidden"},
    {simple, "jdk.types.Symbol", 169, 193, "String string"},
    {simple, "jdk.types.ThreadState", 170, 194, "String name"},
    {plain, "jdk.types.Module", 186, 210,
     "Symbol* name; Symbol* version; Symbol* location; ClassLoader* classLoader"},
    {plain, "jdk.types.Package", 187, 211, "Symbol* name; Module* module; boolean exported"},
    {plain, "jdk.types.StackTrace", 188, 212, "boolean truncated; StackFrame[] frames"},
    {simple, "jdk.types.FrameType", 189, 213, "String description"},
    {simple, "jdk.types.OldObjectRootSystem", 190, 214, "String system"},
    {simple, "jdk.types.OldObjectRootType", 191, 215, "String type"},
    {plain, "jdk.types.OldObjectGcRoot", 192, 216,
     "String description; OldObjectRootSystem* system; OldObjectRootType* type"},
    {plain, "jdk.types.OldObjectArray", 193, 217, "int size; int index"},
    {plain, "jdk.types.OldObjectField", 194, 218, "String name; short modifiers"},
    {plain, "jdk.types.OldObject", 195, 219,
     "long address @Unsigned @MemoryAddress; Class* type; String description;"
     "Reference* referrer"},
    {plain, "jdk.types.Reference", 196, 220,
     "OldObjectArray* array; OldObjectField* field; OldObject* object; int skip"},
    {plain, "jdk.types.StackFrame", 197, 221,
     "Method* method; int lineNumber; int bytecodeIndex; FrameType* type"},
    {simple, "jdk.types.ChunkHeader", 198, 222, "byte[] payload"},
    {note, "jdk.jfr.Timespan", 1494, 1931, "String value"},
    {note, "jdk.jfr.Timestamp", 1503, 1934, "String value"},
    {note, "jdk.jfr.DataAmount", 1539, 1956, "String value"},
    {note, "jdk.jfr.Unsigned", 1528, 1941, ""},
    {note, "jdk.jfr.MemoryAddress", 1538, 1957, ""},
};

constexpr TypeRow jdk_events_rows[] = {
    {event, "jdk.ThreadPark", 5, 10,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace;"
     "Class* parkedClass; long timeout @Timespan(NANOSECONDS);"
     "long until @Timestamp(MILLISECONDS_SINCE_EPOCH); long address @Unsigned @MemoryAddress"},
    {event, "jdk.JavaMonitorEnter", 6, 11,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace;"
     "Class* monitorClass; Thread* previousOwner; long address @Unsigned @MemoryAddress"},
    {event, "jdk.JavaMonitorWait", 7, 12,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace;"
     "Class* monitorClass; Thread* notifier; long timeout @Timespan(MILLISECONDS);"
     "boolean timedOut; long address @Unsigned @MemoryAddress"},
    {event, "jdk.ThreadSleep", 4, 1871,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace;"
     "{long time @Timespan(MILLISECONDS)}<long time @Timespan(NANOSECONDS)>"},
    {event, "jdk.VirtualThreadPinned", absent, 24,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace;"
     "String blockingOperation; String pinnedReason; Thread* carrierThread"},
    {event, "jdk.ObjectAllocationInNewTLAB", 81, 94,
     "long startTime; Thread* eventThread; StackTrace* stackTrace; Class* objectClass;"
     "long allocationSize @Unsigned @DataAmount(BYTES); long tlabSize @Unsigned "
     "@DataAmount(BYTES)"},
    {event, "jdk.ObjectAllocationOutsideTLAB", 82, 95,
     "long startTime; Thread* eventThread; StackTrace* stackTrace; Class* objectClass;"
     "long allocationSize @Unsigned @DataAmount(BYTES)"},
    {event, "jdk.ObjectAllocationSample", 83, 96,
     "long startTime; Thread* eventThread; StackTrace* stackTrace; Class* objectClass;"
     "long weight @DataAmount(BYTES)"},
    {event, "jdk.OldObjectSample", 84, 97,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace;"
     "long allocationTime @Unsigned @Timestamp(TICKS);"
     "<long objectSize @Unsigned @DataAmount(BYTES);>"
     "long objectAge @Unsigned @Timespan(TICKS);"
     "long lastKnownHeapUsage @Unsigned @DataAmount(BYTES); OldObject* object;"
     "int arrayElements; OldObjectGcRoot* root"},
    {event, "jdk.DataLoss", 86, 101,
     "long startTime; long amount @Unsigned @DataAmount(BYTES);"
     "long total @Unsigned @DataAmount(BYTES)"},
    {event, "jdk.JVMInformation", 87, 102,
     "long startTime; String jvmName; String jvmVersion; String jvmArguments; String jvmFlags;"
     "String javaArguments; long jvmStartTime @Timestamp(MILLISECONDS_SINCE_EPOCH); long pid"},
    {event, "jdk.ExecutionSample", 109, 123,
     "long startTime; Thread* sampledThread; StackTrace* stackTrace; ThreadState* state"},
    {event, "jdk.NativeMethodSample", 110, 124,
     "long startTime; Thread* sampledThread; StackTrace* stackTrace; ThreadState* state"},
    {event, "jdk.CPUTimeSample", absent, 125,
     "long startTime; StackTrace* stackTrace; Thread* eventThread; boolean failed;"
     "long samplingPeriod @Unsigned @Timespan(TICKS); boolean biased"},
    {event, "jdk.CPUTimeSamplesLost", absent, 126,
     "long startTime; int lostSamples; Thread* eventThread"},
    {event, "jdk.FileRead", 1331, 1852,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace; String path;"
     "long bytesRead @DataAmount(BYTES); boolean endOfFile"},
    {event, "jdk.SocketRead", 1337, 1867,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace; String host;"
     "String address; int port; long timeout @Timespan(MILLISECONDS);"
     "long bytesRead @DataAmount(BYTES); boolean endOfStream"},
    {event, "jdk.JavaExceptionThrow", 1344, 1844,
     "long startTime; {long duration;} Thread* eventThread; StackTrace* stackTrace;"
     "String message; Class* thrownClass"},
    {event, "jdk.JavaErrorThrow", 1350, 1832,
     "long startTime; {long duration;} Thread* eventThread; StackTrace* stackTrace;"
     "String message; Class* thrownClass"},
    {event, "jdk.MethodTrace", absent, 1894,
     "long startTime; long duration; Thread* eventThread; StackTrace* stackTrace;"
     "Method* method"},
    {event, "jdk.ActiveSetting", 1353, 1508,
     "long startTime; {long duration; Thread* eventThread; StackTrace* stackTrace;} long id;"
     "String name; String value"},
    {event, "jdk.ActiveRecording", 1356, 1819,
     "long startTime; {long duration; Thread* eventThread; StackTrace* stackTrace;} long id;"
     "String name; String destination; <boolean disk;> long maxAge @Timespan(MILLISECONDS);"
     "long flushInterval @Timespan(MILLISECONDS); long maxSize @DataAmount(BYTES);"
     "long recordingStart @Timestamp(MILLISECONDS_SINCE_EPOCH);"
     "long recordingDuration @Timespan(MILLISECONDS)"},
};

constexpr TypeRow profiler_types_rows[] = {
    {plain, "boolean", 4, 4, ""},
    {plain, "char", 5, 5, ""},
    {plain, "float", 6, 6, ""},
    {plain, "double", 7, 7, ""},
    {plain, "byte", 8, 8, ""},
    {plain, "short", 9, 9, ""},
    {plain, "int", 10, 10, ""},
    {plain, "long", 11, 11, ""},
    {plain, "java.lang.String", 20, 20, ""},
    {plain, "java.lang.Class", 21, 21,
     "ClassLoader* classLoader; Symbol* name; Package* package; int modifiers"},
    {plain, "java.lang.Thread", 22, 22,
     "String osName; long osThreadId; String javaName; long javaThreadId"},
    {plain, "jdk.types.ClassLoader", 23, 23, "Class* type; Symbol* name"},
    {simple, "jdk.types.FrameType", 24, 24, "String description"},
    {simple, "jdk.types.ThreadState", 25, 25, "String name"},
    {plain, "jdk.types.StackTrace", 26, 26, "boolean truncated; StackFrame[] frames"},
    {plain, "jdk.types.StackFrame", 27, 27,
     "Method* method; int lineNumber; int bytecodeIndex; FrameType* type"},
    {plain, "jdk.types.Method", 28, 28,
     "Class* type; Symbol* name; Symbol* descriptor; int modifiers; boolean hidden"},
    {plain, "jdk.types.Package", 29, 30, "Symbol* name"},
    {simple, "jdk.types.Symbol", 30, 31, "String string"},
    {simple, "profiler.types.LogLevel", 31, 33, "String name"},
    {note, "jdk.jfr.Timestamp", 203, 204, "String value"},
    {note, "jdk.jfr.Timespan", 204, 205, "String value"},
    {note, "jdk.jfr.DataAmount", 205, 206, "String value"},
    {note, "jdk.jfr.MemoryAddress", 206, 207, ""},
    {note, "jdk.jfr.Unsigned", 207, 208, ""},
};

}  // namespace

std::span<const TypeRow> jdk_types() { return jdk_types_rows; }
std::span<const TypeRow> jdk_events() { return jdk_events_rows; }
std::span<const TypeRow> profiler_types() { return profiler_types_rows; }

}  // namespace jfrtree::test
