#include "io/decoder.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace jfrtree::internal {

Container detect_container(ByteSpan start) noexcept {
  if (start.size() >= 2 && start[0] == std::byte{0x1f} && start[1] == std::byte{0x8b}) {
    return Container::gzip;
  }
  if (start.size() < magic_size) {
    return Container::plain;
  }
  std::uint32_t magic = 0;
  for (std::size_t index = magic_size; index-- > 0;) {
    magic = (magic << 8) | std::to_integer<std::uint32_t>(start[index]);
  }
  switch (magic) {
    case 0xFD2F'B528U:
      return Container::zstd;
    case 0x184D'2204U:
      return Container::lz4;
    case 0x0403'4B50U:
      return Container::zip;
    case 0x184C'2102U:
      return Container::lz4_legacy;
    default:
      return (magic & 0xFFFF'FFF0U) == 0x184D'2A50U ? Container::skippable : Container::plain;
  }
}

std::string_view container_name(Container container) noexcept {
  switch (container) {
    case Container::gzip:
      return "gzip";
    case Container::lz4:
    case Container::lz4_legacy:
      return "lz4";
    case Container::zstd:
    case Container::skippable:
      return "zstd";
    case Container::zip:
      return "zip";
    case Container::plain:
      break;
  }
  return "plain";
}

ForeignCompression foreign_compression(ByteSpan start) noexcept {
  using namespace std::string_view_literals;
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  if (text.starts_with("\xFD"
                       "7zXZ\0"sv)) {
    return {"xz", "xz -dk"};
  }
  // Behind BZh stands the size of blocks, then the first block or, of empty input, the end.
  const std::string_view block = text.substr(std::min<std::size_t>(4, text.size()));
  if (text.starts_with("BZh") &&
      (block.starts_with("1AY&SY") || block.starts_with("\x17rE8P\x90"))) {
    return {"bzip2", "bzip2 -dk"};
  }
  if (text.starts_with("LZIP")) {
    return {"lzip", "lzip -dk"};
  }
  if (text.starts_with("7z\xBC\xAF'\x1C")) {
    return {"7-Zip", "7z x"};
  }
  return {};
}

std::unique_ptr<Decoder> make_decoder(Container container) {
  switch (container) {
    case Container::gzip:
      return make_gzip_decoder();
    case Container::zstd:
      return make_zstd_decoder();
    case Container::lz4:
      return make_lz4_decoder();
    case Container::zip:
      return make_zip_decoder();
    default:
      throw std::logic_error("no decoder for this container");
  }
}

}  // namespace jfrtree::internal
