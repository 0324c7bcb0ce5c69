#include "export/diff_summary_writer.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "export/comparison_name.hpp"
#include "export/frame_texts.hpp"
#include "export/json_text.hpp"
#include "export/text_writer.hpp"
#include "format/text.hpp"
#include "profile/saturating_add.hpp"

namespace jfrtree::internal {
namespace {

/// The sum of a sample type over a profile; nothing when it is unknown for every sample.
std::optional<std::uint64_t> known_total(const Profile& profile, std::size_t sample_type) {
  std::uint64_t total = 0;
  bool is_known = sample_type != 1 || profile.value.has_value();
  for (const StackSum& stack : profile.stacks) {
    is_known = is_known || stack.has_value;
    add_saturated(total, profile.number(stack, sample_type));
  }
  return is_known ? std::optional(total) : std::nullopt;
}

class SummaryWriter {
 public:
  SummaryWriter(TextWriter& writer, const DiffProfile& diff, std::size_t sample_type,
                const DiffOptions& options)
      : writer_(writer),
        diff_(diff),
        sample_type_(sample_type),
        options_(options),
        units_(side_units(diff, sample_type, options.comparison)) {}

  void write() {
    const SampleType& type = diff_.left.sample_types.at(sample_type_);
    writer_.append("{\"kind\":");
    write_string(diff_.left.kind);
    writer_.append(",\"sample_type\":{\"name\":");
    write_string(type.name);
    writer_.append(",\"unit\":");
    write_string(type.unit);
    writer_.append("},\"comparison\":");
    write_string(comparison_name(options_.comparison));
    write_side("left", diff_.left, 0);
    write_side("right", diff_.right, 1);
    writer_.append(",\"rows\":[");
    write_rows();
    writer_.append("\n]}\n");
  }

 private:
  void write_side(std::string_view name, const Profile& profile, std::size_t side) {
    writer_.append(",\"");
    writer_.append(name);
    writer_.append("\":{\"name\":");
    std::string text;
    append_utf8(text, options_.names[side]);
    write_string(text);
    writer_.append(",\"samples\":");
    writer_.append(profile.count);
    writer_.append(",\"total\":");
    write_optional(known_total(profile, sample_type_));
    writer_.append(",\"span_ns\":");
    write_optional(diff_.span_ns[side]);
    writer_.append('}');
  }

  void write_rows() {
    FrameTexts frames(*diff_.left.frame_table, escape_json, "\n{\"frame\":", ",\"change\":");
    bool is_first = true;
    for (const MethodDiff& method : method_diffs(diff_, sample_type_, options_.comparison)) {
      if (!is_first) {
        writer_.append(',');
      }
      is_first = false;
      writer_.append(frames[method.frame]);
      write_string(change_name(method));
      write_numbers(",\"left\":{\"self\":", method.left);
      write_numbers(",\"right\":{\"self\":", method.right);
      writer_.append(",\"delta\":{\"self\":");
      write_difference(method.left.self[sample_type_], method.right.self[sample_type_]);
      writer_.append(",\"total\":");
      write_difference(method.left.total[sample_type_], method.right.total[sample_type_]);
      writer_.append("}}");
    }
  }

  [[nodiscard]] std::string_view change_name(const MethodDiff& method) const {
    const std::uint64_t before = method.left.total[sample_type_];
    const std::uint64_t after = method.right.total[sample_type_];
    if (before == 0 && after == 0) {
      return "same";
    }
    if (before == 0 || after == 0) {
      return before == 0 ? "new" : "gone";
    }
    const bool is_same =
        units_.compare(before, after) == 0 &&
        units_.compare(method.left.self[sample_type_], method.right.self[sample_type_]) == 0;
    return is_same ? "same" : "changed";
  }

  void write_numbers(std::string_view before, const MethodSums& sums) {
    writer_.append(before);
    writer_.append(sums.self[sample_type_]);
    writer_.append(",\"total\":");
    writer_.append(sums.total[sample_type_], '}');
  }

  /// Right minus left. Numbers as they are stay exact.
  void write_difference(std::uint64_t before, std::uint64_t after) {
    if (options_.comparison == Comparison::absolute) {
      if (after < before) {
        writer_.append('-');
      }
      writer_.append(after < before ? before - after : after - before);
      return;
    }
    constexpr double units_in_second = 1e9;
    const double factor = options_.comparison == Comparison::per_second ? units_in_second : 1.0;
    const double difference = units_.compare(before, after) == 0
                                  ? 0.0
                                  : factor * (units_.in_unit(1, after) - units_.in_unit(0, before));
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), difference).ptr;
    writer_.append(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
  }

  void write_optional(std::optional<std::uint64_t> number) {
    if (number) {
      writer_.append(*number);
    } else {
      writer_.append("null");
    }
  }

  void write_string(std::string_view text) {
    json_.clear();
    append_json_string(json_, text);
    writer_.append(json_);
  }

  TextWriter& writer_;
  const DiffProfile& diff_;
  std::size_t sample_type_;
  const DiffOptions& options_;
  SideUnits units_;
  std::string json_;
};

}  // namespace

void write_diff_summary(Output& output, const DiffProfile& diff, std::size_t sample_type,
                        const DiffOptions& options) {
  TextWriter writer(output);
  SummaryWriter(writer, diff, sample_type, options).write();
  writer.flush();
}

}  // namespace jfrtree::internal
