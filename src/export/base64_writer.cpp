#include "export/base64_writer.hpp"

#include <algorithm>
#include <cstring>

namespace jfrtree::internal {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::size_t group_bytes = 3;
constexpr std::size_t group_characters = 4;

/// The two characters of every 12 bits.
constexpr auto pairs = [] {
  std::array<char, std::size_t{2} << 12U> characters{};
  for (std::size_t bits = 0; bits < characters.size() / 2; ++bits) {
    characters[2 * bits] = alphabet[bits >> 6U];
    characters[2 * bits + 1] = alphabet[bits & 63U];
  }
  return characters;
}();

unsigned byte_at(std::string_view bytes, std::size_t index) noexcept {
  return static_cast<unsigned char>(bytes[index]);
}

/// Encodes three bytes as four characters.
void encode_group(char* target, std::string_view bytes) noexcept {
  const unsigned bits = byte_at(bytes, 0) << 16U | byte_at(bytes, 1) << 8U | byte_at(bytes, 2);
  std::memcpy(target, pairs.data() + std::size_t{2} * (bits >> 12U), 2);
  std::memcpy(target + 2, pairs.data() + std::size_t{2} * (bits & 0xFFFU), 2);
}

}  // namespace

void Base64Writer::append(std::string_view bytes) {
  if (waiting_count_ > 0) {
    const std::size_t taken = std::min(bytes.size(), group_bytes - waiting_count_);
    std::copy_n(bytes.begin(), taken, waiting_.begin() + waiting_count_);
    waiting_count_ += taken;
    bytes.remove_prefix(taken);
    if (waiting_count_ < group_bytes) {
      return;
    }
    append_groups({waiting_.data(), waiting_.size()});
  }
  const std::size_t rest = bytes.size() % group_bytes;
  append_groups(bytes.substr(0, bytes.size() - rest));
  std::copy_n(bytes.end() - rest, rest, waiting_.begin());
  waiting_count_ = rest;
}

void Base64Writer::finish() {
  if (waiting_count_ == 0) {
    return;
  }
  std::fill(waiting_.begin() + waiting_count_, waiting_.end(), '\0');
  std::array<char, group_characters> group{};
  encode_group(group.data(), {waiting_.data(), waiting_.size()});
  std::fill(group.begin() + 1 + waiting_count_, group.end(), '=');
  writer_.append(std::string_view(group.data(), group.size()));
  waiting_count_ = 0;
}

void Base64Writer::append_groups(std::string_view bytes) {
  constexpr std::size_t groups_in_piece = 256;
  std::array<char, groups_in_piece * group_characters> piece{};
  while (!bytes.empty()) {
    const std::size_t groups = std::min(bytes.size() / group_bytes, groups_in_piece);
    for (std::size_t group = 0; group < groups; ++group) {
      encode_group(piece.data() + group * group_characters,
                   bytes.substr(group * group_bytes, group_bytes));
    }
    writer_.append(std::string_view(piece.data(), groups * group_characters));
    bytes.remove_prefix(groups * group_bytes);
  }
}

}  // namespace jfrtree::internal
