#include "format/constant_pools.hpp"

#include <algorithm>

#include "format/chunk_header.hpp"

namespace jfrtree::internal {

namespace {

constexpr std::uint64_t checkpoint_type = 1;
/// The table of a pool may take a quarter of the chunk's memory: a slot has four bytes.
constexpr std::uint64_t bytes_per_slot = 16;

/// The fields of a checkpoint in front of its pools.
struct CheckpointHead {
  bool is_checkpoint = false;
  std::uint64_t size = 0;
  std::int64_t delta = 0;
  std::uint64_t pool_count = 0;
};

CheckpointHead read_head(ByteReader& reader) {
  CheckpointHead head;
  head.size = reader.count();
  const std::uint64_t type = reader.key();
  reader.integer(8);  // start time
  reader.integer(8);  // duration
  head.delta = static_cast<std::int64_t>(reader.integer(8));
  reader.byte();  // flags
  head.pool_count = reader.count();
  head.is_checkpoint = !reader.failed() && type == checkpoint_type;
  return head;
}

}  // namespace

/// The one walk over all checkpoints of a chunk.
class ConstantPools::Walk {
 public:
  Walk(ConstantPools& pools, const ChunkInfo& info, std::span<const TypeId> wanted,
       const Limits& limits, ProblemLog& log)
      : pools_(pools), info_(info), limits_(limits), log_(log), bytes_(pools.bytes_) {
    for (const TypeId type : wanted) pools_.indexes_[type] = std::make_unique<PoolIndex>();
  }

  void run() {
    if (info_.header.checkpoint_offset == 0 && info_.state == ChunkState::complete) return;
    if (!follow_chain()) {
      restart();
      for (const std::uint64_t offset : scan()) visit(offset);
    }
  }

 private:
  /// False when the chain is broken: nothing that was found on it can be trusted to be complete.
  bool follow_chain() {
    std::uint64_t offset = info_.header.checkpoint_offset;
    const bool is_cut = info_.state != ChunkState::complete && offset >= bytes_.size();
    if (offset == 0 || is_cut) return false;
    SeededSet<std::uint64_t> visited;
    std::uint64_t covered = 0;  // checkpoints of a sound chain do not overlap
    for (;;) {
      if (offset < chunk_header_bytes || offset >= bytes_.size() ||
          !visited.insert(offset).second) {
        break;
      }
      const CheckpointHead head = visit(offset);
      covered += head.size;
      if (!head.is_checkpoint || covered > bytes_.size()) break;
      if (head.delta == 0) return true;
      offset += static_cast<std::uint64_t>(head.delta);
    }
    log_.problem(ErrorCode::bad_constant_pool, info_.offset + std::min(offset, info_.bytes),
                 "the chain of checkpoints is broken; all checkpoints of the chunk were searched");
    return false;
  }

  void restart() {
    pools_.segments_.clear();
    for (auto it = pools_.indexes_.begin(); it != pools_.indexes_.end(); ++it) {
      *it.value() = PoolIndex();
    }
    entries_ = 0;
    is_salvage_ = true;
  }

