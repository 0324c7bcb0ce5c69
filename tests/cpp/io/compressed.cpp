#include "io/compressed.hpp"

#include <doctest/doctest.h>
#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "io/bytes.hpp"

namespace jfrtree::test {
namespace {

void append_little_endian(std::string& bytes, std::uint64_t value, int count) {
  for (int index = 0; index < count; ++index) {
    bytes += static_cast<char>((value >> (8 * index)) & 0xFFU);
  }
}

std::string deflate_text(std::string_view text, int window_bits) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string result(deflateBound(&stream, static_cast<uLong>(text.size())) + 32, '\0');
  std::string copy(text);
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

}  // namespace

std::string gzip(std::string_view text) { return deflate_text(text, 16 + MAX_WBITS); }

std::string zstd(std::string_view text) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string result(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context, result.data(), result.size(), text.data(), text.size());
  ZSTD_freeCCtx(context);
  REQUIRE(ZSTD_isError(size) == 0);
  result.resize(size);
  return result;
}

std::string lz4(std::string_view text) {
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.blockSizeID = LZ4F_max64KB;
  preferences.frameInfo.blockMode = LZ4F_blockIndependent;
  preferences.frameInfo.blockChecksumFlag = LZ4F_blockChecksumEnabled;
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  std::string result(LZ4F_compressFrameBound(text.size(), &preferences), '\0');
  const std::size_t size =
      LZ4F_compressFrame(result.data(), result.size(), text.data(), text.size(), &preferences);
  REQUIRE(LZ4F_isError(size) == 0);
  result.resize(size);
  return result;
}

std::string skippable_frame(std::string_view contents) {
  std::string frame = "\x53\x2a\x4d\x18";
  append_little_endian(frame, contents.size(), 4);
  return frame.append(contents);
}

std::string zip(std::initializer_list<ZipEntry> entries) {
  std::string result;
  std::string directory;
  for (const ZipEntry& entry : entries) {
    const std::string data =
        entry.deflated ? deflate_text(entry.contents, -MAX_WBITS) : std::string(entry.contents);
    const std::uint64_t checksum =
        crc32_z(0, reinterpret_cast<const Bytef*>(entry.contents.data()), entry.contents.size());
    std::string common;  // what the local and the central header share
    append_little_endian(common, 20, 2);
    append_little_endian(common, (entry.streamed ? 8U : 0U) | (entry.encrypted ? 1U : 0U), 2);
    append_little_endian(common, entry.deflated ? 8 : 0, 2);
    append_little_endian(common, 0, 4);
    std::string sizes;
    append_little_endian(sizes, checksum, 4);
    append_little_endian(sizes, data.size(), 4);
    append_little_endian(sizes, entry.contents.size(), 4);
    std::string names;
    append_little_endian(names, entry.name.size(), 2);
    append_little_endian(names, 0, 2);

    directory += "PK\1\2";
    append_little_endian(directory, 20, 2);
    directory.append(common).append(sizes).append(names).append(10, '\0');
    append_little_endian(directory, result.size(), 4);
    directory += entry.name;

    const std::string local_sizes = entry.streamed ? std::string(12, '\0') : sizes;
    result.append("PK\3\4").append(common).append(local_sizes).append(names);
    result.append(entry.name).append(data);
    if (entry.streamed) {
      result.append("PK\7\10").append(sizes);
    }
  }
  const std::size_t directory_offset = result.size();
  result += directory;
  result += std::string("PK\5\6", 4) + std::string(4, '\0');
  append_little_endian(result, entries.size(), 2);
  append_little_endian(result, entries.size(), 2);
  append_little_endian(result, directory.size(), 4);
  append_little_endian(result, directory_offset, 4);
  append_little_endian(result, 0, 2);
  return result;
}

std::string sample_text(std::size_t lines) {
  std::string text;
  for (std::size_t line = 0; line < lines; ++line) {
    text += "line " + std::to_string(line * 7919 % 1000) + " of the sample\n";
  }
  return text;
}

std::string noise(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 12345;
  for (char& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

Contents read_contents(Input& input, std::size_t piece) {
  Contents contents;
  std::vector<std::byte> buffer(piece);
  try {
    while (const std::size_t count = input.read(buffer)) {
      contents.text += internal::as_text({buffer.data(), count});
    }
  } catch (const Error& error) {
    contents.error = error.code();
    contents.message = error.what();
  }
  return contents;
}

Contents read_bytes(std::string_view bytes, const Limits& limits, std::size_t piece) {
  try {
    return read_contents(*memory_input(internal::as_bytes(bytes), "test", limits), piece);
  } catch (const Error& error) {
    return {.text = {}, .error = error.code(), .message = error.what()};
  }
}

std::function<std::size_t(std::span<std::byte>)> pieces_of(std::string text, std::size_t piece,
                                                           std::size_t failing_read) {
  return [text = std::move(text), piece, failing_read, position = std::size_t{0},
          reads = std::size_t{0}](std::span<std::byte> buffer) mutable {
    if (++reads == failing_read) {
      throw std::runtime_error("the source failed");
    }
    const std::size_t count = std::min({piece, buffer.size(), text.size() - position});
    std::copy_n(internal::as_bytes(text).begin() + static_cast<std::ptrdiff_t>(position), count,
                buffer.begin());
    position += count;
    return count;
  };
}

void check_every_cut(std::string_view stream, std::string_view text,
                     const std::function<std::size_t(std::size_t)>& least) {
  for (std::size_t cut = magic_bytes; cut < stream.size(); ++cut) {
    CAPTURE(cut);
    const Contents contents = read_bytes(stream.substr(0, cut));
    REQUIRE(contents.error == ErrorCode::bad_compression);
    REQUIRE(text.starts_with(contents.text));
    REQUIRE(contents.text.size() >= least(cut));
  }
  const Contents whole = read_bytes(stream);
  CHECK_FALSE(whole.error.has_value());
  CHECK(whole.text == text);
}

void check_every_damaged_byte(std::string_view stream, std::string_view text) {
  std::size_t detected = 0;
  for (std::size_t position = magic_bytes; position < stream.size(); ++position) {
    for (const unsigned change : {0x01U, 0x80U, 0xFFU}) {
      CAPTURE(position);
      CAPTURE(change);
      std::string damaged(stream);
      damaged[position] = static_cast<char>(static_cast<unsigned char>(damaged[position]) ^ change);
      const Contents contents = read_bytes(damaged);
      if (contents.error) {
        REQUIRE(contents.error == ErrorCode::bad_compression);
        ++detected;
      } else {
        REQUIRE(contents.text == text);
      }
    }
  }
  // Names, times and flags of headers may change unnoticed; contents may not.
  CHECK(detected > stream.size());
}

}  // namespace jfrtree::test
