#include "export/ordered_output.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <jfrtree/export.hpp>

#include "export/written.hpp"
#include "io/thread_team.hpp"
#include "profile/make_profile.hpp"

using namespace jfrtree;
using namespace jfrtree::internal;

namespace {

/// Takes so many bytes, then throws.
class FullOutput final : public Output {
 public:
  explicit FullOutput(std::size_t room) : room_(room) {}
  void write(std::string_view bytes) override {
    if (bytes.size() > room_) throw std::runtime_error("full");
    room_ -= bytes.size();
  }
  void commit() override {}

 private:
  std::size_t room_;
};

std::string part_text(std::size_t part, std::size_t size) {
  return std::string(size, static_cast<char>('a' + part % 26));
}

/// Many stacks that share frames with their neighbours, some of them without a sample.
Profile many_stacks() {
  std::vector<test::Stack> stacks;
  for (std::size_t i = 0; i < 5000; ++i) {
    stacks.push_back({{"main", "a" + std::to_string(i / 100), "b;" + std::to_string(i % 7),
                       "c" + std::to_string(i)},
                      i % 5,
                      i});
  }
  return test::make_profile(std::move(stacks));
}

}  // namespace

TEST_CASE("OrderedOutput writes parts in their order, whichever is ready first") {
  const std::string text = test::written([](Output& output) {
    OrderedOutput ordered(output);
    ordered.end(2, "two ");
    CHECK(ordered.has_turn(0));
    ordered.end(1, "one ");
    ordered.write(0, "ze");
    ordered.write(0, "ro ");
    ordered.end(0, "");
    CHECK(ordered.has_turn(3));
    ordered.end(3, "three");
  });
  CHECK(text == "zero one two three");
}

TEST_CASE("parts of any size that several threads make come in their order") {
  constexpr std::size_t parts = 60;
  // More than may be gathered for a part, and more than may wait.
  const auto size_of = [](std::size_t part) {
    return part % 7 == 3 ? 1'500'000 : 200'000 * (part % 5);
  };
  std::string expected;
  for (std::size_t part = 0; part < parts; ++part) expected += part_text(part, size_of(part));
  for (const unsigned threads : {1U, 2U, 4U}) {
    const std::string text = test::written([&](Output& output) {
      OrderedOutput ordered(output);
      RangeQueue queue(parts, 1);
      ThreadTeam team(threads);
      team.run(queue, [&] {
        PartOutput part_output(ordered);
        while (const auto range = queue.next()) {
          part_output.begin_part(range->begin);
          const std::string bytes = part_text(range->begin, size_of(range->begin));
          for (std::size_t at = 0; at < bytes.size(); at += 300'000) {
            part_output.write(std::string_view(bytes).substr(at, 300'000));
          }
          part_output.end_part();
        }
      });
    });
    CHECK(text == expected);
  }
}

TEST_CASE("a part that fails ends the waiting of the others") {
  std::string text;
  const auto output = string_output(text);
  OrderedOutput ordered(*output);
  std::thread waiting([&] { ordered.write(1, "never"); });
  {
    PartOutput part(ordered);
    part.begin_part(0);
  }
  waiting.join();
  ordered.end(2, "nothing more");
  CHECK(text.empty());
}

TEST_CASE("lines of stacks are the same with any number of threads") {
  const Profile profile = many_stacks();
  const auto collapsed = [&](std::size_t type, unsigned threads) {
    return test::written([&](Output& output) { write_collapsed(output, profile, type, threads); });
  };
  const auto stacks = [&](unsigned threads) {
    return test::written([&](Output& output) { write_stacks(output, {&profile, 1}, threads); });
  };
  for (const unsigned threads : {2U, 3U, 8U}) {
    CHECK(collapsed(0, threads) == collapsed(0, 1));
    CHECK(collapsed(1, threads) == collapsed(1, 1));
    CHECK(stacks(threads) == stacks(1));
  }
}

TEST_CASE("what an output throws comes out of the writer, wherever it was full") {
  const Profile profile = many_stacks();
  for (const std::size_t room : {0U, 5'000U, 60'000U}) {
    for (const unsigned threads : {1U, 2U, 4U}) {
      FullOutput output(room);
      CHECK_THROWS_WITH_AS(write_collapsed(output, profile, 0, threads), "full",
                           std::runtime_error);
    }
  }
}
