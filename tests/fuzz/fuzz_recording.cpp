// Reads arbitrary bytes in every way the library offers. Errors that the library throws on purpose
// are fine; anything else, a result that depends on how the bytes arrive, and a broken tree are
// not.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jfrtree/call_tree.hpp>
#include <jfrtree/chunk.hpp>
#include <jfrtree/error.hpp>
#include <jfrtree/event.hpp>
#include <jfrtree/export.hpp>
#include <jfrtree/input.hpp>
#include <jfrtree/output.hpp>
#include <jfrtree/profile.hpp>
#include <jfrtree/summary.hpp>

namespace {

using namespace jfrtree;

using Bytes = std::span<const std::byte>;

/// Prints what was wrong and stops the process, which is how a fuzzer is told.
void expect(bool is_true, std::string_view what) {
  if (is_true) return;
  std::cerr << "fuzz_recording: " << what << std::endl;
  std::abort();
}

/// Limits that hostile inputs reach soon; those on sizes stay above what is fed in, since a memory
/// input is not read chunk by chunk.
Limits small_limits() {
  Limits limits;
  limits.decompressed_bytes = std::uint64_t{4} << 20;
  limits.chunk_bytes = std::uint64_t{8} << 20;
  limits.pool_entries = 1 << 16;
  limits.string_bytes = 1 << 12;
  limits.stack_frames = 1 << 10;
  limits.metadata_depth = 16;
  limits.metadata_elements = 1 << 16;
  limits.profile_frames = 1 << 20;
  limits.frame_bytes = 1 << 22;
  limits.tree_nodes = 1 << 18;
  return limits;
}

/// Choices that come with the input: bytes of a chunk header that mean nothing to a reader, so that
/// any recording is a seed as it is.
class Choices {
 public:
  explicit Choices(Bytes input) {
    constexpr std::size_t padding = 65;
    if (input.size() > padding + 1) {
      bits_ = std::to_integer<unsigned>(input[padding]) |
              std::to_integer<unsigned>(input[padding + 1]) << 8;
    }
  }

  [[nodiscard]] bool flag(unsigned number) const noexcept { return (bits_ >> number & 1U) != 0; }

  [[nodiscard]] FrameOptions frames() const {
    FrameOptions options;
    options.by_thread = flag(0);
    options.lines = flag(1);
    options.libraries = flag(2);
    options.simple = flag(3);
    options.normalize = flag(4);
    options.hide_hidden = flag(5);
    if (flag(6)) options.class_leaf = flag(7);
    options.truncated_frame = !flag(8);
    return options;
  }
  [[nodiscard]] bool with_html() const noexcept { return flag(9); }
  [[nodiscard]] bool is_strict() const noexcept { return flag(10); }
  [[nodiscard]] std::size_t number() const noexcept { return bits_ >> 11; }

 private:
  unsigned bits_ = 0;
};

ReadOptions read_options(const Choices& choices, unsigned threads) {
  ReadOptions options;
  options.limits = small_limits();
  options.strict = choices.is_strict();
  options.threads = threads;
  return options;
}

std::vector<Source> from_memory(Bytes bytes) {
  return {Source{"memory", memory_input(bytes, "memory", small_limits())}};
}

/// The same bytes in pieces of changing size, as a pipe brings them.
std::vector<Source> from_stream(Bytes bytes) {
  auto read = [bytes, step = std::size_t{0}](std::span<std::byte> buffer) mutable {
    const std::size_t count = std::min({1 + step++ * 977 % 4096, buffer.size(), bytes.size()});
    if (count > 0) std::memcpy(buffer.data(), bytes.data(), count);
    bytes = bytes.subspan(count);
    return count;
  };
  return {Source{"memory", stream_input(std::move(read), "memory", small_limits())}};
}

/// Runs something that may throw an error of the library; the code of the error, if one was thrown.
template <typename Action>
std::optional<ErrorCode> error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    expect(error.what()[0] != '\0', "an error says nothing");
    return error.code();
  }
  return std::nullopt;
}

/// Looks at values as far as a number of steps allows.
class ValueVisitor {
 public:
  void visit(const Event& event) {
    (void)event.start_ns();
    (void)event.duration_ns();
    (void)event.at("stackTrace.frames.0.method.type.name").text();
    for (std::size_t i = 0; i < event.size(); ++i) visit(event[i], 0);
  }

