#include "clickhouse/tree_pipe.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <thread>

#include <unistd.h>

#include "io/pipe.hpp"

namespace jfrtree::test {
namespace {

/// False when the reader went away before the end.
bool write_pieces(Pipe& pipe, std::string_view bytes, std::size_t piece) {
  bool is_taken = true;
  while (!bytes.empty() && is_taken) {
    const std::size_t size = piece == 0 ? bytes.size() : std::min(piece, bytes.size());
    const ssize_t count = ::write(pipe.writer.number(), bytes.data(), size);
    is_taken = count > 0;
    bytes.remove_prefix(is_taken ? static_cast<std::size_t>(count) : 0);
  }
  pipe.writer.close();
  return is_taken;
}

std::string read_all(Pipe& pipe) {
  std::string bytes;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(pipe.reader.number(), buffer.data(), buffer.size());
    if (count <= 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

RowWriter& RowWriter::length(std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes_ += static_cast<char>(number | 0x80);
  bytes_ += static_cast<char>(number);
  return *this;
}

RowWriter& RowWriter::number_of(std::uint64_t number, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) bytes_ += static_cast<char>(number >> 8 * i & 0xFF);
  return *this;
}

RowWriter& RowWriter::text(std::string_view text) {
  length(text.size());
  bytes_ += text;
  return *this;
}

RowWriter& RowWriter::stack(const std::vector<std::string>& frames) {
  length(frames.size());
  for (const std::string& frame : frames) text(frame);
  return *this;
}

std::string filter(std::string_view rows, const TreeFilterOptions& options, std::size_t piece,
                   std::string_view dictionary) {
  const SignalHandling ignored(SIGPIPE, SIG_IGN);
  Pipe input;
  Pipe second;
  Pipe output;
  bool rows_taken = false;
  bool dictionary_taken = false;
  std::string answer;
  std::thread writer([&] { rows_taken = write_pieces(input, rows, piece); });
  std::thread second_writer([&] { dictionary_taken = write_pieces(second, dictionary, piece); });
  std::thread reader([&] { answer = read_all(output); });
  const auto join = [&] {
    output.writer.close();
    input.reader.close();
    second.reader.close();
    writer.join();
    second_writer.join();
    reader.join();
  };
  try {
    static_cast<void>(filter_stack_rows(input.reader.number(), second.reader.number(),
                                        output.writer.number(), options));
  } catch (...) {
    join();
    CHECK(answer.empty());
    CHECK(rows_taken);
    CHECK(dictionary_taken);
    throw;
  }
  join();
  CHECK(rows_taken);
  return answer;
}

std::string filter_tsv(std::string_view rows, TreeFilterOptions options,
                       std::string_view dictionary) {
  options.input_format = RowFormat::tab_separated;
  options.output_format = RowFormat::tab_separated;
  return filter(rows, options, 0, dictionary);
}

}  // namespace jfrtree::test
