#include "export/arrow/text_dictionary.hpp"

#include <algorithm>
#include <limits>

#include <jfrtree/error.hpp>

#include "io/hash.hpp"

namespace jfrtree::internal::arrow {

namespace {

constexpr std::int32_t free_slot = -1;

[[noreturn]] void throw_limit(std::uint64_t most_bytes) {
  Problem problem;
  problem.code = ErrorCode::limit_exceeded;
  problem.message = "the different texts of a column have more than " + std::to_string(most_bytes) +
                    " bytes, the limit frame_bytes; raise it with --limit frame_bytes=N";
  throw LimitError(std::move(problem));
}

}  // namespace

TextDictionary::TextDictionary(std::uint64_t most_bytes)
    : most_bytes_(std::min<std::uint64_t>(most_bytes, std::numeric_limits<std::int32_t>::max())),
      slots_(64, free_slot) {
  offsets_.push_back(0);
}

std::string_view TextDictionary::text(std::int32_t number) const noexcept {
  const std::int32_t* const offset = offsets_.data() + number;
  return {characters_.data() + offset[0], static_cast<std::size_t>(offset[1] - offset[0])};
}

std::int32_t TextDictionary::add(std::string_view added) {
  const auto address = reinterpret_cast<std::uintptr_t>(added.data());
  Recent& recent = recent_[(address >> 4U ^ address >> 12U) % recent_count];
  // Other text may lie at the same address by now.
  const bool is_known = recent.address == added.data() && recent.size == added.size() &&
                        !added.empty() && text(recent.number) == added;
  if (!is_known) recent = {added.data(), added.size(), find_or_append(added)};
  return recent.number;
}

std::int32_t TextDictionary::find_or_append(std::string_view added) {
  const std::uint64_t hash = hash_bytes(added);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != free_slot; slot = (slot + 1) & mask) {
    const std::int32_t number = slots_[slot];
    if (hashes_[static_cast<std::size_t>(number)] == hash && text(number) == added) return number;
  }
  if (added.size() > most_bytes_ - characters_.size()) throw_limit(most_bytes_);
  const auto number = static_cast<std::int32_t>(hashes_.size());
  characters_.append(added.data(), added.size());
  offsets_.push_back(static_cast<std::int32_t>(characters_.size()));
  hashes_.push_back(hash);
  slots_[slot] = number;
  last_.reset();
  if (2 * hashes_.size() > slots_.size()) grow_slots();
  return number;
}

void TextDictionary::grow_slots() {
  slots_.assign(2 * slots_.size(), free_slot);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t number = 0; number < hashes_.size(); ++number) {
    std::size_t slot = hashes_[number] & mask;
    while (slots_[slot] != free_slot) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::int32_t>(number);
  }
}

ColumnPointer TextDictionary::snapshot() {
  if (!last_) {
    auto column = std::make_shared<Column>();
    column->length = static_cast<std::int64_t>(hashes_.size());
    column->buffers = {Buffer{}, offsets_.snapshot(), characters_.snapshot()};
    last_ = std::move(column);
  }
  return last_;
}

}  // namespace jfrtree::internal::arrow
