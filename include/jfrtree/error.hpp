#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace jfrtree {

/// What is wrong with an input. The text form (`error_code_name`) is stable: scripts may match it.
enum class ErrorCode : std::uint8_t {
  io_error,             ///< The operating system refused to open, read or write.
  empty_input,          ///< No bytes at all.
  not_a_recording,      ///< The first bytes are no chunk header.
  unsupported_version,  ///< Not 1.0 to 2.x, such as 0.9 of Oracle's JDK 7 and 8.
  too_short,            ///< Fewer bytes than a chunk header.
  unfinished_chunk,     ///< The writer never completed the chunk (live, killed, copied).
  truncated_chunk,      ///< The chunk claims more bytes than there are.
  bad_chunk_header,     ///< A size, offset or clock in the header cannot be right.
  bad_metadata,         ///< The metadata event is missing or cannot be decoded.
  bad_constant_pool,    ///< A checkpoint is missing, damaged or loops.
  bad_event,            ///< An event's size or fields cannot be right; that event is lost.
  unknown_event_type,   ///< An event type that the metadata does not declare; skipped by size.
  unreadable_bytes,     ///< Bytes between chunks that belong to none.
  bad_compression,      ///< A gzip, zstd or LZ4 stream is damaged or cut short.
  limit_exceeded,       ///< A limit of `Limits` was reached.
  value_out_of_range,   ///< A negative size or duration, or a sum beyond 64 bits.
  missing_constant,     ///< An id without an entry in its constant pool (a note).
  bad_text,             ///< Bytes that are no valid UTF-8 were repaired (a note).
  left_out,             ///< Samples that a profile leaves out on purpose (a note).
  lost_samples,         ///< Samples that the recorder itself reports as lost (a note).
  empty_chunk,          ///< A chunk with a header and no events yet (a note).
  odd_metadata,         ///< A type that cannot be decoded, a duplicate class id (a note).
  profile_not_found,    ///< The recording has no samples of the kind asked for.
  bad_collapsed_line,   ///< A line of collapsed stacks without a usable number.
  repeated_chunk,       ///< A chunk or file is among the inputs more than once (a note).
  bad_argument,         ///< An option or argument is wrong.
};

/// The stable text of a code, e.g. "bad_event".
[[nodiscard]] std::string_view error_code_name(ErrorCode code) noexcept;

/// How much a finding matters. A note says something about healthy input; a problem means that
/// bytes or samples of the input could not be used.
enum class Severity : std::uint8_t { note, problem };

/// Position that is not known.
inline constexpr std::uint64_t no_position = ~std::uint64_t{0};

/// Something found in an input that reading survived. Equal findings of one chunk are counted
/// together: `offset` is the first place, `count` says how many.
struct Problem {
  ErrorCode code = ErrorCode::bad_event;
  Severity severity = Severity::problem;
  std::string file;                    ///< Name of the input as given; empty when none applies.
  std::uint64_t chunk = 0;             ///< Counts from 1 within the file; 0: no chunk.
  std::uint64_t offset = no_position;  ///< Byte position in the (decompressed) file.
  std::uint64_t count = 1;             ///< How often it was found.
  std::string message;                 ///< What was found and what to do; no position inside.
};

/// One line, `FILE: chunk N at OFFSET: message`, without what is unknown.
[[nodiscard]] std::string to_string(const Problem& problem);

/// Base of everything this library throws on purpose. `what()` is one line for a person.
class Error : public std::runtime_error {
 public:
  explicit Error(Problem problem);

  [[nodiscard]] const Problem& problem() const noexcept { return problem_; }
  [[nodiscard]] ErrorCode code() const noexcept { return problem_.code; }

 private:
  Problem problem_;
};

/// The input is not a readable recording, or `strict` met its first problem.
class FormatError : public Error {
 public:
  using Error::Error;
};

/// A limit of `Limits` was reached; the message names it and says how to raise it.
class LimitError : public Error {
 public:
  using Error::Error;
};

/// Opening, reading or writing failed in the operating system.
class IoError : public Error {
 public:
  using Error::Error;
};

/// The recording has no samples of the kind asked for; the message lists what it has.
class ProfileNotFound : public Error {
 public:
  using Error::Error;
};

/// An option or argument is wrong (unknown kind, field that the event type lacks, …).
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message);
};

/// The caller's stop flag (`ReadOptions::stop`) became true. No Error: nothing is wrong.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// `; did you mean X?` for the name of `names` that is nearest to `text`, for the end of a message;
/// empty when none is near. Capital and small letters are equal, and what stands before the last
/// dot of a name may be missing: `threadpark` is near `jdk.ThreadPark`.
[[nodiscard]] std::string did_you_mean(std::string_view text, std::span<const std::string> names);

}  // namespace jfrtree
