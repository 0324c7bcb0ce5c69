#include "io/decoder.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <string>

#define ZLIB_CONST
#include <zlib.h>

namespace jfrtree::internal {
namespace {

constexpr std::size_t local_header_size = 30;
constexpr std::size_t central_header_size = 46;
constexpr std::size_t end_record_size = 22;
// Behind the only entry follow the central headers, of folders as well, and the end record, each
// with at most three fields of 64 KiB.
constexpr std::size_t largest_tail = std::size_t{512} << 10;
// A mark, a checksum and two sizes of eight bytes.
constexpr std::size_t largest_descriptor = 24;
constexpr std::string_view local_mark = "PK\3\4";
constexpr std::string_view central_mark = "PK\1\2";
constexpr std::string_view end_mark = "PK\5\6";
constexpr std::uint32_t size_elsewhere = 0xFFFF'FFFFU;

std::uint32_t little_endian(std::string_view bytes, std::size_t offset, std::size_t count) {
  std::uint32_t value = 0;
  for (std::size_t index = count; index-- > 0;) {
    value = (value << 8) | static_cast<unsigned char>(bytes[offset + index]);
  }
  return value;
}

uInt clamped(std::size_t size) noexcept {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

// Reads the first entry that holds something as it comes; the directory behind it tells whether it
// was the only one. Folders are entries that hold nothing.
class ZipDecoder final : public Decoder {
 public:
  ZipDecoder() {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~ZipDecoder() override { inflateEnd(&stream_); }

  Step decode(ByteSpan input, std::span<std::byte> output) override {
    Step step;
    switch (part_) {
      case Part::header:
        step = read_header(input);
        break;
      case Part::deflated:
        step = inflate_some(input, output);
        break;
      case Part::stored:
        step = copy_some(input, output);
        break;
      case Part::behind_empty:
        step = find_next_entry(input);
        break;
      case Part::tail:
        step = read_tail(input);
        break;
    }
    if (step.produced > 0) {
      is_empty_ = false;
    }
    checksum_ = crc32_z(checksum_, reinterpret_cast<const Bytef*>(output.data()), step.produced);
    return step;
  }

  Step finish() override {
    const std::size_t end = text_.rfind(end_mark);
    Step step;
    if (part_ != Part::tail || end == std::string::npos || text_.size() - end < end_record_size) {
      return step;
    }
    const Directory directory = read_directory(end);
    if (directory.entries_with_contents > 1) {
      step.error = several_entries;
    } else if (directory.entries != little_endian(text_, end + 10, 2)) {
      step.error = "its directory is damaged";
    } else if (directory.checksum != checksum_) {
      step.error = "the checksum of the entry is wrong";
    } else {
      step.frame_end = true;
    }
    return step;
  }

  void reset() override {
    inflateReset(&stream_);
    text_.clear();
    part_ = Part::header;
    checksum_ = 0;
    is_empty_ = true;
  }

 private:
  enum class Part : unsigned char { header, deflated, stored, behind_empty, tail };

  struct Directory {
    std::uint32_t entries = 0;
    std::uint32_t entries_with_contents = 0;
    std::uint32_t checksum = 0;  // of the entry with contents
  };

  static constexpr std::string_view several_entries =
      "it holds several entries, of which the first was read; unpack it";

  Step read_header(ByteSpan input) {
    Step step;
    // Bytes are taken one by one up to the size that is known by then.
    while (step.consumed < input.size() && text_.size() < header_size()) {
      text_ += static_cast<char>(input[step.consumed++]);
    }
    if (text_.size() < header_size()) {
      return step;
    }
    const std::uint32_t flags = little_endian(text_, 6, 2);
    const std::uint32_t method = little_endian(text_, 8, 2);
    stored_left_ = little_endian(text_, 18, 4);
    const bool size_is_known = (flags & 8U) == 0 && stored_left_ != size_elsewhere;
    if ((flags & 1U) != 0) {
      step.error = "it is encrypted; unpack it first";
    } else if (method == 8) {
      part_ = Part::deflated;
    } else if (method == 0 && size_is_known) {
      part_ = stored_left_ > 0 ? Part::stored : Part::behind_empty;
    } else {
      step.error = method == 0 ? "its entry does not say where it ends; unpack it first"
                               : "its entry is compressed by another method than deflate; unpack it "
                                 "first";
    }
    text_.clear();
    return step;
  }

  [[nodiscard]] std::size_t header_size() const {
    if (text_.size() < local_header_size) {
      return local_header_size;
    }
    return local_header_size + little_endian(text_, 26, 2) + little_endian(text_, 28, 2);
  }

  Step inflate_some(ByteSpan input, std::span<std::byte> output) {
    stream_.next_in = reinterpret_cast<const Bytef*>(input.data());
    stream_.avail_in = clamped(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
    stream_.avail_out = clamped(output.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) {
      throw std::bad_alloc();
    }
    Step step;
    step.consumed = clamped(input.size()) - stream_.avail_in;
    step.produced = clamped(output.size()) - stream_.avail_out;
    if (result == Z_STREAM_END) {
      part_ = is_empty_ && step.produced == 0 ? Part::behind_empty : Part::tail;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      step.error = stream_.msg != nullptr ? stream_.msg : "not a valid deflate stream";
    }
    return step;
  }

  Step copy_some(ByteSpan input, std::span<std::byte> output) {
    Step step;
    step.consumed = std::min<std::size_t>({input.size(), output.size(), stored_left_});
    step.produced = step.consumed;
    std::copy_n(input.begin(), step.consumed, output.begin());
    stored_left_ -= static_cast<std::uint32_t>(step.consumed);
    if (stored_left_ == 0) {
      part_ = Part::tail;
    }
    return step;
  }

  // Takes bytes up to the mark of the next entry or of the directory. Before it may stand sizes.
  Step find_next_entry(ByteSpan input) {
    Step step;
    while (step.consumed < input.size() && part_ == Part::behind_empty) {
      text_ += static_cast<char>(input[step.consumed++]);
      if (text_.ends_with(local_mark)) {
        text_ = local_mark;
        inflateReset(&stream_);
        part_ = Part::header;
      } else if (text_.ends_with(central_mark)) {
        text_ = central_mark;
        part_ = Part::tail;
      } else if (text_.size() >= largest_descriptor + local_mark.size()) {
        step.error = "behind an empty entry follows no other";
        return step;
      }
    }
    return step;
  }

  // The central headers before the end record.
  [[nodiscard]] Directory read_directory(std::size_t end) const {
    Directory directory;
    const std::uint32_t size = little_endian(text_, end + 12, 4);
    std::size_t at = size <= end ? end - size : end;
    // In large zips something stands between the directory and its end.
    if (text_.compare(at, central_mark.size(), central_mark) != 0) {
      at = text_.find(central_mark);
    }
    while (at < end && end - at >= central_header_size &&
           text_.compare(at, central_mark.size(), central_mark) == 0) {
      ++directory.entries;
      if (little_endian(text_, at + 24, 4) != 0) {
        ++directory.entries_with_contents;
        directory.checksum = little_endian(text_, at + 16, 4);
      }
      at += central_header_size + little_endian(text_, at + 28, 2) +
            little_endian(text_, at + 30, 2) + little_endian(text_, at + 32, 2);
    }
    return directory;
  }

  Step read_tail(ByteSpan input) {
    Step step;
    step.consumed = input.size();
    text_ += as_text(input);
    if (text_.size() > largest_tail) {
      step.error = several_entries;
    }
    return step;
  }

  z_stream stream_{};
  std::string text_;  // the header as far as it has come, later what follows the entry
  Part part_ = Part::header;
  std::uint32_t stored_left_ = 0;
  uLong checksum_ = 0;
  bool is_empty_ = true;  // nothing came out yet
};

}  // namespace

std::unique_ptr<Decoder> make_zip_decoder() { return std::make_unique<ZipDecoder>(); }

}  // namespace jfrtree::internal
