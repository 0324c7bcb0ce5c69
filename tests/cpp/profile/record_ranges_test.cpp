#include "profile/record_ranges.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "support/byte_writer.hpp"

using namespace jfrtree;
using namespace jfrtree::internal;
using namespace jfrtree::test;

namespace {

struct Records {
  Bytes bytes = Bytes(chunk_header_bytes);
  std::vector<std::uint64_t> offsets;
};

/// Records of any size, some of them larger than a range.
Records many_records(std::size_t bytes) {
  std::mt19937 random(7);
  Records records;
  while (records.bytes.size() < bytes) {
    const std::size_t payload = random() % 1000 == 0 ? 700'000 : random() % 60;
    records.offsets.push_back(records.bytes.size());
    const std::size_t size = payload + (payload < 126 ? 2 : 4);
    Bytes record = varint(size);
    append(record, varint(5));
    record.resize(size);
    append(records.bytes, record);
  }
  return records;
}

/// What `threads` threads find: how often each record was met.
std::map<std::uint64_t, int> found_by(RecordRanges& ranges, unsigned threads) {
  std::mutex mutex;
  std::map<std::uint64_t, int> found;
  const auto work = [&] {
    ranges.take_part([&](auto bytes, std::uint64_t position, std::uint64_t end) {
      Record record;
      std::vector<std::uint64_t> met;
      while (position < end && read_record(bytes, position, true, record)) {
        met.push_back(position);
        position += record.size;
      }
      const std::lock_guard lock(mutex);
      for (const std::uint64_t offset : met) ++found[offset];
      return position;
    });
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  return found;
}

void check_each_once(const std::map<std::uint64_t, int>& found,
                     const std::vector<std::uint64_t>& offsets) {
  REQUIRE(found.size() == offsets.size());
  std::size_t wrong = 0;
  for (const std::uint64_t offset : offsets)
    wrong += found.contains(offset) && found.at(offset) == 1 ? 0U : 1U;
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("every record is in one range, with any number of threads") {
  const Records records = many_records(std::size_t{6} << 20);
  for (const unsigned threads : {1U, 2U, 5U}) {
    RecordRanges ranges(records.bytes, true);
    check_each_once(found_by(ranges, threads), records.offsets);
    CHECK(ranges.end() == records.bytes.size());
  }
}

TEST_CASE("ranges end at the first record whose size cannot be right") {
  Records records = many_records(std::size_t{3} << 20);
  const std::size_t bad = records.offsets.size() * 2 / 3;
  const std::uint64_t at = records.offsets[bad];
  records.bytes[at] = std::byte{0};
  records.offsets.resize(bad);
  for (const unsigned threads : {1U, 2U, 5U}) {
    RecordRanges ranges(records.bytes, true);
    check_each_once(found_by(ranges, threads), records.offsets);
    CHECK(ranges.end() == at);
  }
}

TEST_CASE("a chunk without records has one empty range") {
  const Bytes header(chunk_header_bytes);
  RecordRanges ranges(header, true);
  CHECK(found_by(ranges, 1).empty());
  CHECK(ranges.end() == chunk_header_bytes);
}
