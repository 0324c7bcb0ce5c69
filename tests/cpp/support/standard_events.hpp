#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace jfrtree::test {

/// One frame of a stack, given as "pkg.Class.method" or by parts:
///
///   chunk.stack({"Main.main", FrameSpec("Main.run").line(42), FrameSpec::native("read",
///   "libc.so.6")})
class FrameSpec {
 public:
  FrameSpec(const char* class_and_method) : FrameSpec(std::string_view(class_and_method)) {}
  FrameSpec(const std::string& class_and_method) : FrameSpec(std::string_view(class_and_method)) {}

  /// Class in internal form (`a/B`), exactly as it is to be stored.
  static FrameSpec of(std::string_view internal_class_name, std::string_view method_name);

  /// A frame as async-profiler writes native code: the class is the library.
  static FrameSpec native(std::string_view symbol, std::string_view library = "");

  FrameSpec& line(std::int32_t value) { return line_number = value, *this; }
  FrameSpec& bci(std::int32_t value) { return bytecode_index = value, *this; }
  FrameSpec& type(std::string_view value) { return frame_type = value, *this; }
  FrameSpec& signature(std::string_view value) { return descriptor = value, *this; }
  FrameSpec& hidden() { return is_hidden = true, *this; }

  std::string class_name;
  std::string method_name;
  std::string descriptor = "()V";
  std::int32_t line_number = 1;
  std::int32_t bytecode_index = 0;
  std::string frame_type = "JIT compiled";
  std::int32_t modifiers = 1;
  bool is_hidden = false;

 private:
  explicit FrameSpec(std::string_view class_and_method);
  FrameSpec() = default;
};

struct StackSpec {
  bool truncated = false;
  std::optional<std::uint64_t> key = std::nullopt;
};

/// Names are null when absent, not empty.
struct ThreadSpec {
  std::optional<std::string> java_name = std::nullopt;
  std::optional<std::string> os_name = std::nullopt;
  std::int64_t java_id = 0;
  std::int64_t os_id = 0;
  bool is_virtual = false;
  std::optional<std::uint64_t> key = std::nullopt;
};

// Fields of the usual events. `stack`, `thread` and classes are keys of constants, 0 is null;
// `state` is the name of a thread state; without `start_ticks` an event starts with its chunk.

struct SampleFields {
  std::uint64_t stack = 0;
  std::uint64_t thread = 0;
  std::string_view state = {};
  std::optional<std::int64_t> start_ticks = std::nullopt;
  std::int64_t weight = 1;
};

struct WallClockSampleFields {
  std::uint64_t stack = 0;
  std::uint64_t thread = 0;
  std::string_view state = {};
  std::optional<std::int64_t> start_ticks = std::nullopt;
  std::int32_t samples = 1;
  std::int64_t time_span_ticks = 0;
};

struct CpuTimeSampleFields {
  std::uint64_t stack = 0;
  std::uint64_t thread = 0;
  std::optional<std::int64_t> start_ticks = std::nullopt;
  bool failed = false;
  std::int64_t sampling_period_ticks = 0;
  bool biased = false;
};

struct AllocationFields {
  std::uint64_t stack = 0;
  std::uint64_t thread = 0;
  std::uint64_t object_class = 0;
  std::int64_t allocation_size = 0;  // also the size of a Datadog sample
  std::int64_t tlab_size = 0;
  double weight = 0;
  std::optional<std::int64_t> start_ticks = std::nullopt;
};

struct BlockingFields {
  std::uint64_t stack = 0;
  std::uint64_t thread = 0;
  std::uint64_t monitor_class = 0;  // of a park: the class of the blocker
  std::int64_t duration_ticks = 0;
  std::uint64_t other_thread = 0;  // previous owner or notifier
  std::int64_t address = 0;
  std::optional<std::int64_t> start_ticks = std::nullopt;
};

struct SettingFields {
  std::string_view event = {};  // name of the event type; none: id 0
  std::string name = {};
  std::string value = {};
  std::optional<std::int64_t> start_ticks = std::nullopt;
};

struct JvmFields {
  std::string name = "OpenJDK 64-Bit Server VM";
  std::string version = "OpenJDK 64-Bit Server VM";
  std::string arguments = {};
  std::int64_t start_millis = 1'700'000'000'000;
  std::int64_t pid = 1;
};

}  // namespace jfrtree::test
