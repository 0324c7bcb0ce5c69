#include "io/decoder.hpp"

#include <algorithm>
#include <new>

#include <lz4frame.h>

namespace jfrtree::internal {
namespace {

// A call that fails does not say what it produced before. So each call gets one block header or
// one block, and the blocks before a damaged one are never lost.
constexpr std::size_t block_header_size = 4;

struct FreeContext {
  void operator()(LZ4F_dctx* context) const noexcept { LZ4F_freeDecompressionContext(context); }
};

class Lz4Decoder final : public Decoder {
 public:
  Lz4Decoder() {
    LZ4F_dctx* context = nullptr;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) != 0) {
      throw std::bad_alloc();
    }
    context_.reset(context);
  }

  Step decode(ByteSpan input, std::span<std::byte> output) override {
    std::size_t consumed = std::min(input.size(), wanted_);
    std::size_t produced = output.size();
    const std::size_t result =
        LZ4F_decompress(context_.get(), output.data(), &produced, input.data(), &consumed, nullptr);
    Step step;
    if (LZ4F_isError(result) != 0) {
      step.error = LZ4F_getErrorName(result);
      return step;
    }
    step.consumed = consumed;
    step.produced = produced;
    step.frame_end = result == 0;
    // The library asks for a block together with the header of the next one.
    wanted_ =
        result > block_header_size ? result - block_header_size : std::max<std::size_t>(result, 1);
    return step;
  }

  void reset() override {
    LZ4F_resetDecompressionContext(context_.get());
    wanted_ = 1;
  }

 private:
  std::unique_ptr<LZ4F_dctx, FreeContext> context_;
  std::size_t wanted_ = 1;
};

}  // namespace

std::unique_ptr<Decoder> make_lz4_decoder() { return std::make_unique<Lz4Decoder>(); }

}  // namespace jfrtree::internal
