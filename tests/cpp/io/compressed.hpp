#pragma once

/// Compressed streams made by the libraries themselves, and ways to read inputs to their end.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <jfrtree/error.hpp>
#include <jfrtree/input.hpp>

namespace jfrtree::test {

std::string gzip(std::string_view text);
/// One frame with a checksum of the contents.
std::string zstd(std::string_view text);
/// One frame of blocks of 64 KiB, each with a checksum and readable without the one before.
std::string lz4(std::string_view text);
/// A frame that zstd and LZ4 tools pass over.
std::string skippable_frame(std::string_view contents);

/// How an entry of a zip is written.
struct ZipEntry {
  std::string_view name;
  std::string_view contents;
  bool deflated = true;
  bool streamed = false;   ///< sizes and checksum behind the contents, as `zip -` writes
  bool encrypted = false;  ///< only claimed in the flags
};
std::string zip(std::initializer_list<ZipEntry> entries);

/// `lines` lines that compress to about a tenth.
std::string sample_text(std::size_t lines);
/// Bytes that hardly compress, the same in each run.
std::string noise(std::size_t size);

/// What came out of an input until its end or until it threw.
struct Contents {
  std::string text;
  std::optional<ErrorCode> error;
  std::string message;  ///< what() of the error
};
/// Reads to the end by pieces of `piece` bytes.
Contents read_contents(Input& input, std::size_t piece = 4096);
/// Opens `bytes` as a memory input and reads it; errors of opening count too.
Contents read_bytes(std::string_view bytes, const Limits& limits = {}, std::size_t piece = 4096);

/// A read function that gives out `text` by pieces of at most `piece` bytes; read number
/// `failing_read`, counted from 1, throws std::runtime_error.
std::function<std::size_t(std::span<std::byte>)> pieces_of(std::string text, std::size_t piece,
                                                           std::size_t failing_read = 0);

/// Bytes by which every kind of compressed stream is known.
inline constexpr std::size_t magic_bytes = 4;

/// Checks that `stream`, cut after any number of bytes, gives out a beginning of `text` and then
/// FormatError; `least(cut)` bytes must come out at least.
void check_every_cut(std::string_view stream, std::string_view text,
                     const std::function<std::size_t(std::size_t)>& least);
/// Checks that `stream` with any one byte changed never gives out anything but a beginning of
/// `text` without an error to follow, except in bytes of the header that do not matter.
void check_every_damaged_byte(std::string_view stream, std::string_view text);

}  // namespace jfrtree::test
