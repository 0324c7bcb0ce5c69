#include "bench_data.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "format/record_walk.hpp"
#include "format/varint.hpp"
#include "profile/stack_sort.hpp"

namespace jfrtree::bench {

void count_work(benchmark::State& state, std::size_t items, std::size_t bytes) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void append_varint(std::vector<std::uint8_t>& bytes, std::uint64_t value) {
  std::size_t length = 1;
  for (; value >= 0x80 && length < internal::max_varint_bytes; ++length) {
    bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
    value >>= 7;
  }
  bytes.push_back(static_cast<std::uint8_t>(value));
}

std::vector<std::byte> read_testdata(const std::string& name) {
  const std::string path = std::string(JFRTREE_TESTDATA_DIR) + "/" + name;
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file || bytes.empty()) throw std::runtime_error("cannot read " + path);
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  return {begin, begin + bytes.size()};
}

std::vector<std::byte> with_repeated_events(const std::vector<std::byte>& recording,
                                            unsigned times) {
  std::vector<std::byte> repeated = recording;
  for (unsigned copy = 1; copy < times; ++copy) {
    internal::walk_records(recording, true, [&](const internal::Record& record) {
      if (record.type == internal::metadata_record || record.type == internal::checkpoint_record) {
        return;
      }
      const std::byte* const begin = recording.data() + record.offset;
      repeated.insert(repeated.end(), begin, begin + record.size);
    });
  }
  // The size of the chunk stands at byte 8 of its header, big-endian.
  for (unsigned i = 0; i < 8; ++i) {
    repeated[8 + i] = static_cast<std::byte>(repeated.size() >> 8 * (7 - i) & 0xFF);
  }
  return repeated;
}

OpenChunk::OpenChunk(std::vector<std::byte> bytes)
    : bytes_(std::move(bytes)),
      input_(memory_input(bytes_, "benchmark")),
      reader_(*input_),
      chunk_(reader_.next()) {
  if (!chunk_) throw std::runtime_error("the recording has no chunk");
}

RandomStacks random_stacks(std::size_t count, std::uint32_t max_depth, std::uint32_t methods) {
  std::mt19937_64 random = fixed_random();
  RandomStacks result;
  result.stacks.resize(count);
  for (StackSum& stack : result.stacks) {
    stack.first_frame = result.frames.size();
    stack.frame_count = 1 + static_cast<std::uint32_t>(random() % max_depth);
    stack.has_value = true;
    stack.count = 1 + random() % 9;
    stack.value = random() % 100'000;
    for (std::uint32_t i = 0; i < stack.frame_count; ++i) {
      // A program chooses between few callees at each call, and has more methods further down.
      const std::uint64_t callee = (std::uint64_t{i} / 8 * 7 + random() % 3) % methods;
      result.frames.push_back(FrameId{static_cast<std::uint32_t>(callee)});
    }
  }
  return result;
}

Profile random_profile(std::size_t count, std::uint32_t max_depth, std::uint32_t methods) {
  RandomStacks stacks = random_stacks(count, max_depth, methods);
  const auto texts = std::make_shared<std::vector<std::string>>();
  for (std::uint32_t i = 0; i < methods; ++i) {
    texts->push_back("com.example.service.Interpreter.evaluate" + std::to_string(10'000 + i));
  }
  std::vector<std::string_view> views(texts->begin(), texts->end());
  Profile profile;
  profile.kind = "alloc";
  profile.sample_types = {{"alloc_objects", "count"}, {"alloc_space", "bytes"}};
  profile.default_sample_type = 1;
  profile.frame_table = std::make_shared<const FrameTable>(std::move(views), texts);
  std::uint64_t value = 0;
  for (const StackSum& stack : stacks.stacks) {
    profile.count += stack.count;
    value += stack.value;
  }
  profile.event_count = profile.count;
  profile.value = value;
  internal::sort_stacks(stacks.stacks, stacks.frames, methods);
  profile.stacks = std::move(stacks.stacks);
  profile.frame_ids = std::make_shared<const std::vector<FrameId>>(std::move(stacks.frames));
  return profile;
}

}  // namespace jfrtree::bench
