#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <jfrtree/input.hpp>

#include "io/stop_flag.hpp"

namespace jfrtree::internal {

/// An input whose first bytes were looked at and are still to be read. The other input must outlive
/// it.
class PeekedInput final : public Input {
 public:
  static constexpr std::size_t peek_bytes = 4096;

  /// Reads up to `peek_bytes` from the start of the input. What reading throws is thrown again by
  /// `read`, behind the bytes that came before. Every reading checks `stop` first.
  explicit PeekedInput(Input& input, StopFlag stop = {});

  [[nodiscard]] std::span<const std::byte> first_bytes() const noexcept { return first_; }

  [[nodiscard]] std::string_view name() const noexcept override { return input_.name(); }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override {
    return input_.size();
  }
  [[nodiscard]] std::string_view container() const noexcept override { return input_.container(); }
  std::size_t read(std::span<std::byte> buffer) override;
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer) override {
    stop_.check();
    return input_.read_at(offset, buffer);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept override {
    return input_.bytes();
  }
  [[nodiscard]] std::shared_ptr<const std::byte> map(std::uint64_t offset,
                                                     std::size_t length) override {
    return input_.map(offset, length);
  }

 private:
  Input& input_;
  StopFlag stop_;
  std::vector<std::byte> first_;
  std::size_t replayed_ = 0;
  std::exception_ptr error_;
};

}  // namespace jfrtree::internal
