/// Tables of profiles, read back by the words of the Arrow C data interface.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>

#include <jfrtree/arrow.hpp>

#include "export/arrow/stack_rows.hpp"
#include "export/arrow_reading.hpp"
#include "profile/make_profile.hpp"
#include "profile/reading.hpp"
#include "support/scenarios.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

/// The sum of a column; null counts nothing.
std::uint64_t sum_of(const ArrowRows& rows, const std::string& column) {
  std::uint64_t sum = 0;
  for (const auto& row : rows.rows) {
    if (!row.at(column).is_null()) sum += row.at(column).get<std::uint64_t>();
  }
  return sum;
}

Profile profile_by_thread() {
  Profile profile = make_profile({{{"[b tid=2]", "a", "x"}, 1, 10},
                                  {{"[b tid=2]", "a", "y"}, 2, 20},
                                  {{"[a tid=1]", "a", "x"}, 3, 30}});
  profile.has_thread_frame = true;
  return profile;
}

}  // namespace

TEST_CASE("arrow samples: one row per stack, unknown values are null") {
  Profile profile = make_profile("a;b 3 40\na 1 5\n");
  profile.stacks[0].has_value = false;
  const ArrowRows rows = read_arrow(samples_table(profile));
  CHECK(rows.schema == "stack_id uint32; thread dictionary<int32, utf8>; count int64; value int64");
  CHECK(lines_of(rows) ==
        "{\"stack_id\":0,\"thread\":null,\"count\":1,\"value\":null}\n"
        "{\"stack_id\":1,\"thread\":null,\"count\":3,\"value\":40}\n");
}

TEST_CASE("arrow samples: threads leave the stacks, equal stacks share an id") {
  const Profile profile = profile_by_thread();
  CHECK(lines_of(read_arrow(samples_table(profile))) ==
        "{\"stack_id\":0,\"thread\":\"a tid=1\",\"count\":3,\"value\":30}\n"
        "{\"stack_id\":0,\"thread\":\"b tid=2\",\"count\":1,\"value\":10}\n"
        "{\"stack_id\":1,\"thread\":\"b tid=2\",\"count\":2,\"value\":20}\n");
  const ArrowRows stacks = read_arrow(stacks_table(profile));
  CHECK(stacks.schema == "stack_id uint32; frames list<dictionary<int32, utf8>>");
  CHECK(lines_of(stacks) ==
        "{\"stack_id\":0,\"frames\":[\"a\",\"x\"]}\n"
        "{\"stack_id\":1,\"frames\":[\"a\",\"y\"]}\n");
}

