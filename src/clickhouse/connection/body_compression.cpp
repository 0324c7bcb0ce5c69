#include "clickhouse/connection/body_compression.hpp"

#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>
#include <new>
#include <stdexcept>

namespace jfrtree::internal {

namespace {

using clickhouse::Compression;

/// The fastest level of each: the network is seldom slower than the compressor.
constexpr int fastest = 1;

[[nodiscard]] std::string by_zstd(std::string_view bytes) {
  std::string result(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(result.data(), result.size(), bytes.data(), bytes.size(), fastest);
  if (ZSTD_isError(size) != 0) throw std::runtime_error(ZSTD_getErrorName(size));
  result.resize(size);
  return result;
}

[[nodiscard]] std::string by_lz4(std::string_view bytes) {
  std::string result(LZ4F_compressFrameBound(bytes.size(), nullptr), '\0');
  const std::size_t size =
      LZ4F_compressFrame(result.data(), result.size(), bytes.data(), bytes.size(), nullptr);
  if (LZ4F_isError(size) != 0) throw std::runtime_error(LZ4F_getErrorName(size));
  result.resize(size);
  return result;
}

[[nodiscard]] std::string by_gzip(std::string_view bytes) {
  constexpr int gzip_window = 15 + 16;
  constexpr int usual_memory = 8;
  constexpr std::size_t piece = std::size_t{1} << 30;  // counters of zlib have 32 bits
  z_stream stream{};
  if (deflateInit2(&stream, fastest, Z_DEFLATED, gzip_window, usual_memory, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  std::string result;
  std::string buffer(std::size_t{1} << 18, '\0');
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    const std::string_view part = bytes.substr(0, piece);
    if (stream.avail_in == 0) {
      // zlib does not write to its input.
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
      stream.avail_in = static_cast<uInt>(part.size());
      bytes.remove_prefix(part.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    state = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    result.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return result;
}

}  // namespace

std::string compressed(std::string_view bytes, Compression compression) {
  switch (compression) {
    case Compression::zstd:
      return by_zstd(bytes);
    case Compression::lz4:
      return by_lz4(bytes);
    case Compression::gzip:
      return by_gzip(bytes);
    case Compression::none:
      break;
  }
  return std::string(bytes);
}

std::string_view encoding_name(Compression compression) noexcept {
  switch (compression) {
    case Compression::zstd:
      return "zstd";
    case Compression::lz4:
      return "lz4";
    case Compression::gzip:
      return "gzip";
    case Compression::none:
      break;
  }
  return {};
}

}  // namespace jfrtree::internal
