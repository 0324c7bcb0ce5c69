#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace jfrtree::test {

/// The data of one profile of a page, column by column.
struct PageProfile {
  std::vector<std::uint64_t> level;
  std::vector<std::uint64_t> frame;
  std::vector<std::vector<std::uint64_t>> self;
  std::vector<std::uint64_t> top_frame;
  std::vector<std::vector<std::uint64_t>> top_self;
  std::vector<std::vector<std::uint64_t>> top_total;
};

/// A page taken apart, as a browser takes it apart.
struct HtmlPage {
  nlohmann::json header;
  std::vector<PageProfile> profiles;
};

/// Bytes of base64 with padding. Throws std::runtime_error for anything else.
std::string decode_base64(std::string_view text);

/// Content of a gzip member. Throws std::runtime_error when it is damaged or cut short.
std::string decode_gzip(std::string_view bytes);

/// Reads the data of a page. Throws std::runtime_error where it is not as documented, bytes behind
/// the last column included.
HtmlPage read_html_page(std::string_view page);

}  // namespace jfrtree::test
