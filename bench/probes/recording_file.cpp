#include "recording_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <iostream>

#include "format/varint.hpp"

namespace jfrtree::bench {
namespace {

constexpr std::size_t header_bytes = 68;
constexpr std::size_t size_position = 8;
constexpr std::size_t metadata_position = 24;

std::uint64_t header_number(const std::uint8_t* chunk, std::size_t position) {
  return internal::load_big_endian(chunk + position, 8);
}

ChunkBytes chunk_at(const std::uint8_t* position, std::size_t available) {
  if (available < header_bytes || std::memcmp(position, "FLR", 4) != 0) {
    throw ProbeError("no chunk begins where one should");
  }
  const std::uint64_t size = header_number(position, size_position);
  const std::uint64_t metadata = header_number(position, metadata_position);
  if (size < header_bytes || size > available || metadata < header_bytes || metadata >= size) {
    throw ProbeError("a chunk is not whole");
  }
  return {position, position + size, metadata};
}

}  // namespace

const std::uint8_t* ChunkBytes::first_record() const noexcept { return begin + header_bytes; }

RecordingFile::RecordingFile(const std::string& path) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): that is how POSIX declares it
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0 || status.st_size <= 0) {
    if (descriptor >= 0) ::close(descriptor);
    throw ProbeError("cannot read " + path);
  }
  size_ = static_cast<std::size_t>(status.st_size);
  mapped_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  ::close(descriptor);
  if (mapped_ == MAP_FAILED) throw ProbeError("cannot map " + path);
  ::madvise(mapped_, size_, MADV_SEQUENTIAL);
}

RecordingFile::~RecordingFile() { ::munmap(mapped_, size_); }

std::vector<ChunkBytes> RecordingFile::chunks() const {
  std::vector<ChunkBytes> found;
  const auto* const begin = static_cast<const std::uint8_t*>(mapped_);
  const std::uint8_t* const end = begin + size_;
  for (const std::uint8_t* position = begin; position < end; position = found.back().end) {
    found.push_back(chunk_at(position, static_cast<std::size_t>(end - position)));
  }
  return found;
}

void print(const std::vector<Counted>& counts) {
  for (const Counted& count : counts) std::cout << count.name << ' ' << count.number << '\n';
}

}  // namespace jfrtree::bench
