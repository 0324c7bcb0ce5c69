#include "io/decoder.hpp"

#include <algorithm>
#include <limits>
#include <new>

#define ZLIB_CONST
#include <zlib.h>

namespace jfrtree::internal {
namespace {

uInt clamped(std::size_t size) noexcept {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

class GzipDecoder final : public Decoder {
 public:
  GzipDecoder() {
    constexpr int gzip_only = 16;
    if (inflateInit2(&stream_, gzip_only + MAX_WBITS) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }

  Step decode(ByteSpan input, std::span<std::byte> output) override {
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
    step.frame_end = result == Z_STREAM_END;
    // Z_BUF_ERROR only says that there was nothing to do with the bytes at hand.
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      step.error = stream_.msg != nullptr ? stream_.msg : "not a valid gzip stream";
    }
    return step;
  }

  void reset() override { inflateReset(&stream_); }

 private:
  z_stream stream_{};
};

}  // namespace

std::unique_ptr<Decoder> make_gzip_decoder() { return std::make_unique<GzipDecoder>(); }

}  // namespace jfrtree::internal
