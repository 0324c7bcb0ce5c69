/// Names of generated classes in collapsed stacks, which are texts alone.

#include <doctest/doctest.h>

#include <string>

#include <jfrtree/export.hpp>
#include <jfrtree/output.hpp>

#include "profile/collapsed_names.hpp"
#include "profile/reading.hpp"
#include "support/test_paths.hpp"

using namespace jfrtree;
using namespace jfrtree::test;
using jfrtree::internal::normalized_frame_text;

TEST_CASE("collapsed: generated classes lose what differs from run to run") {
  CHECK(normalized_frame_text("a.Main$$Lambda.0x00007f0c01001234.run") == "a.Main$$Lambda.run");
  CHECK(normalized_frame_text("a.Main$$Lambda$14.0x00007f0c01001234.run") == "a.Main$$Lambda.run");
  CHECK(normalized_frame_text("a/Main$$Lambda/0x00007f0c01001234.run") == "a/Main$$Lambda.run");
  CHECK(normalized_frame_text("jdk.internal.reflect.GeneratedMethodAccessor31.invoke") ==
        "jdk.internal.reflect.GeneratedMethodAccessor.invoke");
  CHECK(normalized_frame_text("jdk.proxy2.$Proxy12.get:7") == "jdk.proxy.$Proxy.get:7");
  CHECK(normalized_frame_text("a.Main$$Lambda.0x00007f0c01001234") == "a.Main$$Lambda");
}

TEST_CASE("collapsed: other frames stay, as do threads, marks and what has no class") {
  for (const char* frame :
       {"a.Main.run", "main", "[pool-1 tid=7]", "[no stack]", "std::vector<int>::at(unsigned long)",
        "a.Main.run(java.lang.String)", "byte[]", "a.B[]", "", ".", "?.run", "?"}) {
    CHECK(normalized_frame_text(frame) == frame);
  }
}

TEST_CASE("collapsed: normalized text of a recording is the text of the normalized recording") {
  for (const char* name : {"jdk17-lambdas.jfr", "jdk25-lambdas.jfr"}) {
    CAPTURE(name);
    const auto collapsed_of = [](const ProfileSet& set) {
      std::string text;
      const auto output = string_output(text);
      write_collapsed(*output, set.profiles.front(), 0);
      output->commit();
      return text;
    };
    ProfileRequest request = kinds({"cpu"});
    const std::string as_recorded = collapsed_of(read_file(testdata(name), request));
    request.frames.normalize = true;
    const std::string normalized = collapsed_of(read_file(testdata(name), request));
    REQUIRE(as_recorded != normalized);
    const auto bytes = std::as_bytes(std::span(as_recorded));
    request.kinds = {"collapsed"};
    CHECK(collapsed_of(read({Bytes(bytes.begin(), bytes.end())}, request)) == normalized);
  }
}
