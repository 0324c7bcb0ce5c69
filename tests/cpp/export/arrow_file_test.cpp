/// Arrow IPC files, walked by the words of the specifications of Arrow and of FlatBuffers. What
/// other programs make of them is tested in tests/arrow/.

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/arrow.hpp>
#include <jfrtree/event_writers.hpp>

#include "export/arrow/flat_builder.hpp"
#include "export/arrow/stack_rows.hpp"
#include "export/written.hpp"
#include "format/small_chunk.hpp"
#include "profile/event_reading.hpp"
#include "profile/make_profile.hpp"

using namespace jfrtree;
using namespace jfrtree::test;
using internal::arrow::FlatBuilder;

namespace {

template <typename Number>
Number number_at(std::string_view bytes, std::size_t position) {
  Number number{};
  REQUIRE(position + sizeof(Number) <= bytes.size());
  CHECK(position % sizeof(Number) == 0);
  std::memcpy(&number, bytes.data() + position, sizeof(Number));
  return number;
}

/// A table or vector of a FlatBuffer.
struct Place {
  std::string_view buffer;
  std::size_t position = 0;

  [[nodiscard]] Place followed(std::size_t at) const {
    return {buffer, at + number_at<std::uint32_t>(buffer, at)};
  }
  /// Position of a field of a table; 0: it is absent.
  [[nodiscard]] std::size_t field(unsigned number) const {
    const auto to_fields = number_at<std::int32_t>(buffer, position);
    const auto fields = static_cast<std::size_t>(static_cast<std::int64_t>(position) - to_fields);
    if (4 + 2 * number >= number_at<std::uint16_t>(buffer, fields)) return 0;
    const auto offset = number_at<std::uint16_t>(buffer, fields + 4 + 2 * number);
    return offset == 0 ? 0 : position + offset;
  }
  template <typename Number>
  [[nodiscard]] Number get(unsigned number) const {
    return number_at<Number>(buffer, field(number));
  }
  [[nodiscard]] Place at(unsigned number) const { return followed(field(number)); }
  /// Of a vector.
  [[nodiscard]] std::uint32_t count() const { return number_at<std::uint32_t>(buffer, position); }
  [[nodiscard]] Place element(std::size_t index) const {
    return followed(position + 4 + 4 * index);
  }
  [[nodiscard]] std::string text() const {
    REQUIRE(position + 4 + count() < buffer.size());
    CHECK(buffer[position + 4 + count()] == '\0');
    return std::string(buffer.substr(position + 4, count()));
  }
};

Place root_of(std::string_view buffer) { return Place{buffer}.followed(0); }

struct Block {
  std::int64_t offset;
  std::int32_t metadata;
  std::int64_t body;
};

Block block_at(const Place& blocks, std::size_t index) {
  const std::size_t at = blocks.position + 4 + 24 * index;
  return {number_at<std::int64_t>(blocks.buffer, at),
          number_at<std::int32_t>(blocks.buffer, at + 8),
          number_at<std::int64_t>(blocks.buffer, at + 16)};
}

/// A file, cut into its parts.
struct ArrowFile {
  explicit ArrowFile(std::string all) : bytes(std::move(all)) {
    const std::string_view view = bytes;
    REQUIRE(view.size() > 20);
    CHECK(view.starts_with(std::string_view("ARROW1\0\0", 8)));
    CHECK(view.ends_with("ARROW1"));
    std::int32_t size = 0;
    std::memcpy(&size, view.data() + view.size() - 10, sizeof size);
    footer = view.substr(view.size() - 10 - static_cast<std::size_t>(size),
                         static_cast<std::size_t>(size));
    CHECK(root_of(footer).get<std::int16_t>(0) == 4);
  }
  [[nodiscard]] Place dictionaries() const { return root_of(footer).at(2); }
  [[nodiscard]] Place batches() const { return root_of(footer).at(3); }
  /// The header of a message, after what is around it was checked.
  [[nodiscard]] Place header(const Block& block, std::uint8_t kind) const {
    const auto offset = static_cast<std::size_t>(block.offset);
    CHECK(offset % 8 == 0);
    CHECK((block.offset + block.metadata) % 64 == 0);
    CHECK(number_at<std::uint32_t>(bytes, offset) == 0xFFFF'FFFFU);
    CHECK(number_at<std::int32_t>(bytes, offset + 4) + 8 == block.metadata);
    const auto size = static_cast<std::size_t>(block.metadata) - 8;
    const Place message = root_of(std::string_view(bytes).substr(offset + 8, size));
    CHECK(message.get<std::uint8_t>(1) == kind);
    CHECK(message.get<std::int64_t>(3) == block.body);
    return message.at(2);
  }
  /// Bytes of a buffer of a record batch.
  [[nodiscard]] std::string_view body(const Block& block, const Place& batch,
                                      std::size_t index) const {
    const Place buffers = batch.at(2);
    REQUIRE(index < buffers.count());
    const std::size_t at = buffers.position + 4 + 16 * index;
    const auto offset = number_at<std::int64_t>(buffers.buffer, at);
    const auto length = number_at<std::int64_t>(buffers.buffer, at + 8);
    REQUIRE(offset + length <= block.body);
    CHECK(offset % 64 == 0);
    return std::string_view(bytes).substr(
        static_cast<std::size_t>(block.offset + block.metadata + offset),
        static_cast<std::size_t>(length));
  }

  std::string bytes;
  std::string_view footer;
};

}  // namespace

TEST_CASE("flat builder: numbers, texts and tables are found where readers look") {
  FlatBuilder builder;
  const FlatBuilder::Ref text = builder.string("hello");
  builder.begin_table();
  builder.add(0, std::int64_t{-5});
  const FlatBuilder::Ref inner = builder.end_table();
  const FlatBuilder::Ref both[] = {inner, inner};
  const FlatBuilder::Ref list = builder.vector(both);
  builder.begin_table();
  builder.add(3, text);
  builder.add(1, std::uint8_t{7});
  builder.add(5, list);
  const std::string bytes(builder.finish(builder.end_table()));
  CHECK(bytes.size() % 8 == 0);
  const Place root = root_of(bytes);
  CHECK(root.field(0) == 0);
  CHECK(root.get<std::uint8_t>(1) == 7);
  CHECK(root.at(3).text() == "hello");
  CHECK(root.field(6) == 0);
  REQUIRE(root.at(5).count() == 2);
  CHECK(root.at(5).element(1).get<std::int64_t>(0) == -5);
}

TEST_CASE("flat builder: a buffer outgrows its first memory") {
  FlatBuilder builder;
  const std::string large(5000, 'x');
  std::vector<FlatBuilder::Ref> texts;
  for (int i = 0; i < 100; ++i) texts.push_back(builder.string(large + std::to_string(i)));
  const FlatBuilder::Ref list = builder.vector(texts);
  builder.begin_table();
  builder.add(0, list);
  const std::string bytes(builder.finish(builder.end_table()));
  for (std::size_t i = 0; i < 100; ++i) {
    CHECK(root_of(bytes).at(0).element(i).text() == large + std::to_string(i));
  }
}

TEST_CASE("arrow file: the schema names the columns, the blocks hold them") {
  const Profile profile = make_profile("a;b 3 40\na 1 5\n");
  const ArrowFile file(
      written([&](Output& output) { write_arrow(output, samples_table(profile)); }));
  const Place fields = root_of(file.footer).at(1).at(1);
  REQUIRE(fields.count() == 4);
  const char* const names[] = {"stack_id", "thread", "count", "value"};
  for (std::size_t i = 0; i < 4; ++i) CHECK(fields.element(i).at(0).text() == names[i]);
  const Place count = fields.element(2);
  CHECK(count.get<std::uint8_t>(2) == 2);         // an integer
  CHECK(count.at(3).get<std::int32_t>(0) == 64);  // of 64 bits
  CHECK(count.at(3).get<std::uint8_t>(1) == 1);   // with a sign
  CHECK(count.at(6).element(0).at(1).text() == "count");
  const Place thread = fields.element(1);
  CHECK(thread.get<std::uint8_t>(2) == 5);  // utf8
  CHECK(thread.at(4).get<std::int64_t>(0) == 0);
  REQUIRE(file.batches().count() == 1);
  const Block block = block_at(file.batches(), 0);
  const Place batch = file.header(block, 3);
  CHECK(batch.get<std::int64_t>(0) == 2);
  CHECK(batch.at(1).count() == 4);
  CHECK(batch.at(2).count() == 8);
  CHECK(file.body(block, batch, 4).empty());  // nothing is null
  const std::int64_t counts[] = {1, 3};
  const std::string_view expected(reinterpret_cast<const char*>(counts), sizeof counts);
  CHECK(file.body(block, batch, 5) == expected);
}

TEST_CASE("arrow file: each dictionary once, as the last batch has it") {
  SmallChunk chunk;
  chunk.simple_type("t.Symbol", 50, "String text");
  chunk.event_type("t.Event", 100, "Symbol* c");
  auto pool = chunk.pool("Symbol");
  constexpr int events = 70'000;
  for (int i = 0; i < events; ++i) {
    pool.entry(static_cast<std::uint64_t>(i + 1), ByteWriter().string("s" + std::to_string(i)));
    chunk.raw_event(100, ByteWriter().key(static_cast<std::uint64_t>(i + 1)));
  }
  chunk.checkpoint({.pools = {pool}});
  const Bytes bytes = chunk.bytes();
  const auto sources = [&bytes] {
    return std::vector<Source>{{"", memory_input(bytes, "memory")}};
  };
  const EventRequest request = rows_of({"t.Event"});
  const ArrowFile file(written([&](Output& output) {
    const auto columns = unite_columns(read_event_schemas(sources(), request.types));
    const auto writer = arrow_event_writer(output, columns, false);
    (void)read_events(sources(), request, *writer);
    writer->finish();
  }));
  REQUIRE(file.batches().count() == 2);
  CHECK(file.header(block_at(file.batches(), 0), 3).get<std::int64_t>(0) == 65'536);
  CHECK(file.header(block_at(file.batches(), 1), 3).get<std::int64_t>(0) == events - 65'536);
  REQUIRE(file.dictionaries().count() == 1);
  const Block block = block_at(file.dictionaries(), 0);
  const Place dictionary = file.header(block, 2);
  CHECK(dictionary.get<std::int64_t>(0) == 0);
  const Place texts = dictionary.at(1);
  CHECK(texts.get<std::int64_t>(0) == events);
  CHECK(file.body(block, texts, 2).starts_with("s0s1s2s3"));
}

TEST_CASE("arrow file: a table without rows is a file with a schema and empty dictionaries") {
  const ArrowFile file(written([](Output& output) { write_arrow(output, profiles_table({})); }));
  CHECK(root_of(file.footer).at(1).at(1).count() == 6);
  CHECK(file.batches().count() == 1);
  CHECK(file.dictionaries().count() == 4);
  const ArrowFile none(written([](Output& output) {
    const auto writer = arrow_event_writer(output, {}, true);
    writer->finish();
  }));
  CHECK(none.batches().count() == 0);
  CHECK(none.dictionaries().count() == 1);
}
