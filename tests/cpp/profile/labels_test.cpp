/// Labels from paths by named groups, and labels in words.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <jfrtree/error.hpp>
#include <jfrtree/labels.hpp>

using namespace jfrtree;

namespace {

Source labelled(Labels labels) {
  Source source;
  source.labels = std::move(labels);
  return source;
}

std::string refusal_of(const std::string& pattern) {
  try {
    const LabelPattern refused(pattern);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("labels: named groups found anywhere in a path become labels, other groups do not") {
  const LabelPattern pattern("(?P<service>[a-z]+)/(x|y)?(?P<host>[^/]+)[.]jfr");
  const auto labels = pattern.find_in("/data/cart/web-7.jfr");
  REQUIRE(labels.has_value());
  CHECK(*labels == Labels{{"service", "cart"}, {"host", "web-7"}});
  CHECK_FALSE(pattern.find_in("/data/cart/web-7.txt").has_value());
  CHECK_FALSE(pattern.find_in("-").has_value());
}

TEST_CASE("labels: a named group that took nothing gives no label") {
  const LabelPattern pattern("^(?P<a>x*)(?P<b>y)?z");
  CHECK(*pattern.find_in("z") == Labels{});
  CHECK(*pattern.find_in("xz") == Labels{{"a", "x"}});
  CHECK(*pattern.find_in("yz") == Labels{{"b", "y"}});
}

TEST_CASE("labels: bytes of a path that are no UTF-8 are repaired, emoji and quotes stay") {
  const LabelPattern pattern("(?P<name>.+)[.]jfr");
  CHECK(*pattern.find_in("\"\\\t\xF0\x9F\x94\xA5.jfr") ==
        Labels{{"name", "\"\\\t\xF0\x9F\x94\xA5"}});
  CHECK(*pattern.find_in("a\xFF"
                         "b.jfr") == Labels{{"name",
                                             "a\xEF\xBF\xBD"
                                             "b"}});
}

TEST_CASE("labels: patterns without a named group are refused with words") {
  CHECK(refusal_of("(a)") ==
        "'(a)' has no named group, which would be a label: (?P<service>[a-z]+)");
  CHECK(refusal_of("(?<a>b)").ends_with("a named group is written (?P<name>...)"));
  CHECK(refusal_of("(?P<a>b").starts_with("'(?P<a>b' is no regular expression: missing )"));
}

TEST_CASE("labels: a text for each key names a few values, each once") {
  const std::vector<Source> sources = {
      labelled({{"host", "c"}, {"service", "cart"}}), labelled({{"host", "a"}}),
      labelled({{"host", "b"}, {"service", "cart"}}), labelled({{"host", "d"}}), labelled({})};
  CHECK(label_texts(sources) ==
        std::vector<std::string>{"host=a, b, c and 1 more", "service=cart"});
  CHECK(label_texts(sources, 4).front() == "host=a, b, c, d");
  CHECK(label_texts({}).empty());
}
