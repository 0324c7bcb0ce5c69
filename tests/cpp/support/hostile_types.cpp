#include "support/hostile_recordings.hpp"
#include "support/scenarios.hpp"

#include <string>

namespace jfrtree::test {

namespace {

constexpr auto odd = Outcome::fine_or_problem;
constexpr std::uint64_t odd_event_id = 3000;
constexpr std::uint64_t odd_struct_id = 3001;

/// Three samples, and an event my.Odd with a payload of zeros between them and the end.
Bytes with_odd_event(const std::string& fields, void (*declare)(TypeTable&),
                     const ByteWriter& payload) {
  StandardChunk chunk = three_samples();
  chunk.types().declare(TypeKind::event, "my.Odd", odd_event_id, fields);
  declare(chunk.types());
  return chunk.raw_event(odd_event_id, payload).bytes();
}

void nothing_more(TypeTable&) {}

/// Three samples and a class element changed by hand; the class is my.Struct, or an event my.Odd.
Bytes with_class(const Element& element) {
  StandardChunk chunk = three_samples();
  Element root = chunk.types().metadata();
  root.children.front().child(element);
  chunk.raw_event(odd_event_id, ByteWriter().zeros(8));
  return chunk.replace_metadata(root).bytes();
}

Element odd_event() {
  Element element = event_class("my.Odd", odd_event_id);
  return element.child(field("startTime", 206)).child(field("odd", 206));
}

Element& odd_field(Element& event) { return event.children.back(); }

Bytes nested_arrays(std::size_t depth) {
  ByteWriter payload;
  payload.long_value(2000);
  for (std::size_t i = 0; i < depth; ++i) payload.count(1);
  payload.count(0);
  return with_odd_event(
      "long startTime; my.Node[] nodes",
      [](TypeTable& types) {
        types.declare(TypeKind::plain, "my.Node", odd_struct_id, "my.Node[] children");
      },
      payload);
}

Bytes empty_structs(std::uint64_t count) {
  return with_odd_event(
      "long startTime; my.Empty[] nothing",
      [](TypeTable& types) { types.declare(TypeKind::plain, "my.Empty", odd_struct_id); },
      ByteWriter().long_value(2000).count(count));
}

/// Each struct holds the next one twice: 2^40 fields when flattened.
Bytes doubling_structs() {
  StandardChunk chunk = three_samples();
  constexpr std::uint64_t levels = 40;
  for (std::uint64_t i = 0; i < levels; ++i) {
    const std::string next = i + 1 == levels ? "int" : "my.T" + std::to_string(i + 1);
    std::string fields = next;
    fields.append(" a; ").append(next).append(" b");
    chunk.types().declare(TypeKind::plain, "my.T" + std::to_string(i), odd_struct_id + i, fields);
  }
  chunk.types().declare(TypeKind::event, "my.Odd", odd_event_id, "long startTime; my.T0 tree");
  return chunk.raw_event(odd_event_id, ByteWriter().zeros(100)).bytes();
}

/// 5000 structs, each inside of the one before.
Bytes struct_chain() {
  StandardChunk chunk = three_samples();
  Element root = chunk.types().metadata();
  constexpr std::uint64_t levels = 5000;
  for (std::uint64_t i = 0; i < levels; ++i) {
    Element element = class_element("my.T" + std::to_string(i), odd_struct_id + i);
    root.children.front().child(
        element.child(field("inner", i + 1 == levels ? 207 : odd_struct_id + i + 1)));
  }
  Element event = odd_event();
  odd_field(event).set("class", std::to_string(odd_struct_id));
  root.children.front().child(event);
  chunk.raw_event(odd_event_id, ByteWriter().zeros(8));
  return chunk.replace_metadata(root).bytes();
}

Bytes ten_thousand_fields() {
  std::string fields = "long startTime";
  for (int i = 0; i < 10'000; ++i) fields += "; int f" + std::to_string(i);
  return with_odd_event(fields, nothing_more, ByteWriter().zeros(10'001));
}

/// jdk.ExecutionSample itself in another shape.
Bytes with_sample_layout(const std::string& fields, const ByteWriter& payload) {
  StandardChunk chunk = three_samples();
  Element root = chunk.types().metadata();
  TypeTable other = chunk.types();
  other.declare(TypeKind::event, "my.Sample", 109, fields);
  Element replacement = other.metadata().children.front().find("class", "my.Sample");
  replacement.set("name", "jdk.ExecutionSample");
  root.children.front().find("class", "jdk.ExecutionSample") = replacement;
  StandardChunk fresh = jdk17_chunk();
  for (int i = 0; i < 3; ++i) fresh.raw_event(109, payload);
  return fresh.replace_metadata(root).bytes();
}

constexpr HostileRecording recursive_types[] = {
    {"struct_contains_itself", "inline, without an array", odd, 3, 3,
     [] {
       return with_odd_event(
           "long startTime; my.Loop loop",
           [](TypeTable& types) {
             types.declare(TypeKind::plain, "my.Loop", odd_struct_id, "int n; my.Loop inner");
           },
           ByteWriter().zeros(50));
     }},
    {"structs_contain_each_other", "A holds B, B holds A", odd, 3, 3,
     [] {
       return with_odd_event(
           "long startTime; my.A a",
           [](TypeTable& types) {
             types.declare(TypeKind::plain, "my.A", odd_struct_id, "my.B b")
                 .declare(TypeKind::plain, "my.B", odd_struct_id + 1, "my.A a");
           },
           ByteWriter().zeros(50));
     }},
    {"simple_type_of_itself", "a simple type whose one field is of its own type", odd, 3, 3,
     [] {
       return with_odd_event(
           "long startTime; my.Self self",
           [](TypeTable& types) {
             types.declare(TypeKind::simple, "my.Self", odd_struct_id, "my.Self value");
           },
           ByteWriter().zeros(8));
     }},
    {"struct_contains_array_of_itself", "legal: a tree, here 3 deep", Outcome::fine, 3, 3,
     [] { return nested_arrays(3); }},
    {"struct_arrays_100000_deep", "an array of itself, really nested 100000 deep", odd, 3, 3,
     [] { return nested_arrays(100'000); }},
    {"doubling_structs", "40 structs, each holds the next one twice", odd, 3, 3, doubling_structs},
    {"struct_chain_5000", "5000 structs, each inside of the one before", odd, 3, 3, struct_chain},
    {"empty_structs_2_31", "an array of 2^31 structs without fields", odd, 3, 3,
     [] { return empty_structs(1ULL << 31); }},
    {"empty_structs_2_62", "an array of 2^62 structs without fields", odd, 3, 3,
     [] { return empty_structs((1ULL << 62) + 1000); }},
};

constexpr HostileRecording odd_attributes[] = {
    {"field_of_undeclared_class", "the field's class id is 99999", odd, 3, 3,
     [] {
       Element event = odd_event();
       odd_field(event).set("class", "99999");
       return with_class(event);
     }},
    {"field_of_marker_class", "the field's class is an annotation without fields", odd, 3, 3,
     [] {
       Element event = odd_event();
       odd_field(event).set("class", "1528");
       return with_class(event);
     }},
    {"field_class_not_numeric", "class=\"long\"", odd, 3, 3,
     [] {
       Element event = odd_event();
       odd_field(event).set("class", "long");
       return with_class(event);
     }},
    {"field_without_class", "no class attribute", odd, 3, 3,
     [] {
       Element event = odd_event();
       odd_field(event).remove("class");
       return with_class(event);
     }},
    {"field_without_name", "no name attribute", odd, 3, 3,
     [] {
       Element event = odd_event();
       odd_field(event).remove("name");
       return with_class(event);
     }},
    {"dimension_not_numeric", "dimension=\"many\"", odd, 3, 3,
     [] {
       Element event = odd_event();
       odd_field(event).set("dimension", "many");
       return with_class(event);
     }},
    {"dimension_2", "an array of two dimensions", odd, 3, 3,
     [] {
       Element event = odd_event();
       odd_field(event).set("dimension", "2");
       return with_class(event);
     }},
    {"class_id_not_numeric", "id=\"three\"", odd, 3, 3,
     [] { return with_class(odd_event().set("id", "three")); }},
    {"class_id_negative", "id=\"-7\"", odd, 3, 3,
     [] { return with_class(odd_event().set("id", "-7")); }},
    {"class_id_beyond_64_bits", "id has 30 digits", odd, 3, 3,
     [] { return with_class(odd_event().set("id", std::string(30, '9'))); }},
    {"class_id_1", "an event class with the id of checkpoints", odd, 3, 3,
     [] { return with_class(odd_event().set("id", "1")); }},
    {"class_without_id", "no id attribute", odd, 3, 3,
     [] { return with_class(odd_event().remove("id")); }},
    {"class_without_name", "no name attribute", odd, 3, 3,
     [] { return with_class(odd_event().remove("name")); }},
    {"duplicate_class_id", "my.Odd has the id of int", odd, 3, 3,
     [] { return with_class(odd_event().set("id", "207")); }},
    {"duplicate_class_name", "int is declared a second time", odd, 3, 3,
     [] { return with_class(class_element("int", 5000)); }},
    {"simple_type_without_field", "simpleType=\"true\" and no field", odd, 3, 3,
     [] { return with_class(simple_class("my.Simple", 5000)); }},
    {"simple_type_with_two_fields", "simpleType=\"true\" and two fields", odd, 3, 3,
     [] {
       Element element = simple_class("my.Simple", 5000);
       return with_class(element.child(field("a", 207)).child(field("b", 207)));
     }},
};

constexpr HostileRecording odd_layouts[] = {
    {"ten_thousand_fields", "one event type with 10001 fields", Outcome::fine, 3, 3,
     ten_thousand_fields},
    {"sample_fields_reordered", "stack trace last, extra fields of every kind before it",
     Outcome::fine, 3, 3,
     [] {
       return with_sample_layout(
           "float f; double d; String s; int[] a; long startTime @Timestamp(TICKS); char c;"
           "Thread* sampledThread; short h; byte b; ThreadState* state; StackTrace* stackTrace",
           ByteWriter()
               .float_value(1.5F)
               .double_value(-2.5)
               .string("text", StringEncoding::utf16)
               .count(2)
               .int_value(-1)
               .int_value(300)
               .long_value(2000)
               .char_value(u'\x20ac')
               .key(0)
               .short_value(-3)
               .byte_value(-2)
               .key(5)
               .key(0));
     }},
    {"sample_without_stack_field", "jdk.ExecutionSample has only a start time", odd, 0, 3,
     [] { return with_sample_layout("long startTime", ByteWriter().long_value(2000)); }},
    {"sample_stack_is_text", "stackTrace is a String", odd, 0, 3,
     [] {
       return with_sample_layout("long startTime; String stackTrace",
                                 ByteWriter().long_value(2000).string("Main.main"));
     }},
    {"sample_stack_is_array", "stackTrace is an array of references", odd, 3, 3,
     [] {
       return with_sample_layout("long startTime; StackTrace*[] stackTrace",
                                 ByteWriter().long_value(2000).count(2).key(1).key(1));
     }},
    {"sample_without_fields", "jdk.ExecutionSample declares nothing", odd, 0, 3,
     [] { return with_sample_layout("", ByteWriter().long_value(2000)); }},
};

}  // namespace

std::vector<HostileRecording> hostile_types() {
  return joined({recursive_types, odd_attributes, odd_layouts});
}

}  // namespace jfrtree::test
