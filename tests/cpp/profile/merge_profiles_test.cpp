#include <doctest/doctest.h>

#include <array>

#include <jfrtree/export.hpp>
#include <jfrtree/merge.hpp>

#include "export/written.hpp"
#include "profile/make_profile.hpp"
#include "profile/reading.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using jfrtree::test::make_profile;
using jfrtree::test::random_stacks;
using jfrtree::test::read_file;
using jfrtree::test::Stack;
using jfrtree::test::stacks_of;
using jfrtree::test::testdata;
using jfrtree::test::written;

namespace {

Profile merge(std::vector<Profile> profiles) { return merge_profiles(profiles); }

std::string stacks_text(std::span<const Profile> profiles) {
  return written([&](Output& output) { write_stacks(output, profiles); });
}

std::string path(std::string_view name) { return testdata(name).string(); }

}  // namespace

TEST_CASE("merge_profiles adds the numbers of equal stacks") {
  const Profile sum = merge({make_profile("a;b 1 10\na;c 2 20"), make_profile("a;b 3 30\nd 4 40"),
                             make_profile("d 5 50")});
  const std::vector<Stack> expected = {{{"a", "b"}, 4, 40}, {{"a", "c"}, 2, 20}, {{"d"}, 9, 90}};
  CHECK(stacks_of(sum) == expected);
  CHECK(sum.count == 15);
  CHECK(sum.value == 150);
  CHECK(sum.default_sample_type == 1);
}

TEST_CASE("merge_profiles of parts is the whole") {
  const std::vector<Stack> all = random_stacks(900);
  std::vector<Profile> parts;
  for (std::size_t from = 0; from < all.size(); from += 100) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from);
    parts.push_back(make_profile(std::vector<Stack>(begin, begin + 100)));
  }
  const Profile whole = make_profile(all);
  const Profile sum = merge_profiles(parts);
  CHECK(stacks_of(sum) == stacks_of(whole));
  CHECK(sum.count == whole.count);
  CHECK(sum.value == whole.value);
  std::vector<Profile> mirrored(parts.rbegin(), parts.rend());
  CHECK(stacks_of(merge_profiles(mirrored)) == stacks_of(whole));
}

TEST_CASE("merge_profiles of recordings is what reading them together gives") {
  const std::array<std::string, 4> paths = {path("jdk17-kinds.jfr"), path("jdk25-kinds.jfr"),
                                            path("jdk17-mixed.jfr"), path("jdk25-mixed.jfr")};
  const std::vector<std::string> kinds = {"cpu",  "alloc", "lock",      "park",
                                          "wait", "io",    "exceptions"};
  ProfileRequest request;
  request.kinds = kinds;
  request.allow_absent = true;
  const ProfileSet together = read_profiles(paths, request);
  std::vector<ProfileSet> alone;
  for (const std::string& one : paths) {
    alone.push_back(read_profiles(std::array{one}, request));
  }
  for (const Profile& expected : together.profiles) {
    CAPTURE(expected.kind);
    std::vector<Profile> parts;
    for (const ProfileSet& set : alone) {
      if (const Profile* const part = set.find(expected.kind)) {
        parts.push_back(*part);
      }
    }
    CHECK(parts.size() > 1);
    const Profile sum = merge_profiles(parts);
    CHECK(stacks_text(std::span(&sum, 1)) == stacks_text(std::span(&expected, 1)));
    CHECK(sum.count == expected.count);
    CHECK(sum.event_count == expected.event_count);
    CHECK(sum.value == expected.value);
    CHECK(sum.events == expected.events);
    CHECK(sum.sample_types.size() == expected.sample_types.size());
    CHECK(sum.default_sample_type == expected.default_sample_type);
    const std::size_t last = sum.sample_types.size() - 1;
    std::uint64_t further = 0;
    std::uint64_t expected_further = 0;
    for (std::size_t i = 0; i < sum.stacks.size(); ++i) {
      further += sum.number(sum.stacks[i], last);
      expected_further += expected.number(expected.stacks[i], last);
    }
    CHECK(further == expected_further);
  }
  CHECK(together.profiles.size() == kinds.size());
}

TEST_CASE("merge_profiles of values that one does not know") {
  Profile unknown = make_profile("a 1 100\nb 1 200");
  unknown.value.reset();
  unknown.stacks[0].has_value = false;
  unknown.stacks[0].value = 0;
  unknown.default_sample_type = 0;
  const Profile sum = merge({make_profile("a 2 10\nb 2 20"), unknown});
  CHECK_FALSE(sum.value.has_value());
  CHECK(sum.default_sample_type == 0);
  const std::vector<Stack> expected = {{{"a"}, 3, 10}, {{"b"}, 3, 220}};
  CHECK(stacks_of(sum) == expected);
  // A profile that has no values at all leaves the count.
  CHECK(merge({make_profile("a 2 10"), make_profile("a 3")}).sample_types.size() == 1);
}

TEST_CASE("merge_profiles of one, of an empty one, of none") {
  const Profile one = make_profile("a;b 1 10");
  CHECK(stacks_of(merge({one})) == stacks_of(one));
  CHECK(stacks_of(merge({make_profile(std::vector<Stack>{}), one})) == stacks_of(one));
  CHECK_THROWS_AS(merge({}), UsageError);
  CHECK_THROWS_AS(merge({one, make_profile("a 1", "cpu")}), UsageError);
  ProfileRequest by_thread = jfrtree::test::kinds({"cpu"});
  const Profile plain = read_file(testdata("jdk17-mixed.jfr"), by_thread).profiles.front();
  by_thread.frames.by_thread = true;
  const Profile with_threads = read_file(testdata("jdk17-mixed.jfr"), by_thread).profiles.front();
  CHECK_THROWS_AS(merge({plain, with_threads}), UsageError);
}

TEST_CASE("merge_profiles keeps sums that do not fit at the largest number") {
  Profile large = make_profile("a 1 10");
  large.stacks[0].count = large.count = ~std::uint64_t{0} - 1;
  const Profile sum = merge({large, make_profile("a 5 10")});
  CHECK(sum.count == ~std::uint64_t{0});
  CHECK(sum.stacks[0].count == ~std::uint64_t{0});
}
