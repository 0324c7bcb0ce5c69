#include "export/flamebearer_units.hpp"

namespace jfrtree::internal {
namespace {

bool holds(std::string_view name, std::string_view word) noexcept {
  return name.find(word) != std::string_view::npos;
}

bool is_sampled(std::string_view name) noexcept {
  return holds(name, "cpu") || holds(name, "wall") ||
         (holds(name, "native") && !holds(name, "lock"));
}

bool is_contention(std::string_view name) noexcept {
  return !is_sampled(name) &&
         (holds(name, "lock") || holds(name, "park") || holds(name, "contention"));
}

}  // namespace

FlamebearerUnits flamebearer_units(const SampleType& sample_type) noexcept {
  if (sample_type.unit == "nanoseconds") {
    return is_sampled(sample_type.name) ? FlamebearerUnits{"samples", 1'000'000'000}
                                        : FlamebearerUnits{"lock_nanoseconds"};
  }
  if (sample_type.unit == "count") {
    return {is_contention(sample_type.name) ? "lock_samples" : "objects"};
  }
  return {sample_type.unit};
}

}  // namespace jfrtree::internal
