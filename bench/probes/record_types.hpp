#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "recording_file.hpp"

namespace jfrtree::bench {

/// How to pass over a value without looking at it.
struct SkipStep {
  enum class Kind { varints, bytes, string, array };
  Kind kind = Kind::varints;
  std::uint64_t count = 0;        ///< varints or bytes
  std::vector<SkipStep> element;  ///< array: of each element, whose number stands before them
};
using SkipPlan = std::vector<SkipStep>;

struct TypeField {
  std::string name;
  std::uint64_t type = 0;
  bool is_constant = false;  ///< an id of the type's pool instead of a value
  bool is_array = false;
};

struct RecordType {
  std::string name;
  std::vector<TypeField> fields;
};

/// The types of a chunk, by id.
using RecordTypes = std::map<std::uint64_t, RecordType>;

/// What the metadata of a chunk says of its types, as bytes: equal bytes, equal types. They live as
/// long as the chunk. Throws ProbeError.
[[nodiscard]] std::span<const std::uint8_t> type_bytes(const ChunkBytes& chunk);

/// Reads the metadata of a chunk. Throws ProbeError.
[[nodiscard]] RecordTypes read_types(const ChunkBytes& chunk);

/// Throws ProbeError for types that the metadata does not describe.
[[nodiscard]] SkipPlan skip_plan(const RecordTypes& types, std::uint64_t type);

/// Passes over one value. Throws ProbeError when it reaches beyond `end`.
void skip_value(const SkipPlan& plan, const std::uint8_t*& position, const std::uint8_t* end);

/// One varint. Throws ProbeError when it reaches beyond `end`.
[[nodiscard]] std::uint64_t read_number(const std::uint8_t*& position, const std::uint8_t* end);

}  // namespace jfrtree::bench
