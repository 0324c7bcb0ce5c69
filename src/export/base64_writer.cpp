#include "export/base64_writer.hpp"

namespace jfrtree::internal {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::array<char, 4> encode_group(unsigned char first, unsigned char second, unsigned char third) {
  const unsigned bits = unsigned{first} << 16U | unsigned{second} << 8U | unsigned{third};
  return {alphabet[bits >> 18U], alphabet[bits >> 12U & 63U], alphabet[bits >> 6U & 63U],
          alphabet[bits & 63U]};
}

}  // namespace

void Base64Writer::append(std::string_view bytes) {
  for (const char byte : bytes) {
    waiting_[waiting_count_++] = static_cast<unsigned char>(byte);
    if (waiting_count_ == waiting_.size()) {
      append_group(waiting_[0], waiting_[1], waiting_[2]);
      waiting_count_ = 0;
    }
  }
}

void Base64Writer::finish() {
  if (waiting_count_ == 0) {
    return;
  }
  const unsigned char second = waiting_count_ > 1 ? waiting_[1] : 0;
  auto group = encode_group(waiting_[0], second, 0);
  group[3] = '=';
  if (waiting_count_ == 1) {
    group[2] = '=';
  }
  writer_.append({group.data(), group.size()});
  waiting_count_ = 0;
}

void Base64Writer::append_group(unsigned char first, unsigned char second, unsigned char third) {
  const auto group = encode_group(first, second, third);
  writer_.append({group.data(), group.size()});
}

}  // namespace jfrtree::internal
