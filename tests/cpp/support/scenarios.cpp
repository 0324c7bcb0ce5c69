#include "support/scenarios.hpp"

#include <stdexcept>

namespace jfrtree::test {

namespace {

StandardChunk with_three_samples(StandardChunk chunk) {
  const std::uint64_t run = chunk.stack({"Main.main", FrameSpec("Main.run").line(42).bci(7)});
  const std::uint64_t idle = chunk.stack({"Main.main", "Main.idle"});
  const std::uint64_t thread =
      chunk.thread({.java_name = "main", .os_name = "main", .java_id = 1, .os_id = 12289});
  const auto sample = [&](std::uint64_t stack, std::int64_t ticks) {
    chunk.execution_sample(
        {.stack = stack, .thread = thread, .state = "STATE_RUNNABLE", .start_ticks = ticks});
  };
  sample(run, 2000);
  sample(idle, 3000);
  sample(run, 4000);
  return chunk;
}

Bytes usual(Producer producer) {
  StandardChunk chunk(producer);
  add_usual_events(chunk, producer);
  return chunk.bytes();
}

Bytes joined_jvms() {
  // Equal metadata ids and keys, other names, other clocks.
  const auto chunk_of = [](const char* leaf, std::int64_t ticks_per_second) {
    auto chunk = jdk17_chunk().ticks_per_second(ticks_per_second);
    const std::uint64_t stack = chunk.stack({"Main.main", leaf});
    chunk.execution_sample({.stack = stack, .start_ticks = 2000});
    return chunk.bytes();
  };
  return RecordingWriter()
      .add(chunk_of("Main.first", 1'600'000'000))
      .add(chunk_of("Main.second", 3'400'000'000))
      .bytes();
}

Bytes jdk_and_profiler() {
  return RecordingWriter().add(three_samples()).add(three_profiler_samples()).bytes();
}

Bytes fixed_width() {
  StandardChunk chunk(Producer::jdk17, IntegerEncoding::fixed_width);
  return with_three_samples(chunk).bytes();
}

Bytes several_checkpoints() {
  auto chunk = jdk17_chunk();
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t stack = chunk.stack({"Main.main", "Main.step" + std::to_string(i)});
    chunk.execution_sample({.stack = stack, .start_ticks = 2000 + i});
    chunk.flush();
  }
  return chunk.bytes();
}

Bytes no_samples() {
  auto chunk = jdk17_chunk();
  chunk.active_setting({.event = "jdk.ExecutionSample", .name = "period", .value = "20 ms"});
  return chunk.bytes();
}

Bytes deep_stack() {
  auto chunk = async_profiler_4_chunk();
  std::vector<FrameSpec> frames;
  frames.reserve(100'000);
  for (int i = 0; i < 100'000; ++i) frames.emplace_back(i % 2 == 0 ? "Deep.even" : "Deep.odd");
  const std::uint64_t stack = chunk.stack(frames);
  chunk.execution_sample({.stack = stack, .state = "STATE_DEFAULT"});
  return chunk.bytes();
}

Bytes odd_names() {
  auto chunk = jdk25_chunk();
  const std::vector<FrameSpec> leaves{
      FrameSpec::of("Main", "<init>"),
      FrameSpec::of("Main", "</script>"),
      FrameSpec::of("Main", "quote\"back\\slash\ttab\nline"),
      FrameSpec::of("Main", std::string_view("nul\0byte", 8)),
      FrameSpec::of("Main", "h\xc3\xa9llo\xf0\x9f\x98\x80"),
      FrameSpec::of("Main", "semi;colon 12"),
      FrameSpec::of("Main", "surrogate\xed\xa0\x80"),
      FrameSpec::native("libpthread-2.17.so;649be141 (deleted)"),
  };
  std::int64_t ticks = 2000;
  for (const FrameSpec& leaf : leaves) {
    const std::uint64_t stack = chunk.stack({"Main.main", leaf});
    chunk.execution_sample({.stack = stack, .start_ticks = ticks++});
  }
  return chunk.bytes();
}

struct UsualConstants {
  std::uint64_t stack;
  std::uint64_t main;
  std::uint64_t worker;
  std::uint64_t string_class;
  std::uint64_t byte_array;
};

void add_datadog_events(StandardChunk& chunk, const UsualConstants& constants) {
  chunk.method_sample(
      {.stack = constants.stack, .thread = constants.worker, .state = "PARKED", .weight = 3});
  chunk.object_sample({.stack = constants.stack,
                       .thread = constants.main,
                       .object_class = constants.byte_array,
                       .allocation_size = 1024,
                       .weight = 2.5,
                       .start_ticks = 2100});
}

void add_allocations(StandardChunk& chunk, Producer producer, const UsualConstants& constants) {
  const AllocationFields allocation{.stack = constants.stack,
                                    .thread = constants.main,
                                    .object_class = constants.byte_array,
                                    .allocation_size = 1024,
                                    .tlab_size = 65536,
                                    .weight = 4096,
                                    .start_ticks = 2100};
  chunk.allocation_in_new_tlab(allocation).allocation_outside_tlab(allocation);
  if (producer == Producer::jdk17 || producer == Producer::jdk25) {
    chunk.allocation_sample(allocation);
  }
}

void add_other_events(StandardChunk& chunk, Producer producer, const UsualConstants& constants) {
  const std::uint64_t stack = constants.stack;
  const BlockingFields blocked{.stack = stack,
                               .thread = constants.main,
                               .monitor_class = constants.string_class,
                               .duration_ticks = 500,
                               .other_thread = constants.worker,
                               .address = 0x7f0000001000,
                               .start_ticks = 2200};
  chunk.monitor_enter(blocked).thread_park(blocked);
  if (is_jdk(producer)) {
    chunk.monitor_wait(blocked);
    chunk.native_method_sample({.stack = stack, .thread = constants.worker, .start_ticks = 2300});
  }
  if (producer == Producer::jdk25) {
    chunk.cpu_time_sample(
        {.stack = stack, .thread = constants.main, .sampling_period_ticks = 10'000'000});
    chunk.cpu_time_sample({.thread = constants.main, .failed = true});
  }
  if (producer == Producer::async_profiler_4) {
    chunk.wall_clock_sample({.stack = stack,
                             .thread = constants.worker,
                             .state = "STATE_SLEEPING",
                             .samples = 7,
                             .time_span_ticks = 70'000'000});
  }
}

constexpr Scenario all_scenarios[] = {
    {"minimal", "one event my.Ev, 525 bytes", [] { return minimal_chunk().bytes(); }},
    {"three_samples", "JDK 17: 3 execution samples on 2 stacks",
     [] { return three_samples().bytes(); }},
    {"jdk9", "format 1.0: one event of each usual type", [] { return usual(Producer::jdk9); }},
    {"jdk17", "one event of each usual type", [] { return usual(Producer::jdk17); }},
    {"jdk25", "one event of each usual type", [] { return usual(Producer::jdk25); }},
    {"async_profiler_2", "one event of each usual type",
     [] { return usual(Producer::async_profiler_2); }},
    {"async_profiler_4", "one event of each usual type",
     [] { return usual(Producer::async_profiler_4); }},
    {"datadog", "one event of each usual type", [] { return usual(Producer::datadog); }},
    {"joined_jvms", "2 chunks of two JVMs: equal ids and keys, other names and clocks",
     joined_jvms},
    {"jdk_and_profiler", "2 chunks: JDK 17 and async-profiler 2, 3 samples each", jdk_and_profiler},
    {"fixed_width", "integers not compressed: 3 execution samples", fixed_width},
    {"several_checkpoints", "100 samples, each with a checkpoint of its own", several_checkpoints},
    {"no_samples", "JDK 17: one setting and nothing else", no_samples},
    {"deep_stack", "1 sample with 100000 frames", deep_stack},
    {"odd_names", "8 samples whose leaf frames hold what outputs must escape", odd_names},
};

}  // namespace

StandardChunk three_samples() { return with_three_samples(jdk17_chunk()); }

StandardChunk three_profiler_samples() { return with_three_samples(async_profiler_2_chunk()); }

ChunkWriter minimal_chunk() {
  Element timestamp = annotation_class("jdk.jfr.Timestamp", 5);
  timestamp.child(field("value", 4));
  Element symbol = simple_class("my.Sym", 6);
  symbol.child(field("string", 4));
  Element start_time = field("startTime", 2);
  start_time.child(annotation(5, "TICKS"));
  Element event = event_class("my.Ev", 100);
  event.child(start_time).child(field("s", 4)).child(field("n", 3));
  event.child(field("sym", 6, {.constant_pool = true}));

  ChunkWriter chunk;
  chunk.event(100, ByteWriter().long_value(2000).string("hi").int_value(-5).key(1));
  chunk.checkpoint({.pools = {Pool{6}.entry(1, ByteWriter().string("one"))}});
  chunk.metadata(metadata_root({class_element("long", 2), class_element("int", 3),
                                class_element("java.lang.String", 4), timestamp, symbol, event},
                               region("en_US", "0")));
  return chunk;
}

std::span<const Scenario> scenarios() { return all_scenarios; }

Bytes scenario(std::string_view name) {
  for (const Scenario& candidate : scenarios()) {
    if (candidate.name == name) return candidate.build();
  }
  throw std::out_of_range("no scenario " + std::string(name));
}

void add_usual_events(StandardChunk& chunk, Producer producer) {
  const bool is_datadog = producer == Producer::datadog;
  const UsualConstants constants{
      .stack = chunk.stack(
          {"com.example.Main.main", FrameSpec("com.example.Worker.run").line(42).bci(7)}),
      .main = chunk.thread({.java_name = "main", .os_name = "main", .java_id = 1, .os_id = 12289}),
      .worker = chunk.thread(
          {.java_name = "worker-1", .os_name = "worker-1", .java_id = 30, .os_id = 12290}),
      .string_class = chunk.class_constant("java/lang/String"),
      .byte_array = chunk.class_constant("[B")};
  chunk.jvm_information({.pid = 12288});
  chunk.active_setting({.event = is_datadog ? "datadog.ExecutionSample" : "jdk.ExecutionSample",
                        .name = is_jdk(producer) ? "period" : "interval",
                        .value = is_jdk(producer) ? "20 ms" : "10000000"});
  chunk.execution_sample({.stack = constants.stack,
                          .thread = constants.main,
                          .state = is_datadog ? "RUNNABLE" : "STATE_RUNNABLE",
                          .start_ticks = 2000});
  if (is_datadog) {
    add_datadog_events(chunk, constants);
  } else {
    add_allocations(chunk, producer, constants);
    add_other_events(chunk, producer, constants);
  }
}

}  // namespace jfrtree::test
