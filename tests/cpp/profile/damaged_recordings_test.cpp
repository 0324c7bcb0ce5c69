#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/error.hpp>
#include <jfrtree/event.hpp>
#include <jfrtree/input.hpp>
#include <jfrtree/profile.hpp>

#include "format/opened.hpp"
#include "profile/reading.hpp"
#include "support/hostile_recordings.hpp"
#include "support/scenarios.hpp"

namespace jfrtree::test {

namespace {

/// A small recording that has some of everything: stacks, threads, classes, and a string in each
/// encoding, with one array and one struct behind them.
Bytes small_recording() {
  StandardChunk chunk = async_profiler_2_chunk();
  chunk.types().declare(TypeKind::plain, "my.Pair", 4001, "int first; String second");
  chunk.types().declare(TypeKind::event, "my.Texts", 4000,
                        "long startTime @Timestamp(TICKS); String none; String empty; String* key; "
                        "String utf8; String utf16; String latin1; int[] numbers; Pair pair; "
                        "StackTrace* stackTrace");
  const std::uint64_t stack = chunk.stack({"Main.main", FrameSpec::of("Gr\xc3\xbc\xc3\x9f", "x")});
  const std::uint64_t thread = chunk.thread({.java_name = "main", .java_id = 1, .os_id = 5});
  for (int i = 0; i < 3; ++i) {
    chunk.execution_sample({.stack = stack, .thread = thread, .state = "STATE_RUNNABLE"});
  }
  chunk.allocation_in_new_tlab({.stack = stack,
                                .thread = thread,
                                .object_class = chunk.class_constant("[B"),
                                .allocation_size = 16,
                                .tlab_size = 1024});
  ByteWriter texts;
  texts.long_value(2000).null_string().string("", StringEncoding::empty);
  texts.key(chunk.string_constant("pooled")).string("h\xc3\xa9");
  texts.string("\xf0\x9f\x98\x80", StringEncoding::utf16)
      .string("\xc3\xa9", StringEncoding::latin1);
  texts.count(2).int_value(1).int_value(-1).int_value(7).string("second").key(stack);
  chunk.raw_event(4000, texts);
  return chunk.bytes();
}

/// How a reading ended, as the catalogue of hostile recordings counts it.
struct Reading {
  Outcome outcome = Outcome::fine;
  std::uint64_t samples = 0;
  std::string texts;
};

Reading read_from(Source source, const Bytes& bytes) {
  Reading reading;
  try {
    const ProfileSet set = read_profiles({{"damaged.jfr", input_of(bytes, source, {})}}, {});
    const bool has_problem =
        std::any_of(set.problems.begin(), set.problems.end(),
                    [](const Problem& found) { return found.severity == Severity::problem; });
    if (has_problem) reading.outcome = Outcome::problem;
    for (const Profile& profile : set.profiles) {
      const auto& events = profile.events;
      const bool has_samples =
          std::find(events.begin(), events.end(), "jdk.ExecutionSample") != events.end();
      if (has_samples) reading.samples += profile.event_count;
    }
    reading.texts = documents_of(set);
  } catch (const Error& error) {
    reading.outcome = Outcome::error;
    reading.texts = std::string(error_code_name(error.code())) + ": " + error.problem().message;
  }
  return reading;
}

/// Takes every field of every event, constants included.
void read_values(const Bytes& bytes) {
  const Opened opened(bytes);
  for (std::size_t chunk = 0; chunk < opened.chunks.size(); ++chunk) {
    for (const Event& event : opened.events(chunk)) {
      for (std::size_t i = 0; i < event.size(); ++i) {
        const Value value = event[i].resolve();
        (void)value.text();
        for (std::size_t k = 0; k < std::min<std::size_t>(value.size(), 8); ++k) {
          (void)value[k].text();
        }
      }
      (void)event.at("stackTrace.frames.0.method.type.name").text();
    }
  }
}

/// Reads damaged bytes in all ways; what is not as it should be, or nothing.
std::string fault_of(const Bytes& bytes, bool is_noticed_always) {
  read_values(bytes);
  const Reading memory = read_from(Source::memory, bytes);
  const Reading stream = read_from(Source::stream, bytes);
  if (memory.outcome != stream.outcome || memory.texts != stream.texts) {
    return "memory: " + to_string(memory.outcome) + ", stream: " + to_string(stream.outcome);
  }
  if (memory.outcome == Outcome::error && memory.texts.empty()) return "an error without a text";
  if (is_noticed_always && memory.outcome == Outcome::fine) return "nothing was said";
  return {};
}

}  // namespace

TEST_CASE("damage: the small recording is healthy") {
  const Bytes bytes = small_recording();
  CHECK(bytes.size() < 6000);
  const Reading reading = read_from(Source::memory, bytes);
  CHECK(reading.outcome == Outcome::fine);
  CHECK(reading.samples == 3);
  const Opened opened(bytes);
  const Event texts = opened.event(4);
  CHECK(texts["none"].is_null());
  CHECK(texts["empty"].kind() == Value::Kind::string);
  CHECK(texts["key"].text() == "pooled");
  CHECK(texts["utf8"].text() == "h\xc3\xa9");
  CHECK(texts["utf16"].text() == "\xf0\x9f\x98\x80");
  CHECK(texts["latin1"].text() == "\xc3\xa9");
  CHECK(texts.at("numbers.1").integer() == -1);
  CHECK(texts.at("pair.second").text() == "second");
}

TEST_CASE("damage: a recording cut at any byte is read up to there and said to be cut") {
  const Bytes bytes = small_recording();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const std::string fault = fault_of(cut, true);
    CHECK_MESSAGE(fault.empty(), "cut at ", size, ": ", fault);
  }
}

