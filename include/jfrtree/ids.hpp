#pragma once

#include <compare>
#include <cstdint>
#include <type_traits>

namespace jfrtree {

/// Id of a type (class, event type, pool) in the metadata of one chunk. Means nothing elsewhere.
enum class TypeId : std::uint64_t {};

/// Key of an entry in one constant pool of one chunk: all 64 bits count.
enum class ConstantKey : std::uint64_t {};

/// Frame text in the `FrameTable` of one `ProfileSet`. After reading, ids are ranks: comparing two
/// ids compares the texts by bytes.
enum class FrameId : std::uint32_t {};

/// Node of a call tree: its position in pre-order, 0 for the root.
enum class NodeId : std::uint32_t {};

/// The number inside an id.
template <typename Id>
[[nodiscard]] constexpr std::underlying_type_t<Id> raw(Id id) noexcept {
  return static_cast<std::underlying_type_t<Id>>(id);
}

/// Stands for the root of every call tree; its text is `total`.
inline constexpr FrameId root_frame{0xFFFF'FFFFU};
/// Stands for what pruning cut off below a node; its text is `(other)`.
inline constexpr FrameId other_frame{0xFFFF'FFFEU};

}  // namespace jfrtree