  void visit(const Value& value, int depth) {
    constexpr std::size_t max_elements = 24;
    constexpr int max_depth = 10;
    if (++steps_ > max_steps || depth > max_depth) return;
    (void)value.integer();
    (void)value.number();
    (void)value.text();
    const bool is_struct = value.kind() == Value::Kind::structure;
    expect(!is_struct || value.type() != nullptr, "a struct without a type");
    if (value.kind() == Value::Kind::reference) visit(value.resolve(), depth + 1);
    const std::size_t size = std::min(value.size(), max_elements);
    for (std::size_t i = 0; i < size; ++i) {
      if (is_struct) (void)value[value.type()->fields[i].name];
      visit(value[i], depth + 1);
    }
    const bool has_end = value.kind() != Value::Kind::reference;
    expect(!has_end || value[value.size()].is_null(), "an element behind the end");
  }

  [[nodiscard]] bool is_done() const noexcept { return steps_ > max_steps; }

 private:
  static constexpr std::size_t max_steps = 4000;
  std::size_t steps_ = 0;
};

void read_values(Bytes bytes) {
  const auto input = memory_input(bytes, "memory", small_limits());
  ChunkReader reader(*input, small_limits());
  while (const auto chunk = reader.next()) {
    ValueVisitor visitor;
    for (const RawEvent& raw_event : *chunk) {
      if (visitor.is_done()) break;
      visitor.visit(Event(*chunk, raw_event));
    }
    for (const Type& type : chunk->metadata().types()) {
      if (visitor.is_done()) break;
      for (std::uint64_t key = 0; key < 4; ++key) {
        visitor.visit(find_constant(*chunk, type.id, ConstantKey{key}), 0);
      }
    }
  }
  (void)reader.problems();
}

class NullOutput final : public Output {
 public:
  void write(std::string_view) override {}
  void commit() override {}
};

std::string collapsed_text(const Profile& profile) {
  std::string text;
  const auto output = string_output(text);
  write_collapsed(*output, profile, profile.default_sample_type);
  return text;
}

/// What a read gave, in a form that can be compared.
struct ReadResult {
  std::optional<ErrorCode> error;
  ProfileSet set;
  std::vector<std::pair<std::string, std::string>> texts;

  [[nodiscard]] bool operator==(const ReadResult& other) const {
    return error == other.error && texts == other.texts;
  }
};

ReadResult read(std::vector<Source> sources, const ProfileRequest& request,
                const ReadOptions& options) {
  ReadResult result;
  result.error =
      error_of([&] { result.set = read_profiles(std::move(sources), request, options); });
  for (const Profile& profile : result.set.profiles) {
    result.texts.emplace_back(profile.kind, collapsed_text(profile));
  }
  return result;
}

void write_all(const Profile& profile, const Choices& choices) {
  NullOutput output;
  for (const FormatDescription& format : format_descriptions()) {
    if (format.format == Format::html && !choices.with_html()) continue;
    ExportOptions options;
    options.reverse = choices.flag(0);
    options.max_nodes = choices.number();
    (void)error_of([&] { write_profiles(output, {&profile, 1}, format.format, options); });
  }
}

void build_trees(const Profile& profile, const Choices& choices) {
  for (const bool reverse : {false, true}) {
    const CallTree tree = build_call_tree(profile, reverse, small_limits().tree_nodes);
    tree.check();
    expect(tree.total[0][0] == profile.count, "the root is not the sum of all samples");
    PruneOptions options;
    options.sample_type = profile.default_sample_type;
    options.max_nodes = 1 + choices.number();
    options.keep_ties = reverse;
    const CallTree pruned = prune(tree, options);
    pruned.check();
    expect(pruned.total[0][0] == tree.total[0][0], "pruning changed the total");
  }
  (void)method_sums(profile, profile.default_sample_type);
}

/// Collapsed stacks that were written are read back as they were.
void read_back(const std::string& text, const Choices& choices) {
  if (text.empty()) return;
  const auto bytes = std::as_bytes(std::span(text));
  Limits limits = small_limits();
  limits.string_bytes = text.size();  // a line is longer than each of its frames
  limits.stack_frames = text.size();
  ReadOptions options = read_options(choices, 1);
  options.limits = limits;
  const ReadResult again = read({Source{"text", memory_input(bytes, "text", limits)}}, {}, options);
  expect(!again.error && again.texts.size() == 1, "collapsed stacks cannot be read back");
  expect(again.texts[0].second == text, "collapsed stacks read back differ");
}

