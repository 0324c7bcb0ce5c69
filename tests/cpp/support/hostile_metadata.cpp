#include "support/hostile_recordings.hpp"
#include "support/scenarios.hpp"

namespace jfrtree::test {

namespace {

constexpr auto utf8 = StringEncoding::utf8;
constexpr auto compressed = IntegerEncoding::compressed;

// Not 0 either for readers that keep 32 bits of a count.
constexpr std::uint64_t beyond_32_bits = (1ULL << 40) + 1000;

/// Three samples whose metadata is string table and tree as given.
Bytes with_metadata(const ByteWriter& table_and_tree) {
  return three_samples().replace_metadata(table_and_tree.bytes()).bytes();
}

/// The strings "root", "metadata" and "class", then a tree written by hand.
ByteWriter hand_written() {
  return ByteWriter().raw(encode_string_table({"root", "metadata", "class"}, utf8, compressed));
}

Bytes with_tree(void (*change)(Element& root)) {
  StandardChunk chunk = three_samples();
  Element root = chunk.types().metadata();
  change(root);
  return chunk.replace_metadata(root).bytes();
}

Element& metadata_of(Element& root) { return root.children.front(); }

ByteWriter nested(std::size_t depth) {
  ByteWriter tree = hand_written();
  for (std::size_t i = 0; i < depth; ++i) tree.count(i == 0 ? 0 : 1).count(0).count(1);
  return tree.count(1).count(0).count(0);
}

Bytes with_metadata_size(void (*change)(RecordSize&, std::size_t true_size)) {
  StandardChunk chunk = three_samples();
  const Element root = chunk.types().metadata();
  ChunkWriter writer = chunk.replace_metadata(Element{"root"}).writer();
  const std::size_t before = writer.offset();
  ChunkWriter measured = writer;
  measured.metadata(root, {.size = {.width = 4}});
  MetadataEvent options{.size = {.width = 4}};
  change(options.size, measured.offset() - before);
  writer.metadata(root, options);
  return writer.bytes();
}

/// The first metadata event knows nothing of the events; the newest one counts.
Bytes two_metadata_events() {
  StandardChunk chunk = jdk17_chunk();
  TypeTable older;
  older.declare(TypeKind::plain, "long", 206).declare(TypeKind::event, "my.Old", 2000);
  chunk.metadata_event(older.metadata());
  const std::uint64_t stack = chunk.stack({"Main.main"});
  for (int i = 0; i < 3; ++i) chunk.execution_sample({.stack = stack});
  return chunk.bytes();
}

/// A record of type 0 that nothing points to.
Bytes stray_type_0() {
  StandardChunk chunk = three_samples();
  return chunk.raw_event(0, ByteWriter().zeros(7)).bytes();
}

constexpr auto error = Outcome::error;
constexpr auto fine = Outcome::fine;

constexpr HostileRecording encodings[] = {
    {"metadata_string_count_2_31", "2^31 strings claimed", error, 0, 0,
     [] { return with_metadata(ByteWriter().count(1ULL << 31).string("root")); }},
    {"metadata_string_count_2_60", "2^60 strings claimed", error, 0, 0,
     [] { return with_metadata(ByteWriter().count((1ULL << 60) + 1000).string("root")); }},
    {"metadata_string_count_negative", "-1 as a 32-bit number", error, 0, 0,
     [] { return with_metadata(ByteWriter().int_value(-1).string("root")); }},
    {"metadata_string_of_2_31_bytes", "the first string claims 2^31 bytes", error, 0, 0,
     [] { return with_metadata(ByteWriter().count(1).claimed_string(1ULL << 31, "root")); }},
    {"metadata_utf16_of_2_31_units", "the first string claims 2^31 code units", error, 0, 0,
     [] {
       return with_metadata(
           ByteWriter().count(1).claimed_string(1ULL << 31, "root", StringEncoding::utf16));
     }},
    {"metadata_string_encoding_2", "a pool reference in the string table",
     Outcome::problem_or_error, 0, 0,
     [] { return with_metadata(ByteWriter().count(1).pooled_string(7).zeros(3)); }},
    {"metadata_string_encoding_6", "an encoding that does not exist", error, 0, 0,
     [] { return with_metadata(ByteWriter().count(1).u8(6).zeros(8)); }},
    {"metadata_index_out_of_range", "the root's name is string 1000", error, 0, 0,
     [] { return with_metadata(hand_written().count(1000).count(0).count(0)); }},
    {"metadata_index_negative", "the root's name is string -1", error, 0, 0,
     [] { return with_metadata(hand_written().int_value(-1).count(0).count(0)); }},
    {"metadata_attribute_count_huge", "2^40 attributes claimed", error, 0, 0,
     [] { return with_metadata(hand_written().count(0).count(beyond_32_bits)); }},
    {"metadata_child_count_huge", "2^40 children claimed", error, 0, 0,
     [] { return with_metadata(hand_written().count(0).count(0).count(beyond_32_bits)); }},
    {"metadata_nested_10000", "elements nested 10000 deep", error, 0, 0,
     [] { return with_metadata(nested(10'000)); }},
    {"metadata_nested_1000000", "elements nested 1000000 deep", error, 0, 0,
     [] { return with_metadata(nested(1'000'000)); }},
    {"metadata_empty_payload", "the event ends behind its id", error, 0, 0,
     [] { return with_metadata(ByteWriter()); }},
    {"metadata_cut_in_tree", "the event ends in the middle of the tree", error, 0, 0,
     [] {
       Bytes tree = encode_metadata_tree(three_samples().types().metadata(), utf8, compressed);
       tree.resize(tree.size() - 200);
       return with_metadata(ByteWriter().raw(tree));
     }},
    {"metadata_without_classes", "a root without children", Outcome::any, 0, 3,
     [] { return with_metadata(hand_written().count(0).count(0).count(0)); }},
};

constexpr HostileRecording sizes[] = {
    {"metadata_size_too_small", "the tree needs more than the event's size",
     Outcome::problem_or_error, 0, 3,
     [] { return with_metadata_size([](RecordSize& size, std::size_t) { size.claimed = 40; }); }},
    {"metadata_size_past_end", "the event's size reaches beyond the chunk",
     Outcome::problem_or_error, 0, 3,
     [] {
       return with_metadata_size(
           [](RecordSize& size, std::size_t true_size) { size.claimed = true_size + 5000; });
     }},
    {"metadata_size_0", "a metadata event of size 0", Outcome::problem_or_error, 0, 3,
     [] { return with_metadata_size([](RecordSize& size, std::size_t) { size.claimed = 0; }); }},
};

constexpr HostileRecording trees[] = {
    {"two_metadata_events", "the newest one declares the events", fine, 3, 3, two_metadata_events},
    {"stray_type_0", "a record of type 0 with 7 bytes that is no metadata",
     Outcome::fine_or_problem, 3, 3, stray_type_0},
    {"missing_region", "no region element", fine, 3, 3,
     [] { return with_tree([](Element& root) { root.children.pop_back(); }); }},
    {"negative_gmt_offset", "gmtOffset is -28800000", fine, 3, 3,
     [] {
       return with_tree([](Element& root) { root.children.back().set("gmtOffset", "-28800000"); });
     }},
    {"odd_gmt_offset", "gmtOffset is no number", Outcome::fine_or_problem, 3, 3,
     [] { return with_tree([](Element& root) { root.children.back().set("gmtOffset", "x"); }); }},
    {"other_root_name", "the root is not called root", fine, 3, 3,
     [] { return with_tree([](Element& root) { root.name = "chunk"; }); }},
    {"setting_class_is_a_name", "a setting whose class is no number", fine, 3, 3,
     [] {
       return with_tree([](Element& root) {
         Element odd{"setting"};
         odd.attribute("name", "period").attribute("class", "jdk.jfr.Period");
         metadata_of(root).find("class", "jdk.ExecutionSample").child(odd);
       });
     }},
    {"unknown_elements", "elements and attributes that nobody knows", fine, 3, 3,
     [] {
       return with_tree([](Element& root) {
         Element deep{"extra", {{"key", "value"}}, {Element{"inner"}}};
         root.child(deep);
         metadata_of(root).child(deep).attribute("color", "blue");
         metadata_of(root).find("class", "jdk.ExecutionSample").child(deep).attribute("a", "b");
       });
     }},
    {"hundred_thousand_classes", "types that no event uses", fine, 3, 3,
     [] {
       return with_tree([](Element& root) {
         for (std::uint64_t i = 0; i < 100'000; ++i) {
           metadata_of(root).child(event_class("my.Event" + std::to_string(i), 10'000 + i));
         }
       });
     }},
};

}  // namespace

std::vector<HostileRecording> hostile_metadata() { return joined({encodings, sizes, trees}); }

}  // namespace jfrtree::test
