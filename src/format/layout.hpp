#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <jfrtree/metadata.hpp>

#include "format/byte_reader.hpp"

namespace jfrtree::internal {

/// One step of a flat decode program. Steps that follow each other are merged where possible, so
/// that a stack frame of four compressed integers is one step.
struct DecodeStep {
  enum class Code : std::uint8_t {
    skip_integers,        ///< `count` integers of `width`
    skip_bytes,           ///< `count` bytes
    skip_string,          ///< one string
    skip_array_integers,  ///< a count, then so many times `count` integers of `width`
    skip_array_bytes,     ///< a count, then so many times `count` bytes
    skip_array_strings,   ///< a count, then so many strings
    skip_array_type,      ///< a count, then so many values of type number `count`
    take_integer,         ///< an integer of `width` into `slot`, sign extended if `is_signed`
    take_byte,            ///< a raw byte into `slot`
    take_float,           ///< into `slot` as the bits of a double
    take_double,          ///< into `slot` as its bits
    take_position,        ///< bytes from the record's payload start to here into `slot`
  };
  Code code = Code::skip_bytes;
  std::uint8_t width = 8;
  bool is_signed = false;
  std::uint16_t slot = 0;
  std::uint32_t count = 0;
};

using DecodeProgram = std::vector<DecodeStep>;

/// A field to fetch: its name and the slot that receives it.
struct FieldSlot {
  std::string_view name;
  std::uint16_t slot;
};

/// The decode programs of all types of one chunk's metadata. Immutable.
class Layouts {
 public:
  /// The metadata must outlive the layouts. Types whose program would be larger than
  /// `max_program_steps` are treated as not decodable, and so is what exceeds the other two bounds:
  /// no recorder comes near any of them.
  Layouts(const Metadata& metadata, bool has_compressed_integers);

  static constexpr std::size_t max_program_steps = 4096;
  /// Steps of the programs of all types.
  static constexpr std::size_t max_total_steps = std::size_t{1} << 20;
  /// Integers or bytes of one step; times the elements of an array it stays within 64 bits.
  static constexpr std::uint32_t max_step_count = std::uint32_t{1} << 24;

  /// Whether a value of the type can be skipped at all.
  [[nodiscard]] bool can_skip(const Type& type) const noexcept;

  /// Skips one value of the type. Fails the reader when the bytes end, or when arrays nest too
  /// deep.
  void skip(const Type& type, ByteReader& reader) const noexcept;
  /// The program that skips a type; null when it cannot be skipped.
  [[nodiscard]] const DecodeProgram* skip_program(const Type& type) const noexcept;
  /// Runs such a program once: `skip` without the look-up.
  void skip(const DecodeProgram& program, ByteReader& reader) const noexcept {
    for (std::size_t i = 0; i < program.size(); ++i) {
      if (!skip_step(program[i], reader)) {
        run_skip(program, i, 1, reader);
        return;
      }
      if (reader.failed()) return;
    }
  }
  /// Skips one field as it stands in its struct (array count, key, or inline value).
  void skip_field(const Field& field, ByteReader& reader) const noexcept;

  /// A program that fills slots with the wanted fields of a type and stops behind the last of them.
  /// Fields that the type lacks, or that are arrays or structs, are left out: their slots keep what
  /// they held. `found` gets a bit per wanted field, in order.
  [[nodiscard]] DecodeProgram compile(const Type& type, std::span<const FieldSlot> wanted,
                                      std::uint64_t& found) const;

  /// Runs a program of `compile` on a record's payload.
  void fetch(const DecodeProgram& program, ByteReader& reader, std::uint64_t* slots) const noexcept;

  [[nodiscard]] const Metadata& metadata() const noexcept { return metadata_; }
  [[nodiscard]] bool has_compressed_integers() const noexcept { return compressed_; }

 private:
  friend class LayoutBuilder;

  [[nodiscard]] std::size_t index_of(const Type& type) const noexcept;
  /// Runs a skipping program `times` times, the first time from a step on.
  void run_skip(const DecodeProgram& program, std::size_t first_step, std::uint64_t times,
                ByteReader& reader) const noexcept;
  /// Reads a count and skips so many values of a type by its position.
  void skip_elements(std::size_t type, ByteReader& reader) const noexcept;
  /// Runs one skipping step; false when it is an array of a type, whose elements are to be run.
  static bool skip_step(const DecodeStep& step, ByteReader& reader) noexcept {
    switch (step.code) {
      case DecodeStep::Code::skip_integers:
        reader.skip_integers(step.count, step.width);
        return true;
      case DecodeStep::Code::skip_bytes:
        reader.skip_bytes(step.count);
        return true;
      case DecodeStep::Code::skip_array_type:
        return false;
      default:
        return skip_other_step(step, reader);
    }
  }
  /// Strings, and arrays of what takes one step.
  static bool skip_other_step(const DecodeStep& step, ByteReader& reader) noexcept;

  const Metadata& metadata_;
  bool compressed_;
  std::vector<DecodeProgram> programs_;  // by position of the type in the metadata
  std::vector<bool> is_skippable_;
};

}  // namespace jfrtree::internal
