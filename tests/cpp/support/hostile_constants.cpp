#include "support/hostile_recordings.hpp"
#include "support/scenarios.hpp"

#include <string>

namespace jfrtree::test {

namespace {

/// The three samples of `three_samples()` and one whose stack is key 777,777.
StandardChunk with_fourth_sample() {
  StandardChunk chunk = three_samples();
  chunk.execution_sample({.stack = 777'777});
  return chunk;
}

Bytes with_stack(const ByteWriter& encoded) {
  return with_fourth_sample().raw_constant("StackTrace", 777'777, encoded).bytes();
}

/// The leaf frame's method has the name that is given, as an encoded symbol.
Bytes with_method_name(const ByteWriter& encoded_string) {
  StandardChunk chunk = with_fourth_sample();
  chunk.raw_constant("Symbol", 888'888, encoded_string);
  chunk.constant("Method", 999'999, {{"name", 888'888}});
  return chunk
      .raw_constant("StackTrace", 777'777,
                    ByteWriter().boolean_value(false).count(1).key(999'999).zeros(3))
      .bytes();
}

/// The same in a pool that nobody uses, in a checkpoint before the good constants.
Bytes with_unused_symbol(const ByteWriter& encoded_string) {
  StandardChunk chunk = with_fourth_sample();
  chunk.checkpoint({.pools = {Pool{chunk.type_id("Symbol")}.entry(888'888, encoded_string)}});
  return chunk.bytes();
}

ByteWriter frames(std::uint64_t claimed, std::uint64_t present) {
  static const std::uint64_t method = three_samples().method("Main.main");
  ByteWriter stack;
  stack.boolean_value(false).count(claimed);
  for (std::uint64_t i = 0; i < present; ++i) {
    stack.key(method).int_value(static_cast<int>(i % 100)).int_value(0).key(1);
  }
  return stack;
}

/// 10,000 stacks, methods, classes and symbols whose keys are i << `shift`, each used once.
Bytes colliding_keys(unsigned shift) {
  StandardChunk chunk = jdk17_chunk();
  constexpr std::uint64_t count = 10'000;
  for (std::uint64_t i = 1; i <= count; ++i) {
    const std::uint64_t key = i << shift;
    chunk.constant("Symbol", key, {{"string", "name" + std::to_string(i)}});
    chunk.constant("Class", key, {{"name", key}});
    chunk.constant("Method", key, {{"type", key}, {"name", key}});
    chunk.constant("Thread", key, {{"javaName", "thread " + std::to_string(i)}});
    chunk.raw_constant("StackTrace", key,
                       ByteWriter().boolean_value(false).count(1).key(key).zeros(3));
    chunk.execution_sample({.stack = key, .thread = key});
  }
  return chunk.bytes();
}

Bytes class_loader_cycle() {
  StandardChunk chunk = with_fourth_sample();
  chunk.constant("Symbol", 888'888, {{"string", "Loader"}});
  chunk.constant("Class", 888'888, {{"classLoader", 888'888}, {"name", 888'888}});
  chunk.constant("ClassLoader", 888'888, {{"type", 888'888}, {"name", 888'888}});
  chunk.constant("Method", 888'888, {{"type", 888'888}, {"name", 888'888}});
  return chunk
      .raw_constant("StackTrace", 777'777,
                    ByteWriter().boolean_value(false).count(1).key(888'888).zeros(3))
      .bytes();
}

/// Pool strings that are references to other pool strings.
Bytes string_references(std::uint64_t length, std::uint64_t last_target) {
  StandardChunk chunk = three_samples();
  for (std::uint64_t key = 1; key <= length; ++key) {
    chunk.raw_constant("String", key,
                       ByteWriter().pooled_string(key == length ? last_target : key + 1));
  }
  return chunk.event("jdk.ActiveSetting", {{"name", FieldValue::pooled(1)}, {"value", "on"}})
      .bytes();
}

Bytes special_keys() {
  StandardChunk chunk = three_samples();
  for (const std::uint64_t key : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
    chunk.raw_constant("StackTrace", key, frames(1, 1));
    chunk.execution_sample({.stack = key});
  }
  return chunk.bytes();
}

Bytes differing_duplicates() {
  StandardChunk chunk = with_fourth_sample();
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    chunk.raw_constant("StackTrace", 777'777, frames(i % 3, i % 3));
  }
  return chunk.bytes();
}

constexpr auto odd = Outcome::fine_or_problem;
constexpr auto fine = Outcome::fine;
constexpr auto problem = Outcome::problem;

constexpr HostileRecording stacks[] = {
    {"stack_of_1000000_frames", "really there", odd, 4, 4,
     [] { return with_stack(frames(1'000'000, 1'000'000)); }},
    {"stack_of_2000000_frames", "really there, above the default limit", odd, 3, 4,
     [] { return with_stack(frames(2'000'000, 2'000'000)); }},
    {"stack_claims_1000000_frames", "two are there", Outcome::problem, 4, 4,
     [] { return with_stack(frames(1'000'000, 2)); }},
    {"stack_claims_2_60_frames", "two are there", Outcome::problem, 4, 4,
     [] { return with_stack(frames((1ULL << 60) + 1000, 2)); }},
    {"stack_claims_negative_frames", "-1 as a 32-bit number", Outcome::problem, 4, 4,
     [] { return with_stack(frames(0xffffffff, 2)); }},
    {"stack_without_frames", "an empty list of frames", Outcome::fine, 4, 4,
     [] { return with_stack(frames(0, 0)); }},
    {"stack_missing", "no constant has the sample's key", Outcome::fine, 4, 4,
     [] { return with_fourth_sample().bytes(); }},
    {"method_missing", "no constant has the frame's method key", Outcome::fine, 4, 4,
     [] { return with_stack(ByteWriter().boolean_value(false).count(1).key(123'456).zeros(3)); }},
    {"frame_type_missing", "no constant has the frame's type key", Outcome::fine, 4, 4,
     [] { return with_stack(ByteWriter().boolean_value(false).count(1).key(1).zeros(2).key(99)); }},
    {"differing_duplicates", "10000 different stacks with one key", Outcome::fine, 4, 4,
     differing_duplicates},
    {"special_keys", "stacks with the keys 0, 2^63 and 2^64-1", Outcome::fine, 6, 6, special_keys},
    {"class_loader_cycle", "a class whose loader is of that class", Outcome::fine, 4, 4,
     class_loader_cycle},
    {"keys_shifted_16", "10000 keys i << 16 in five pools", Outcome::fine, 10'000, 10'000,
     [] { return colliding_keys(16); }},
    {"keys_shifted_32", "10000 keys i << 32 in five pools", Outcome::fine, 10'000, 10'000,
     [] { return colliding_keys(32); }},
    {"keys_shifted_48", "10000 keys i << 48 in five pools", Outcome::fine, 10'000, 10'000,
     [] { return colliding_keys(48); }},
};

constexpr HostileRecording strings[] = {
    {"constant_string_of_2_31_bytes", "claimed, in a pool nobody needs", problem, 4, 4,
     [] { return with_unused_symbol(ByteWriter().claimed_string(1ULL << 31, "short")); }},
    {"constant_string_of_2_60_bytes", "claimed, in a pool nobody needs", problem, 4, 4,
     [] { return with_unused_symbol(ByteWriter().claimed_string((1ULL << 60) + 1000, "short")); }},
    {"constant_string_negative", "length -1 as a 32-bit number", problem, 4, 4,
     [] { return with_unused_symbol(ByteWriter().claimed_string(0xffffffff, "short")); }},
    {"constant_utf16_of_2_31_units", "claimed, in a pool nobody needs", problem, 4, 4,
     [] {
       return with_unused_symbol(
           ByteWriter().claimed_string(1ULL << 31, "short", StringEncoding::utf16));
     }},
    {"constant_string_encoding_6", "an encoding that does not exist", problem, 4, 4,
     [] { return with_unused_symbol(ByteWriter().u8(6).zeros(8)); }},
    {"method_name_of_20_mb", "really there, above the default limit", odd, 4, 4,
     [] {
       return with_method_name(
           ByteWriter().claimed_string(20'000'000, "").raw(Bytes(20'000'000, std::byte{'x'})));
     }},
    {"method_name_null", "a symbol that is null", fine, 4, 4,
     [] { return with_method_name(ByteWriter().null_string()); }},
    {"method_name_empty", "a symbol that is empty", fine, 4, 4,
     [] { return with_method_name(ByteWriter().string("", StringEncoding::empty)); }},
    {"method_name_broken_utf8", "bytes that are no UTF-8", fine, 4, 4,
     [] { return with_method_name(ByteWriter().string("a\xff\xc3(\xf0\x9f\x98")); }},
    {"method_name_modified_utf8", "NUL as c0 80, a surrogate pair in six bytes", fine, 4, 4,
     [] {
       return with_method_name(ByteWriter().string("U$\xed\xa0\xb5\xed\xb2\xb3\xc0\x80\xc3\xa9"));
     }},
    {"method_name_lone_surrogate", "half of a pair in UTF-16", fine, 4, 4,
     [] {
       const char16_t units[] = {u'a', static_cast<char16_t>(0xd83d), u'b'};
       return with_method_name(ByteWriter().utf16_string(std::u16string_view(units, 3)));
     }},
    {"string_refers_to_itself", "a pool string that is a reference to itself", fine, 3, 3,
     [] { return string_references(1, 1); }},
    {"string_reference_cycle", "two pool strings that refer to each other", fine, 3, 3,
     [] { return string_references(2, 1); }},
    {"string_references_100000", "a chain of 100000 references that ends nowhere", fine, 3, 3,
     [] { return string_references(100'000, 0); }},
};

}  // namespace

std::vector<HostileRecording> hostile_constants() { return joined({stacks, strings}); }

}  // namespace jfrtree::test