TEST_CASE("arrow samples: a third number has a column of its own, by its unit") {
  auto chunk = jdk17_chunk().ticks_per_second(1'000'000'000);
  const auto load = chunk.stack({"Main.main", "Main.load"});
  chunk.event("jdk.FileRead", {{"stackTrace", load}, {"duration", 5}, {"bytesRead", 40}});
  chunk.event("jdk.FileRead", {{"stackTrace", load}, {"duration", 6}, {"bytesRead", 2}});
  const ProfileSet set = read({chunk.bytes()});
  const Profile* const io = set.find("io");
  REQUIRE(io != nullptr);
  const ArrowTable table = samples_table(*io);
  CHECK(lines_of(read_arrow(table)) ==
        "{\"stack_id\":0,\"thread\":null,\"count\":2,\"value\":11,\"bytes\":42}\n");
  ArrowSchema schema{};
  table.export_schema(&schema);
  CHECK(arrow_metadata_text(schema) == "kind=io, snapshot=false");
  CHECK(arrow_metadata_text(*schema.children[3]) == "unit=nanoseconds, sample_type=io/nanoseconds");
  CHECK(arrow_metadata_text(*schema.children[4]) == "unit=bytes, sample_type=io_bytes/bytes");
  schema.release(&schema);
}

TEST_CASE("arrow samples: sums above 2^63-1 make unsigned columns") {
  Profile profile = make_profile("a 1 7\nb 2 9\n");
  profile.stacks[1].value = ~std::uint64_t{0};
  const ArrowRows rows = read_arrow(samples_table(profile));
  CHECK(rows.schema ==
        "stack_id uint32; thread dictionary<int32, utf8>; count uint64; value uint64");
  CHECK(rows.rows[1]["value"] == ~std::uint64_t{0});
}

TEST_CASE("arrow tables: an empty profile has empty tables of the same columns") {
  const Profile profile = make_profile("");
  for (const ArrowTable& table :
       {samples_table(profile), stacks_table(profile), top_table(profile, 0),
        profiles_table(std::span(&profile, 1)), profiles_table({})}) {
    const ArrowRows rows = read_arrow(table);
    CHECK(rows.batches == std::vector<std::int64_t>{0});
    CHECK(table.column_count() > 1);
  }
  CHECK(lines_of(read_arrow(tree_table(profile, TreeTableOptions{}))) ==
        "{\"node\":0,\"parent\":null,\"level\":0,\"frame\":\"total\",\"self\":0,\"total\":0}\n");
}

TEST_CASE("arrow tables: a dictionary holds what occurs, each text once, in byte order") {
  Profile profile = make_profile("total;(other) 1\nb;total 2\n");
  profile.stacks.erase(profile.stacks.begin());  // b;total: nothing refers to `b` any more
  const ArrowTable table = tree_table(profile, TreeTableOptions{});
  ArrowArrayStream stream{};
  table.export_stream(&stream);
  ArrowArray batch{};
  REQUIRE(stream.get_next(&stream, &batch) == 0);
  CHECK(batch.children[3]->dictionary->length == 2);
  batch.release(&batch);
  stream.release(&stream);
  CHECK(lines_of(read_arrow(table)) ==
        "{\"node\":0,\"parent\":null,\"level\":0,\"frame\":\"total\",\"self\":0,\"total\":1}\n"
        "{\"node\":1,\"parent\":0,\"level\":1,\"frame\":\"total\",\"self\":0,\"total\":1}\n"
        "{\"node\":2,\"parent\":1,\"level\":2,\"frame\":\"(other)\",\"self\":1,\"total\":1}\n");
}

TEST_CASE("arrow tables: hostile names arrive as they are") {
  const std::string name = hostile_name();
  const Profile profile = make_profile({{{name, "", "x"}, 1, {}}});
  const ArrowRows rows = read_arrow(stacks_table(profile));
  REQUIRE(rows.rows.size() == 1);
  CHECK(rows.rows[0]["frames"] == nlohmann::json({name, "", "x"}));
}

TEST_CASE("arrow tree: sums are those of the profile, before and after folding") {
  const Profile profile = make_profile(random_stacks(500));
  for (const std::size_t type : {std::size_t{0}, std::size_t{1}}) {
    for (const bool reverse : {false, true}) {
      TreeTableOptions options{.sample_type = type, .reverse = reverse};
      const ArrowRows whole = read_arrow(tree_table(profile, options));
      options.max_nodes = 20;
      const ArrowRows folded = read_arrow(tree_table(profile, options));
      CHECK(folded.rows.size() < whole.rows.size());
      for (const ArrowRows* rows : {&whole, &folded}) {
        CHECK(sum_of(*rows, "self") ==
              sum_of(read_arrow(samples_table(profile)), type == 0 ? "count" : "value"));
        CHECK(rows->rows[0]["total"] == sum_of(*rows, "self"));
      }
    }
  }
}

TEST_CASE("arrow top: shares are parts of the profile's total") {
  const Profile profile = make_profile("a;b 3 30\na 1 10\nc;b 4 40\n");
  CHECK(lines_of(read_arrow(top_table(profile, 1))) ==
        "{\"frame\":\"b\",\"self\":70,\"total\":70,\"self_share\":0.875,\"total_share\":0.875}\n"
        "{\"frame\":\"a\",\"self\":10,\"total\":40,\"self_share\":0.125,\"total_share\":0.5}\n"
        "{\"frame\":\"c\",\"self\":0,\"total\":40,\"self_share\":0.0,\"total_share\":0.5}\n");
  CHECK(read_arrow(top_table(profile, 1, true, 2)).rows.size() == 2);
}

TEST_CASE("arrow diff: both sides of each method") {
  const DiffProfile diff =
      join_profiles(make_profile("a;b 3\nc 1\n"), make_profile("a;b 1\nd 5\n"));
  CHECK(lines_of(read_arrow(diff_table(diff, 0, Comparison::absolute))) ==
        "{\"frame\":\"d\",\"self_left\":0,\"self_right\":5,\"total_left\":0,\"total_right\":5}\n"
        "{\"frame\":\"b\",\"self_left\":3,\"self_right\":1,\"total_left\":3,\"total_right\":1}\n"
        "{\"frame\":\"c\",\"self_left\":1,\"self_right\":0,\"total_left\":1,\"total_right\":0}\n"
        "{\"frame\":\"a\",\"self_left\":0,\"self_right\":0,\"total_left\":3,\"total_right\":1}\n");
}

TEST_CASE("arrow profiles: several kinds, of one frame table or of two") {
  const Profile profiles[] = {make_profile("a;b 3 30\n"), make_profile("b;c 2\n", "cpu")};
  const ArrowRows rows = read_arrow(profiles_table(profiles));
  CHECK(rows.schema ==
        "kind dictionary<int32, utf8>; stack list<dictionary<int32, utf8>>; "
        "thread dictionary<int32, utf8>; count int64; value int64; unit dictionary<int32, utf8>");
  CHECK(lines_of(rows) ==
        "{\"kind\":\"alloc\",\"stack\":[\"a\",\"b\"],\"thread\":null,\"count\":3,\"value\":30,"
        "\"unit\":\"bytes\"}\n"
        "{\"kind\":\"cpu\",\"stack\":[\"b\",\"c\"],\"thread\":null,\"count\":2,\"value\":null,"
        "\"unit\":null}\n");
}

TEST_CASE("arrow stacks: lists too long for their offsets go into further batches") {
  const Profile profile = make_profile(random_stacks(50));
  const ArrowRows whole = read_arrow(stacks_table(profile));
  const ArrowRows split = read_arrow(internal::arrow::stacks_table(profile, 10));
  CHECK(whole.batches.size() == 1);
  CHECK(split.batches.size() > 5);
  CHECK(split.rows == whole.rows);
  const std::span one(&profile, 1);
  CHECK(read_arrow(internal::arrow::profiles_table(one, 10)).rows ==
        read_arrow(profiles_table(one)).rows);
}

TEST_CASE("arrow streams: parts that were moved out outlive the rest") {
  ArrowArray frames{};
  {
    const ArrowTable table = stacks_table(make_profile("a;b 1\n"));
    ArrowArrayStream stream{};
    table.export_stream(&stream);
    ArrowArray batch{};
    REQUIRE(stream.get_next(&stream, &batch) == 0);
    // As the specification says: a moved child is marked released where it was.
    frames = *batch.children[1];
    batch.children[1]->release = nullptr;
    batch.release(&batch);
    ArrowArray end{};
    REQUIRE(stream.get_next(&stream, &end) == 0);
    CHECK(!end.release);
    stream.release(&stream);
  }
  const ArrowArray& texts = *frames.children[0]->dictionary;
  CHECK(std::string(static_cast<const char*>(texts.buffers[2]), 2) == "ab");
  frames.release(&frames);
}
