#include "io/decoder.hpp"

#include <algorithm>
#include <new>

#include <zstd.h>
#include <zstd_errors.h>

namespace jfrtree::internal {
namespace {

// A call that fails does not say what it produced before. So each call gets one block header or
// one block, and the blocks before a damaged one are never lost.
constexpr std::size_t block_header_size = 3;

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

class ZstdDecoder final : public Decoder {
 public:
  ZstdDecoder() : context_(ZSTD_createDCtx()) {
    if (!context_) {
      throw std::bad_alloc();
    }
  }

  Step decode(ByteSpan input, std::span<std::byte> output) override {
    ZSTD_inBuffer in{input.data(), std::min(input.size(), wanted_), 0};
    ZSTD_outBuffer out{output.data(), output.size(), 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &out, &in);
    Step step;
    if (ZSTD_isError(result) != 0) {
      // A window is memory that is claimed before any byte has come: the library's own bound stays.
      step.error = ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge
                       ? "its window is above 128 MiB; unpack it with `zstd -d --long=31` first"
                       : ZSTD_getErrorName(result);
      return step;
    }
    step.consumed = in.pos;
    step.produced = out.pos;
    step.frame_end = result == 0;
    // The library asks for a block together with the header of the next one.
    wanted_ =
        result > block_header_size ? result - block_header_size : std::max<std::size_t>(result, 1);
    return step;
  }

  void reset() override {
    ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    wanted_ = 1;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  std::size_t wanted_ = 1;
};

}  // namespace

std::unique_ptr<Decoder> make_zstd_decoder() { return std::make_unique<ZstdDecoder>(); }

}  // namespace jfrtree::internal
