#include "export/stack_line_writer.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "export/written.hpp"

using namespace jfrtree;
using jfrtree::internal::FrameTexts;
using jfrtree::internal::StackLineWriter;

namespace {

bool take_as_it_is(std::string&, std::string_view) { return false; }

/// A table of names, which must outlive it.
FrameTable table_of(const std::vector<std::string>& names) {
  return FrameTable(std::vector<std::string_view>(names.begin(), names.end()), nullptr);
}

std::size_t common_length(const std::vector<FrameId>& a, const std::vector<FrameId>& b) {
  std::size_t length = 0;
  while (length < a.size() && length < b.size() && a[length] == b[length]) {
    ++length;
  }
  return length;
}

/// Some stacks one behind the other, most of them with much in common with the one before.
std::vector<std::vector<FrameId>> random_walk(std::size_t count, std::uint32_t frame_count) {
  std::mt19937 random(7);
  std::vector<std::vector<FrameId>> stacks;
  std::vector<FrameId> stack;
  for (std::size_t i = 0; i < count; ++i) {
    stack.resize(random() % 4 == 0 ? random() % (stack.size() + 1) : stack.size());
    for (std::size_t more = 1 + random() % 5; more > 0; --more) {
      stack.push_back(FrameId{static_cast<std::uint32_t>(random() % frame_count)});
    }
    stacks.push_back(stack);
  }
  return stacks;
}

}  // namespace

TEST_CASE("StackLineWriter writes lines across its buffer's end as they are") {
  // Names around the block that is copied at once, and one larger than the buffer.
  std::vector<std::string> names{""};
  for (const std::size_t length : {1U, 31U, 32U, 33U, 63U, 64U, 65U, 1000U, 300'000U}) {
    names.emplace_back(length, static_cast<char>('a' + names.size()));
  }
  const FrameTable table = table_of(names);
  for (const std::uint32_t frames : {9U, 10U}) {  // without the largest name, and with it
    const auto stacks = random_walk(frames == 9 ? 3000 : 60, frames);
    std::string expected;
    const std::string text = test::written([&](Output& output) {
      FrameTexts texts(table, take_as_it_is, "/");
      StackLineWriter lines(output, texts, "> ");
      std::vector<FrameId> before;
      for (std::size_t index = 0; index < stacks.size(); ++index) {
        lines.keep(common_length(before, stacks[index]));
        before = stacks[index];
        if (index % 5 == 3) {
          continue;  // a stack without a line
        }
        lines.begin_line(stacks[index]);
        lines.append(std::uint64_t{index});
        lines.append("\n");
        expected += "> ";
        for (const FrameId& frame : stacks[index]) {
          expected += (&frame == stacks[index].data() ? "" : "/") + names[raw(frame)];
        }
        expected += std::to_string(index) + '\n';
      }
      lines.flush();
    });
    CHECK(text.size() == expected.size());
    CHECK((text == expected));
  }
}

TEST_CASE("StackLineWriter holds no more than its buffer and the longest line") {
  struct LargestPiece : Output {
    void write(std::string_view bytes) override { largest = std::max(largest, bytes.size()); }
    void commit() override {}
    std::size_t largest = 0;
  } output;
  const std::vector<std::string> names{std::string(1000, 'x')};
  const FrameTable table = table_of(names);
  FrameTexts texts(table, take_as_it_is, ";");
  StackLineWriter lines(output, texts);
  const std::vector<FrameId> stack(100, FrameId{0});
  for (std::size_t i = 0; i < 100; ++i) {
    lines.keep(i % stack.size());
    lines.begin_line(stack);
    lines.append("\n");
  }
  lines.flush();
  CHECK(output.largest > 0);
  CHECK(output.largest <= std::size_t{1} << 18);
}

TEST_CASE("FrameTexts puts texts before and behind frames, also the root and (other)") {
  const std::vector<std::string> names{"a", std::string(70'000, 'b')};
  const FrameTable table = table_of(names);
  FrameTexts texts(table, take_as_it_is, "<", ">");
  CHECK(texts[FrameId{0}].view() == "<a>");
  CHECK(texts[FrameId{1}].view() == '<' + names[1] + '>');
  CHECK(texts[root_frame].view() == "<total>");
  CHECK(texts[other_frame].view() == "<(other)>");
  CHECK(texts[FrameId{0}].view() == "<a>");
}
