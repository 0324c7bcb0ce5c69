#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <jfrtree/profile.hpp>

#include "cli/command_line.hpp"
#include "cli/console.hpp"
#include "cli/filter_arguments.hpp"
#include "cli/input_files.hpp"
#include "cli/reading_arguments.hpp"

namespace jfrtree::cli {

/// The options that choose profiles and say how their frames read.
struct ProfileArguments {
  std::vector<std::string> kinds;  ///< without repetitions; `all` is not among them
  bool all_kinds = false;          ///< `--profile all`
  std::string event;
  std::string value_field;
  std::string sample_type;
  bool leak = false;
  FrameOptions frames;
  Compat compat = Compat::none;
  FilterArguments filters;

  /// Whether a command takes one kind or several, and `all`.
  enum class Kinds : std::uint8_t { one, several };

  /// `kind_description`: what the command does with `--profile` and without.
  void add_to(CommandLine& line, Kinds kinds_taken, const std::string& kind_description);
  /// Throws UsageError for options that contradict each other.
  void check() const;
  /// More than one profile was asked for by name.
  [[nodiscard]] bool wants_several() const noexcept { return all_kinds || kinds.size() > 1; }
  [[nodiscard]] ProfileRequest request() const;

 private:
  void add_kind(const std::string& kind, Kinds kinds_taken);
};

/// Reads the profiles and reports what was found on the way. The result has at least one profile:
/// a recording without samples is a ProfileNotFound that names its event types with stack traces.
[[nodiscard]] ProfileSet read_profiles(InputFiles inputs, const ReadingArguments& reading,
                                       const ProfileArguments& profile, const Console& console);

/// The same for one of two inputs that are compared: it may lack what the other has, and samples at
/// all.
[[nodiscard]] ProfileSet read_side(InputFiles inputs, const ReadingArguments& reading,
                                   const ProfileArguments& profile, const Console& console);

/// For an output that holds the first profile only: says that collapsed stacks of the input are not
/// in it.
void report_other_collapsed(const ProfileSet& set, const Console& console);

/// Says which frame options did nothing to collapsed stacks that are written.
void report_idle_options(const FrameOptions& options, std::span<const Profile> profiles,
                         const Console& console);

/// Throws UsageError naming `--sample-type` when none of the profiles has a sample type of that
/// name. Empty is the default of each.
void check_sample_type(const std::string& sample_type, std::span<const Profile> profiles);

/// Whether the value of one sample is known at least, or there is none at all.
[[nodiscard]] bool has_known_value(const Profile& profile);

/// Says for which profiles the sample type asked for is a value that samples lack.
void report_unknown_values(const std::string& sample_type, std::span<const Profile> profiles,
                           const Console& console);

/// `alloc leaves out 12 jdk.X: reason`.
[[nodiscard]] std::string left_out_text(const LeftOut& left_out);

/// The kinds with their descriptions, for help.
[[nodiscard]] std::string kinds_help();

}  // namespace jfrtree::cli
