#include "cli/compat_arguments.hpp"

#include <algorithm>
#include <vector>

#include <jfrtree/error.hpp>

#include "cli/frame_arguments.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {

void CompatArguments::add_to(CommandLine& line) {
  line.begin_group("Compatibility");
  line.add_value("--compat", "PROGRAM",
                 "collapsed stacks of one kind as another program makes them: jfrconv",
                 [this](const std::string& value) {
                   if (value != "jfrconv") {
                     throw UsageError("--compat: '" + value + "' is not known, only jfrconv is");
                   }
                   compat = Compat::jfrconv;
                 });
}

void CompatArguments::check(const ProfileArguments& profile, const std::string& format,
                            bool has_tree_options) const {
  if (compat == Compat::none) {
    return;
  }
  if (format != "collapsed") {
    throw UsageError("--compat: jfrconv is compared by collapsed stacks, not by " + format);
  }
  if (profile.all_kinds || profile.kinds.size() != 1) {
    throw UsageError("--compat: needs one kind, as in --compat jfrconv -p cpu");
  }
  std::vector<std::string> options = given_frame_options(profile.frames);
  options.erase(std::remove(options.begin(), options.end(), "--by-thread"), options.end());
  if (!options.empty()) {
    throw UsageError("--compat and " + options.front() +
                     " contradict each other: frames read as jfrconv writes them");
  }
  if (!profile.filters.options.empty()) {
    throw UsageError(
        "--compat and filters contradict each other: jfrconv's way of reading knows none of them");
  }
  if (profile.leak) {
    throw UsageError("--compat and --leak contradict each other");
  }
  if (has_tree_options) {
    throw UsageError(
        "--compat and options of the tree (--reverse, --min-width, --max-nodes) contradict each "
        "other");
  }
}

}  // namespace jfrtree::cli
