#include "export/html_page.hpp"

#include <cstddef>
#include <stdexcept>

#define ZLIB_CONST
#include <zlib.h>

namespace jfrtree::test {
namespace {

class ColumnReader {
 public:
  explicit ColumnReader(std::string_view bytes) : bytes_(bytes) {}

  std::vector<std::uint64_t> read(std::size_t count) {
    std::vector<std::uint64_t> column;
    while (column.size() < count) {
      column.push_back(read_varint());
    }
    return column;
  }

  std::vector<std::vector<std::uint64_t>> read_each(std::size_t columns, std::size_t count) {
    std::vector<std::vector<std::uint64_t>> result;
    while (result.size() < columns) {
      result.push_back(read(count));
    }
    return result;
  }

  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

 private:
  std::uint64_t read_varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) {
        throw std::runtime_error("column cut short");
      }
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80U) {
        return value;
      }
    }
    throw std::runtime_error("varint of more than ten bytes");
  }

  std::string_view bytes_;
};

std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string_view::npos) {
    throw std::runtime_error("no " + std::string(before));
  }
  text.remove_prefix(begin + before.size());
  const std::size_t end = text.find(after);
  if (end == std::string_view::npos) {
    throw std::runtime_error("no " + std::string(after));
  }
  return text.substr(0, end);
}

}  // namespace

std::string decode_base64(std::string_view text) {
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) {
    throw std::runtime_error("base64 without padding");
  }
  std::string bytes;
  std::uint32_t bits = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && text[digits] != '='; ++digits) {
    const std::size_t digit = alphabet.find(text[digits]);
    if (digit == std::string_view::npos) {
      throw std::runtime_error("no base64 digit");
    }
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    // Every digit but the first of four completes a byte.
    if (digits % 4 != 0) {
      bytes += static_cast<char>(bits >> (6 - 2 * (digits % 4)) & 0xFFU);
    }
  }
  if (text.size() - digits > 2 || text.find_first_not_of('=', digits) != std::string_view::npos) {
    throw std::runtime_error("wrong padding of base64");
  }
  return bytes;
}

std::string decode_gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int gzip_only = 16;
  if (inflateInit2(&stream, gzip_only + MAX_WBITS) != Z_OK) {
    throw std::bad_alloc();
  }
  stream.next_in = reinterpret_cast<const Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string content;
  int result = Z_OK;
  while (result == Z_OK) {
    char buffer[4096];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof(buffer);
    result = inflate(&stream, Z_NO_FLUSH);
    content.append(buffer, sizeof(buffer) - stream.avail_out);
  }
  const bool whole = result == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!whole) {
    throw std::runtime_error("damaged gzip");
  }
  return content;
}

HtmlPage read_html_page(std::string_view page) {
  const std::string payload =
      decode_gzip(decode_base64(between(page, "id=\"jfrtree-data\">", "</script>")));
  if (payload.size() < 4) {
    throw std::runtime_error("no header");
  }
  std::size_t length = 0;
  for (std::size_t i = 4; i-- > 0;) {
    length = length << 8U | static_cast<unsigned char>(payload[i]);
  }
  if (length > payload.size() - 4) {
    throw std::runtime_error("header cut short");
  }
  HtmlPage result;
  result.header = nlohmann::json::parse(payload.substr(4, length));
  ColumnReader columns(std::string_view(payload).substr(4 + length));
  for (const nlohmann::json& description : result.header.at("profiles")) {
    const std::size_t nodes = description.at("nodes").get<std::size_t>();
    const std::size_t rows = description.at("topRows").get<std::size_t>();
    const std::size_t sides = result.header.contains("diff") ? 2 : 1;
    const std::size_t types = sides * description.at("sampleTypes").size();
    PageProfile profile;
    profile.level = columns.read(nodes);
    profile.frame = columns.read(nodes);
    profile.self = columns.read_each(types, nodes);
    profile.top_frame = columns.read(rows);
    profile.top_self = columns.read_each(types, rows);
    profile.top_total = columns.read_each(types, rows);
    result.profiles.push_back(std::move(profile));
  }
  if (!columns.at_end()) {
    throw std::runtime_error("bytes behind the last column");
  }
  return result;
}

}  // namespace jfrtree::test
