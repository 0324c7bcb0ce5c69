#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <jfrtree/input.hpp>

#include "io/descriptor.hpp"
#include "io/stop_flag.hpp"

namespace jfrtree::internal {

/// An input that can be read once, made so that it can be read twice: what is read the first time
/// is copied to a temporary file without a name. The second reading gets the same bytes, what was
/// not read the first time, and the same error at the end.
class SpooledInput final : public Input {
 public:
  /// Throws IoError when no temporary file can be made.
  explicit SpooledInput(std::shared_ptr<Input> original, StopFlag stop = {});

  [[nodiscard]] std::string_view name() const noexcept override { return original_->name(); }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override { return {}; }
  [[nodiscard]] std::string_view container() const noexcept override {
    return original_->container();
  }
  std::size_t read(std::span<std::byte> buffer) override;

  /// Begins the second reading. Throws IoError when the copy could not be written, whoever was told
  /// of it before.
  void rewind();

 private:
  [[nodiscard]] std::size_t read_on(std::span<std::byte> buffer);
  void copy(std::span<const std::byte> bytes);

  std::shared_ptr<Input> original_;
  StopFlag stop_;
  Descriptor file_;
  std::uint64_t copied_ = 0;
  std::uint64_t position_ = 0;
  bool is_copying_ = true;
  bool has_ended_ = false;
  std::exception_ptr error_;       // of the original
  std::exception_ptr copy_error_;  // of the copy
};

}  // namespace jfrtree::internal
