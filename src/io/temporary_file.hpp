#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/descriptor.hpp"

namespace jfrtree::internal {

/// A new file in the folder of another one, which it is to replace. It is removed at the end unless
/// it took the other's place.
class TemporaryFile {
 public:
  /// Creates it, with the permissions `mode` or those of a new file. Throws IoError that names
  /// `file`.
  TemporaryFile(std::string target, std::optional<unsigned> mode, std::string_view file);
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  /// For writing; empty afterwards.
  [[nodiscard]] Descriptor take_descriptor() noexcept { return std::move(descriptor_); }

  /// Throws IoError that names `file`.
  void rename_to_target(std::string_view file);

 private:
  std::string target_;
  std::string path_;  // empty: nothing to remove
  Descriptor descriptor_;
};

}  // namespace jfrtree::internal