void read_all_profiles(Bytes bytes, const Choices& choices) {
  ProfileRequest request;
  request.frames = choices.frames();
  request.leak = choices.flag(1);
  const ReadResult result = read(from_memory(bytes), request, read_options(choices, 1));
  expect(result == read(from_stream(bytes), request, read_options(choices, 1)),
         "a stream gives another result than memory");
  expect(result == read(from_memory(bytes), request, read_options(choices, 2)),
         "two threads give another result than one");
  for (std::size_t i = 0; i < result.set.profiles.size(); ++i) {
    const Profile& profile = result.set.profiles[i];
    (void)error_of([&] { build_trees(profile, choices); });
    write_all(profile, choices);
    read_back(result.texts[i].second, choices);
  }
  const auto& events = result.set.event_types_with_stacks;
  if (events.empty()) return;
  request.leak = false;
  request.event = events[choices.number() % events.size()];
  (void)read(from_memory(bytes), request, read_options(choices, 1));
}

FilterOptions filters(const Choices& choices) {
  FilterOptions options;
  if (choices.flag(11)) options.from = {{TimePoint::Base::recording_start, 1'000'000}};
  if (choices.flag(12)) options.to = {{TimePoint::Base::recording_end, -1'000'000}};
  if (choices.flag(13)) options.threads = {"main|[0-9]$"};
  if (choices.flag(14)) options.focus = {"[A-M]"};
  if (choices.flag(15)) options.spans = {"."};
  if (choices.flag(0)) options.min_duration_ns = 1;
  if (choices.flag(1)) options.states = {"RUNNABLE"};
  if (choices.flag(2)) options.context = {{"spanId", "1"}, {"traceId", "0"}};
  if (choices.flag(3)) options.exclude = {"^java"};
  if (choices.flag(4)) options.skip = 2;
  if (choices.flag(5)) options.depth = 3;
  return options;
}

[[nodiscard]] std::uint64_t sum_of_counts(const ProfileSet& set) {
  std::uint64_t sum = 0;
  for (const Profile& profile : set.profiles)
    sum += profile.kind == "collapsed" ? 0 : profile.count;
  return sum;
}

void read_filtered(Bytes bytes, const Choices& choices) {
  ProfileRequest request;
  request.frames = choices.frames();
  request.frames.fold_thread_names = choices.flag(12);
  request.filters = filters(choices);
  const ReadResult result = read(from_memory(bytes), request, read_options(choices, 1));
  expect(result == read(from_stream(bytes), request, read_options(choices, 1)),
         "a stream gives another result under filters");
  expect(result == read(from_memory(bytes), request, read_options(choices, 2)),
         "two threads give another result under filters");
  // Two ranges that meet hold each sample once.
  const ReadResult all = read(from_memory(bytes), {}, read_options(choices, 1));
  constexpr std::uint64_t most = std::uint64_t{1} << 60;  // sums that do not saturate
  if (all.error || !all.set.start_ns || sum_of_counts(all.set) > most) return;
  const TimePoint middle{TimePoint::Base::epoch, *all.set.start_ns};
  ProfileRequest before;
  before.filters.to = {middle};
  ProfileRequest after;
  after.filters.from = {middle};
  const ReadResult first = read(from_memory(bytes), before, read_options(choices, 1));
  const ReadResult second = read(from_memory(bytes), after, read_options(choices, 1));
  // An event may end before the field that tells its time.
  const auto is_bad = [](const Problem& problem) { return problem.code == ErrorCode::bad_event; };
  if (std::ranges::any_of(first.set.problems, is_bad)) return;
  expect(sum_of_counts(first.set) + sum_of_counts(second.set) == sum_of_counts(all.set),
         "two time ranges are not the whole");
}

void read_summaries(Bytes bytes, const Choices& choices) {
  const ReadOptions options = read_options(choices, 1);
  RecordingSummary full;
  RecordingSummary quick;
  const auto full_error = error_of([&] { full = summarize(from_memory(bytes), false, options); });
  const auto quick_error = error_of([&] { quick = summarize(from_memory(bytes), true, options); });
  // Without its pools a chunk has fewer problems, so that a strict reading ends later.
  if (options.strict) return;
  expect(full_error == quick_error, "a quick summary ends in another error");
  expect(full.events == quick.events, "a quick summary counts other events");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes bytes = std::as_bytes(std::span(data, size));
  const Choices choices(bytes);
  (void)error_of([&] { read_values(bytes); });
  (void)error_of([&] { read_all_profiles(bytes, choices); });
  (void)error_of([&] { read_filtered(bytes, choices); });
  (void)error_of([&] { read_summaries(bytes, choices); });
  return 0;
}
