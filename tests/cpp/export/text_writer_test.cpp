#include "export/text_writer.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

using jfrtree::internal::TextWriter;

namespace {

/// Keeps each piece that was written.
class PieceOutput : public jfrtree::Output {
 public:
  void write(std::string_view bytes) override { pieces.emplace_back(bytes); }
  void commit() override {}
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const std::string& piece : pieces) {
      all += piece;
    }
    return all;
  }

  std::vector<std::string> pieces;
};

}  // namespace

TEST_CASE("TextWriter writes numbers in decimal digits") {
  PieceOutput output;
  TextWriter writer(output);
  std::string expected;
  for (std::uint64_t power = 1; power < 10'000'000'000'000'000'000U; power *= 10) {
    for (const std::uint64_t number : {power - 1, power, power + 1, power * 9}) {
      writer.append(number);
      writer.append(' ');
      expected += std::to_string(number) + ' ';
    }
  }
  writer.append(std::numeric_limits<std::uint64_t>::max());
  writer.flush();
  CHECK(output.text() == expected + "18446744073709551615");
}

TEST_CASE("TextWriter hands over large pieces and nothing before it has to") {
  PieceOutput output;
  TextWriter writer(output);
  writer.append("abc");
  writer.append(std::string_view());
  CHECK(output.pieces.empty());
  writer.flush();
  CHECK(output.pieces == std::vector<std::string>{"abc"});
  writer.flush();
  CHECK(output.pieces.size() == 1);
}

TEST_CASE("TextWriter keeps the order of texts of all lengths around its capacity") {
  for (const std::size_t length :
       {TextWriter::capacity - 1, TextWriter::capacity, TextWriter::capacity + 1}) {
    PieceOutput output;
    TextWriter writer(output);
    const std::string large(length, 'x');
    std::string expected = "a";
    expected.append(large).append("b").append(large).append("7");
    writer.append('a');
    writer.append(large);
    writer.append('b');
    writer.append(large);
    writer.append(std::uint64_t{7});
    writer.flush();
    CHECK(output.text() == expected);
    CHECK(output.pieces.size() <= 5);
  }
}

TEST_CASE("TextWriter flushes a full buffer before one more character") {
  PieceOutput output;
  TextWriter writer(output);
  for (std::size_t i = 0; i <= TextWriter::capacity; ++i) {
    writer.append('x');
  }
  REQUIRE(output.pieces.size() == 1);
  CHECK(output.pieces[0].size() == TextWriter::capacity);
  writer.flush();
  CHECK(output.pieces[1] == "x");
}

TEST_CASE("TextWriter writes padded texts of all lengths, across its buffer's end") {
  const std::string padded(200, 'p');
  PieceOutput output;
  TextWriter writer(output);
  std::string expected;
  for (std::size_t size = 0; expected.size() < 2 * TextWriter::capacity; size = (size + 1) % 100) {
    writer.append(jfrtree::internal::PaddedText{padded.data(), size});
    writer.append(std::uint64_t{size});
    expected += std::string(size, 'p') + std::to_string(size);
  }
  writer.flush();
  CHECK((output.text() == expected));
  for (const std::string& piece : output.pieces) {
    CHECK(piece.size() <= TextWriter::capacity);
  }
}
