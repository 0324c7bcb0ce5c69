#include <stdexcept>

#include <jfrtree/export.hpp>

#include "embedded/viewer_css.hpp"
#include "embedded/viewer_html.hpp"
#include "embedded/viewer_js.hpp"
#include "export/base64_writer.hpp"
#include "export/gzip_writer.hpp"
#include "export/html_payload.hpp"
#include "export/text_writer.hpp"
#include "format/text.hpp"

namespace jfrtree {
namespace {

using internal::Base64Writer;
using internal::GzipWriter;
using internal::TextWriter;

/// Takes what stands before a placeholder off the front of a page's template, and the placeholder.
std::string_view take_before(std::string_view& page, std::string_view placeholder) {
  const std::size_t position = page.find(placeholder);
  if (position == std::string_view::npos) {
    throw std::logic_error("viewer.html lacks the placeholder " + std::string(placeholder));
  }
  const std::string_view before = page.substr(0, position);
  page.remove_prefix(position + placeholder.size());
  return before;
}

/// Text as the content of an element.
std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char character : text) {
    switch (character) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      default:
        escaped += character;
    }
  }
  return escaped;
}

void write_data(TextWriter& writer, std::span<const HtmlProfile> profiles, std::string_view title,
                std::span<const std::string> notes) {
  Base64Writer base64(writer);
  GzipWriter gzip([&](std::string_view bytes) { base64.append(bytes); });
  internal::write_html_payload(gzip, profiles, title, notes);
  gzip.finish();
  base64.finish();
}

}  // namespace

void write_html(Output& output, std::span<const HtmlProfile> profiles, std::string_view title,
                std::span<const std::string> notes) {
  std::string shown_title;
  internal::append_utf8(shown_title, title.empty() ? "Flame graph" : title);
  TextWriter writer(output);
  std::string_view page = embedded::viewer_html;
  writer.append(take_before(page, "<!--TITLE-->"));
  writer.append(escape_html(shown_title));
  writer.append(take_before(page, "/*CSS*/"));
  writer.append(embedded::viewer_css);
  writer.append(take_before(page, "<!--DATA-->"));
  write_data(writer, profiles, shown_title, notes);
  writer.append(take_before(page, "/*JS*/"));
  writer.append(embedded::viewer_js);
  writer.append(page);
  writer.flush();
}

}  // namespace jfrtree