  /// Offsets of all checkpoint records, the last one first as on a chain.
  [[nodiscard]] std::vector<std::uint64_t> scan() const {
    std::vector<std::uint64_t> found;
    for (std::uint64_t at = chunk_header_bytes; at < bytes_.size();) {
      ByteReader reader = reader_at(at);
      const std::uint64_t size = reader.count();
      const std::uint64_t type = reader.key();
      if (reader.failed() || size < 2 || size > bytes_.size() - at) break;
      if (type == checkpoint_type) found.push_back(at);
      at += size;
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

  [[nodiscard]] ByteReader reader_at(std::uint64_t offset) const {
    return {bytes_.subspan(offset), info_.header.has_compressed_integers};
  }

  CheckpointHead visit(std::uint64_t offset) {
    ByteReader reader = reader_at(offset);
    CheckpointHead head = read_head(reader);
    if (!head.is_checkpoint) return head;
    const std::uint64_t used = bytes_.size() - offset - reader.remaining();
    if (head.size < used || head.size > bytes_.size() - offset) {
      head.is_checkpoint = is_salvage_;
      return head;
    }
    ByteReader content(reader.rest().first(head.size - used), info_.header.has_compressed_integers);
    for (std::uint64_t i = 0; i < head.pool_count; ++i) {
      if (!read_pool(content)) {
        content.fail();
        log_.problem(ErrorCode::bad_constant_pool, info_.offset + offset,
                     "a checkpoint holds a pool that cannot be decoded; what follows in this "
                     "checkpoint is lost");
        break;
      }
    }
    if (!content.at_end()) {
      log_.note(ErrorCode::bad_constant_pool, info_.offset + offset,
                "checkpoints that are larger than their pools");
    }
    return head;
  }

  bool read_pool(ByteReader& reader) {
    const TypeId type_id{reader.key()};
    const std::uint64_t count = reader.count();
    if (reader.failed()) return false;
    if (count == 0) return true;
    const Type* type = pools_.layouts_->metadata().find(type_id);
    const DecodeProgram* program = type == nullptr ? nullptr : pools_.layouts_->skip_program(*type);
    if (program == nullptr) return false;
    const auto wanted = pools_.indexes_.find(type_id);
    PoolIndex* index = wanted == pools_.indexes_.end() ? nullptr : wanted->second.get();
    Segment segment{type_id, offset_of(reader), 0};
    while (segment.count < count) {
      const std::uint64_t key = reader.key();
      const std::uint64_t offset = offset_of(reader);
      pools_.layouts_->skip(*program, reader);
      if (reader.failed()) break;
      if (++entries_ > limits_.pool_entries) {
        log_.problem(ErrorCode::limit_exceeded, info_.offset + offset,
                     "the constant pools exceed the limit pool_entries; raise it with --limit "
                     "pool_entries=N");
        reader.fail();
        break;
      }
      if (index != nullptr) index->add(key, offset);
      ++segment.count;
    }
    pools_.segments_.push_back(segment);
    return !reader.failed();
  }

  [[nodiscard]] std::uint64_t offset_of(const ByteReader& reader) const {
    return static_cast<std::uint64_t>(reader.position() -
                                      reinterpret_cast<const std::uint8_t*>(bytes_.data()));
  }

  ConstantPools& pools_;
  const ChunkInfo& info_;
  const Limits& limits_;
  ProblemLog& log_;
  std::span<const std::byte> bytes_;
  std::uint64_t entries_ = 0;
  bool is_salvage_ = false;
};

void ConstantPools::read(const ChunkInfo& info, std::span<const std::byte> bytes,
                         const Layouts& layouts, std::span<const TypeId> wanted,
                         const Limits& limits, ProblemLog& log) {
  bytes_ = bytes;
  layouts_ = &layouts;
  Walk(*this, info, wanted, limits, log).run();
  for (auto it = indexes_.begin(); it != indexes_.end(); ++it)
    it.value()->build(bytes.size() / bytes_per_slot);
}

const PoolIndex& ConstantPools::index(TypeId type) const {
  const std::lock_guard lock(mutex_);
  const auto found = indexes_.find(type);
  if (found != indexes_.end()) return *found->second;
  auto index = std::make_unique<PoolIndex>();
  const Type* declared = layouts_ == nullptr ? nullptr : layouts_->metadata().find(type);
  for (const Segment& segment : segments_) {
    if (segment.type != type || declared == nullptr) continue;
    ByteReader reader(bytes_.subspan(segment.offset), layouts_->has_compressed_integers());
    for (std::uint64_t i = 0; i < segment.count; ++i) {
      const std::uint64_t key = reader.key();
      index->add(key,
                 static_cast<std::uint64_t>(reader.position() -
                                            reinterpret_cast<const std::uint8_t*>(bytes_.data())));
      layouts_->skip(*declared, reader);
    }
  }
  index->build(bytes_.size() / bytes_per_slot);
  return *(indexes_[type] = std::move(index));
}

}  // namespace jfrtree::internal
