#include "support/gzip_writer.hpp"
#include "support/hostile_recordings.hpp"
#include "support/scenarios.hpp"

namespace jfrtree::test {

namespace {

constexpr std::uint64_t four_gibibytes = 4096;  // in MiB

Bytes good() { return three_samples().bytes(); }

Bytes good_then(const Bytes& more) { return RecordingWriter().add(good()).add(more).bytes(); }

Bytes between_good(const Bytes& bytes) {
  return RecordingWriter().add(good()).add(bytes).add(good()).bytes();
}

/// Bytes without a pattern, always the same.
Bytes garbage(std::size_t count) {
  Bytes bytes;
  std::uint32_t state = 12345;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525 + 1013904223;
    bytes.push_back(static_cast<std::byte>(state >> 24));
  }
  return bytes;
}

Bytes repeated(const Bytes& bytes, std::size_t count) {
  Bytes all;
  for (std::size_t i = 0; i < count; ++i) append(all, bytes);
  return all;
}

Bytes without_end(Bytes bytes, std::size_t dropped) {
  bytes.resize(bytes.size() - dropped);
  return bytes;
}

/// Zeros over everything from the middle of the first of two chunks to its end.
Bytes zero_filled_end_of_chunk() {
  const Bytes chunk = three_profiler_samples().bytes();
  Bytes damaged = chunk;
  for (std::size_t i = damaged.size() / 2; i < damaged.size(); ++i) damaged[i] = std::byte{0};
  return RecordingWriter().add(damaged).add(chunk).bytes();
}

Bytes header_that_claims(std::int64_t size) {
  HeaderFields header;
  header.chunk_size = size;
  header.metadata_offset = 68;
  return header.bytes();
}

Bytes gzip_with_wrong_checksum() {
  Bytes member = gzip(good());
  member[member.size() - 8] ^= std::byte{1};
  return member;
}

constexpr auto problem = Outcome::problem;
constexpr auto error = Outcome::error;
constexpr auto fine = Outcome::fine;

constexpr HostileRecording concatenated[] = {
    {"text_file", "no recording at all", Outcome::error, 0, 0,
     [] { return repeated(to_bytes("<html>404 Not Found</html>\n"), 10); }},
    {"only_zeros", "1 MiB of zeros", Outcome::error, 0, 0, [] { return Bytes(1 << 20); }},
    {"only_garbage", "1 MiB of noise", Outcome::error, 0, 0, [] { return garbage(1 << 20); }},
    {"trailing_garbage", "1000 bytes of noise behind the chunk", problem, 3, 3,
     [] { return good_then(garbage(1000)); }},
    {"trailing_zeros", "4096 zeros behind the chunk", problem, 3, 3,
     [] { return good_then(Bytes(4096)); }},
    {"trailing_zero", "one zero behind the chunk", problem, 3, 3,
     [] { return good_then(Bytes(1)); }},
    {"next_header_cut", "30 bytes of a next header", problem, 3, 3,
     [] {
       Bytes header = good();
       header.resize(30);
       return good_then(header);
     }},
    {"next_chunk_cut", "half of a next chunk", problem, 3, 6,
     [] {
       const Bytes next = three_profiler_samples().bytes();
       return good_then(without_end(next, next.size() / 2));
     }},
    {"chunk_cut", "half of a chunk", Outcome::problem_or_error, 0, 3,
     [] {
       const Bytes bytes = three_profiler_samples().bytes();
       return without_end(bytes, bytes.size() / 2);
     }},
    {"garbage_between_chunks", "1000 bytes of noise", problem, 6, 6,
     [] { return between_good(garbage(1000)); }},
    {"zeros_between_chunks", "1 MiB of zeros", problem, 6, 6,
     [] { return between_good(Bytes(1 << 20)); }},
    {"zero_filled_end_of_chunk", "the second half of the first chunk is zeros", problem, 3, 6,
     zero_filled_end_of_chunk},
    {"magic_repeated", "100000 times FLR and nothing else", Outcome::error, 0, 0,
     [] { return repeated(from_hex("464c5200"), 100'000); }},
    {"magic_repeated_behind_chunk", "100000 times FLR behind a good chunk", problem, 3, 3,
     [] { return good_then(repeated(from_hex("464c5200"), 100'000)); }},
    {"headers_that_claim_2_40", "10000 headers that claim 2^40 bytes behind a good chunk", problem,
     3, 3, [] { return good_then(repeated(header_that_claims(std::int64_t{1} << 40), 10'000)); }},
    {"headers_that_claim_100", "10000 headers that claim 100 bytes behind a good chunk", problem, 3,
     3, [] { return good_then(repeated(header_that_claims(100), 10'000)); }},
    {"chunk_of_version_0_9_behind", "a good chunk, then one of format 0.9", problem, 3, 3,
     [] { return good_then(hostile_recording("version_0_9").build()); }},
};

constexpr HostileRecording compressed[] = {
    {"gzip", "a good chunk in gzip", fine, 3, 3, [] { return gzip(good()); }},
    {"gzip_two_members", "a chunk in each of two members", fine, 6, 6,
     [] { return RecordingWriter().add(gzip(good())).add(gzip(good())).bytes(); }},
    {"gzip_chunk_over_two_members", "the second member continues the chunk of the first", fine, 3,
     3,
     [] {
       const Bytes all = good();
       const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
       return RecordingWriter()
           .add(gzip(Bytes(all.begin(), middle)))
           .add(gzip(Bytes(middle, all.end())))
           .bytes();
     }},
    {"gzip_of_version_0_9", "format 0.9 in gzip", error, 0, 0,
     [] { return gzip(hostile_recording("version_0_9").build()); }},
    {"gzip_of_gzip", "wrapped twice", Outcome::any, 0, 3, [] { return gzip(gzip(good())); }},
    {"gzip_of_nothing", "a member without bytes", error, 0, 0, [] { return gzip({}); }},
    {"gzip_magic_alone", "1f 8b", error, 0, 0, [] { return from_hex("1f8b"); }},
    {"gzip_cut", "the last 100 bytes are missing", Outcome::problem_or_error, 0, 3,
     [] { return without_end(gzip(good()), 100); }},
    {"gzip_checksum_cut", "the last 4 bytes are missing", Outcome::problem_or_error, 0, 3,
     [] { return without_end(gzip(good()), 4); }},
    {"gzip_wrong_checksum", "one bit of the checksum is wrong", Outcome::problem_or_error, 0, 3,
     gzip_with_wrong_checksum},
    {"gzip_trailing_garbage", "noise behind the member", Outcome::fine_or_problem, 3, 3,
     [] { return RecordingWriter().add(gzip(good())).add(garbage(100)).bytes(); }},
    {"gzip_bomb", "4 GiB of zeros", error, 0, 0,
     [] { return gzip_with_zeros({}, four_gibibytes); }},
    {"gzip_bomb_behind_chunk", "a good chunk, then 4 GiB of zeros", Outcome::problem_or_error, 0, 3,
     [] { return gzip_with_zeros(good(), four_gibibytes); }},
    {"gzip_bomb_in_chunk", "a header that claims the 4 GiB of zeros behind it",
     Outcome::problem_or_error, 0, 0,
     [] {
       return gzip_with_zeros(header_that_claims((std::int64_t{1} << 32) + 68), four_gibibytes);
     }},
    {"zstd_magic_and_garbage", "28 b5 2f fd, then noise", error, 0, 0,
     [] { return RecordingWriter().add(from_hex("28b52ffd")).add(garbage(200)).bytes(); }},
    {"lz4_magic_and_garbage", "04 22 4d 18, then noise", error, 0, 0,
     [] { return RecordingWriter().add(from_hex("04224d18")).add(garbage(200)).bytes(); }},
    {"zip_magic_and_garbage", "50 4b 03 04, then noise", error, 0, 0,
     [] { return RecordingWriter().add(from_hex("504b0304")).add(garbage(200)).bytes(); }},
};

}  // namespace

std::vector<HostileRecording> hostile_files() { return joined({concatenated, compressed}); }

}  // namespace jfrtree::test
