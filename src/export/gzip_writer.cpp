#include "export/gzip_writer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <utility>

#define ZLIB_CONST
#include <zlib.h>

namespace jfrtree::internal {

namespace {

// zlib's default, 6, takes three times as long for 10 % fewer bytes of a page's columns.
constexpr int compression_level = 4;

}  // namespace

struct GzipWriter::Stream {
  Stream() {
    constexpr int with_gzip_header = 16;
    constexpr int default_memory_level = 8;
    if (deflateInit2(&zlib, compression_level, Z_DEFLATED, MAX_WBITS + with_gzip_header,
                     default_memory_level, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { deflateEnd(&zlib); }

  z_stream zlib{};
  std::array<char, std::size_t{1} << 15> output{};
};

GzipWriter::GzipWriter(Sink sink) : sink_(std::move(sink)), stream_(std::make_unique<Stream>()) {}

GzipWriter::~GzipWriter() = default;

void GzipWriter::append(std::string_view bytes) {
  // The length of one step has to fit zlib's unsigned int.
  constexpr std::size_t longest_step = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const std::string_view step = bytes.substr(0, longest_step);
    deflate_input(step, Z_NO_FLUSH);
    bytes.remove_prefix(step.size());
  }
}

void GzipWriter::finish() { deflate_input({}, Z_FINISH); }

void GzipWriter::set_repeats(Repeats repeats) {
  const int strategy = repeats == Repeats::runs ? Z_RLE : Z_DEFAULT_STRATEGY;
  stream_->zlib.avail_in = 0;
  const auto change = [strategy](z_stream& zlib) {
    return deflateParams(&zlib, compression_level, strategy);
  };
  // What was put in before is compressed first, for which the output may be too small.
  while (run_zlib(change) == Z_BUF_ERROR) {
  }
}

void GzipWriter::deflate_input(std::string_view bytes, int flush) {
  z_stream& zlib = stream_->zlib;
  zlib.next_in = reinterpret_cast<const Bytef*>(bytes.data());
  zlib.avail_in = static_cast<uInt>(bytes.size());
  do {
    run_zlib([&](z_stream& stream) { return deflate(&stream, flush); });
  } while (zlib.avail_out == 0);
}

/// Calls zlib with room for output, hands that on, and returns zlib's answer.
template <typename Step>
int GzipWriter::run_zlib(Step deflate_some) {
  z_stream& zlib = stream_->zlib;
  auto& output = stream_->output;
  zlib.next_out = reinterpret_cast<Bytef*>(output.data());
  zlib.avail_out = static_cast<uInt>(output.size());
  const int answer = deflate_some(zlib);
  const std::size_t made = output.size() - zlib.avail_out;
  if (made > 0) {
    sink_({output.data(), made});
  }
  return answer;
}

}  // namespace jfrtree::internal