TEST_CASE("damage: a flipped bit at any byte ends in samples, a problem or an error") {
  const Bytes bytes = small_recording();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    // The highest bit makes integers longer or shorter; the others take turns.
    for (const unsigned bit : {7U, static_cast<unsigned>(at % 7)}) {
      Bytes flipped = bytes;
      flipped[at] ^= static_cast<std::byte>(1U << bit);
      const std::string fault = fault_of(flipped, false);
      CHECK_MESSAGE(fault.empty(), "bit ", bit, " of byte ", at, ": ", fault);
    }
  }
}

TEST_CASE("damage: hostile recordings end as the catalogue says") {
  for (const HostileRecording& hostile : hostile_recordings()) {
    const Bytes bytes = hostile.build();
    const Reading reading = read_from(Source::memory, bytes);
    const std::string name(hostile.name);
    CHECK_MESSAGE(allows(hostile.expected, reading.outcome), name, ": ", to_string(reading.outcome),
                  ", expected ", to_string(hostile.expected), "; ", reading.texts.substr(0, 200));
    if (reading.outcome == Outcome::error) continue;
    CHECK_MESSAGE(reading.samples >= hostile.samples_at_least, name, ": ", reading.samples);
    CHECK_MESSAGE(reading.samples <= hostile.samples_at_most, name, ": ", reading.samples);
  }
}

TEST_CASE("damage: a deep stack with many classes ends at the limit profile_frames") {
  StandardChunk chunk = jdk17_chunk();
  const std::uint64_t stack = chunk.stack(std::vector<FrameSpec>(1000, FrameSpec("Deep.call")));
  for (int i = 0; i < 20; ++i) {
    const std::string name = "Class" + std::to_string(i);
    chunk.allocation_sample({.stack = stack, .object_class = chunk.class_constant(name)});
  }
  ReadOptions options;
  options.limits.profile_frames = 20 * 1001;
  CHECK(read({chunk.bytes()}, {}, options).find("alloc")->stacks.size() == 20);
  options.limits.profile_frames = 19 * 1001;
  try {
    (void)read({chunk.bytes()}, {}, options);
    FAIL("no error");
  } catch (const LimitError& error) {
    CHECK(error.problem().message.find("--limit profile_frames=") != std::string::npos);
  }
}

TEST_CASE("damage: texts of frames end at the limit frame_bytes") {
  ReadOptions options;
  options.limits.frame_bytes = 9 + 9;  // Main.main and Main.idle
  options.limits.frame_bytes += 8;     // Main.run
  CHECK(read({three_samples().bytes()}, {}, options).find("cpu")->count == 3);
  options.limits.frame_bytes -= 1;
  CHECK_THROWS_AS((void)read({three_samples().bytes()}, {}, options), LimitError);
}

}  // namespace jfrtree::test
