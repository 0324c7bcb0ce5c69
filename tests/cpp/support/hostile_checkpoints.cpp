#include "support/hostile_recordings.hpp"
#include "support/scenarios.hpp"

#include <limits>

namespace jfrtree::test {

namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

// Not 0 either for readers that keep 32 bits of a count.
constexpr std::uint64_t beyond_32_bits = (1ULL << 40) + 1000;

constexpr std::uint64_t undeclared_class = 99'999;

/// Three samples and one more checkpoint. It is neither the newest nor the oldest of the chain: the
/// constants of the samples are read before it.
Bytes with_checkpoint(const Checkpoint& checkpoint) {
  return three_samples().checkpoint(checkpoint).bytes();
}

Bytes with_delta(std::int64_t delta) {
  Checkpoint checkpoint;
  checkpoint.delta = delta;
  return with_checkpoint(checkpoint);
}

Pool symbols() {
  static const std::uint64_t symbol_id = three_samples().type_id("Symbol");
  return Pool{symbol_id};
}

Bytes with_pool(const Pool& pool) { return with_checkpoint({.pools = {pool}}); }

Bytes with_claimed_size(std::uint64_t claimed) {
  Checkpoint checkpoint{.pools = {symbols().entry(70'000, ByteWriter().string("extra"))}};
  checkpoint.size = {.width = 9, .claimed = claimed};
  return with_checkpoint(checkpoint);
}

/// Two checkpoints that name each other as the one before: both are 15 bytes.
Bytes checkpoint_cycle() {
  Checkpoint first;
  first.delta = 15;
  first.size = {.width = 8};
  Checkpoint second;
  second.delta = -15;
  return three_samples().checkpoint(first).checkpoint(second).bytes();
}

Bytes delta_forward() {
  StandardChunk chunk = three_samples();
  ChunkWriter writer = chunk.writer();
  // A checkpoint at the very end; its chain goes to one that stands behind it.
  Checkpoint forward;
  forward.delta = 8;
  const std::size_t at = writer.checkpoint(forward);
  writer.checkpoint({.delta = 0});
  writer.header().checkpoint_offset = static_cast<std::int64_t>(at);
  return writer.bytes();
}

Bytes long_chain(int count) {
  StandardChunk chunk = three_samples();
  for (int i = 0; i < count; ++i) chunk.checkpoint({});
  return chunk.bytes();
}

/// The same constants again and again.
Bytes repeated_constants() {
  StandardChunk chunk = three_samples();
  for (int i = 0; i < 1000; ++i) {
    Pool pool = symbols();
    for (std::uint64_t key = 1; key <= 100; ++key) {
      pool.entry(0x2000000 + key, ByteWriter().string("same"));
    }
    chunk.checkpoint({.pools = {pool}});
  }
  return chunk.bytes();
}

constexpr auto problem = Outcome::problem;

constexpr HostileRecording chains[] = {
    {"checkpoint_cycle", "two name each other: JDK readers loop for ever", problem, 3, 3,
     checkpoint_cycle},
    {"delta_into_itself", "the one before starts inside of this one", problem, 3, 3,
     [] { return with_delta(1); }},
    {"delta_forward", "the chain goes forward", Outcome::fine_or_problem, 3, 3, delta_forward},
    {"delta_before_chunk", "the chain leaves the chunk at its start", problem, 3, 3,
     [] { return with_delta(-100'000); }},
    {"delta_into_header", "the chain ends inside of the header", problem, 3, 3,
     [] {
       StandardChunk chunk = three_samples().without_enum_pools();
       return chunk.checkpoint({.delta = -100}).bytes();
     }},
    {"delta_past_end", "the chain leaves the chunk at its end", problem, 3, 3,
     [] { return with_delta(100'000); }},
    {"delta_lowest", "-2^63", problem, 3, 3, [] { return with_delta(lowest); }},
    {"delta_highest", "2^63-1", problem, 3, 3, [] { return with_delta(highest); }},
    {"delta_to_event", "the record there is no checkpoint", problem, 3, 3,
     [] {
       StandardChunk chunk = three_samples();
       const std::int64_t event_bytes = 1 + 3 + 3;  // size, type id, payload
       return chunk.raw_event(undeclared_class, ByteWriter().zeros(3))
           .checkpoint({.delta = -event_bytes})
           .bytes();
     }},
    {"hundred_thousand_checkpoints", "a chain of 100000 empty checkpoints", Outcome::fine, 3, 3,
     [] { return long_chain(100'000); }},
    {"repeated_constants", "1000 checkpoints define the same 100 keys", Outcome::fine, 3, 3,
     repeated_constants},
};

constexpr HostileRecording pools[] = {
    {"pool_of_2_40_entries", "2^40 entries claimed, one is there", problem, 3, 3,
     [] {
       Pool pool = symbols().entry(70'000, ByteWriter().string("one"));
       pool.claimed_count = beyond_32_bits;
       return with_pool(pool);
     }},
    {"pool_of_2_31_entries", "2^31 entries claimed, one is there", problem, 3, 3,
     [] {
       Pool pool = symbols().entry(70'000, ByteWriter().string("one"));
       pool.claimed_count = 1ULL << 31;
       return with_pool(pool);
     }},
    {"pool_count_negative", "-1 as a 32-bit number", problem, 3, 3,
     [] {
       Pool pool = symbols();
       pool.claimed_count = 0xffffffff;
       return with_pool(pool);
     }},
    {"pools_2_40", "2^40 pools claimed, none is there", problem, 3, 3,
     [] { return with_checkpoint({.claimed_pool_count = beyond_32_bits}); }},
    {"pools_none", "a checkpoint without pools", Outcome::fine, 3, 3,
     [] { return with_checkpoint({}); }},
    {"pool_empty", "a pool without entries", Outcome::fine, 3, 3,
     [] { return with_pool(symbols()); }},
    {"pool_of_undeclared_class", "nothing says how long the entries are", problem, 3, 3,
     [] { return with_pool(Pool{undeclared_class}.entry(1, ByteWriter().string("lost"))); }},
    {"pool_of_undeclared_class_empty", "no entries, so nothing is lost", Outcome::fine_or_problem,
     3, 3, [] { return with_pool(Pool{undeclared_class}); }},
    {"pool_of_numbers", "a pool of the primitive type long", Outcome::fine_or_problem, 3, 3,
     [] { return with_pool(Pool{206}.entry(1, ByteWriter().long_value(5))); }},
    {"pool_of_event_class", "a pool of an event type", Outcome::fine_or_problem, 3, 3,
     [] { return with_pool(Pool{109}.entry(1, ByteWriter().zeros(4))); }},
    {"pool_of_empty_structs", "2^40 entries of a class without fields", problem, 3, 3,
     [] {
       StandardChunk chunk = three_samples();
       chunk.types().declare(TypeKind::plain, "my.Empty", 3001);
       Pool pool{3001};
       pool.claimed_count = beyond_32_bits;
       return chunk.checkpoint({.pools = {pool}}).bytes();
     }},
    {"pool_entry_cut", "the checkpoint ends in the middle of an entry", problem, 3, 3,
     [] { return with_pool(symbols().entry(70'000, ByteWriter().claimed_string(50, "short"))); }},
    {"profiler_dummy_pools", "three String pools with key 0 = null, as async-profiler writes",
     Outcome::fine, 3, 3,
     [] {
       const Pool dummy = Pool{214}.entry(0, ByteWriter().null_string());
       return with_checkpoint({.pools = {dummy, dummy, dummy}});
     }},
};

constexpr HostileRecording sizes[] = {
    {"checkpoint_size_too_large", "4 bytes remain behind the last pool", Outcome::fine_or_problem,
     3, 3,
     [] {
       Checkpoint checkpoint{.pools = {symbols()}};
       checkpoint.trailing = Bytes(4);
       return with_checkpoint(checkpoint);
     }},
    {"checkpoint_size_too_small", "the pools need more than the size", problem, 3, 3,
     [] { return with_claimed_size(20); }},
    {"checkpoint_size_0", "a checkpoint of size 0", problem, 3, 3,
     [] { return with_claimed_size(0); }},
    {"checkpoint_size_past_end", "the size reaches beyond the chunk", problem, 3, 3,
     [] { return with_claimed_size(1ULL << 30); }},
    {"checkpoint_size_negative", "-10 as a 64-bit number", problem, 3, 3,
     [] { return with_claimed_size(static_cast<std::uint64_t>(-10)); }},
};

}  // namespace

std::vector<HostileRecording> hostile_checkpoints() { return joined({chains, pools, sizes}); }

}  // namespace jfrtree::test
