#include <jfrtree/limits.hpp>

#include <algorithm>
#include <array>

namespace jfrtree {
namespace {

constexpr std::array<LimitDescription, 11> descriptions = {{
    {"decompressed_bytes", "Bytes of one input after decompression.", &Limits::decompressed_bytes},
    {"compression_ratio",
     "Decompressed bytes per compressed byte, checked once 64 MiB have been produced.",
     &Limits::compression_ratio},
    {"chunk_bytes", "Bytes of one chunk that is read into memory; larger ones are passed over.",
     &Limits::chunk_bytes},
    {"pool_entries", "Entries of all constant pools of one chunk.", &Limits::pool_entries},
    {"string_bytes", "Bytes of one string.", &Limits::string_bytes},
    {"stack_frames", "Frames of one stack trace; deeper ones are cut.", &Limits::stack_frames},
    {"metadata_depth", "Nesting of elements in a metadata event.", &Limits::metadata_depth},
    {"metadata_elements", "Strings and elements of one metadata event.",
     &Limits::metadata_elements},
    {"profile_frames", "Frames of all unique stacks of all profiles that are read together.",
     &Limits::profile_frames},
    {"frame_bytes", "Bytes of the texts of all frames that are read together.",
     &Limits::frame_bytes},
    {"tree_nodes", "Nodes of one call tree.", &Limits::tree_nodes},
}};
static_assert(sizeof(Limits) == descriptions.size() * sizeof(std::uint64_t));

}  // namespace

std::span<const LimitDescription> limit_descriptions() noexcept { return descriptions; }

bool set_limit(Limits& limits, std::string_view name, std::uint64_t value) noexcept {
  const auto* const found = std::ranges::find(descriptions, name, &LimitDescription::name);
  if (found == descriptions.end()) {
    return false;
  }
  limits.*found->member = value;
  return true;
}

}  // namespace jfrtree
