#include "export/event_cells.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "export/decimal.hpp"
#include "export/json_text.hpp"

namespace jfrtree::internal {

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t day_seconds = 86'400;

void append_unsigned(std::string& text, std::uint64_t number) {
  std::array<char, most_digits> digits;
  const char* const end = write_decimal(digits.data(), number);
  text.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void append_signed(std::string& text, std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  if (number < 0) text += '-';
  append_unsigned(text, number < 0 ? 0 - bits : bits);
}

/// With leading zeros.
void append_padded(std::string& text, std::uint64_t number, std::size_t digits) {
  text.append(digits - count_digits(number), '0');
  append_unsigned(text, number);
}

/// The shortest text that reads back as the same number, and as no integer.
template <typename Number>
void append_floating(std::string& text, Number number) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  const std::string_view written(digits.data(), static_cast<std::size_t>(end - digits.data()));
  text += written;
  if (written.find_first_of(".e") == std::string_view::npos) text += ".0";
}

/// Whether the elements of a list are plain values.
[[nodiscard]] bool is_plain_list(const EventColumn& column) noexcept {
  return column.elements.size() == 1 && column.elements.front().path.empty();
}

}  // namespace

/// Years begin in March here, so that the leap day is the last of a year; 400 years have 146,097
/// days.
void append_date(std::string& text, std::int64_t days) {
  const std::int64_t shifted = days + 719'468;  // since March of the year 0
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
  const std::int64_t day_of_era = shifted - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const std::int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const std::int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  append_padded(text, static_cast<std::uint64_t>(year), 4);
  text += '-';
  append_padded(text, static_cast<std::uint64_t>(month), 2);
  text += '-';
  append_padded(text, static_cast<std::uint64_t>(day), 2);
}

void TimeText::append(std::string& text, std::int64_t epoch_ns) {
  std::int64_t second = epoch_ns / second_ns;
  std::int64_t rest = epoch_ns % second_ns;
  if (rest < 0) {
    rest += second_ns;
    --second;
  }
  if (second != second_ || prefix_.empty()) {
    second_ = second;
    const std::int64_t days = (second >= 0 ? second : second - (day_seconds - 1)) / day_seconds;
    const auto time = static_cast<std::uint64_t>(second - days * day_seconds);
    prefix_.clear();
    append_date(prefix_, days);
    prefix_ += 'T';
    append_padded(prefix_, time / 3600, 2);
    prefix_ += ':';
    append_padded(prefix_, time / 60 % 60, 2);
    prefix_ += ':';
    append_padded(prefix_, time % 60, 2);
    prefix_ += '.';
  }
  text += prefix_;
  append_padded(text, static_cast<std::uint64_t>(rest), 9);
  text += 'Z';
}

void CellText::append_number(std::string& text, const EventCell& cell, const EventColumn& column) {
  switch (cell.kind) {
    case EventCell::Kind::boolean:
      text += cell.integer != 0 ? "true" : "false";
      break;
    case EventCell::Kind::unsigned_integer:
      append_unsigned(text, static_cast<std::uint64_t>(cell.integer));
      break;
    case EventCell::Kind::floating:
      if (column.type == ColumnType::float32) {
        append_floating(text, static_cast<float>(cell.floating));
      } else {
        append_floating(text, cell.floating);
      }
      break;
    default:
      append_signed(text, cell.integer);
  }
}

void CellText::append_json(std::string& text, const EventValues& values, const EventCell& cell,
                           const EventColumn& column) {
  switch (cell.kind) {
    case EventCell::Kind::null:
      text += "null";
      break;
    case EventCell::Kind::text:
      append_json_string(text, cell.text());
      break;
    case EventCell::Kind::stack:
      append_stack(text, values, cell);
      break;
    case EventCell::Kind::list:
      append_list(text, values, cell, column);
      break;
    case EventCell::Kind::floating:
      if (!std::isfinite(cell.floating)) {
        text += "null";
        break;
      }
      append_number(text, cell, column);
      break;
    case EventCell::Kind::integer:
      if (column.type == ColumnType::timestamp) {
        text += '"';
        time_.append(text, cell.integer);
        text += '"';
        break;
      }
      [[fallthrough]];
    default:
      append_number(text, cell, column);
  }
}

void CellText::append_stack(std::string& text, const EventValues& values, const EventCell& cell) {
  text += '[';
  bool is_first = true;
  for (const std::uint32_t frame : cell.frames()) {
    if (frame >= quoted_frames_.size()) quoted_frames_.resize(frame + frame / 2 + 64);
    std::string& quoted = quoted_frames_[frame];
    if (quoted.empty()) append_json_string(quoted, values.frame_text(frame));
    if (!is_first) text += ',';
    is_first = false;
    text += quoted;
  }
  text += ']';
}

void CellText::append_list(std::string& text, const EventValues& values, const EventCell& cell,
                           const EventColumn& column) {
  const bool is_plain = is_plain_list(column);
  text += '[';
  for (std::size_t i = 0; i < cell.size; ++i) {
    if (i > 0) text += ',';
    const std::span element(cell.cells + i * cell.width, cell.width);
    if (is_plain) {
      append_json(text, values, element.front(), column.elements.front());
      continue;
    }
    text += '{';
    for (std::size_t j = 0; j < element.size(); ++j) {
      if (j > 0) text += ',';
      append_json_string(text, column.elements[j].name);
      text += ':';
      append_json(text, values, element[j], column.elements[j]);
    }
    text += '}';
  }
  text += ']';
}

void CellText::append_csv(std::string& text, const EventValues& values, const EventCell& cell,
                          const EventColumn& column) {
  switch (cell.kind) {
    case EventCell::Kind::null:
      break;
    case EventCell::Kind::text:
      append_csv_text(text, cell.text());
      break;
    case EventCell::Kind::stack:
    case EventCell::Kind::list:
      json_.clear();
      append_json(json_, values, cell, column);
      append_csv_text(text, json_);
      break;
    case EventCell::Kind::floating:
      if (std::isfinite(cell.floating)) append_number(text, cell, column);
      break;
    case EventCell::Kind::integer:
      if (column.type == ColumnType::timestamp) {
        time_.append(text, cell.integer);
        break;
      }
      [[fallthrough]];
    default:
      append_number(text, cell, column);
  }
}

void append_csv_text(std::string& text, std::string_view field) {
  if (!field.empty() && field.find_first_of("\",\r\n") == std::string_view::npos) {
    text += field;
    return;
  }
  text += '"';
  for (std::size_t at = 0; at < field.size();) {
    const std::size_t quote = field.find('"', at);
    const std::size_t end = quote == std::string_view::npos ? field.size() : quote + 1;
    text += field.substr(at, end - at);
    if (quote != std::string_view::npos) text += '"';
    at = end;
  }
  text += '"';
}

}  // namespace jfrtree::internal
