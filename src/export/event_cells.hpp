#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/event_rows.hpp>

namespace jfrtree::internal {

/// Appends `2026-11-30` for days since the epoch.
void append_date(std::string& text, std::int64_t days);

/// Writes points in time as ISO 8601 with nine digits, `2026-11-30T15:04:35.153213652Z`. Times of
/// one second after the other are cheap.
class TimeText {
 public:
  void append(std::string& text, std::int64_t epoch_ns);

 private:
  std::int64_t second_ = std::numeric_limits<std::int64_t>::min();
  std::string prefix_;  // up to the point
};

/// The cells of rows as text, appended to a string.
class CellText {
 public:
  /// Frames of another chunk begin: their numbers mean other texts.
  void begin_chunk() { quoted_frames_.clear(); }

  /// As a JSON value. A list of plain values is an array of these, any other list one of objects.
  void append_json(std::string& text, const EventValues& values, const EventCell& cell,
                   const EventColumn& column);
  /// As a CSV field; lists and stacks as JSON in quotes.
  void append_csv(std::string& text, const EventValues& values, const EventCell& cell,
                  const EventColumn& column);

 private:
  void append_number(std::string& text, const EventCell& cell, const EventColumn& column);
  void append_list(std::string& text, const EventValues& values, const EventCell& cell,
                   const EventColumn& column);
  void append_stack(std::string& text, const EventValues& values, const EventCell& cell);

  TimeText time_;
  std::vector<std::string> quoted_frames_;  // by number, empty: not yet
  std::string json_;
};

/// Appends a CSV field, in quotes where it needs them; an empty text is `""`.
void append_csv_text(std::string& text, std::string_view field);

}  // namespace jfrtree::internal
