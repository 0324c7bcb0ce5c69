#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/call_tree.hpp>
#include <jfrtree/output.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree {

/// Shape of an output document.
enum class Format : std::uint8_t {
  stacks,
  collapsed,
  flamebearer,
  nested_set,
  nested_set_json,
  grafana,
  tree,
  html,
  arrow,    ///< binary: an Arrow IPC file, `profiles_table` of <jfrtree/arrow.hpp>
  summary,  ///< of diffs alone: JSON with totals and the methods that changed
};

/// A format with its name, its file endings and what it can hold.
struct FormatDescription {
  Format format;
  std::string_view name;                      ///< e.g. "nested-set"
  std::span<const std::string_view> endings;  ///< e.g. ".csv"; the longest match wins
  std::string_view description;
  bool holds_several_profiles;
  std::uint64_t default_max_nodes;  ///< 0: no limit
};

/// All formats, in the order of the help text.
[[nodiscard]] std::span<const FormatDescription> format_descriptions() noexcept;
/// By name, or null.
[[nodiscard]] const FormatDescription* find_format(
    std::string_view name,
    std::span<const FormatDescription> formats = format_descriptions()) noexcept;
/// By the ending of a path, or null.
[[nodiscard]] const FormatDescription* find_format_by_path(
    std::string_view path,
    std::span<const FormatDescription> formats = format_descriptions()) noexcept;

/// What writers need to know beside the profiles.
struct ExportOptions {
  /// `count`, `value` or a sample type's name; empty: each profile's default. Formats that hold
  /// several sample types write all and use this one for pruning and first view.
  std::string sample_type{};
  std::optional<std::uint64_t> max_nodes{};        ///< absent: the format's default; 0: no limit
  double min_width = 0;                            ///< percent of the total
  bool reverse = false;                            ///< trees rooted at the leaves
  std::string title{};                             ///< html; flamebearer's name is the sample type
  std::vector<std::string> notes{};                ///< html: shown to the reader
  std::vector<std::string> labels{};               ///< html: of the inputs, shown in its head
  std::uint64_t tree_nodes = Limits{}.tree_nodes;  ///< a larger tree is a LimitError
  /// Collapsed stacks with frames as they are, as other programs write them: a `;` or a line feed
  /// in a frame breaks the line. Not with limits of the tree and `reverse`.
  bool raw_frames = false;
  /// Threads that write formats of one line per stack; the bytes do not depend on it.
  unsigned threads = 1;
};

/// What `max_nodes` and `min_width` folded into `(other)` nodes of a profile's tree.
struct TreeCut {
  std::string kind{};
  SampleType sample_type{};     ///< the one shown, by which the tree was cut
  std::uint64_t folded = 0;     ///< sum of the `(other)` nodes, in its unit
  std::uint64_t total = 0;      ///< of the whole tree, in its unit
  std::uint64_t max_nodes = 0;  ///< the limit that the tree was above; 0: it was not
  double min_width = 0;         ///< percent; 0: none was asked for
};

/// Writes profiles in a format. `profiles` holds exactly one for formats that hold one. The output
/// is not committed. `stacks` holds everything as it is: reversing or cutting it is a UsageError.
/// Collapsed stacks are cut only when a limit is given. Of several profiles, those without the
/// sample type asked for use their default.
/// Returns, in the order of the profiles, one entry for each whose tree has an `(other)` node.
/// Throws IoError, UsageError (unknown sample type, wrong number of profiles).
std::vector<TreeCut> write_profiles(Output& output, std::span<const Profile> profiles,
                                    Format format, const ExportOptions& options = {});

/// JSON lines, the loss-free reference: one object per stack, sorted by kind, stack, thread.
/// With several threads the output is called from any of them, one at a time.
void write_stacks(Output& output, std::span<const Profile> profiles, unsigned threads = 1);

/// `root;…;leaf N`, one line per stack whose number is above 0, sorted frame by frame. A line
/// splits at `;` and at the last space, and is no comment: in a frame `;` is written U+037E (Greek
/// question mark, the same look), a line feed U+2424, a carriage return U+240D, and `#` as its
/// first character U+FF03. Where a frame holds such a character itself, an invisible U+FE0E behind
/// it says so. Reading turns all of them back: the stacks are the same.
/// Threads as for `write_stacks`.
void write_collapsed(Output& output, const Profile& profile, std::size_t sample_type,
                     unsigned threads = 1);

/// The same with frames as they are, see `ExportOptions::raw_frames`.
void write_raw_collapsed(Output& output, const Profile& profile, std::size_t sample_type,
                         unsigned threads = 1);

/// Pyroscope's flamebearer JSON, version 1, single: four integers a bar. As there, `(other)` is
/// called `other`, and a frame of that name becomes part of it. Time that was sampled has the units
/// `samples` at 1,000,000,000 a second, other durations `lock_nanoseconds`.
void write_flamebearer(Output& output, const CallTree& tree, std::size_t sample_type);

/// The double form: seven integers a bar, both trees padded to one shape, `left` first. A node
/// stays when it is large enough on either side (`max_nodes` as Pyroscope counts, 0: all).
void write_flamebearer_diff(Output& output, const CallTree& left, const CallTree& right,
                            std::size_t sample_type, std::uint64_t max_nodes = 0);

/// Rows `level,value,self,label` in depth-first order, as CSV with a header line. These, the JSON
/// rows and the nested JSON leave out nodes without a total of the sample type, as collapsed stacks
/// do. Numbers are exact; a reader that holds them as doubles loses digits above 2^53.
void write_nested_set(Output& output, const CallTree& tree, std::size_t sample_type);

/// The same rows as an array of JSON objects.
void write_nested_set_json(Output& output, const CallTree& tree, std::size_t sample_type);

/// The same rows as a Grafana data frame in JSON, column by column: level, value, self, label. The
/// unit of the sample type is that of the values.
void write_grafana(Output& output, const CallTree& tree, std::size_t sample_type);

/// Nested JSON `{name, self, total, children}`, the root called `total`.
void write_tree(Output& output, const CallTree& tree, std::size_t sample_type);

/// One profile of an HTML page: its tree, pruned or not, and its methods, which were summed before
/// pruning.
struct HtmlProfile {
  std::string kind;
  bool is_snapshot = false;
  CallTree tree;
  std::vector<MethodSums> methods;
  /// What the tree was cut by, for the page to say; 0 where not by that.
  std::uint64_t max_nodes = 0;
  double min_width = 0;  ///< percent
};

/// One self-contained page with an interactive flame graph of all profiles given.
void write_html(Output& output, std::span<const HtmlProfile> profiles, std::string_view title,
                std::span<const std::string> notes = {});

}  // namespace jfrtree
