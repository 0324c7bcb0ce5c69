#include "support/gzip_writer.hpp"

#include <zlib.h>
#include <stdexcept>

namespace jfrtree::test {

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// A deflate stream without header, so that its parts can be put together by hand.
class Deflater {
 public:
  Deflater() {
    if (deflateInit2(&stream_, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw std::runtime_error("deflateInit2");
    }
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  Bytes write(const Bytes& bytes, int flush) {
    Bytes compressed(deflateBound(&stream_, static_cast<uLong>(bytes.size())) + 64);
    Bytes input = bytes;
    stream_.next_in = reinterpret_cast<Bytef*>(input.data());
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(compressed.data());
    stream_.avail_out = static_cast<uInt>(compressed.size());
    const int result = deflate(&stream_, flush);
    if (result != Z_OK && result != Z_STREAM_END) throw std::runtime_error("deflate");
    compressed.resize(compressed.size() - stream_.avail_out);
    return compressed;
  }

 private:
  z_stream stream_{};
};

uLong checksum(const Bytes& bytes) {
  return crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
}

void append_little_endian(Bytes& target, std::uint64_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    target.push_back(static_cast<std::byte>((value >> shift) & 0xff));
  }
}

}  // namespace

Bytes gzip(const Bytes& bytes) { return gzip_with_zeros(bytes, 0); }

Bytes gzip_with_zeros(const Bytes& first, std::uint64_t mebibytes) {
  Bytes member = from_hex("1f 8b 08 00 00 00 00 00 00 ff");
  uLong crc = checksum(first);
  Deflater deflater;
  append(member, deflater.write(first, Z_FULL_FLUSH));
  if (mebibytes > 0) {
    // After a full flush the window is empty: the same compressed bytes can be repeated.
    const Bytes zeros(mebibyte);
    const uLong crc_of_zeros = checksum(zeros);
    const Bytes block = deflater.write(zeros, Z_FULL_FLUSH);
    for (std::uint64_t i = 0; i < mebibytes; ++i) {
      append(member, block);
      crc = crc32_combine(crc, crc_of_zeros, static_cast<z_off_t>(mebibyte));
    }
  }
  append(member, deflater.write({}, Z_FINISH));
  append_little_endian(member, crc);
  append_little_endian(member, first.size() + mebibytes * mebibyte);
  return member;
}

}  // namespace jfrtree::test
