#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jfrtree/clickhouse_tree.hpp>

namespace jfrtree::test {

/// Bytes of RowBinary, by hand.
class RowWriter {
 public:
  RowWriter& length(std::uint64_t number);
  RowWriter& u32(std::uint32_t number) { return number_of(number, 4); }
  RowWriter& u64(std::uint64_t number) { return number_of(number, 8); }
  RowWriter& text(std::string_view text);
  RowWriter& stack(const std::vector<std::string>& frames);
  RowWriter& row(const std::vector<std::string>& frames, std::uint64_t value) {
    return stack(frames).u64(value);
  }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  RowWriter& number_of(std::uint64_t number, unsigned bytes);

  std::string bytes_;
};

/// What the filter answers to an input that comes through a pipe, `piece` bytes at a time (0: all
/// at once). Afterwards the input was read to its end, also when this throws, or the test has
/// failed.
[[nodiscard]] std::string filter(std::string_view rows, const TreeFilterOptions& options,
                                 std::size_t piece = 0, std::string_view dictionary = {});

/// The same with TSV in and out.
[[nodiscard]] std::string filter_tsv(std::string_view rows, TreeFilterOptions options = {},
                                     std::string_view dictionary = {});

/// What a call throws, as text; empty when nothing.
template <typename Call>
[[nodiscard]] std::string message_of(Call call) {
  try {
    static_cast<void>(call());
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace jfrtree::test
