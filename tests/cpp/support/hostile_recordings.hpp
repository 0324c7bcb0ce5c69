#pragma once

#include "support/byte_writer.hpp"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jfrtree::test {

/// What reading may end in. A limit that is reached is a problem where other data could be read,
/// else an error. Where the contract leaves more than one open, the bits are combined.
enum class Outcome : unsigned {
  fine = 1,     ///< no problem; notes are possible
  problem = 2,  ///< read, with at least one problem
  error = 4,    ///< nothing usable: a named error
  fine_or_problem = fine | problem,
  problem_or_error = problem | error,
  fine_or_error = fine | error,  ///< an error only where what is wrong is needed
  any = fine | problem | error,  ///< anything in bounded time and memory
};

/// Whether `seen` (one of fine, problem, error) is among those expected.
bool allows(Outcome expected, Outcome seen);

/// "fine", "problem|error", …
std::string to_string(Outcome outcome);

/// A wrong, damaged or extreme input.
struct HostileRecording {
  std::string_view name;
  std::string_view what_is_wrong;
  Outcome expected = Outcome::any;

  /// Samples of jdk.ExecutionSample that must be read, and those that can be read at all (one whose
  /// fields overrun its size cannot). Without meaning when the outcome is an error.
  std::uint64_t samples_at_least = 0;
  std::uint64_t samples_at_most = 0;

  Bytes (*build)() = nullptr;
};

/// All of them. Building is left to the caller: some have megabytes.
const std::vector<HostileRecording>& hostile_recordings();

/// The entry of that name; throws std::out_of_range.
const HostileRecording& hostile_recording(std::string_view name);

// The parts of the catalogue, by what is wrong.
std::vector<HostileRecording> hostile_headers();
std::vector<HostileRecording> hostile_metadata();
std::vector<HostileRecording> hostile_types();
std::vector<HostileRecording> hostile_checkpoints();
std::vector<HostileRecording> hostile_constants();
std::vector<HostileRecording> hostile_events();
std::vector<HostileRecording> hostile_files();
/// Few bytes that ask for much work or memory.
std::vector<HostileRecording> hostile_amplified();

/// The rows of several tables, for the functions above.
std::vector<HostileRecording> joined(
    std::initializer_list<std::span<const HostileRecording>> tables);

}  // namespace jfrtree::test
