#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <jfrtree/arrow_c_data.hpp>
#include <jfrtree/call_tree.hpp>
#include <jfrtree/diff.hpp>
#include <jfrtree/event_rows.hpp>
#include <jfrtree/output.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree {

namespace internal {
struct ArrowTableData;
}  // namespace internal

/// A table in memory, in the layout of Apache Arrow. Immutable; copies and everything exported from
/// it share the memory, which lives as long as one of them. Thread-safe.
///
/// Frames, threads and other texts that repeat are dictionary<int32, utf8>; a dictionary holds the
/// texts that occur in its column, each once, those of frames in byte order. Sums are int64, or
/// uint64 where one is above 2^63-1. Metadata of a field: `unit` and `sample_type` (`name/unit`) of
/// numbers; of a table: `kind`, `snapshot` (`true` for a state at a moment).
class ArrowTable {
 public:
  explicit ArrowTable(std::shared_ptr<const internal::ArrowTableData> data) noexcept;

  [[nodiscard]] std::int64_t rows() const noexcept;
  [[nodiscard]] std::size_t column_count() const noexcept;
  [[nodiscard]] std::string_view column_name(std::size_t column) const;

  /// Fills in the schema, a struct with a child for each column. The consumer releases it.
  void export_schema(ArrowSchema* schema) const;
  /// Fills in a stream of the table's batches: one, unless lists are too long for 32-bit offsets.
  /// Any number of times; nothing is copied. The consumer releases it.
  void export_stream(ArrowArrayStream* stream) const;

  [[nodiscard]] const internal::ArrowTableData& data() const noexcept { return *data_; }

 private:
  std::shared_ptr<const internal::ArrowTableData> data_;
};

/// One row per stack and thread, in the order of the stacks, then of the threads:
/// `stack_id` uint32 (see `stacks_table`), `thread` (without brackets; null without thread frames),
/// `count`, `value` (null where unknown), and `bytes` or what else the kind's further sample types
/// count, by their unit. Linear, as all these tables.
[[nodiscard]] ArrowTable samples_table(const Profile& profile);

/// The stacks of `samples_table`, each once: `stack_id` uint32, 0, 1, 2 …, in the order of their
/// frames, and `frames` list<dictionary>, root first, without the thread.
[[nodiscard]] ArrowTable stacks_table(const Profile& profile);

/// Both in one, of several profiles: `kind` dictionary, `stack`, `thread`, `count`, `value`, `unit`
/// dictionary (of the value), and `bytes` and the like, null for kinds that lack it.
[[nodiscard]] ArrowTable profiles_table(std::span<const Profile> profiles);

/// The nodes of a tree, depth-first: `node` uint32, `parent` uint32 (null for the root), `level`
/// uint32, `frame`, and `self` and `total` of a sample type (index into the tree's).
[[nodiscard]] ArrowTable tree_table(const CallTree& tree, std::size_t sample_type);

/// What a tree of a profile is to look like.
struct TreeTableOptions {
  std::size_t sample_type = 0;  ///< index into the profile's
  bool reverse = false;         ///< rooted at the leaves
  std::uint64_t max_nodes = 0;  ///< keep about the largest so many, fold the others; 0: all
  double min_width = 0;         ///< percent of the total below which nodes are folded
  std::uint64_t tree_nodes = Limits{}.tree_nodes;  ///< a larger tree is a LimitError
};

/// Builds the tree and folds as `write_profiles` does. Throws LimitError.
[[nodiscard]] ArrowTable tree_table(const Profile& profile, const TreeTableOptions& options);

/// The methods of `method_sums`, at most `rows`: `frame`, `self`, `total`, and `self_share` and
/// `total_share` float64, 0 to 1, of the profile's total.
[[nodiscard]] ArrowTable top_table(const Profile& profile, std::size_t sample_type,
                                   bool by_total = false,
                                   std::size_t rows = std::numeric_limits<std::size_t>::max());

/// The methods of `method_diffs` in its order: `frame`, `self_left`, `self_right`, `total_left`,
/// `total_right`, as they are, whatever the comparison. Throws as that does.
[[nodiscard]] ArrowTable diff_table(const DiffProfile& diff, std::size_t sample_type,
                                    Comparison comparison);

/// Writes a table as an Arrow IPC file (Feather version 2), uncompressed. The output is not
/// committed. Throws IoError, ClosedPipe.
void write_arrow(Output& output, const ArrowTable& table);

/// How a stream of events is handed out.
struct EventStreamOptions {
  /// All columns of the types, e.g. united from an `EventCatalog`. Empty: they are read from the
  /// metadata of all chunks first, for which pipes are kept in a temporary file.
  std::vector<EventColumn> columns{};
  bool with_type = false;           ///< a first column `type`, for requests of several types
  std::size_t batch_rows = 65'536;  ///< most rows of a batch; less where texts or lists are long
  std::size_t waiting_batches = 2;  ///< most batches that are read ahead
};

/// Events as batches of an Arrow table, read by a thread of the stream's own that never gets more
/// than `waiting_batches` ahead. It is started by the first `next` and stops soon after the stream
/// is destroyed. For one thread at a time.
///
/// The columns are those of the request, of all chunks united. `a.b` is field `b` of a struct `a`,
/// which is null where all its fields are; `stackTrace.truncated` stands beside `stackTrace`.
/// Types: integers of the recording's width and sign, bool, float, double, timestamp[ns, UTC],
/// duration[ns], utf8; texts that come from a constant pool (threads, classes, methods, causes) and
/// `type` are dictionary<int32, utf8>, stacks are lists of such, arrays are lists. Numbers of an
/// entry of a dictionary mean the same in all batches. Metadata of a field: `label`, `unit`,
/// `content_type` (the annotation). Of a column that chunks declare differently, what its common
/// type does not hold is null; other things in a text column are written as in CSV.
class EventStream {
 public:
  /// Finds out the columns. `read.progress` is called by the reading thread. Throws as
  /// `read_event_schemas`, UsageError for an unknown column.
  EventStream(std::vector<Source> sources, EventRequest request, ReadOptions read = {},
              EventStreamOptions options = {});
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;
  ~EventStream();

  /// Fills in the schema, a struct with a child for each column. The consumer releases it.
  void export_schema(ArrowSchema* schema) const;
  /// Waits for the next batch; false, and a released array, at the end. The consumer releases it,
  /// also after the stream is gone. Throws what reading threw, behind the rows before it,
  /// LimitError for a dictionary above `frame_bytes`, and Interrupted soon after
  /// `ReadOptions::stop`.
  [[nodiscard]] bool next(ArrowArray* batch);
  /// Rows, problems and statistics, once `next` returned false.
  [[nodiscard]] const EventReadResult& result() const noexcept;

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

/// Fills in a C stream over the rest of an event stream. What `next` throws is an error code there,
/// with the message; EINTR is Interrupted. The consumer releases it.
void export_stream(std::shared_ptr<EventStream> events, ArrowArrayStream* stream);

}  // namespace jfrtree
