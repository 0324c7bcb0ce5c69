#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/profile.hpp>

namespace jfrtree::cli {

/// One line of `jfrtree top`.
struct TopRow {
  std::string_view frame;  ///< text of the profile's frame table, which must outlive the row
  std::uint64_t self = 0;
  std::uint64_t total = 0;
};

/// What `jfrtree top` shows, in all its forms.
struct TopReport {
  std::string kind;
  SampleType sample_type;
  std::uint64_t samples = 0;  ///< of the profile
  std::uint64_t total = 0;    ///< of the sample type, over all stacks
  bool is_known = true;       ///< else no sample says a number, and those here mean nothing
  std::uint64_t methods = 0;  ///< how many there are; `rows` may hold fewer
  std::vector<TopRow> rows;
};

/// The first `rows` methods (0: all) of a profile by self or total of a sample type, empty: the
/// default. The profile must outlive the report.
[[nodiscard]] TopReport make_top_report(const Profile& profile, const std::string& sample_type,
                                        bool by_total, std::uint64_t rows);

[[nodiscard]] std::string top_text(const TopReport& report);
[[nodiscard]] std::string top_json(const TopReport& report);
[[nodiscard]] std::string top_csv(const TopReport& report);

}  // namespace jfrtree::cli
