#include "profile/frame_kinds.hpp"

#include <algorithm>
#include <array>

#include "format/value_reader.hpp"
#include "profile/frame_names.hpp"

namespace jfrtree::internal {

namespace {

struct KindRow {
  FrameKind kind;
  std::string_view description;
  std::string_view suffix;
};

constexpr std::array<KindRow, 7> rows = {{
    {FrameKind::interpreted, "Interpreted", "_[0]"},
    {FrameKind::jit_compiled, "JIT compiled", "_[j]"},
    {FrameKind::inlined, "Inlined", "_[i]"},
    {FrameKind::native, "Native", "_[n]"},
    {FrameKind::cpp, "C++", "_[c]"},
    {FrameKind::kernel, "Kernel", "_[k]"},
    {FrameKind::c1_compiled, "C1 compiled", "_[1]"},
}};
static_assert(rows.size() < std::size_t{1} << frame_kind_bits);

}  // namespace

FrameKind frame_kind_of(std::string_view description) noexcept {
  for (const KindRow& row : rows) {
    if (row.description == description) return row.kind;
  }
  return FrameKind::unknown;
}

std::string_view frame_kind_suffix(FrameKind kind) noexcept {
  for (const KindRow& row : rows) {
    if (row.kind == kind) return row.suffix;
  }
  return {};
}

FrameKinds::FrameKinds(const ChunkContents& contents)
    : contents_(contents), type_(contents.metadata().find("jdk.types.FrameType")) {
  const auto descriptions = pool_texts(contents, "jdk.types.FrameType");
  has_native_frames_ =
      std::find(descriptions.begin(), descriptions.end(), "Kernel") != descriptions.end();
}

void FrameKinds::look_up(std::uint64_t frame_type) {
  const auto found = kinds_.find(frame_type);
  FrameKind kind = FrameKind::unknown;
  if (found != kinds_.end()) {
    kind = found->second;
  } else {
    if (type_ != nullptr) {
      kind = frame_kind_of(ValueReader(contents_).constant(*type_, ConstantKey{frame_type}).text());
    }
    kinds_.emplace(frame_type, kind);
  }
  last_type_ = frame_type;
  last_kind_ = kind;
}

}  // namespace jfrtree::internal
