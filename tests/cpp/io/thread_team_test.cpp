#include "io/thread_team.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace jfrtree;
using namespace jfrtree::internal;

namespace {

/// Lets threads go on when so many have come.
class Meeting {
 public:
  explicit Meeting(std::size_t expected) : expected_(expected) {}
  void arrive() {
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return arrived_ >= expected_; });
  }

 private:
  std::size_t expected_;
  std::size_t arrived_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace

TEST_CASE("a team works on as many threads as it was made for, the calling one among them") {
  for (const unsigned threads : {2U, 5U}) {
    ThreadTeam team(threads);
    Meeting meeting(threads);
    std::mutex mutex;
    std::set<std::thread::id> seen;
    team.run(100, [&] {
      meeting.arrive();
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
    CHECK(seen.size() == threads);
    CHECK(seen.contains(std::this_thread::get_id()));
  }
}

TEST_CASE("a team of one, and work for one, stay on the calling thread") {
  for (const unsigned threads : {0U, 1U, 4U}) {
    ThreadTeam team(threads);
    std::vector<std::thread::id> seen;
    team.run(threads == 4 ? 1 : 100, [&] { seen.push_back(std::this_thread::get_id()); });
    CHECK(seen == std::vector{std::this_thread::get_id()});
  }
}

TEST_CASE("for_ranges hands out every number once") {
  ThreadTeam team(3);
  for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 1000U}) {
    std::vector<std::atomic<int>> seen(count);
    std::atomic<bool> is_sound = true;
    team.for_ranges(count, 8, [&](std::size_t begin, std::size_t end) {
      if (begin >= end || end > count || end - begin > 8) is_sound = false;
      for (std::size_t i = begin; i < end; ++i) ++seen[i];
    });
    CHECK(is_sound);
    for (const auto& times : seen) CHECK(times == 1);
  }
}

TEST_CASE("a thread without work helps with what is begun inside of other work") {
  ThreadTeam team(2);
  std::atomic<int> begun = 0;
  Meeting meeting(2);
  team.run(2, [&] {
    if (begun++ > 0) return;  // the second thread has nothing to do
    // Goes on only when both work on it.
    team.for_ranges(2, 1, [&](std::size_t, std::size_t) { meeting.arrive(); });
  });
  CHECK(begun == 2);
}

TEST_CASE("who waits for the others helps with what they have begun since") {
  ThreadTeam team(2);
  const std::thread::id caller = std::this_thread::get_id();
  Meeting both(2);
  Meeting inside(2);
  team.run(2, [&] {
    both.arrive();
    if (std::this_thread::get_id() == caller) return;
    team.for_ranges(2, 1, [&](std::size_t, std::size_t) { inside.arrive(); });
  });
}

TEST_CASE("a team passes on what work throws, from any thread, and can be used again") {
  ThreadTeam team(3);
  const std::thread::id caller = std::this_thread::get_id();
  for (const bool is_caller : {false, true}) {
    Meeting meeting(3);
    const auto work = [&] {
      meeting.arrive();
      if ((std::this_thread::get_id() == caller) == is_caller) throw std::runtime_error("work");
    };
    CHECK_THROWS_WITH_AS(team.run(3, work), "work", std::runtime_error);
  }
  std::atomic<int> done = 0;
  team.for_ranges(10, 1, [&](std::size_t, std::size_t) { ++done; });
  CHECK(done == 10);
}

TEST_CASE("no piece is begun after one has thrown") {
  for (const unsigned threads : {1U, 3U}) {
    ThreadTeam team(threads);
    std::atomic<bool> has_thrown = false;
    std::atomic<std::size_t> begun_since = 0;
    const auto work = [&](std::size_t begin, std::size_t) {
      if (has_thrown) ++begun_since;
      if (begin != 5) return;
      has_thrown = true;
      throw std::runtime_error("sixth");
    };
    CHECK_THROWS_WITH_AS(team.for_ranges(10'000'000, 1, work), "sixth", std::runtime_error);
    // The queue is closed a moment later, when the exception has left the work.
    CHECK(begun_since < 5'000'000);
  }
}

TEST_CASE("a queue that was closed hands out nothing") {
  RangeQueue queue(10, 4);
  CHECK(queue.pieces() == 3);
  REQUIRE(queue.next());
  const auto second = queue.next();
  REQUIRE(second);
  CHECK(second->begin == 4);
  CHECK(second->end == 8);
  queue.close();
  CHECK_FALSE(queue.next());
}

TEST_CASE("a team stops when it is told to") {
  for (const unsigned threads : {1U, 3U}) {
    std::atomic<bool> stop = false;
    ThreadTeam team(threads, StopFlag(&stop));
    std::atomic<std::size_t> done = 0;
    const auto work = [&](std::size_t, std::size_t) {
      if (++done == 10) stop = true;
    };
    CHECK_THROWS_AS(team.for_ranges(1'000'000, 1, work), Interrupted);
    CHECK(done < 1'000'000);
  }
}
