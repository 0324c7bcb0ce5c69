#include "profile/earlier_chunks.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace jfrtree;
using namespace jfrtree::internal;

namespace {

ChunkFacts facts(std::size_t file, Settings settings = {}, std::optional<ProcessId> process = {}) {
  ChunkFacts facts;
  facts.file = file;
  facts.settings = std::move(settings);
  facts.process = process;
  return facts;
}

const Settings interval = {{"interval", "10000000"}};

}  // namespace

TEST_CASE("later readings go on with files of the same path") {
  EarlierChunks chunks(true);
  CHECK(!chunks.is_one_reading());
  chunks.begin({{"a.jfr", nullptr}, {"b.jfr", nullptr}});
  ChunkFacts first = facts(1, interval, ProcessId{7, 8});
  CHECK(chunks.add(first) == interval);
  chunks.begin({{"b.jfr", nullptr}, {"a.jfr", nullptr}});
  ChunkFacts same_file = facts(0);
  CHECK(chunks.add(same_file) == interval);
  CHECK(same_file.process == ProcessId{7, 8});
  ChunkFacts other_file = facts(1);
  CHECK(chunks.add(other_file).empty());
  // Another file of the same process.
  ChunkFacts same_process = facts(1, {}, ProcessId{7, 8});
  CHECK(chunks.add(same_process) == interval);
}

TEST_CASE("inputs of one reading are different files whatever they are called") {
  EarlierChunks chunks;
  CHECK(chunks.is_one_reading());
  chunks.begin({{"memory", nullptr}, {"memory", nullptr}});
  ChunkFacts first = facts(0, interval);
  CHECK(chunks.add(first) == interval);
  ChunkFacts second = facts(1);
  CHECK(chunks.add(second).empty());
  ChunkFacts third = facts(0);
  CHECK(chunks.add(third) == interval);
}

TEST_CASE("of very many processes those seen last are known") {
  EarlierChunks chunks(true);
  constexpr int count = 20'000;
  const auto path = [](int number) { return std::to_string(number) + ".jfr"; };
  for (int i = 0; i < count; ++i) {
    chunks.begin({{path(i), nullptr}});
    ChunkFacts chunk = facts(0, interval);
    static_cast<void>(chunks.add(chunk));
  }
  const auto is_known = [&](int number) {
    chunks.begin({{path(number), nullptr}});
    ChunkFacts chunk = facts(0);
    return !chunks.add(chunk).empty();
  };
  CHECK(is_known(count - 1));
  CHECK(is_known(count - 1000));
  CHECK(!is_known(0));
}
