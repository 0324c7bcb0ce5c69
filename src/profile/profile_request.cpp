#include "profile/profile_request.hpp"

#include <algorithm>
#include <string>

#include "profile/jfrconv_profile.hpp"
#include "profile/kinds.hpp"

namespace jfrtree::internal {

void check_request(const ProfileRequest& request) {
  check_frame_options(request.frames);
  if (request.compat == Compat::jfrconv) check_jfrconv_request(request);
  if (!request.kinds.empty() && !request.event.empty()) {
    throw UsageError("profile kinds and an event type exclude each other");
  }
  if (request.leak && (!request.event.empty() || !is_wanted(request.kinds, "native-mem"))) {
    throw UsageError("leak needs the kind native-mem");
  }
  if (!request.value_field.empty() && request.event.empty()) {
    throw UsageError("a value field needs an event type");
  }
  for (const std::string& kind : request.kinds) {
    const auto kinds = profile_kinds();
    const bool is_known =
        std::any_of(kinds.begin(), kinds.end(),
                    [&kind](const ProfileKindDescription& row) { return row.name == kind; });
    if (is_known || kind == "collapsed") continue;
    std::string names;
    for (const ProfileKindDescription& row : kinds) {
      names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    names += ", collapsed";
    throw UsageError("unknown profile kind " + kind + "; known are " + names);
  }
}

ProfileRequest completed(ProfileRequest request) {
  FrameOptions& frames = request.frames;
  frames.by_thread = frames.by_thread || frames.fold_thread_names || !frames.thread_groups.empty();
  return request;
}

}  // namespace jfrtree::internal
