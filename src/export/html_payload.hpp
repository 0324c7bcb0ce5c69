#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/export.hpp>

#include "export/gzip_writer.hpp"
#include "export/html_contents.hpp"

namespace jfrtree::internal {

/// Numbers frames in the order in which they are first met, so that a page holds the texts that it
/// needs and no others.
class FrameNumbers {
 public:
  /// Says which table the next frames are of. It must stay alive and in its place.
  void choose(const FrameTable& table);

  std::uint32_t number(FrameId frame) {
    const std::size_t index = raw(frame) < frame_count_ ? raw(frame)
                              : frame == root_frame     ? frame_count_
                                                        : frame_count_ + 1;
    const std::uint32_t number = by_frame_[index];
    return number != unnumbered ? number : add(frame, index);
  }

  /// Texts in the order of their numbers.
  [[nodiscard]] std::span<const std::string_view> texts() const noexcept { return texts_; }

 private:
  static constexpr std::uint32_t unnumbered = std::numeric_limits<std::uint32_t>::max();

  /// Numbers by frame of one table, the root and `(other)` behind its own; `unnumbered` where the
  /// frame was not met.
  struct Numbers {
    const FrameTable* table;
    std::vector<std::uint32_t> by_frame;
  };

  std::uint32_t add(FrameId frame, std::size_t index);

  std::vector<Numbers> tables_;
  // The chosen table.
  const FrameTable* table_ = nullptr;
  std::size_t frame_count_ = 0;
  std::uint32_t* by_frame_ = nullptr;
  std::vector<std::string_view> texts_;
};

/// Compresses the data of a page. What it is uncompressed, for the reader html/viewer/payload.js:
///
///     u32 little-endian   length of the header in bytes
///     header              JSON, UTF-8:
///         {"version": 1, "title", "generator", "strings": [frame texts], "notes": [texts],
///          "labels": [texts],
///          "profiles": [{"kind", "snapshot", "sampleTypes": [{"name", "unit"}],
///                        "defaultSampleType": index, "nodes": N, "topRows": M,
///                        "cut": null or {"frame", "maxNodes", "minWidth"}}]}
///     columns             per profile: level[N], frame[N], for each sample type self[N];
///                         topFrame[M], for each sample type topSelf[M], then topTotal[M]
///
/// Columns hold unsigned LEB128 varints of up to 64 bits. Nodes are in depth-first pre-order, node
/// 0 is the root at level 0; frames are indexes into `strings`. The top columns are the methods.
/// `cut` is there where the tree has `(other)` nodes: they have its `frame`, which no other node
/// has, whatever its text. `maxNodes` and `minWidth` are what the tree was cut by, 0: not by that.
///
/// The header of a diff's page has `"diff": {"names": [left, right], "spans": [nanoseconds or
/// null], "comparison": "share", "absolute" or "per-second"}`, and there are twice as many columns
/// of numbers: where `for each sample type` stands above, those of the left side, then those of the
/// right one.
void write_html_payload(GzipWriter& gzip, const HtmlPage& page);

}  // namespace jfrtree::internal
