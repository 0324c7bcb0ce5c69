#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <jfrtree/event_rows.hpp>
#include <jfrtree/output.hpp>

namespace jfrtree {

/// Writes the rows of `read_events`. The output, which must outlive the writer, is not committed;
/// call `finish` after the last row. All members throw IoError, ClosedPipe.
///
/// Both formats: times are ISO 8601 in UTC with nine digits of the second, durations whole
/// nanoseconds, numbers exact, floating point the shortest text that reads back as the same number.
/// Text is valid UTF-8.
class EventWriter : public EventSink {
 public:
  /// Writes what is still in the writer's buffer; for csv the header, if there was no row.
  virtual void finish() = 0;
};

/// JSON lines: one object an event, `type` first, then the columns that its chunk declares, by
/// name; a column that is called `type` itself is `type#2`. Null, NaN and infinities are null. A
/// list of structs is an array of objects. With `columns` these alone, in their order, maybe none;
/// absent ones are null then.
[[nodiscard]] std::unique_ptr<EventWriter> jsonl_event_writer(
    Output& output, std::optional<std::vector<EventColumn>> columns = {});

/// CSV (RFC 4180, lines end in CR LF): a header, then a line for each event. Null, NaN, infinities
/// and columns that a chunk does not declare are empty, the empty text is "". Lists and stacks are
/// JSON. `with_type` puts the column `type` in front.
[[nodiscard]] std::unique_ptr<EventWriter> csv_event_writer(Output& output,
                                                            std::vector<EventColumn> columns,
                                                            bool with_type);

/// An Arrow IPC file: batches of 65,536 rows, or fewer with long texts and lists, of the columns
/// and types of `EventStream`. The dictionaries stand behind the batches, so that a file, not a
/// stream, is what readers need. Beyond the other exceptions, throws LimitError for a dictionary of
/// more than `limits.frame_bytes`.
[[nodiscard]] std::unique_ptr<EventWriter> arrow_event_writer(
    Output& output, const std::vector<EventColumn>& columns, bool with_type,
    const Limits& limits = {});

}  // namespace jfrtree
