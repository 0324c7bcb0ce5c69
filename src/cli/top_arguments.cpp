#include "cli/top_arguments.hpp"

#include <jfrtree/error.hpp>

#include "cli/top_report.hpp"

namespace jfrtree::cli {

void TopArguments::add_to(CommandLine& line) {
  line.begin_group("Table");
  line.add_value("-n", "N", "rows to show; 0: all; default: 20", [this](const std::string& value) {
    rows_ = parse_number("-n", value, 0, ~std::uint64_t{0});
  });
  line.add_value("--by", "COLUMN", "order: self (default) or total",
                 [this](const std::string& value) {
                   if (value != "self" && value != "total") {
                     throw UsageError("--by: '" + value + "' is neither self nor total");
                   }
                   by_total_ = value == "total";
                 });
  line.add_flag("--json", "one JSON object with exact numbers", json_);
  line.add_flag("--csv", "lines frame,self,total with exact numbers", csv_);
}

void TopArguments::check(bool has_several_kinds) const {
  if (json_ && csv_) {
    throw UsageError("--json and --csv contradict each other");
  }
  if (has_several_kinds) {
    throw UsageError("--profile: top shows one profile at a time, choose one kind");
  }
}

std::string TopArguments::text(const Profile& profile, const std::string& sample_type) const {
  const TopReport report = make_top_report(profile, sample_type, by_total_, rows_);
  return json_ ? top_json(report) : csv_ ? top_csv(report) : top_text(report);
}

}  // namespace jfrtree::cli
