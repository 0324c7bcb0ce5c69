#include <stdexcept>

#include <jfrtree/export.hpp>

#include "embedded/viewer_css.hpp"
#include "embedded/viewer_html.hpp"
#include "embedded/viewer_js.hpp"
#include "export/base64_writer.hpp"
#include "export/gzip_writer.hpp"
#include "export/html_contents.hpp"
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

void write_data(TextWriter& writer, const internal::HtmlPage& page) {
  Base64Writer base64(writer);
  GzipWriter gzip([&](std::string_view bytes) { base64.append(bytes); });
  internal::write_html_payload(gzip, page);
  gzip.finish();
  base64.finish();
}

}  // namespace

void write_html(Output& output, std::span<const HtmlProfile> profiles, std::string_view title,
                std::span<const std::string> notes) {
  internal::write_html_page(output, {profiles, title, notes});
}

void internal::write_html_page(Output& output, const HtmlPage& page) {
  std::string title;
  append_utf8(title, page.title.empty() ? "Flame graph" : page.title);
  HtmlPage shown = page;
  shown.title = title;
  TextWriter writer(output);
  std::string_view text = embedded::viewer_html;
  writer.append(take_before(text, "<!--TITLE-->"));
  writer.append(escape_html(title));
  writer.append(take_before(text, "/*CSS*/"));
  writer.append(embedded::viewer_css);
  writer.append(take_before(text, "<!--DATA-->"));
  write_data(writer, shown);
  writer.append(take_before(text, "/*JS*/"));
  writer.append(embedded::viewer_js);
  writer.append(text);
  writer.flush();
}

}  // namespace jfrtree
