#include "profile/lane.hpp"

#include <algorithm>
#include <array>

namespace jfrtree::internal {

namespace {

/// Events of async-profiler whose interval is a time; for others it counts something.
constexpr std::array<std::string_view, 4> timed_events = {"cpu", "itimer", "ctimer", "wall"};

[[nodiscard]] std::optional<std::string_view> setting(const Settings& settings,
                                                      std::string_view key) {
  const auto found = settings.find(key);
  if (found == settings.end()) return std::nullopt;
  return found->second;
}

LaneMeaning profiler_cpu(const Settings& settings) {
  const auto event = setting(settings, "event");
  const auto interval = setting(settings, "interval");
  LaneMeaning meaning{"cpu", std::nullopt, false, event && interval};
  const bool is_timed =
      event && std::find(timed_events.begin(), timed_events.end(), *event) != timed_events.end();
  if (is_timed && interval) meaning.period_ns = parse_period(*interval);
  return meaning;
}

LaneMeaning profiler_wall(const Settings& settings) {
  const auto wall = setting(settings, "wall");
  const auto event = setting(settings, "event");
  const auto interval = setting(settings, "interval");
  LaneMeaning meaning{"wall", std::nullopt, false, wall && event && interval};
  if (wall) meaning.period_ns = parse_period(*wall);
  if (!meaning.period_ns && event == "wall" && interval) {
    meaning.period_ns = parse_period(*interval);
  }
  meaning.is_complete = meaning.is_complete || meaning.period_ns;
  return meaning;
}

}  // namespace

LaneMeaning meaning_of(const Lane& lane, const Settings& settings) {
  switch (lane.origin) {
    case SampleOrigin::jdk_sampler: {
      const auto period = setting(settings, "period of " + lane.event);
      LaneMeaning meaning{lane.kind, std::nullopt, true, period.has_value()};
      if (period) meaning.period_ns = parse_period(*period);
      return meaning;
    }
    case SampleOrigin::profiler_cpu:
      return profiler_cpu(settings);
    case SampleOrigin::profiler_wall:
      return profiler_wall(settings);
    case SampleOrigin::profiler_undecided:
      return setting(settings, "event") == "wall" ? profiler_wall(settings)
                                                  : profiler_cpu(settings);
    case SampleOrigin::direct:
      break;
  }
  return {lane.kind, std::nullopt, false, true, false};
}

}  // namespace jfrtree::internal
