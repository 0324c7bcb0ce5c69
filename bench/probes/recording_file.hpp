#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace jfrtree::bench {

/// What a probe cannot read. The probes measure how fast healthy recordings can be read at all, so
/// they give up where the program would go on.
class ProbeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The bytes of one chunk; they live as long as their file.
struct ChunkBytes {
  const std::uint8_t* begin = nullptr;
  const std::uint8_t* end = nullptr;
  std::uint64_t metadata_offset = 0;

  [[nodiscard]] const std::uint8_t* first_record() const noexcept;
};

/// A recording mapped into memory.
class RecordingFile {
 public:
  /// Throws ProbeError when the file cannot be read.
  explicit RecordingFile(const std::string& path);
  ~RecordingFile();
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;

  /// All chunks by their headers. Throws ProbeError when one is not whole.
  [[nodiscard]] std::vector<ChunkBytes> chunks() const;

 private:
  void* mapped_ = nullptr;
  std::size_t size_ = 0;
};

/// Prints what a probe counted, as "NAME NUMBER" a line.
struct Counted {
  const char* name;
  std::uint64_t number;
};
void print(const std::vector<Counted>& counts);

}  // namespace jfrtree::bench
