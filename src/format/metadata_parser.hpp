#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <jfrtree/limits.hpp>
#include <jfrtree/metadata.hpp>

namespace jfrtree::internal {

/// Outcome of decoding a metadata event.
struct ParsedMetadata {
  std::shared_ptr<const Metadata> metadata;  ///< null when it could not be decoded
  std::string error;                         ///< then: what was wrong
  bool is_limit = false;                     ///< then: a limit was reached
  std::size_t undecodable_types = 0;
  std::size_t duplicate_types = 0;
};

/// Decodes the payload of a metadata event (type 0), from its start time on: a table of strings and
/// a tree of elements (jfr-format §6). No recursion; nothing is allocated for a claimed count.
[[nodiscard]] ParsedMetadata parse_metadata(std::span<const std::byte> payload,
                                            bool has_compressed_integers, const Limits& limits);

/// Completes types whose fields are set: primitives, content types, and which of them cannot be
/// decoded. `types` is indexed by position.
void resolve_types(std::vector<Type>& types);

}  // namespace jfrtree::internal
