// The least that a reader does: it goes from record to record by their sizes and counts the events.
//
// usage: probe_sizes RECORDING

#include <cstdint>
#include <exception>
#include <iostream>

#include "format/varint.hpp"
#include "recording_file.hpp"

namespace {

using namespace jfrtree::bench;

struct Counts {
  std::uint64_t records = 0;
  std::uint64_t events = 0;
};

void count_records(const ChunkBytes& chunk, Counts& counts) {
  for (const std::uint8_t* record = chunk.first_record(); record < chunk.end;) {
    const std::uint8_t* position = record;
    std::uint64_t size = 0;
    const bool is_read = jfrtree::internal::read_varint(position, chunk.end, size);
    const auto left = static_cast<std::uint64_t>(chunk.end - record);
    const auto head = static_cast<std::uint64_t>(position - record);
    if (!is_read || size <= head || size > left) throw ProbeError("a record has no true size");
    ++counts.records;
    // Metadata is type 0, a checkpoint type 1.
    if (*position > 1) ++counts.events;
    record += size;
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw ProbeError("usage: probe_sizes RECORDING");
  const RecordingFile file(argv[1]);
  Counts counts;
  for (const ChunkBytes& chunk : file.chunks()) count_records(chunk, counts);
  print({{"records", counts.records}, {"events", counts.events}});
  return 0;
} catch (const std::exception& error) {
  std::cerr << "probe_sizes: " << error.what() << '\n';
  return 1;
}
